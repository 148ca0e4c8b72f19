"""Which targets boxes can reach, and which targets can never be emptied, if the frozen boxes act as walls.

#######
#  @  #
#  $  #     The two boxes in the corridor are on targets, but hold each other.
#     #     The third box can never reach the last target.
###*###
###*###
###.###
#######
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import rare

from .freeze import FROZEN
from .tables import FAR, LevelTables, connect_sides, pull_away, step
from .techniques import FROZEN_REACH

MOST_TARGETS = 64  # sets of targets are 64-bit numbers; levels with more targets are not tested
_SLOTS = 256


class FrozenReach(NamedTuple):
    """A cache of the targets that can be reached from each cell, for several sets of frozen boxes; and scratch memory."""

    key: np.ndarray  # uint64 (slots,): the hash of the set of frozen boxes
    targets: np.ndarray  # uint64 (slots, cells): the targets that a box can reach from a cell, as bits
    pinned: np.ndarray  # bool (slots, cells): the targets whose boxes can never be pushed again
    goals: np.ndarray  # int64 (targets,)
    wall: np.ndarray  # bool (cells,)
    side: np.ndarray  # int8 (cells, 4)
    seen: np.ndarray  # int64 (cells,)
    queue: np.ndarray  # int64 (4 * cells,)
    best: np.ndarray  # int32 (cells, 4)
    distance: np.ndarray  # int32 (cells,)
    owner: np.ndarray  # int64 (targets,): the box that is matched to a target, or -1
    came: np.ndarray  # int64 (targets,): the box from which the search for an augmenting path reached a target
    boxes: np.ndarray  # int64 (boxes,): the queue of this search


def new_frozen_reach(tables: LevelTables, goals: np.ndarray) -> FrozenReach:
    cells, n = len(tables.wall), len(goals)
    return FrozenReach(
        np.zeros(_SLOTS, np.uint64), np.zeros((_SLOTS, cells), np.uint64), np.zeros((_SLOTS, cells), np.bool_),
        goals.astype(np.int64), np.zeros(cells, np.bool_),
        np.zeros((cells, 4), np.int8), np.zeros(cells, np.int64), np.zeros(4 * cells, np.int64),
        np.zeros((cells, 4), np.int32), np.zeros(cells, np.int32), np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64),
    )  # fmt: skip


@rare
def reach_with_walls(tables, reach, row):
    """Write into `row` which targets a lone box reaches from each cell if `reach.wall` contains the walls."""
    reach.side[:] = -1
    reach.seen[:] = 0
    connect_sides(tables.width, reach.wall, reach.side, reach.queue, reach.seen)
    for cell in range(len(row)):
        row[cell] = np.uint64(0)
    for number in range(len(reach.goals)):
        if reach.wall[reach.goals[number]]:
            continue
        for cell in range(len(row)):
            reach.distance[cell] = FAR
        pull_away(
            tables.width, reach.wall, reach.side, reach.goals[number : number + 1], reach.distance, reach.best, reach.queue
        )  # fmt: skip
        for cell in range(len(row)):
            if reach.distance[cell] < FAR:
                row[cell] |= np.uint64(1) << np.uint64(number)


@rare
def slot_of_frozen(tables, board, cells, reach):
    """Return the cache slot for the boxes that are marked as frozen on the board."""
    key = np.uint64(1)
    for cell in cells:
        if board[cell] == FROZEN and not tables.off & FROZEN_REACH:
            key ^= tables.box_key[cell]
    slot = np.int64(key % np.uint64(len(reach.key)))
    if reach.key[slot] != key:
        reach.key[slot] = key
        for cell in range(len(board)):
            frozen = board[cell] == FROZEN and not tables.off & FROZEN_REACH
            reach.wall[cell] = tables.wall[cell] or frozen
        if len(reach.goals) <= MOST_TARGETS:
            reach_with_walls(tables, reach, reach.targets[slot])
        else:
            for cell in range(len(board)):
                reach.targets[slot, cell] = not tables.dead[cell]
        if not tables.off & FROZEN_REACH:
            mark_pinned(tables, reach, reach.pinned[slot])
    return slot


@rare
def mark_pinned(tables, reach, pinned):
    """Mark the targets whose boxes cannot be pulled away from the solved position. `reach.wall` contains the walls.

    Take away every box that can be pulled from some place, and repeat. A solution never pushes a box to a target whose box
    is left, so this box must already be there, and stays.
    """
    for cell in range(len(pinned)):
        pinned[cell] = tables.target[cell]
    changed = True
    while changed:
        changed = False
        for goal in reach.goals:
            for direction in range(4):
                one = goal + step(tables.width, direction)
                two = one + step(tables.width, direction)
                if pinned[goal] and not (
                    reach.wall[goal] or reach.wall[one] or reach.wall[two] or pinned[one] or pinned[two]
                ):
                    pinned[goal] = False
                    changed = True


@rare
def lacks_targets(board, cells, row, reach):
    """Return whether the boxes that are not frozen cannot all reach different targets (maximum bipartite matching)."""
    n = len(reach.goals)
    for number in range(n):
        reach.owner[number] = -1
    for i in range(len(cells)):
        if board[cells[i]] != FROZEN and cells[i] > 0 and not augment(cells, row, reach, i, n):
            return True
    return False


@rare
def augment(cells, row, reach, box, n):
    """Match one more box along an augmenting path. Return False if there is none."""
    for number in range(n):
        reach.came[number] = -1
    reach.boxes[0] = box
    head, tail = 0, 1
    while head < tail:
        i = reach.boxes[head]
        head += 1
        mask = row[cells[i]]
        for number in range(n):
            if not (mask >> np.uint64(number)) & np.uint64(1) or reach.came[number] >= 0:
                continue
            reach.came[number] = i
            if reach.owner[number] >= 0:
                reach.boxes[tail] = reach.owner[number]
                tail += 1
                continue
            while True:  # hand each target on the path to the box that wanted it
                taker, previous = reach.came[number], -1
                for other in range(n):
                    if reach.owner[other] == taker:
                        previous = other
                reach.owner[number] = taker
                if taker == box:
                    return True
                number = previous
    return False
