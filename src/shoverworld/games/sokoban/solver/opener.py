"""The way to the next parking place of the plan, and the boxes that block it.

The path leads from a box to the cell that the plan fills next. It ignores where the player can walk. Each box on the
path, or in a cell that the player needs for a push along it, costs one; the cheapest path is used.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import rare

from .freeze import BOX, WALL
from .tables import LevelTables, step


class ParkingPath(NamedTuple):
    """The path for one position, and scratch memory."""

    blocks: np.ndarray  # bool (cells,): the boxes that block the path
    used: np.ndarray  # bool (cells,): the cells of the path
    cost: np.ndarray  # int64 (cells,)
    came: np.ndarray  # int64 (cells,): the next cell of the path
    queue: np.ndarray  # int64 (16 * cells,)


def new_parking_path(tables: LevelTables) -> ParkingPath:
    cells = len(tables.wall)
    return ParkingPath(
        np.zeros(cells, np.bool_), np.zeros(cells, np.bool_), np.zeros(cells, np.int64), np.zeros(cells, np.int64),
        np.zeros(16 * cells, np.int64),
    )  # fmt: skip


_NEVER = 1 << 30


@rare
def next_parking(features, packed):
    """Return the cell that the next step of the plan fills, or 0 if there is none."""
    if packed + 1 < len(features.member):
        for at in range(len(features.floor)):
            cell = features.floor[at]
            if features.member[packed + 1, cell] and not features.member[packed, cell]:
                return cell
    return np.int64(0)


@rare
def find_path(tables, features, board, packed, path):
    """Find the cheapest path to the next parking place and mark the boxes that block it."""
    width = tables.width
    for cell in range(len(board)):
        path.blocks[cell] = path.used[cell] = False
        path.cost[cell] = _NEVER
    goal = next_parking(features, packed)
    if goal == 0:
        return
    path.cost[goal] = board[goal] == BOX
    path.came[goal] = 0
    path.queue[0] = goal
    head, tail = 0, 1
    while head < tail and tail < len(path.queue) - 4:
        here = path.queue[head]
        head += 1
        for direction in range(4):
            ahead = step(width, direction)
            to, behind = here + ahead, here + 2 * ahead
            if (
                board[to] == WALL
                or board[behind] == WALL
                or features.member[packed, to]
                or features.member[packed, behind]
            ):
                continue
            cost = path.cost[here] + (board[to] == BOX) + (board[behind] == BOX)
            if cost < path.cost[to]:
                path.cost[to], path.came[to] = cost, here
                path.queue[tail] = to
                tail += 1
    mark_path(features, board, packed, goal, path)


@rare
def mark_path(features, board, packed, goal, path):
    """Mark the path of the box that is cheapest to bring to the goal."""
    best, least = np.int64(0), _NEVER
    for at in range(len(features.floor)):
        cell = features.floor[at]
        if board[cell] == BOX and not features.member[packed, cell] and path.cost[cell] < least and cell != goal:
            best, least = cell, path.cost[cell]
    if best == 0:
        return
    cell = best
    while cell != 0:
        before = cell
        cell = path.came[cell]
        if cell == 0:
            break
        behind = before + (before - cell)
        path.used[cell] = path.used[behind] = True
        path.blocks[cell] = board[cell] == BOX
        path.blocks[behind] = board[behind] == BOX
    path.blocks[best] = False
