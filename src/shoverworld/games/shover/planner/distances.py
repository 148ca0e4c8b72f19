"""Distances to lava.

The distance of a cell is the minimum number of pushes needed to move a box from there into lava, ignoring other boxes.
This distance depends only on the barriers and the lava, which change only through special actions. The distances are
therefore cached, with a hash of the barriers and the lava as the key.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import ahead
from shoverworld.core.jit import rare

from ..config import WALK
from ..measure import NO_WAY, is_floor, spread

# A distance of FAR or more means that lava is unreachable. FAR itself marks a dead cell: a walker cannot push a box
# to lava from this cell, but can do so from other cells of the same region. FAR + 1 + n marks pocket n, a connected
# area of floor from which lava cannot be reached.
FAR = NO_WAY - 1
DEAD_POCKET = 999  # the number shared by all pockets that are too small for a square
_MAX_ROWS, _MAX_CELLS = 512, 1 << 21  # limits of the cache: the number of boards, and the total number of their cells


class DistanceCache(NamedTuple):
    """The distances for recently used boards."""

    key: np.ndarray  # uint64 (N,): the key of the barriers and lava for each row
    distance: np.ndarray  # int32 (N + 1, cells); the last row is for distances that are not cached


def new_distance_cache(cells: int) -> DistanceCache:
    count = max(8, min(_MAX_ROWS, _MAX_CELLS // cells))
    return DistanceCache(np.zeros(count, np.uint64), np.zeros((count + 1, cells), np.int32))


@rare
def cached_row(cache, key, board, width, rules, queue):
    """Return the row of `cache.distance` for this board. Measure the distances first if they are not cached."""
    row = np.int64(key % np.uint64(len(cache.key)))
    if cache.key[row] != key:
        measure_distances(board, width, rules, cache.distance[row], queue)
        cache.key[row] = key
    return row


@rare
def measure_distances(board, width, rules, distance, queue):
    """Measure the distances to lava and mark dead cells and pockets."""
    spread(board, width, rules.actor == WALK, queue, distance)
    mark_dead_cells(board, width, distance, queue)
    number_pockets(board, width, distance, queue)


@rare
def flood(board, width, distance, queue, tail, label):
    """Label floor cells that have no path to lava and are connected to queued cells. Return the end of the queue."""
    head = 0
    while head < tail:
        cell = queue[head]
        head += 1
        for direction in range(4):
            near = cell + ahead(direction, width)
            if distance[near] == NO_WAY and is_floor(board[near]):
                distance[near] = label
                queue[tail] = near
                tail += 1
    return tail


@rare
def mark_dead_cells(board, width, distance, queue):
    """Mark as dead all cells that have no path to lava but are connected to cells that have one.

    A walker cannot get behind a box on a dead cell to push the box towards lava.
    """
    tail = 0
    for cell in range(width, len(board) - width):
        if is_floor(board[cell]) and distance[cell] < FAR:
            queue[tail] = cell
            tail += 1
    flood(board, width, distance, queue, tail, FAR)


@rare
def number_pockets(board, width, distance, queue):
    """Number the pockets and mark those that are too small for a square."""
    pockets = 0
    for start in range(len(board)):
        if distance[start] != NO_WAY or not is_floor(board[start]):
            continue
        pockets = min(pockets + 1, DEAD_POCKET - 1)
        label = FAR + 1 + pockets
        queue[0], distance[start] = start, label
        cells = flood(board, width, distance, queue, 1, label)
        has_space = False
        for place in range(cells):
            cell = queue[place]
            has_space |= is_floor(board[cell + 1]) & is_floor(board[cell + width]) & is_floor(board[cell + width + 1])
        if not has_space:
            for place in range(cells):
                distance[queue[place]] = FAR + 1 + DEAD_POCKET
