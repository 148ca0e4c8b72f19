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
FLAT = 0.02  # the share of a picture that a flat colour covers


def sprite_table(game: Game) -> dict[str, Any]:
    """Return the size of a picture, the number of columns, pairs (tile, place in the sheet), and stacks of tiles."""
    assert game.web is not None
    sprites, places = game.web.sprites, _pictures(game)[1]
    stacks = [[stack.first, stack.step, stack.tiles, [list(part) for part in stack.parts]] for stack in sprites.stacks]
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
    sheet = sprite_sheet(game)
    assert game.web is not None
    palette, places = _palette(sheet, game.web.sprites.size)
    image = Image.fromarray(places.reshape(sheet.shape[:2]), "P")
    image.putpalette(palette[:, :3].tobytes(), "RGB")
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True, transparency=palette[:, 3].tobytes())
    return file.getvalue()


def _palette(sheet: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a palette, uint8 (colours, 4), and the place of each pixel's colour in it.

    Tiles have few flat colours, with smooth edges between them. The palette contains all flat colours and the most frequent
    other ones, except those that are very similar to a colour that it already contains.
    """
    pixels = sheet.reshape(-1, 4)
    pixels = np.where(pixels[:, 3:] == 0, 0, pixels).astype(np.uint8)  # transparent pixels have no colour
    colours, place_of, counts = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    weighed = colours.astype(float)
    weighed[:, :3] *= weighed[:, 3:] / 255  # the colour of a pixel matters less if it is almost transparent
    order = np.argsort(-counts, kind="stable").tolist()
    flat = _flat_colours(place_of.reshape(sheet.shape[:2]), size)
    order.sort(key=lambda colour: colour not in flat)
    least = 0.0
    while True:  # require larger differences until the palette is small enough
        chosen = order[: len(flat)]
        for colour in order[len(flat) :]:
            if np.abs(weighed[chosen] - weighed[colour]).max(axis=1).min() >= least:
                chosen.append(colour)
                if len(chosen) > COLOURS:
                    break
        if len(chosen) <= COLOURS:
            break
        least += 2
    nearest = np.array([np.abs(weighed[chosen] - one).sum(axis=1).argmin() for one in weighed], np.uint8)
    return colours[chosen], nearest[place_of.reshape(-1)]


def _flat_colours(sheet: np.ndarray, size: int) -> set[int]:
    """Return the colours that cover a large part of some picture. `sheet` contains the number of each pixel's colour."""
    found: set[int] = set()
    for top in range(0, sheet.shape[0], size):
        for left in range(0, sheet.shape[1], size):
            colours, counts = np.unique(sheet[top : top + size, left : left + size], return_counts=True)
            found.update(colours[counts >= FLAT * size * size].tolist())
    return found


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
