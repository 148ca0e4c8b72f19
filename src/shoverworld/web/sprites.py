"""The sprite sheet of a game: the pictures of its tiles in one PNG file, drawn by the same functions as in the window.

Equal pictures are stored once. The description of the game contains the table that maps tiles to pictures.
"""

import io
from functools import cache
from typing import Any

import numpy as np
from PIL import Image

from shoverworld.core.game import Game

COLUMNS = 16  # pictures per row
COLOURS = 256


def sprite_table(game: Game) -> dict[str, Any]:
    """Return the size of a picture, the number of columns, pairs (tile, place in the sheet), and stacks of tiles."""
    assert game.web is not None
    sprites, places = game.web.sprites, _pictures(game)[1]
    stacks = [[stack.first, stack.step, stack.count, [list(part) for part in stack.parts]] for stack in sprites.stacks]
    return {"size": sprites.size, "columns": COLUMNS, "tiles": places, "stacks": stacks}


def sprite_sheet(game: Game) -> np.ndarray:
    """Return the sheet as a uint8 array (height, width, 4)."""
    assert game.web is not None
    size, pictures = game.web.sprites.size, _pictures(game)[0]
    sheet = np.zeros((-(-len(pictures) // COLUMNS) * size, COLUMNS * size, 4), np.uint8)
    for place, picture in enumerate(pictures):
        row, col = divmod(place, COLUMNS)
        sheet[row * size : (row + 1) * size, col * size : (col + 1) * size] = picture
    return sheet


def sprite_png(game: Game) -> bytes:
    """Return the sheet as a PNG file with a palette, which makes the file much smaller."""
    image = Image.fromarray(sprite_sheet(game)).quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


@cache
def _pictures(game: Game) -> tuple[list[np.ndarray], list[tuple[int, int]]]:
    """Return the different pictures of a game, and pairs of a tile and the place of its picture."""
    assert game.web is not None
    found: dict[bytes, int] = {}
    pictures: list[np.ndarray] = []
    places: list[tuple[int, int]] = []
    for tile in game.web.sprites.tiles:
        picture = game.ui.drawing.tile(tile, game.web.sprites.size)
        key = picture.tobytes()
        if key not in found:
            found[key] = len(pictures)
            pictures.append(picture)
        places.append((tile, found[key]))
    return pictures, places
