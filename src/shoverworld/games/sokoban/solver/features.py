"""Features: a few numbers that say how far a position is from the goal, in the terms of a human player.

packed        how many steps of the packing plan are done (forward), or how many boxes have been taken away (backward)
connectivity  into how many areas the boxes divide the floor
out of plan   later steps of the plan for which there are not enough boxes that can reach the cells of these steps
rooms         links between rooms that a box blocks
blockers      boxes in the way to the next parking place of the plan (opener.py)
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from .freeze import EMPTY
from .macro import AREA_COUNT, find_areas


class FeatureTables(NamedTuple):
    """What the features need to know about a level, for one direction of search.

    Step i of the plan is the set of cells `member[i]`, which must contain boxes.
    """

    floor: np.ndarray  # int64 (floor cells,): the cells that the player can enter if there are no boxes
    link: np.ndarray  # int16 (cells,): the number of the link between rooms that contains the cell, or 0
    member: np.ndarray  # bool (steps, cells)
    on_plan: np.ndarray  # bool (cells,): the cells that belong to a step
    serves: np.ndarray  # uint64 (cells,): the steps that a box in this cell can serve, as bits
    side: np.ndarray  # int8 (steps, cells, 4): see connect_sides; the boxes that the step has placed are walls
    later: np.ndarray  # uint64 (steps,): the steps after this one that need another box, as bits
    sink: np.ndarray  # int16 (cells,): see Sink
    starts: np.ndarray  # uint64 (cells,): see Sink
    goal: np.ndarray  # bool (cells,): the targets, or for a backward search the start cells of the boxes
    dead: np.ndarray  # bool (cells,): where boxes must not go
    hot: np.ndarray  # int16 (cells, cells): how many targets boxes in these two cells hide from each other


class PositionFeatures(NamedTuple):
    """The features of a position, and counts from which the features of its successors are computed quickly."""

    missing: np.ndarray  # int64 (steps,): the number of cells of each step that contain no box
    on_link: np.ndarray  # int64 (links + 1,): the number of boxes on each link
    heat: np.ndarray  # int16 (cells,): how many targets a box in this cell and the other boxes hide from each other
    values: np.ndarray  # int64 (VALUES,)
    server: np.ndarray  # int64 (64,): the box that serves a step, or -1
    came: np.ndarray  # int64 (64,): the box from which the search for an augmenting path reached a step
    queue: np.ndarray  # int64 (64,): the queue of this search


# The five features, then what only the advisors look at: the size of the player's area, pairs of boxes of which one is
# in the way of the other, whether the move opens the way to the next parking place, and a number that decides ties.
PACKED, AREAS, OUT_OF_PLAN, ROOMS, BLOCKERS, REACH, HOT, OPENS, NOISE, VALUES = range(10)


def new_position_features(tables: FeatureTables) -> PositionFeatures:
    links = int(tables.link.max()) + 1
    return PositionFeatures(
        np.zeros(len(tables.member), np.int64), np.zeros(links, np.int64), np.zeros(len(tables.dead), np.int16),
        np.zeros(VALUES, np.int64),
        np.zeros(64, np.int64), np.zeros(64, np.int64), np.zeros(65, np.int64),
    )  # fmt: skip


@inner
def rank_of(values):
    """Return a number that orders positions.

    First fewer steps out of plan, then more packed, then fewer blockers, areas and blocked links.
    """
    rank = ((255 - values[OUT_OF_PLAN]) << 16) + values[PACKED]
    rank = rank * 256 + 255 - values[BLOCKERS]
    rank = rank * 256 + 255 - min(values[AREAS], 255)
    return rank * 256 + 255 - min(values[ROOMS], 255)


@rare
def measure_position(tables, features, board, cells, player, planned, w, position):
    """Compute the features of a position from scratch."""
    values = position.values
    for i in range(len(position.missing)):
        position.missing[i] = 0
        for at in range(len(features.floor)):
            cell = features.floor[at]
            if features.member[i, cell] and board[cell] == EMPTY:
                position.missing[i] += 1
    for link in range(len(position.on_link)):
        position.on_link[link] = 0
    for cell in cells:
        position.on_link[features.link[cell]] += 1
    rooms = 0
    for link in range(1, len(position.on_link)):
        rooms += position.on_link[link] > 0
    values[ROOMS] = rooms
    for cell in range(len(position.heat)):
        position.heat[cell] = 0
    hot = 0
    for box in cells:
        for cell in range(len(position.heat)):
            position.heat[cell] += features.hot[box, cell]
    for box in cells:
        hot += position.heat[box]
    values[HOT] = hot // 2
    values[REACH] = find_areas(tables.width, board, player, w)
    values[AREAS] = w.numbers[AREA_COUNT]
    measure_move(features, cells, 0, 0, planned, position, values)


@inner
def is_removed(features, cell):
    """Return whether the number stands for a box that has been taken off the board."""
    return cell < features.floor[0]


@rare
def unserved_steps(features, cells, packed, position):
    """Return how many later steps get no box of their own that can reach them (maximum bipartite matching)."""
    wanted, unserved = features.later[packed], 0
    for number in range(64):
        position.server[number] = -1
        unserved += np.int64((wanted >> np.uint64(number)) & np.uint64(1))
    for i in range(len(cells)):
        if not features.member[packed, cells[i]] and serve(features, cells, i, wanted, position):
            unserved -= 1
    return unserved


@rare
def serve(features, cells, box, wanted, position):
    """Let one more box serve a step, along an augmenting path. Return whether there is one."""
    server, came, queue = position.server, position.came, position.queue
    open_steps = wanted
    queue[0] = box
    head, tail = 0, 1
    while head < tail:
        i = queue[head]
        head += 1
        mask = features.serves[cells[i]] & open_steps
        open_steps &= ~mask
        number = 0
        while mask != 0:
            if mask & np.uint64(1):
                came[number] = i
                if server[number] < 0:
                    hand_over(server, came, box, number)
                    return True
                queue[tail] = server[number]
                tail += 1
            mask >>= np.uint64(1)
            number += 1
    return False


@inner
def hand_over(server, came, box, number):
    """Give each step on the augmenting path to the box that wanted it."""
    while True:
        taker, previous = came[number], -1
        for other in range(len(server)):
            if server[other] == taker:
                previous = other
        server[number] = taker
        if taker == box:
            break
        number = previous


@rare
def measure_move(features, cells, source, to, planned, position, values):
    """Compute the other features after the move of a box from `source` to `to`. `cells` are the boxes after it.

    Both cells are 0 if there is no move; then HOT and ROOMS are not computed. Without a plan (`planned` is False), the boxes on goals count as packed.
    """
    moves, packed = source != to, position.values[PACKED]
    if not planned and moves:
        packed += (256 if is_removed(features, to) else np.int64(features.goal[to])) - np.int64(features.goal[source])
    elif not planned:
        packed = 0
        for cell in cells:
            packed += 256 if is_removed(features, cell) else np.int64(features.goal[cell])
    elif not moves or features.on_plan[source] or features.on_plan[to]:
        packed = 0
        for i in range(len(position.missing) - 1, -1, -1):
            if position.missing[i] + features.member[i, source] - features.member[i, to] == 0:
                packed = i
                break
    out_of_plan = 0
    if planned:
        out_of_plan = position.values[OUT_OF_PLAN]
        wanted = features.later[packed]
        same = moves and packed == position.values[PACKED]
        if not same or features.serves[source] & wanted != features.serves[to] & wanted:
            out_of_plan = unserved_steps(features, cells, packed, position)
    values[PACKED], values[OUT_OF_PLAN] = packed, out_of_plan
    if moves:
        values[HOT] = position.values[HOT] + position.heat[to] - position.heat[source] - features.hot[source, to]
        left, entered = features.link[source], features.link[to]
        rooms = position.values[ROOMS]
        if left != entered:
            rooms -= left > 0 and position.on_link[left] == 1
            rooms += entered > 0 and position.on_link[entered] == 0
        values[ROOMS] = rooms
