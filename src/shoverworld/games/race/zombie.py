"""The zombie array: the number of horizontal and vertical steps from every cell to the finish.

See rule 3 and figure 2 in the race report.

# # # # #         -1 -1 -1 -1 -1
# S . . #   ->    -1  4  3  2 -1       0 on the finish; -1 off the track and where the finish is unreachable
# # # . #         -1 -1 -1  1 -1
# . # F #         -1 -1 -1  0 -1
"""

from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.errors import TrackError
from shoverworld.core.jit import kernel, rare

from .codes import FINISH, OFF

NOWHERE = -1  # the distance of a cell from which the finish is unreachable


@kernel
def spread(ground, neighbours, queue, waiting, distance):
    """Spread the distances from the first `waiting` cells of the queue to all cells that are reachable from them.

    `ground` has a frame of cells off the track. `neighbours` contains the offsets from a cell to its neighbours.
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


@rare
def spread_from_finish(cells, rows, cols, directions, framed):
    """Write the number of steps from the finish to every cell to framed.distance. The cells have a frame there.

    Steps go in the first `directions` of eight directions: 4, or 8 for diagonal steps too.
    """
    ground, distance, queue, neighbours, width = (
        framed.ground,
        framed.distance,
        framed.queue,
        framed.neighbours,
        cols + 2,
    )
    neighbours[0], neighbours[1], neighbours[2], neighbours[3] = -width, 1, width, -1
    neighbours[4], neighbours[5], neighbours[6], neighbours[7] = -width - 1, -width + 1, width + 1, width - 1
    for cell in range((rows + 2) * width):
        ground[cell], distance[cell] = OFF, NOWHERE
    waiting = 0
    for row in range(rows):
        for col in range(cols):
            cell = (row + 1) * width + col + 1
            ground[cell] = cells[row * cols + col]
            if ground[cell] == FINISH:
                distance[cell] = 0
                queue[waiting] = cell
                waiting += 1
    spread(ground, neighbours[:directions], queue, waiting, distance)


class FramedTrack(NamedTuple):
    """Memory for `spread_from_finish`: a track with a frame of cells off the track, and the distances from its finish."""

    ground: np.ndarray  # int8 (framed cells,)
    distance: np.ndarray  # int32 (framed cells,)
    queue: np.ndarray  # int64 (framed cells,)
    neighbours: np.ndarray  # int64 (8,): the offsets from a cell to its neighbours


def new_framed_track(rows: int, cols: int) -> FramedTrack:
    cells = (rows + 2) * (cols + 2)
    return FramedTrack(
        np.empty(cells, np.int8), np.empty(cells, np.int32), np.empty(cells, np.int64), np.empty(8, np.int64)
    )


def zombie_array(cells: Any) -> np.ndarray:
    """Return the zombie array of these cells, int32 (rows, cols); -1 where the finish is unreachable."""
    cells = np.asarray(cells)
    if cells.ndim != 2 or cells.dtype.kind not in "iuf":
        raise TrackError(
            f"zombie_array: {cells.dtype} of shape {cells.shape}; expected a 2-D array of cells such as `track.cells`"
        )
    return steps_from(cells, cells == FINISH)


def steps_from(cells: np.ndarray, sources: np.ndarray, diagonal: bool = False) -> np.ndarray:
    """Return the number of steps from the nearest source to every cell, int32 (rows, cols); -1 for unreachable cells.

    Steps go in four directions or, with `diagonal`, in all eight.
    """
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
