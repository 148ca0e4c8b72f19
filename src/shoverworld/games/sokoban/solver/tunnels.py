"""One-way tunnels: a box in such a cell can only be pushed on, and nothing can happen on its other side before.

#########
#   ##  #     The player has pushed the box from the left. The box divides the floor, even if all other boxes are
# @ $   #     taken away, so the player can never push it back, and no box on the right can move before this box does.
#   ## .#     The next push of the box can be made at once: the number of pushes stays the same.
#########

If the player can walk around to the other side, it can be best to leave the box in the tunnel and to push it back
later. Such tunnels are not marked.
"""

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .freeze import EMPTY
from .tables import LevelTables, step

NO_TUNNEL, STUCK = -1, -2  # results of `forced_push`


@rare
def connects(width, wall, start, goal, blocked, stamp, seen, queue):
    """Return whether the player can walk from start to goal if there is only a box, in the cell `blocked`."""
    queue[0], head, tail = start, 0, 1
    seen[start] = seen[blocked] = stamp
    while head < tail:
        here = queue[head]
        head += 1
        if here == goal:
            return True
        for direction in range(4):
            near = here + step(width, direction)
            if not wall[near] and seen[near] != stamp:
                seen[near] = stamp
                queue[tail] = near
                tail += 1
    return False


@kernel
def mark_tunnels(tables, tunnels, seen, queue):
    """Set bit d of tunnels[cell] if a box in this cell, once the player is behind it, can only be pushed in direction d."""
    width, wall, dead = tables.width, tables.wall, tables.dead
    for cell in range(width, len(wall) - width):
        if dead[cell] or tables.target[cell]:
            continue
        for axis in range(2):
            ahead, aside = step(width, 2 * axis), step(width, 2 - 2 * axis)
            one, other = cell - aside, cell + aside
            if (
                wall[cell - ahead]
                or wall[cell + ahead]
                or not (wall[one] or wall[other] or (dead[one] and dead[other]))
            ):
                continue
            if not connects(width, wall, cell - ahead, cell + ahead, cell, 2 * cell + axis + 1, seen, queue):
                tunnels[cell] |= 3 << (2 * axis)


@inner
def forced_push(width, board, cells, tunnels, walked, here):
    """Return the push (number of the box times four, plus direction) of a box that waits in a tunnel.

    walked[cell] is `here` if the player can reach the cell. Return NO_TUNNEL if there is no such box, or STUCK if the box
    can never be pushed.
    """
    for i in range(len(cells)):
        for direction in range(4):
            ahead = step(width, direction)
            if tunnels[cells[i]] >> direction & 1 and walked[cells[i] - ahead] == here:
                return i * 4 + direction if board[cells[i] + ahead] == EMPTY else STUCK
    return NO_TUNNEL


def find_tunnels(tables: LevelTables) -> np.ndarray:
    """Return for each cell the directions, as bits, in which a box in it is in a tunnel."""
    cells = len(tables.wall)
    tunnels = np.zeros(cells, np.uint8)
    mark_tunnels(tables, tunnels, np.zeros(cells, np.int64), np.zeros(cells, np.int64))
    return tunnels
