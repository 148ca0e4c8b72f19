"""Boxes that can never be pushed again, because the player cannot get at them or because the targets need them.

#########
#.   $ ##
#.   $$ #     No box is frozen, but two pushes need the player in the hidden cell, and the third leads there.
#@      #
#.      #
#########
"""

from shoverworld.core.jit import rare

from .freeze import BOX, EMPTY, FROZEN, WALL
from .frozen_reach import MOST_TARGETS, lacks_targets, slot_of_frozen
from .macro import SEEN
from .tables import step
from .techniques import MATCHING, STUCK


@rare
def mark_stuck(tables, board, cells, player, row, pinned, w):
    """Set the cells of all stuck boxes to FROZEN. Return their number, or -1 if one of them is not on a target.

    Take away every box that the player can push now, let the player walk through its cell, and repeat. None of the boxes
    that are left can be the first to move. Pushes to cells from which no target can be reached (according to `row`) do
    not count, and `pinned` boxes are never pushed.
    """
    width = tables.width
    for cell in cells:
        board[cell] = FROZEN
    w.numbers[SEEN] += 1
    stamp = w.numbers[SEEN]
    w.floor[0] = player
    w.seen[player] = stamp
    head, tail, left = 0, 1, len(cells)
    changed = True
    while changed:
        changed = False
        while head < tail:
            here = w.floor[head]
            head += 1
            for direction in range(4):
                near = here + step(width, direction)
                if w.seen[near] != stamp and (board[near] == EMPTY or board[near] == BOX):
                    w.seen[near] = stamp
                    w.floor[tail] = near
                    tail += 1
        for cell in cells:
            if board[cell] != FROZEN or pinned[cell]:
                continue
            for direction in range(4):
                ahead = step(width, direction)
                to = cell + ahead
                if w.seen[cell - ahead] == stamp and board[to] != WALL and board[to] != FROZEN and row[to] != 0:
                    board[cell] = BOX
                    w.seen[cell] = stamp
                    w.floor[tail] = cell
                    tail += 1
                    left -= 1
                    changed = True
                    break
    for cell in cells:
        if board[cell] == FROZEN and not tables.target[cell]:
            return -1
    return left


@rare
def has_stuck_deadlock(tables, board, cells, player, reach, w):
    """Return whether boxes are stuck off the targets, or whether the stuck boxes keep the others from the targets."""
    lost, before = False, 0
    slot = slot_of_frozen(tables, board, cells, reach)
    while not lost and not tables.off & STUCK:
        stuck = mark_stuck(tables, board, cells, player, reach.targets[slot], reach.pinned[slot], w)
        lost = stuck < 0
        if lost or stuck <= before:
            break
        before = stuck
        slot = slot_of_frozen(tables, board, cells, reach)
    for goal in reach.goals:
        lost = lost or (reach.pinned[slot, goal] and board[goal] == EMPTY)
    if not lost and len(reach.goals) <= MOST_TARGETS and not tables.off & MATCHING:
        lost = lacks_targets(board, cells, reach.targets[slot], reach)
    for cell in cells:
        board[cell] = BOX
    return lost
