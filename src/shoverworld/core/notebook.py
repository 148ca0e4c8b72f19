"""Jupyter notebooks: levels and environments display themselves as pictures, plans and replays with the web player."""

from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cells import Sized
from .game import resolve

LARGEST_CELL = 32
LONGEST_SIDE = 1024  # pixels; large levels are drawn with smaller cells
PLAYER = "shoverworld.web.notebook:html_of_replay"  # imported by name, because this package does not depend on web/


class Pictured(Sized):
    """A mixin for levels: a notebook shows the level as a picture."""

    def picture(self, cell_size: int = LARGEST_CELL) -> NDArray[np.uint8]:
        """Return a picture of the level as a uint8 array of shape (rows * cell_size, cols * cell_size, 3)."""
        raise NotImplementedError

    def _repr_png_(self) -> bytes:
        fitting = LONGEST_SIDE // max(self.rows, self.cols)
        return png(self.picture(min(LARGEST_CELL, fitting)))


def player_html(replay: Any) -> str:
    """Return HTML that shows a replay with the web player."""
    return resolve(PLAYER)(replay)


def png(picture: NDArray[np.uint8]) -> bytes:
    """Return a picture as the content of a PNG file."""
    from PIL import Image  # lazy, so that importing the package stays fast

    file = BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return file.getvalue()
