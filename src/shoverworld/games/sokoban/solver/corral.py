"""PI-corrals: areas that the player must enter through pushes that are all possible now.

A corral is an area of floor that boxes hide from the player. Here it is the room on the right:

    #########
    #   #   #
    # @ $   #
    #   # . #
    #########

If every push of the corral's boxes goes into the corral (I) and the player can make each of these pushes now (P), then
the pushes of all other boxes can wait: any solution can be reordered so that it begins with one of these pushes, and
the number of pushes stays the same. The search then tries only these pushes. A corral that still needs a push, but
allows none, is a deadlock.

A box that blocks a push of the corral's boxes is one of them, too. Here the box below the door belongs to the corral,
and so does the box to its right: it stands where the player must stand to push the first box left:

    #########
    #   #   #
    ## ##   #
    # $$    #
    # @   . #
    #########
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from .freeze import BOX, EMPTY, WALL
from .tables import LevelTables, step
from .techniques import PI_CORRAL

ALL_BOXES, NO_PUSH = -1, 0  # results of `find_pi_corral`: no corral found, or a deadlock
_FULL, _AGAIN = 1 << 30, -2


class CorralWorkspace(NamedTuple):
    """Scratch memory. An area number of 0 means the player's own area, and -1 a cell without a number."""

    area: np.ndarray  # int16 (cells,): the number of the area of each free cell
    queue: np.ndarray  # int64 (cells,)
    joined: np.ndarray  # bool (cells,): the areas that form the corral
    fence: np.ndarray  # bool (cells,): the boxes of the corral
    blocks: np.ndarray  # bool (cells,): boxes that belong to the corral because they block others of its boxes
    enclosed: np.ndarray  # bool (cells,)
    best: np.ndarray  # bool (cells,): the boxes of the best corral so far


def new_corral_workspace(tables: LevelTables) -> CorralWorkspace:
    cells = len(tables.wall)
    flags = [np.zeros(cells, np.bool_) for _ in range(5)]
    return CorralWorkspace(np.zeros(cells, np.int16), np.zeros(cells, np.int64), *flags)


@rare
def number_areas(tables, board, cells, player, w):
    """Number the areas of free floor. The player's area is 0. Return the number of areas that the boxes border."""
    width = tables.width
    for cell in range(len(board)):
        w.area[cell] = -1
    count = fill_area(width, board, player, 0, w)
    for i in range(len(cells)):
        if board[cells[i]] == BOX:
            for direction in range(4):
                near = cells[i] + step(width, direction)
                if board[near] == EMPTY and w.area[near] < 0:
                    count = fill_area(width, board, near, count, w)
    return count


@inner
def fill_area(width, board, start, number, w):
    w.queue[0] = start
    w.area[start] = number
    head, tail = 0, 1
    while head < tail:
        here = w.queue[head]
        head += 1
        for direction in range(4):
            near = here + step(width, direction)
            if board[near] == EMPTY and w.area[near] < 0:
                w.area[near] = number
                w.queue[tail] = near
                tail += 1
    return number + 1


@rare
def build_fence(tables, board, cells, w):
    """Mark the boxes next to the corral's areas, those that block these boxes, and the boxes that all of these enclose.

    An enclosed box can be pushed only after another box of the corral has moved.
    """
    width = tables.width
    for i in range(len(cells)):
        cell = cells[i]
        found = w.blocks[cell]
        if board[cell] == BOX:
            for direction in range(4):
                area = w.area[cell + step(width, direction)]
                found = found or (area > 0 and w.joined[area])
        w.fence[cell] = found
    for i in range(len(cells)):
        cell = cells[i]
        enclosed = board[cell] == BOX and not w.fence[cell]
        for direction in range(4):
            area = w.area[cell + step(width, direction)]
            enclosed = enclosed and not (area >= 0 and not w.joined[area])
        w.enclosed[cell] = enclosed
    changed = True
    while changed:
        changed = False
        for i in range(len(cells)):
            cell = cells[i]
            for direction in range(4):
                near = cell + step(width, direction)
                if w.enclosed[cell] and board[near] == BOX and not w.fence[near] and not w.enclosed[near]:
                    w.enclosed[cell] = False
                    changed = True
    for i in range(len(cells)):
        w.fence[cells[i]] |= w.enclosed[cells[i]]


@rare
def grow(tables, board, cells, w):
    """Return the area that the corral must include, 0 if it is complete, or -1 if it cannot be a PI-corral.

    If another box blocks a push, this box becomes part of the corral, and the result is _AGAIN: until a box of the corral
    moves, the push remains impossible.
    """
    width, wanted = tables.width, 0
    for i in range(len(cells)):
        cell = cells[i]
        if not w.fence[cell]:
            continue
        for direction in range(4):
            ahead = step(width, direction)
            behind, to = cell - ahead, cell + ahead
            if board[behind] == WALL or board[to] == WALL or tables.dead[to]:
                continue
            from_area, to_area = w.area[behind], w.area[to]
            if (from_area > 0 and w.joined[from_area]) or w.fence[behind]:
                continue  # the player can be there only after a push into the corral
            if board[to] == BOX:
                if w.fence[to]:
                    continue  # blocked until this other box of the corral has moved
                w.blocks[to] = True
                return _AGAIN
            if from_area < 0:
                w.blocks[behind] = True  # this box is in the player's place
                return _AGAIN
            if from_area > 0:
                wanted = from_area
            elif to_area == 0:
                return -1  # the box can be pushed out of the corral
            elif not w.joined[to_area]:
                wanted = to_area
    return wanted


@rare
def count_pushes(tables, board, cells, w, fill_targets):
    """Return the number of pushes into the corral, or _FULL if the corral already has all it needs."""
    width, pushes, needed = tables.width, 0, False
    for i in range(len(cells)):
        cell = cells[i]
        if not w.fence[cell]:
            continue
        needed = needed or not tables.target[cell]
        for direction in range(4):
            ahead = step(width, direction)
            to = cell + ahead
            area = w.area[to]
            if area > 0 and w.joined[area] and w.area[cell - ahead] == 0 and not tables.dead[to]:
                pushes += 1
    if not needed:
        for cell in range(len(board)):
            if fill_targets and tables.target[cell] and w.area[cell] > 0 and w.joined[w.area[cell]]:
                return pushes
        return _FULL
    return pushes


@rare
def find_pi_corral(tables, board, cells, player, fill_targets, w):
    """Find the PI-corral with the fewest pushes and mark its boxes in `w.best`.

    fill_targets: whether every target needs a box, which is not the case if boxes have been taken off the board.
    Return the number of its pushes, NO_PUSH if the position is a deadlock, or ALL_BOXES if there is no PI-corral.
    """
    if tables.off & PI_CORRAL:
        return ALL_BOXES
    count = number_areas(tables, board, cells, player, w)
    least = _FULL
    for start in range(1, count):
        for area in range(count):
            w.joined[area] = False
        for i in range(len(cells)):
            w.blocks[cells[i]] = False
        wanted = start
        while wanted > 0 or wanted == _AGAIN:
            if wanted > 0:
                w.joined[wanted] = True
            build_fence(tables, board, cells, w)
            wanted = grow(tables, board, cells, w)
        if wanted == 0:
            pushes = count_pushes(tables, board, cells, w, fill_targets)
            if pushes < least:
                least = pushes
                for i in range(len(cells)):
                    w.best[cells[i]] = w.fence[cells[i]]
    for i in range(len(cells)):
        w.fence[cells[i]] = w.blocks[cells[i]] = False
    return ALL_BOXES if least == _FULL else least
