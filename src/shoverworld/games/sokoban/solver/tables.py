"""Precomputed tables for a level: walls, targets, and the number of pushes from each cell to each target.

Pushes are counted for a box that is alone on the board. The level is surrounded by a frame of walls, so that kernels
need no bounds checks. The directions are up, down, left and right, in this order; `direction ^ 1` is the opposite
direction.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

FAR = 1 << 20  # the distance to an unreachable target
LETTERS = "udlr"


class LevelTables(NamedTuple):
    """The data that does not change during a search. Cells are numbered row by row, including the frame."""

    width: int
    wall: np.ndarray  # bool (cells,)
    target: np.ndarray  # bool (cells,)
    distance: np.ndarray  # int32 (cells, targets): pushes for a lone box, or FAR if it cannot reach the target
    dead: np.ndarray  # bool (cells,): True if a box in this cell cannot reach any target
    box_key: np.ndarray  # uint64 (cells,): the Zobrist key for a box in this cell
    player_key: np.ndarray  # uint64 (cells,): the Zobrist key for the player in this cell
    off: int  # the techniques that are switched off, as bits (techniques.py)


@inner
def step(width, direction):
    if direction < 2:
        return -width if direction == 0 else width
    return -1 if direction == 2 else 1


@kernel
def connect_sides(width, wall, side, queue, seen):
    """For a lone box in each cell, find the sides between which the player can walk.

    side[cell, s] is the first side of a box in this cell from which the player can reach side s. It is -1 if
    side s is a wall.
    """
    for cell in range(width, len(wall) - width):
        if wall[cell]:
            continue
        for first in range(4):
            start = cell + step(width, first)
            if wall[start] or side[cell, first] >= 0:
                continue
            stamp = cell * 4 + first + 1
            seen[cell] = seen[start] = stamp
            queue[0] = start
            head, tail = 0, 1
            while head < tail:
                here = queue[head]
                head += 1
                for direction in range(4):
                    near = here + step(width, direction)
                    if not wall[near] and seen[near] != stamp:
                        seen[near] = stamp
                        queue[tail] = near
                        tail += 1
            for other in range(4):
                if seen[cell + step(width, other)] == stamp and not wall[cell + step(width, other)]:
                    side[cell, other] = first


@kernel
def measure_distances(width, wall, side, targets, distance, best, queue):
    """Fill in `distance`: distance[cell, number] is the number of pushes to target `number`."""
    for number in range(len(targets)):
        pull_away(width, wall, side, targets[number : number + 1], distance[:, number], best, queue)


@rare
def pull_away(width, wall, side, goals, distance, best, queue):
    """Write the number of pushes from each cell to the nearest goal, by pulling a lone box away from the goals.

    best[cell, s] is the number of pushes from this cell if the player can initially reach side s of the box.
    `distance` must contain FAR for each cell.
    """
    best[:] = -1
    head, tail = 0, 0
    for goal in goals:
        distance[goal] = 0
        for s in range(4):
            if side[goal, s] == s:
                best[goal, s] = 0
                queue[tail] = goal * 4 + s
                tail += 1
    while head < tail:
        cell, group = queue[head] >> 2, queue[head] & 3
        head += 1
        pushes = best[cell, group]
        for s in range(4):
            if side[cell, s] != group:
                continue
            before = cell + step(width, s)  # the player pulls from here by stepping back, and the box follows
            if wall[before + step(width, s)]:
                continue
            its_group = side[before, s]
            if best[before, its_group] < 0:
                best[before, its_group] = pushes + 1
                distance[before] = min(distance[before], pushes + 1)
                queue[tail] = before * 4 + its_group
                tail += 1


def in_order(numbers: np.ndarray) -> np.ndarray:
    """Return the cells with nonzero numbers, sorted by number and then by cell."""
    cells = np.flatnonzero(numbers)
    return cells[np.argsort(numbers[cells], kind="stable")]


def bytes_of(record: tuple[Any, ...]) -> int:
    """Return the size of all arrays in a NamedTuple, including those in nested ones."""
    return sum(bytes_of(value) if isinstance(value, tuple) else np.asarray(value).nbytes for value in record)


@lru_cache(maxsize=16)
def zobrist_keys(cells: int) -> np.ndarray:
    """Return a random number for a box and for the player in each cell."""
    keys = np.random.default_rng(1981).integers(0, 2**64, (2, cells), np.uint64)
    return keys


def build_tables(walls: np.ndarray, targets: np.ndarray) -> LevelTables:
    """Build the tables for a level from its walls and targets, both of shape (rows, cols)."""
    wall = np.pad(walls.astype(bool), 1, constant_values=True)
    return tables_of(wall.shape[1], wall.reshape(-1), np.pad(targets, 1).reshape(-1))


def tables_of(width: int, wall: np.ndarray, targets: np.ndarray, off: int = 0) -> LevelTables:
    """Build the tables for a board that has a frame of walls. `targets` contains the number of the target in each cell."""
    cells, goals = len(wall), in_order(targets)
    side = np.full((cells, 4), -1, np.int8)
    queue = np.zeros(4 * cells, np.int64)
    connect_sides(width, wall, side, queue, np.zeros(cells, np.int64))
    distance = np.full((cells, len(goals)), FAR, np.int32)
    measure_distances(width, wall, side, goals, distance, np.zeros((cells, 4), np.int32), queue)
    keys = zobrist_keys(cells)
    dead = distance.min(axis=1, initial=FAR) >= FAR
    return LevelTables(width, wall, targets > 0, distance, dead, keys[0], keys[1], off)
