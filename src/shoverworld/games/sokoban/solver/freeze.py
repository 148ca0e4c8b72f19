"""Boxes that nobody will ever move again."""

from shoverworld.core.jit import inner, rare

# What a cell holds during a search.
EMPTY, WALL, BOX, FROZEN = 0, 1, 2, 3


@inner
def stuck_along(board, dead, cell, ahead, least):
    """Can a box not move along this axis, if walls and what is `least` or more never move?

    It cannot if something stands on one side, since the player needs the one side and the box the other; and it
    should not if both sides are cells from which no target can be reached.
    """
    one, other = board[cell - ahead], board[cell + ahead]
    return one == WALL or other == WALL or one >= least or other >= least or (dead[cell - ahead] and dead[cell + ahead])


@rare
def freezes(ground, board, cells, pushed):
    """Has this push, which ended in the cell `pushed`, frozen boxes of which one is on no target?

    Take all boxes to be frozen. A box that can move along an axis, if the frozen ones cannot, is not; look again until
    nothing changes. What is left holds itself: none of these boxes can be the first to move.
    """
    width, dead = ground.width, ground.dead
    if not (stuck_along(board, dead, pushed, 1, BOX) and stuck_along(board, dead, pushed, width, BOX)):
        return False
    for cell in cells:
        board[cell] = FROZEN
    changed = True
    while changed and board[pushed] == FROZEN:
        changed = False
        for cell in cells:
            if board[cell] == FROZEN and not (
                stuck_along(board, dead, cell, 1, FROZEN) and stuck_along(board, dead, cell, width, FROZEN)
            ):
                board[cell] = BOX
                changed = True
    lost = False
    if board[pushed] == FROZEN:
        for cell in cells:
            lost |= board[cell] == FROZEN and not ground.target[cell]
    for cell in cells:
        board[cell] = BOX
    return lost
