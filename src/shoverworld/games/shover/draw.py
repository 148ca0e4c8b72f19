"""Draw a game as an image, using the tiles in tiles.py, or as plain text."""

from typing import Any

import numpy as np

from shoverworld.core.checks import whole

from .maps import Map
from .state import OUTCOMES, State
from .tiles import SHOVER_TILE, tile

CELL_SIZE = 48
SQUARE_MARK = (40, 150, 90)


def checked_cell_size(size: Any) -> int:
    """Return the given size of a cell in pixels. Raise ConfigError if the size is invalid."""
    return whole("cell_size", size, 4, 512)


def picture(state: State, i: int = 0, cell_size: int = CELL_SIZE) -> np.ndarray:
    """Return an RGB image of game i: (rows * cell_size, cols * cell_size, 3). Perfect squares have a green border."""
    grid = state.grid()[i]
    rows, cols = grid.shape
    contents, places = np.unique(grid, return_inverse=True)
    tiles = np.stack([tile(int(content), cell_size)[..., :3] for content in contents])
    image = tiles[places.reshape(rows, cols)].transpose(0, 2, 1, 3, 4).reshape(rows * cell_size, cols * cell_size, 3)
    game: Any = state.game[i]
    overlay(image, int(game.row), int(game.col), tile(SHOVER_TILE + int(game.direction), cell_size))
    for n, top, left in state.squares_found()[i, : game.squares].tolist():
        _outline(image, top, left, n, cell_size)
    return image


def overlay(image: np.ndarray, row: int, col: int, sprite: np.ndarray) -> None:
    """Draw a tile with a transparent background over a cell."""
    size = len(sprite)
    cell = image[row * size : (row + 1) * size, col * size : (col + 1) * size]
    opacity = sprite[..., 3:] / 255
    cell[...] = np.round(cell * (1 - opacity) + sprite[..., :3] * opacity)


def _outline(image: np.ndarray, row: int, col: int, n: int, size: int) -> None:
    top, left, bottom, right = row * size, col * size, (row + n) * size, (col + n) * size
    thick = max(1, size // 16)
    image[top : top + thick, left:right] = image[bottom - thick : bottom, left:right] = SQUARE_MARK
    image[top:bottom, left : left + thick] = image[top:bottom, right - thick : right] = SQUARE_MARK


def text(state: State, i: int = 0) -> str:
    """Return game i as plain text: a line with the step, the stamina and the boxes, then the map in Format B."""
    game: Any = state.game[i]
    outcome = OUTCOMES[game.outcome]
    head = f"step {game.timestep}  stamina {game.stamina:g}  boxes {game.boxes}  destroyed {game.destroyed}"
    board = Map(state.grid()[i], (int(game.row), int(game.col)))
    return f"{head}{'  ' + outcome if outcome else ''}\n{board}\n"
