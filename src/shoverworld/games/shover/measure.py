"""Distances on a board: the pushes needed to burn a box, and the steps that a walker needs before a helpful push.

`pushes_to_lava` and `steps_to_helpful_push` each measure many games in one call. Distances to lava ignore other boxes.
"""

from typing import Any

import numpy as np

from shoverworld.core.grid import ahead, cell_at
from shoverworld.core.jit import inner, kernel, rare, resolve

from . import rules as rulebook
from .config import WALK, ShoverRuleNumbers
from .state import BARRIER, EMPTY, LAVA, State

NO_WAY = 2**30  # "unreachable": more pushes or steps than any map needs


@inner
def is_floor(content):
    """Return whether a box or the shover can occupy a cell with this content."""
    return (content != BARRIER) & (content != LAVA)


@rare
def same_floor(one, other):
    """Return whether two boards have the same barriers and lava."""
    for cell in range(len(one)):
        if is_floor(one[cell]) != is_floor(other[cell]) or (one[cell] == LAVA) != (other[cell] == LAVA):
            return False
    return True


@rare
def spread(board, width, walks, queue, pushes):
    """Set pushes[cell] to the number of pushes needed to move a box from the cell into lava, or to NO_WAY.

    The search is breadth-first, backwards from the lava over the floor. A walker also needs floor behind the box.
    """
    tail = 0
    for cell in range(len(board)):
        pushes[cell] = NO_WAY
        if board[cell] == LAVA:
            pushes[cell] = 0
            queue[tail] = cell
            tail += 1
    head = 0
    while head < tail:
        cell = queue[head]
        head += 1
        for direction in range(4):
            origin = cell - ahead(direction, width)
            if origin < width or origin >= len(board) - width or pushes[origin] != NO_WAY:
                continue
            if not is_floor(board[origin]):
                continue
            if walks and not is_floor(board[origin - ahead(direction, width)]):
                continue
            pushes[origin] = pushes[cell] + 1
            queue[tail] = origin
            tail += 1


@kernel
def measure_pushes(games, rules, queue, pushes):
    """Set pushes[i, cell] to the number of pushes needed to burn a lone box on this cell of game i, or to NO_WAY."""
    walks = rules.actor == WALK
    for i in range(len(games.board)):
        if i > 0 and same_floor(games.board[i - 1], games.board[i]):
            for cell in range(games.board.shape[1]):  # the previous game has the same floor, so copy its distances
                pushes[i, cell] = pushes[i - 1, cell]
        else:
            spread(games.board[i], games.width, walks, queue, pushes[i])


@rare
def helps(board, width, pushes, cell, direction):
    """Return whether a push from this cell in this direction brings the adjacent box closer to lava."""
    target = cell + ahead(direction, width)
    if not rulebook.is_box(board[target]):
        return False
    _, beyond = rulebook.chain_from(board, target, ahead(direction, width))
    return board[beyond] != BARRIER and pushes[target + ahead(direction, width)] < pushes[target]


@rare
def steps_to_push(games, i, pushes, queue, steps):
    """Return the number of steps that the shover of game i needs before it can make a helpful push, or NO_WAY."""
    game, board, width = games.game[i], games.board[i], games.width
    for cell in range(len(board)):
        steps[cell] = -1
    start = cell_at(game.row, game.col, width)
    queue[0], steps[start] = start, 0
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        for direction in range(4):
            if helps(board, width, pushes, cell, direction):
                return steps[cell]
            near = cell + ahead(direction, width)
            if board[near] == EMPTY and steps[near] < 0:
                steps[near] = steps[cell] + 1
                queue[tail] = near
                tail += 1
    return NO_WAY


@kernel
def measure_walks(games, pushes, queue, steps, walks):
    """Set walks[i] to the number of steps that the shover of game i needs before a helpful push, or to NO_WAY."""
    for i in range(len(games.board)):
        walks[i] = steps_to_push(games, i, pushes[i], queue, steps)


def pushes_to_lava(games: State, rules: ShoverRuleNumbers) -> np.ndarray:
    """Return how many pushes are needed to burn a box on each cell of each game's framed board, ignoring other boxes.

    L . . #      0 1 2 -     1 means a kill position (next to lava), and - means NO_WAY (no path to lava).
    . # . B  ->  1 - 3 4     A walker needs space behind the box for every push, so it may need more pushes.
    """
    pushes = np.empty(games.board.shape, np.int64)
    queue = np.empty(games.board.shape[1], np.int64)
    native(measure_pushes, games, rules, queue, pushes)
    return pushes


def steps_to_helpful_push(games: State, pushes: np.ndarray) -> np.ndarray:
    """Return how many steps each game's shover needs to reach a cell from which a push brings a box closer to lava.

    `pushes` is the result of `pushes_to_lava` for the same games.
    """
    walks = np.empty(len(games.board), np.int64)
    queue, steps = np.empty((2, games.board.shape[1]), np.int64)
    native(measure_walks, games, pushes, queue, steps, walks)
    return walks


def boxes_on(board: np.ndarray) -> np.ndarray:
    """Return a mask of the cells that contain a box."""
    return (board > EMPTY) & (board < BARRIER)


_entries: dict[Any, Any] = {}


def native(function: Any, *arguments: Any) -> Any:
    """Call a kernel without Numba's dispatch. All calls to a kernel must pass arguments of the same types."""
    if function not in _entries:
        _entries[function] = resolve(function, *arguments)
    return _entries[function](*arguments)
