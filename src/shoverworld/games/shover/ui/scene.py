"""A game at rest, as tiles: the content of a cell is its tile, and the shover stands over them."""

from typing import Any

import numpy as np

from shoverworld.core.grid import DOWN
from shoverworld.core.ui import Cell, Scene, Sprite

from ..state import LAVA, State
from ..tiles import SHOVER_TILE


def scene(state: State) -> Scene:
    game: Any = state.game[0]
    frame = int(state.board[0, 0])
    return still(state.grid()[0], (int(game.row), int(game.col)), int(game.direction), frame)


def still(grid: np.ndarray, shover: Cell | None, direction: int = DOWN, frame: int | None = None) -> Scene:
    """A map, with the shover if he has a place. Only a lava rim is shown: that the edge of a map stops things is plain."""
    actors = () if shover is None else (Sprite(SHOVER_TILE + direction, shover, shover),)
    return Scene(grid.astype(np.int16), actors, LAVA if frame == LAVA else None)
