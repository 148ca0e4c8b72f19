"""Freeze deadlocks: boxes that can never move again."""

from shoverworld.core.jit import inner, rare

# The contents of a cell during the search.
EMPTY, WALL, BOX, FROZEN = 0, 1, 2, 3


@inner
def blocked_along(board, dead, cell, ahead, least):
    """Return whether a box cannot move along this axis, if walls and cells with a value of at least `least` never move.

    The player needs one side and the box the other, so one obstacle is enough. The box is also blocked if both sides
    are dead cells, from which it could reach no target.
    """
    one, other = board[cell - ahead], board[cell + ahead]
    return one == WALL or other == WALL or one >= least or other >= least or (dead[cell - ahead] and dead[cell + ahead])


@rare
def freezes(tables, board, cells, pushed):
    """Return whether the push to the cell `pushed` has frozen a box that is not on a target.

    Assume that all boxes are frozen. Release every box that can move along an axis while the frozen boxes cannot, and
    repeat until nothing changes. Among the remaining boxes none can be the first to move.
    """
    width, dead = tables.width, tables.dead
    if not (blocked_along(board, dead, pushed, 1, BOX) and blocked_along(board, dead, pushed, width, BOX)):
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
