"""The moves a plan is made of: a push or special, with the walk to it; or a wait.

Everything goes through `rulebook.step`, so a plan cannot break the rules. A move is one number, cell * ACTIONS + action:
a push has the box's cell and a direction; a special, a wait or one step of a walker has no cell (0, a corner of the frame).
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import ahead, cell_at, col_of, row_of
from shoverworld.core.jit import rare

from .. import rules as rulebook
from ..config import ACTION_KINDS, FIRST_SPECIAL, WALK
from ..state import BARRIER, EMPTY, PLAYING, State

WAIT = ACTION_KINDS
ACTIONS = 8


class Workspace(NamedTuple):
    """Scratch paper of a search."""

    queue: np.ndarray  # cells still to look at
    came: np.ndarray  # the direction by which a walker enters a cell; -1: he cannot
    path: np.ndarray  # a walker's directions, last first
    moves: np.ndarray  # the moves of one game
    counts: np.ndarray  # tallies
    boxes: np.ndarray  # (3, boxes): cell, row and col of each box of one game
    diary: np.ndarray  # every action played, as row, col, z
    written: np.ndarray  # how many lines of the diary are in use


def new_workspace(state: State, boxes: int, diary: int = 0) -> Workspace:
    cells = state.board.shape[1]
    shapes = (cells, cells, cells, 4 * boxes + 8, 2 * cells + 2, (3, boxes), (diary, 3), 1)
    return Workspace(*(np.zeros(shape, np.int64) for shape in shapes))


@rare
def advance(state, i, rules, row, col, z, workspace):
    """One step of game i, written down in the diary as long as there is room. Was it valid?"""
    valid = rulebook.step(state, i, rules, row, col, z).valid
    line = workspace.written[0]
    if line < len(workspace.diary):
        workspace.diary[line, 0] = row
        workspace.diary[line, 1] = col
        workspace.diary[line, 2] = z
        workspace.written[0] = line + 1
    return valid


@rare
def reach(state, i, workspace):
    """Where the walker of game i can go: fills `desk.came`, shortest ways first."""
    game, board, width = state.game[i], state.board[i], state.width
    for cell in range(len(board)):
        workspace.came[cell] = -1
    start = cell_at(game.row, game.col, width)
    workspace.queue[0], workspace.came[start] = start, 4
    head, tail = 0, 1
    while head < tail:
        cell = workspace.queue[head]
        head += 1
        for direction in range(4):
            near = cell + ahead(direction, width)
            if board[near] == EMPTY and workspace.came[near] < 0:
                workspace.came[near] = direction
                workspace.queue[tail] = near
                tail += 1


@rare
def walk_to(state, i, rules, goal, workspace):
    """Walk game i's shover to a cell that `reach` has found, step by step through the rules. Is he there?"""
    game, width = state.game[i], state.width
    length = 0
    cell = goal
    while workspace.came[cell] != 4:
        workspace.path[length] = workspace.came[cell]
        cell -= ahead(workspace.came[cell], width)
        length += 1
    while length > 0:
        length -= 1
        valid = advance(state, i, rules, game.row, game.col, rules.z_base + workspace.path[length], workspace)
        if not valid or game.outcome != PLAYING:
            return False
    return True


@rare
def wait(state, i, rules, workspace):
    """Let time pass, for a square to dissolve: the no-op; or stand on an empty cell, which is merely invalid where the
    shover has no place. A walker without a no-op runs into something, or tries to hellify a square that is not there."""
    game, board, width = state.game[i], state.board[i], state.width
    if rules.noop:
        advance(state, i, rules, game.row, game.col, rules.z_base - 1, workspace)
        return True
    if rules.actor == WALK:
        here = cell_at(game.row, game.col, width)
        for direction in range(4):
            near = here + ahead(direction, width)
            if board[near] != EMPTY and not rulebook.is_valid(state, i, rules, 0, 0, rules.z_base + direction):
                advance(state, i, rules, game.row, game.col, rules.z_base + direction, workspace)
                return True
        if not rulebook.is_valid(state, i, rules, 0, 0, rules.z_base + rulebook.HELLIFY):
            advance(state, i, rules, game.row, game.col, rules.z_base + rulebook.HELLIFY, workspace)
            return True
        return False
    chosen = width + 1
    for cell in range(width, len(board) - width):
        if board[cell] == EMPTY:
            chosen = cell
            break
    if rulebook.is_box(board[chosen]):  # not one empty cell: any cell that is no box will do
        for cell in range(width, len(board) - width):
            if 0 < cell % width < width - 1 and not rulebook.is_box(board[cell]):
                chosen = cell
        if rulebook.is_box(board[chosen]):
            return False
    advance(state, i, rules, row_of(chosen, width), col_of(chosen, width), rules.z_base, workspace)
    return True


@rare
def make_move(state, i, rules, move, workspace):
    """A move in game i; for a walker, `desk.came` is what `reach` said of this game. Did it work out?"""
    game, width = state.game[i], state.width
    cell, action = move // ACTIONS, move % ACTIONS
    if action == WAIT:
        return wait(state, i, rules, workspace)
    row, col = game.row, game.col
    if cell > 0:
        if rules.actor == WALK:
            if not walk_to(state, i, rules, cell - ahead(action, width), workspace):
                return False
            row, col = game.row, game.col
        else:
            row, col = row_of(cell, width), col_of(cell, width)
    return advance(state, i, rules, row, col, rules.z_base + action, workspace)


@rare
def list_moves(state, i, rules, workspace):
    """Every move worth trying in game i; returns how many. Waiting, and walking for its own sake, can only help while
    a square grows old."""
    game, board, width = state.game[i], state.board[i], state.width
    count = 0
    if rules.actor == WALK:
        reach(state, i, workspace)
    for cell in range(width, len(board) - width):
        if rulebook.is_box(board[cell]):
            for direction in range(4):
                forward = ahead(direction, width)
                if rules.actor == WALK and workspace.came[cell - forward] < 0:
                    continue
                if board[rulebook.chain_from(board, cell, forward)[1]] != BARRIER:
                    workspace.moves[count] = cell * ACTIONS + direction
                    count += 1
    if game.squares > 0:
        for special in range(FIRST_SPECIAL, ACTION_KINDS):
            if rulebook.is_valid(state, i, rules, 0, 0, rules.z_base + special):
                workspace.moves[count] = special
                count += 1
        workspace.moves[count] = WAIT
        count += 1
        if rules.actor == WALK:
            for direction in range(4):
                if board[cell_at(game.row, game.col, width) + ahead(direction, width)] == EMPTY:
                    workspace.moves[count] = direction
                    count += 1
    return count
