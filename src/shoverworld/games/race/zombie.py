"""The zombie array: how far every cell is from the finish, over four neighbours (rule 3, and figure 2 of the report).

# # # # #         -1 -1 -1 -1 -1
# S . . #   is    -1  4  3  2 -1       the finish 0; off the track, and where no way leads to it, -1
# # # . #         -1 -1 -1  1 -1
# . # F #         -1 -1 -1  0 -1
"""

from typing import Any

import numpy as np

from shoverworld.core.errors import TrackError
from shoverworld.core.jit import kernel

from .codes import FINISH, OFF

NOWHERE = -1  # what the array holds where no way leads to the finish


@kernel
def spread(ground, neighbours, queue, waiting, distance):
    """From the `waiting` cells at the head of the queue, whose distance is set, to all that can be reached from them.

    `ground` is framed with cells that are off the track; `neighbours` is what to add to a cell to come to one beside it.
    """
    done = 0
    while done < waiting:
        cell = queue[done]
        done += 1
        for i in range(len(neighbours)):
            beside = cell + neighbours[i]
            if ground[beside] != OFF and distance[beside] == NOWHERE:
                distance[beside] = distance[cell] + 1
                queue[waiting] = beside
                waiting += 1


def zombie_array(cells: Any) -> np.ndarray:
    """int32 (rows, cols): the steps over four neighbours to the nearest finish cell; -1 where there is no way."""
    cells = np.asarray(cells)
    if cells.ndim != 2 or cells.dtype.kind not in "iuf":
        raise TrackError(
            f"zombie_array: {cells.dtype} {cells.shape}; expected a table of cells, as `track.cells` is one"
        )
    return steps_from(cells, cells == FINISH)


def steps_from(cells: np.ndarray, sources: np.ndarray, diagonal: bool = False) -> np.ndarray:
    """int32 (rows, cols): the steps from the nearest source, over four neighbours or all eight; -1 where no way leads."""
    ground = np.pad(np.asarray(cells, np.int8), 1, constant_values=OFF)
    distance = np.full(ground.shape, NOWHERE, np.int32)
    distance[1:-1, 1:-1][sources] = 0
    first = np.flatnonzero(distance == 0)
    queue = np.empty(ground.size, np.int64)
    queue[: len(first)] = first
    width = ground.shape[1]
    around: list[Any] = [-width, 1, width, -1]
    if diagonal:
        around += [-width - 1, -width + 1, width + 1, width - 1]
    spread(ground.reshape(-1), np.array(around, np.int64), queue, len(first), distance.reshape(-1))
    return distance[1:-1, 1:-1].copy()
