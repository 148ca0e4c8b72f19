"""Pictures in Jupyter notebooks: levels and environments display themselves there."""

from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from .cells import Sized

LARGEST_CELL = 32
LONGEST_SIDE = 1024  # pixels; large levels are drawn with smaller cells


class Pictured(Sized):
    """A mixin for levels: a notebook shows the level as a picture."""

    def picture(self, cell_size: int = LARGEST_CELL) -> NDArray[np.uint8]:
        """Return a picture of the level as a uint8 array of shape (rows * cell_size, cols * cell_size, 3)."""
        raise NotImplementedError

    def _repr_png_(self) -> bytes:
        fitting = LONGEST_SIDE // max(self.rows, self.cols)
        return png(self.picture(min(LARGEST_CELL, fitting)))


def png(picture: NDArray[np.uint8]) -> bytes:
    """Return a picture as the content of a PNG file."""
    from PIL import Image  # lazy, so that importing the package stays fast

    file = BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return file.getvalue()
