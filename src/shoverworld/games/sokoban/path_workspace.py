"""The memory of the searches for paths (paths.py): results, and scratch memory for one thread.

A search that finds the same question in its workspace does not repeat the work. This matters when the pointer moves.
"""

from functools import lru_cache
from threading import get_ident
from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import both
from shoverworld.core.sheet import MOST_ROWS

# The numbers in `searched`: the question that the last search for pushes answered, and its results. PLACES is the number
# of cells that the box can be pushed to. COMPLETE is 0 if the search was cut short, in which case there may be more.
# WALLS_WIDTH belongs to `walls`.
WIDTH, PLAYER_CELL, BOX_CELL, LIMIT, PLACES, COMPLETE, WALLS_WIDTH = range(7)
ONE, FOUR = 1, 4  # numbers per cell


class PathWorkspace(NamedTuple):
    """The arrays of a workspace. They have one number per cell unless their comment says otherwise."""

    occupied: np.ndarray  # uint8: 1 where the player cannot walk
    came: np.ndarray  # int8: the direction of the last step of a walk to each cell, or NOWHERE or START
    queue: np.ndarray  # int32: the cells of a walk
    ground: np.ndarray  # uint8: `occupied` of the last search for pushes, without the box itself
    seen: np.ndarray  # int32: the last flood fill that reached the cell
    sides: np.ndarray  # int8 (4 * cells,): for each position of the box, the number of the area on each side
    # int32 (4 * cells,): for each push, which is 4 * cell + direction, the push before it, or FIRST or UNKNOWN
    before: np.ndarray
    depth: np.ndarray  # int32 (4 * cells,): for each push, the number of pushes before it
    pending: np.ndarray  # int32 (4 * cells,): the pushes in the order in which they are tried
    route: np.ndarray  # int32 (4 * cells,): the pushes of a path, the last one first
    pushes: np.ndarray  # int32: the minimum number of pushes to each cell, or -1
    last: np.ndarray  # int32: the last push to each cell
    steps: np.ndarray  # int8 (most_steps(cells),): the steps of a path: directions, plus PUSHING for a push
    searched: np.ndarray  # int64 (SEARCHED,)
    walls: np.ndarray  # uint8: the walls for which `lone_sides` was computed
    lone_sides: np.ndarray  # int8 (cells, 4): as `sides`, for a box that is alone on the board
    best: np.ndarray  # int32 (cells, 4): scratch memory for `distance`
    distance: np.ndarray  # int32: the pushes from each cell to a target, for a box that is alone on the board
    goals: np.ndarray  # int32: the targets


@both
def most_steps(cells):
    """Return the number of steps in the longest path that can be played at once. A sheet has room for all of them."""
    return 3 * cells + MOST_ROWS // 2


# The type and the length of each array. A length is the number of elements per cell, or 0 for `steps` and `searched`.
ARRAYS = {
    "occupied": (np.uint8, ONE), "came": (np.int8, ONE), "queue": (np.int32, ONE), "ground": (np.uint8, ONE),
    "seen": (np.int32, ONE), "sides": (np.int8, FOUR), "before": (np.int32, FOUR), "depth": (np.int32, FOUR),
    "pending": (np.int32, FOUR), "route": (np.int32, FOUR), "pushes": (np.int32, ONE), "last": (np.int32, ONE),
    "steps": (np.int8, 0), "searched": (np.int64, 0), "walls": (np.uint8, ONE), "lone_sides": (np.int8, FOUR),
    "best": (np.int32, FOUR), "distance": (np.int32, ONE), "goals": (np.int32, ONE),
}  # fmt: skip
SEARCHED = WALLS_WIDTH + 1  # the length of `searched`


def new_workspace(cells: int) -> PathWorkspace:
    """Allocate a workspace for boards with this many cells."""
    lengths = {"steps": most_steps(cells), "searched": SEARCHED}
    arrays: dict[str, np.ndarray] = {
        name: np.zeros(lengths.get(name, cells * each), dtype) for name, (dtype, each) in ARRAYS.items()
    }
    for name in ("lone_sides", "best"):
        arrays[name] = arrays[name].reshape(cells, FOUR)
    return PathWorkspace(**arrays)


def workspace_for(cells: int) -> PathWorkspace:
    """Return a workspace of this thread for boards with this many cells."""
    return _workspace(cells, get_ident())


@lru_cache(maxsize=8)
def _workspace(cells: int, thread: int) -> PathWorkspace:
    return new_workspace(cells)
