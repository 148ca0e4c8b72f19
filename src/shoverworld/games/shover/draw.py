"""Draw a game as an image, using the tiles in tiles.py, or as plain text."""

from typing import Any

import numpy as np

from shoverworld.core.checks import whole
from shoverworld.core.grid import DOWN

from .scan import tiles_of
from .state import LAVA, State
from .tiles import SHOVER_TILE, tile

CELL_SIZE = 48
SQUARE_MARK = (40, 150, 90)


def checked_cell_size(size: Any) -> int:
    """Return the given size of a cell in pixels. Raise ConfigError if the size is invalid."""
    return whole("cell_size", size, 4, 512)


def picture(state: State, i: int = 0, cell_size: int = CELL_SIZE) -> np.ndarray:
    """Return an RGB image of game i: (rows * cell_size, cols * cell_size, 3). Perfect squares have a green border."""
    image, game = _tiled(state.grid()[i], cell_size), state.game[i]
    overlay(image, int(game["row"]), int(game["col"]), tile(SHOVER_TILE + int(game["direction"]), cell_size))
    _outline_squares(image, state, i, cell_size)
    return image


def map_picture(grid: np.ndarray, shover: tuple[int, int] | None, cell_size: int = CELL_SIZE) -> np.ndarray:
    """Return an RGB image of a map and of the shover on its start cell, if there is one."""
    size = checked_cell_size(cell_size)
    image = _tiled(tiles_of(grid), size)
    if shover is not None:
        overlay(image, *shover, tile(SHOVER_TILE + DOWN, size))
    return image


def window_picture(state: State, i: int = 0, cell_size: int = CELL_SIZE) -> np.ndarray:
    """Return an RGB image of game i for display in a window.

    Unlike `picture`, it shows half a cell of lava around a map with a lava edge. It shows the strengths of boxes only
    if they differ, and the shover only if the rules have one.
    """
    game, rim = state.game[i], int(state.board[i, 0] == LAVA)
    image = _tiled(np.pad(tiles_of(state.grid()[i]), rim, constant_values=LAVA), cell_size)
    inner = image[rim * cell_size : len(image) - rim * cell_size, rim * cell_size : len(image[0]) - rim * cell_size]
    if game["shover"]:
        overlay(inner, int(game["row"]), int(game["col"]), tile(SHOVER_TILE + int(game["direction"]), cell_size))
    _outline_squares(inner, state, i, cell_size)
    cut = rim * (cell_size - cell_size // 2)
    return image[cut : len(image) - cut, cut : len(image[0]) - cut]


def _tiled(tiles: np.ndarray, size: int) -> np.ndarray:
    """Return an RGB image of these tiles."""
    rows, cols = tiles.shape
    numbers, places = np.unique(tiles, return_inverse=True)
    pictures = np.stack([tile(int(number), size)[..., :3] for number in numbers])
    return pictures[places.reshape(rows, cols)].transpose(0, 2, 1, 3, 4).reshape(rows * size, cols * size, 3)


def overlay(image: np.ndarray, row: int, col: int, sprite: np.ndarray) -> None:
    """Draw a tile with a transparent background over a cell."""
    size = len(sprite)
    cell = image[row * size : (row + 1) * size, col * size : (col + 1) * size]
    opacity = sprite[..., 3:] / 255
    cell[...] = np.round(cell * (1 - opacity) + sprite[..., :3] * opacity)


def _outline_squares(image: np.ndarray, state: State, i: int, size: int) -> None:
    for n, top, left in state.squares_found()[i, : state.game["squares"][i]].tolist():
        _outline(image, top, left, n, size)


def _outline(image: np.ndarray, row: int, col: int, n: int, size: int) -> None:
    top, left, bottom, right = row * size, col * size, (row + n) * size, (col + n) * size
    thick = max(1, size // 16)
    image[top : top + thick, left:right] = image[bottom - thick : bottom, left:right] = SQUARE_MARK
    image[top:bottom, left : left + thick] = image[top:bottom, right - thick : right] = SQUARE_MARK
