"""Detection of freeze deadlocks, in which boxes can never move again."""

from shoverworld.core.jit import inner, rare

from .techniques import FREEZE

# The contents of a cell during the search.
EMPTY, WALL, BOX, FROZEN = 0, 1, 2, 3


@inner
def blocked_along(board, dead, cell, ahead, least):
    """Return whether a box is blocked along this axis.

    Walls, and boxes in cells with a value of at least `least`, count as immovable. A push needs the player on one side
    of the box and a free cell on the other, so one obstacle is enough to block the box. The box is also blocked if
    both neighbouring cells are dead, because the box could not reach any target from them.
    """
    one, other = board[cell - ahead], board[cell + ahead]
    return one == WALL or other == WALL or one >= least or other >= least or (dead[cell - ahead] and dead[cell + ahead])


@rare
def freezes(tables, board, cells, pushed):
    """Return whether the push to the cell `pushed` has frozen a box that is not on a target.

    Assume that all boxes are frozen. Release every box that can move along an axis while the frozen boxes stay in
    place, and repeat until nothing changes. None of the boxes that are still frozen can be the first to move.
    """
    width, dead = tables.width, tables.dead
    if tables.off & FREEZE or not (
        blocked_along(board, dead, pushed, 1, BOX) and blocked_along(board, dead, pushed, width, BOX)
    ):
        return False
    for cell in cells:
        board[cell] = FROZEN
    changed = True
    while changed and board[pushed] == FROZEN:
        changed = False
        for cell in cells:
            if board[cell] == FROZEN and not (
                blocked_along(board, dead, cell, 1, FROZEN) and blocked_along(board, dead, cell, width, FROZEN)
            ):
                board[cell] = BOX
                changed = True
    lost = False
    if board[pushed] == FROZEN:
        for cell in cells:
            lost |= board[cell] == FROZEN and not tables.target[cell]
    for cell in cells:
        board[cell] = BOX
    return lost
