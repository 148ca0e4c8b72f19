"""Preprocessing: boxes that can never move and cells that nothing can use become walls.

#########
#@  #*#.#     The box on the left target can never be pushed, and the lower dead end has no use for the player.
# $  #  #     Both become walls.
### #####
### #####
#########

The number of pushes and the number of moves of the best solution stay the same.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import kernel, rare

from .tables import step


class Board(NamedTuple):
    """A level with a frame of walls. Numbers are 0 for a cell without a target or a box."""

    width: int
    wall: np.ndarray  # bool (cells,)
    target: np.ndarray  # int64 (cells,): the number of the target
    box: np.ndarray  # int64 (cells,): the number of the box
    player: int


@rare
def release_pushed(board, solid, reached, queue):
    """Take away every box that the player can push, walk through its cell, and repeat.

    In the end, `solid` contains the walls and the boxes that can never be pushed, and `reached` the cells that the player
    or a box may come to.
    """
    width = board.width
    for cell in range(len(solid)):
        solid[cell] = board.wall[cell] or board.box[cell] > 0
        reached[cell] = False
    queue[0], head, tail = board.player, 0, 1
    reached[board.player] = True
    changed = True
    while changed:
        changed = False
        while head < tail:
            here = queue[head]
            head += 1
            for direction in range(4):
                near = here + step(width, direction)
                if not solid[near] and not reached[near]:
                    reached[near] = True
                    queue[tail] = near
                    tail += 1
        for cell in range(width, len(solid) - width):
            if board.box[cell] == 0 or not solid[cell]:
                continue
            for direction in range(4):
                ahead = step(width, direction)
                if solid[cell] and reached[cell - ahead] and not solid[cell + ahead]:
                    solid[cell], reached[cell] = False, True
                    queue[tail] = cell
                    tail += 1
                    changed = True


@rare
def mark_unpullable(board, solid):
    """Mark in `solid`, beside the walls, the targets whose boxes can never be pulled away from the solved position.

    Such a box was never pushed, so it must be on its target from the beginning.
    """
    width = board.width
    for cell in range(len(solid)):
        solid[cell] = board.wall[cell] or board.target[cell] > 0
    changed = True
    while changed:
        changed = False
        for cell in range(width, len(solid) - width):
            if board.target[cell] == 0 or not solid[cell]:
                continue
            for direction in range(4):
                one = cell + step(width, direction)
                if solid[cell] and not solid[one] and not solid[one + step(width, direction)]:
                    solid[cell] = False
                    changed = True


@rare
def wall_up(board, cell):
    """Turn a cell whose box can never move into a wall. Return False if the level has no solution."""
    if board.box[cell] != board.target[cell]:
        return False
    board.wall[cell] = True
    board.box[cell] = board.target[cell] = 0
    return True


@rare
def fill_dead_ends(board):
    """Turn every cell with walls on three sides into a wall, unless the player, a box or a target is there.

    A box could never leave the cell. The player could not push a box out of it, because a box cannot come to the only
    open side while the player is inside. Return whether there was such a cell.
    """
    width, found, changed = board.width, False, True
    while changed:
        changed = False
        for cell in range(width, len(board.wall) - width):
            if board.wall[cell] or board.box[cell] > 0 or board.target[cell] > 0 or cell == board.player:
                continue
            walls = 0
            for direction in range(4):
                walls += board.wall[cell + step(width, direction)]
            if walls >= 3:
                board.wall[cell] = changed = found = True
    return found


@kernel
def simplify(board, solid, reached, queue):
    """Turn cells into walls until nothing changes. Return False if a box can never move to a target."""
    width, changed = board.width, True
    while changed:
        changed = fill_dead_ends(board)
        release_pushed(board, solid, reached, queue)
        for cell in range(width, len(solid) - width):
            if not board.wall[cell] and not reached[cell]:
                changed = True
                if not wall_up(board, cell):
                    return False
        mark_unpullable(board, solid)
        for cell in range(width, len(solid) - width):
            if not board.wall[cell] and solid[cell]:
                changed = True
                if not wall_up(board, cell):
                    return False
    return True


def framed(walls: np.ndarray, targets: np.ndarray, boxes: np.ndarray, player: tuple[int, int]) -> Board:
    """Return the board of a level with a frame of walls."""
    rows, width = walls.shape[0] + 2, walls.shape[1] + 2
    wall = np.ones((rows, width), np.bool_)
    target, box = np.zeros((2, rows, width), np.int64)
    wall[1:-1, 1:-1], target[1:-1, 1:-1], box[1:-1, 1:-1] = walls, targets, boxes
    start = (player[0] + 1) * width + player[1] + 1
    return Board(width, wall.reshape(-1), target.reshape(-1), box.reshape(-1), start)


def simplified(board: Board) -> bool:
    """Turn cells of the board into walls. Return False if the level has no solution."""
    cells = len(board.wall)
    return bool(simplify(board, np.zeros(cells, np.bool_), np.zeros(cells, np.bool_), np.zeros(cells, np.int64)))
