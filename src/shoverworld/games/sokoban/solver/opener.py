"""The way to the next parking place of the plan, and the boxes that block it.

The player walks to a box and pushes it to the cell that the plan fills next. Each other box on the way costs one: in a cell
that the player crosses before the first push, that the box is pushed to, or that the player needs for a push. The
cheapest way is used. Boxes that the plan has already placed are walls. Two pushes straight on cost one more at the
beginning, because the player then stands in the cell of the box itself.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from .freeze import BOX, WALL
from .tables import LevelTables, step


class ParkingPath(NamedTuple):
    """The way for one position, and scratch memory. A state is a box cell times four, plus the player's side."""

    blocks: np.ndarray  # bool (cells,): the boxes that block the way
    used: np.ndarray  # bool (cells,): the cells of the way
    walk: np.ndarray  # int64 (cells,): the boxes that the player must cross to get to a cell
    walked: np.ndarray  # int64 (cells,): the previous cell of the walk
    cost: np.ndarray  # int64 (4 * cells,): the boxes between a state and the parking place
    came: np.ndarray  # int64 (4 * cells,): the next state, or -1
    queue: np.ndarray  # int64 (64 * cells,)


def new_parking_path(tables: LevelTables) -> ParkingPath:
    cells = len(tables.wall)
    return ParkingPath(
        np.zeros(cells, np.bool_), np.zeros(cells, np.bool_), np.zeros(cells, np.int64), np.zeros(cells, np.int64),
        np.zeros(4 * cells, np.int64), np.zeros(4 * cells, np.int64), np.zeros(64 * cells, np.int64),
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
def find_path(tables, features, board, packed, player, path):
    """Find the cheapest way to the next parking place and mark the boxes that block it. Return their number."""
    for cell in range(len(board)):
        path.blocks[cell] = path.used[cell] = False
    goal = next_parking(features, packed)
    if goal == 0:
        return 0
    measure_walks(tables.width, features.member[packed], board, player, path)
    measure_pushes(tables.width, features.member[packed], features.side[packed], board, goal, path)
    best, best_side, least = np.int64(0), 0, _NEVER
    for at in range(len(features.floor)):
        cell = features.floor[at]
        if board[cell] != BOX or features.member[packed, cell] or cell == goal:
            continue
        for side in range(4):
            ahead = step(tables.width, side)
            to = cell - ahead
            if board[to] == WALL or features.member[packed, to]:
                continue
            cost = path.cost[to * 4 + side] + (board[to] == BOX) + path.walk[cell + ahead]
            if cost < least:
                best, best_side, least = cell, side, cost
    if best != 0:
        mark_path(tables.width, board, best, best_side, player, path)
    return min(least, 255)


@inner
def is_closed(board, packed, cell):
    """Return whether a cell contains a wall or a box that has its place."""
    return board[cell] == WALL or packed[cell]


@rare
def measure_walks(width, packed, board, player, path):
    """Count the boxes that the player must cross to get to each cell."""
    for cell in range(len(board)):
        path.walk[cell] = _NEVER
    path.walk[player], path.walked[player], path.queue[0] = 0, -1, player
    head, tail = 0, 1
    while head < tail and tail < len(path.queue) - 4:
        here = path.queue[head]
        head += 1
        for direction in range(4):
            near = here + step(width, direction)
            if is_closed(board, packed, near):
                continue
            cost = path.walk[here] + (board[near] == BOX)
            if cost < path.walk[near]:
                path.walk[near], path.walked[near] = cost, here
                path.queue[tail] = near
                tail += 1


@rare
def measure_pushes(width, packed, sides, board, goal, path):
    """Count the boxes between each state and the goal, by pulling a box away from the goal.

    sides: the sides of a box between which the player can walk if there are no other boxes, see connect_sides.
    """
    for state in range(len(path.cost)):
        path.cost[state] = _NEVER
    head, tail = 0, 0
    for side in range(4):
        if sides[goal, side] >= 0:
            path.cost[goal * 4 + side], path.came[goal * 4 + side] = 0, -1
            path.queue[tail] = goal * 4 + side
            tail += 1
    while head < tail and tail < len(path.queue) - 8:
        state = path.queue[head]
        head += 1
        cell, side = state >> 2, state & 3
        for other in range(4):  # the player walks to another side of the box
            if sides[cell, other] == sides[cell, side] and path.cost[state] < path.cost[cell * 4 + other]:
                path.cost[cell * 4 + other], path.came[cell * 4 + other] = path.cost[state], state
                path.queue[tail] = cell * 4 + other
                tail += 1
        before = cell + step(width, side)
        stand = before + step(width, side)
        if is_closed(board, packed, before) or is_closed(board, packed, stand):
            continue
        cost = path.cost[state] + (board[cell] == BOX) + (board[stand] == BOX)
        if cost < path.cost[before * 4 + side]:
            path.cost[before * 4 + side], path.came[before * 4 + side] = cost, state
            path.queue[tail] = before * 4 + side
            tail += 1


@rare
def mark_path(width, board, box, side, player, path):
    """Mark the way of a box that the player pushes first from this side."""
    cell = box + step(width, side)
    while cell >= 0:
        path.used[cell] = True
        path.blocks[cell] = board[cell] == BOX
        cell = path.walked[cell]
    state = (box - step(width, side)) * 4 + side
    while state >= 0:
        cell = state >> 2
        path.used[cell] = True
        path.blocks[cell] = board[cell] == BOX
        after = path.came[state]
        if after >= 0 and after >> 2 != cell:
            stand = cell + step(width, state & 3)
            path.used[stand] = True
            path.blocks[stand] = board[stand] == BOX
        state = after
    path.blocks[box] = False
