"""Distances on a board: how many pushes a box is away from burning, and how far a walker is from a push that helps.

Both look at many games in one call. They measure, they do not play: boxes in the way are ignored.
"""

from typing import Any

import numpy as np

from shoverworld.core.grid import ahead, cell_at
from shoverworld.core.jit import inner, kernel, rare, resolve

from . import rules as rulebook
from .config import WALK, RuleNumbers
from .state import BARRIER, EMPTY, LAVA, State

NO_WAY = 2**30  # more pushes, or steps, than any map asks for


@inner
def is_floor(content):
    """Can a box lie here, or the shover stand here once the box is gone?"""
    return (content != BARRIER) & (content != LAVA)


@rare
def same_floor(one, other):
    for cell in range(len(one)):
        if is_floor(one[cell]) != is_floor(other[cell]) or (one[cell] == LAVA) != (other[cell] == LAVA):
            return False
    return True


@rare
def spread(board, width, walks, queue, pushes):
    """From the lava back over the floor, breadth first. A walker must be able to stand behind the box he pushes."""
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
    """pushes[i, cell]: how many pushes burn a box that lies alone on this cell of game i; NO_WAY when none do."""
    walks = rules.actor == WALK
    for i in range(len(games.board)):
        if i > 0 and same_floor(games.board[i - 1], games.board[i]):
            for cell in range(games.board.shape[1]):  # only specials change the floor
                pushes[i, cell] = pushes[i - 1, cell]
        else:
            spread(games.board[i], games.width, walks, queue, pushes[i])


@rare
def helps(board, width, pushes, cell, direction):
    """Does a push in this direction, by a shover who stands on this cell, bring the box next to him nearer the lava?"""
    target = cell + ahead(direction, width)
    if not rulebook.is_box(board[target]):
        return False
    _, beyond = rulebook.chain_from(board, target, ahead(direction, width))
    return board[beyond] != BARRIER and pushes[target + ahead(direction, width)] < pushes[target]


@rare
def steps_to_push(games, i, pushes, queue, steps):
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
    """walks[i]: how many steps the shover of game i is away from a push that helps; NO_WAY when he cannot get to one."""
    for i in range(len(games.board)):
        walks[i] = steps_to_push(games, i, pushes[i], queue, steps)


def pushes_to_lava(games: State, rules: RuleNumbers) -> np.ndarray:
    """For each game and each cell of its framed board: how many pushes burn a box that lies there, other boxes ignored.

    L . . #      0 1 2 -     1 on a kill position, next to lava; NO_WAY where no way leads to lava.
    . # . B  ->  1 - 3 4     A walker needs room behind the box at every push, so his numbers are larger.
    """
    pushes = np.empty(games.board.shape, np.int64)
    queue = np.empty(games.board.shape[1], np.int64)
    native(measure_pushes, games, rules, queue, pushes)
    return pushes


def steps_to_helpful_push(games: State, pushes: np.ndarray) -> np.ndarray:
    """For each game: how many empty cells the shover must walk to stand behind a box that a push brings nearer the lava.

    `pushes` is what `pushes_to_lava` says of the same games.
    """
    walks = np.empty(len(games.board), np.int64)
    queue, steps = np.empty((2, games.board.shape[1]), np.int64)
    native(measure_walks, games, pushes, queue, steps, walks)
    return walks


def boxes_on(board: np.ndarray) -> np.ndarray:
    """Which cells hold a box."""
    return (board > EMPTY) & (board < BARRIER)


_entries: dict[Any, Any] = {}


def native(function: Any, *arguments: Any) -> Any:
    """Call a kernel without Numba's look-up: only for kernels whose arguments always have the same types."""
    if function not in _entries:
        _entries[function] = resolve(function, *arguments)
    return _entries[function](*arguments)
