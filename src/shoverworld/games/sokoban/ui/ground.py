"""How far it is from everywhere to the targets, for a lone box; and where it is lost. From the solver's survey."""

from functools import lru_cache

import numpy as np

from ..solver.tables import FAR, LevelTables, build_tables
from ..state import BOX, TARGET, WALL, SokobanState


def _of(state: SokobanState) -> LevelTables:
    planes = state.planes[0]
    return _survey(planes[WALL].tobytes(), planes[TARGET].tobytes(), state.width)


@lru_cache(maxsize=4)
def _survey(walls: bytes, targets: bytes, width: int) -> LevelTables:
    return build_tables(*(np.frombuffer(plane, np.uint8).reshape(-1, width) for plane in (walls, targets)))


def _board(ground: LevelTables, table: np.ndarray) -> np.ndarray:
    """Without the frame that the solver lays around a level."""
    return table.reshape(-1, ground.width)[1:-1, 1:-1]


def pushes_to_target(state: SokobanState, number: int = 0) -> np.ndarray:
    """int32 (rows, cols): the fewest pushes of a lone box to any target, or to that of this number; FAR: no way."""
    ground = _of(state)
    table = ground.distance.min(axis=1) if not number else ground.distance[:, number - 1]
    return _board(ground, table)


def dead_squares(state: SokobanState) -> np.ndarray:
    """bool (rows, cols): floor from which a box gets to no target any more."""
    return (pushes_to_target(state) >= FAR) & (state.rooms()[0][WALL] == 0)


def lost_boxes(state: SokobanState) -> np.ndarray:
    """bool (rows, cols): boxes that can get to no target that counts for them, however the others stand."""
    room = state.rooms()[0]
    if room[TARGET].max() <= 1:
        return dead_squares(state) & (room[BOX] != 0)
    lost = np.zeros(room[BOX].shape, bool)
    for row, col in np.argwhere(room[BOX] != 0).tolist():
        lost[row, col] = pushes_to_target(state, int(room[BOX][row, col]))[row, col] >= FAR
    return lost
