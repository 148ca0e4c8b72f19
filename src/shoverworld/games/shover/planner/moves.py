"""The moves of a plan. A move is a push (perhaps after a walk), a special action, a wait or one walking step.

Every step goes through `rulebook.step`, so a plan cannot break the rules. A move is encoded as cell * ACTIONS + action.
For a push, the cell is the cell of the box, and the action is the direction. For all other moves, the cell is 0.
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


class MoveWorkspace(NamedTuple):
    """Scratch arrays for generating and making moves."""

    queue: np.ndarray  # cells to visit
    entered_by: np.ndarray  # the direction in which a walker enters a cell; -1 if the cell is unreachable
    path: np.ndarray  # the directions of a walk, in reverse order
    moves: np.ndarray  # the moves of one game
    counts: np.ndarray  # counters
    boxes: np.ndarray  # (3, boxes): the cell, row and col of each box in one game
    log: np.ndarray  # every action played: row, col, z
    logged: np.ndarray  # (1,): the number of actions in the log


def new_workspace(state: State, boxes: int, log: int = 0) -> MoveWorkspace:
    cells = state.board.shape[1]
    shapes = (cells, cells, cells, 4 * boxes + 8, 2 * cells + 2, (3, boxes), (log, 3), 1)
    return MoveWorkspace(*(np.zeros(shape, np.int64) for shape in shapes))


@rare
def advance(state, i, rules, row, col, z, workspace):
    """Play one action in game i and add it to the log if there is space. Return whether the action was valid."""
    valid = rulebook.step(state, i, rules, row, col, z).valid
    line = workspace.logged[0]
    if line < len(workspace.log):
        workspace.log[line, 0] = row
        workspace.log[line, 1] = col
        workspace.log[line, 2] = z
        workspace.logged[0] = line + 1
    return valid


@rare
def find_reachable(state, i, workspace):
    """Run a breadth-first search for the cells that the walker of game i can reach. Fill `workspace.entered_by`."""
    game, board, width = state.game[i], state.board[i], state.width
    for cell in range(len(board)):
        workspace.entered_by[cell] = -1
    start = cell_at(game.row, game.col, width)
    workspace.queue[0], workspace.entered_by[start] = start, 4
    head, tail = 0, 1
    while head < tail:
        cell = workspace.queue[head]
        head += 1
        for direction in range(4):
            near = cell + ahead(direction, width)
            if board[near] == EMPTY and workspace.entered_by[near] < 0:
                workspace.entered_by[near] = direction
                workspace.queue[tail] = near
                tail += 1


@rare
def walk_to(state, i, rules, goal, workspace):
    """Make the shover of game i walk, one step at a time, to a cell that `find_reachable` has found.

    Return whether the shover arrived.
    """
    game, width = state.game[i], state.width
    length = 0
    cell = goal
    while workspace.entered_by[cell] != 4:
        workspace.path[length] = workspace.entered_by[cell]
        cell -= ahead(workspace.entered_by[cell], width)
        length += 1
    while length > 0:
        length -= 1
        valid = advance(state, i, rules, game.row, game.col, rules.z_base + workspace.path[length], workspace)
        if not valid or game.outcome != PLAYING:
            return False
    return True


@rare
def wait(state, i, rules, workspace):
    """Wait for one step so that a square can dissolve. Return whether waiting was possible.

    Use the no-op if the rules have one. Otherwise, act on an empty cell, which moves no box (with the "select" actor,
    this is an invalid action). A walker instead bumps into an obstacle, or plays hellify if no square is large enough.
    """
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
    if rulebook.is_box(board[chosen]):  # if no cell is empty, any cell without a box works
        for cell in range(width, len(board) - width):
            if 0 < cell % width < width - 1 and not rulebook.is_box(board[cell]):
                chosen = cell
        if rulebook.is_box(board[chosen]):
            return False
    advance(state, i, rules, row_of(chosen, width), col_of(chosen, width), rules.z_base, workspace)
    return True


@rare
def make_move(state, i, rules, move, workspace):
    """Make a move in game i and return whether it succeeded.

    For a walker, `find_reachable` must have filled `workspace.entered_by` for this game.
    """
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
    """Store every useful move of game i in `workspace.moves` and return the number of moves.

    Waiting, or walking without pushing, can help only while a square is ageing.
    """
    game, board, width = state.game[i], state.board[i], state.width
    count = 0
    if rules.actor == WALK:
        find_reachable(state, i, workspace)
    for cell in range(width, len(board) - width):
        if rulebook.is_box(board[cell]):
            for direction in range(4):
                forward = ahead(direction, width)
                if rules.actor == WALK and workspace.entered_by[cell - forward] < 0:
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
