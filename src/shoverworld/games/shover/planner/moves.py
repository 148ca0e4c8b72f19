"""The moves of a plan. A move is a push (perhaps after a walk), a special action, a wait or one walking step.

A move stands for one or more actions, and every action goes through `rulebook.step`, so a plan cannot break the rules.
A move is encoded as cell * ACTIONS + action. For a push, the cell is the cell of the box, and the action is the direction.
For all other moves, the cell is 0.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import ahead, cell_at, col_of, row_of
from shoverworld.core.jit import inner, rare

from .. import rules as rulebook
from ..config import ACTION_KINDS, FIRST_SPECIAL, WALK
from ..state import BARRIER, EMPTY, PLAYING
from .boxes import CELL

WAIT = ACTION_KINDS
ACTIONS = 8


class MoveWorkspace(NamedTuple):
    """Scratch arrays for generating and making moves."""

    queue: np.ndarray  # cells to visit
    entered_by: np.ndarray  # the direction in which a walker enters a cell; -1 if the cell is unreachable
    moves: np.ndarray  # the moves of one game
    actions: np.ndarray  # (cells, 3): the actions for one move: row, col, z


def new_move_workspace(cells: int, boxes: int) -> MoveWorkspace:
    return MoveWorkspace(*(np.zeros(shape, np.int64) for shape in (cells, cells, 4 * boxes + 8, (cells, 3))))


@rare
def find_reachable(game, board, width, workspace):
    """Run a breadth-first search for the cells that the walker can reach. Fill `workspace.entered_by`."""
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


@inner
def put_action(workspace, line, row, col, z):
    workspace.actions[line, 0] = row
    workspace.actions[line, 1] = col
    workspace.actions[line, 2] = z


@rare
def plan_walk(rules, width, goal, workspace):
    """Store the actions for a walk to a cell that `find_reachable` has found. Return their number."""
    length, cell = 0, goal
    while workspace.entered_by[cell] != 4:
        cell -= ahead(workspace.entered_by[cell], width)
        length += 1
    cell = goal
    for line in range(length - 1, -1, -1):
        direction = workspace.entered_by[cell]
        cell -= ahead(direction, width)
        put_action(workspace, line, row_of(cell, width), col_of(cell, width), rules.z_base + direction)
    return length


@rare
def plan_wait(state, i, rules, workspace):
    """Store an action that waits one step, so that a square can dissolve. Return 1, or 0 if there is no such action.

    Use the no-op if the rules have one. Otherwise, act on an empty cell, which moves no box (with the "select" actor,
    this is an invalid action). A walker instead bumps into an obstacle, or plays a special action without a square.
    """
    game, board, width = state.game[i], state.board[i], state.width
    if rules.noop:
        put_action(workspace, 0, game.row, game.col, rules.z_base - 1)
        return 1
    if rules.actor == WALK:
        for action in range(ACTION_KINDS):
            if not rulebook.is_valid(state, i, rules, 0, 0, rules.z_base + action):
                put_action(workspace, 0, game.row, game.col, rules.z_base + action)
                return 1
        return 0
    chosen = 0
    for cell in range(width, len(board) - width):
        if 0 < cell % width < width - 1 and not rulebook.is_box(board[cell]):
            chosen = cell  # if no cell is empty, any cell without a box works
            if board[cell] == EMPTY:
                break
    put_action(workspace, 0, row_of(chosen, width), col_of(chosen, width), rules.z_base)
    return int(chosen > 0)


@inner
def plan_move(state, i, rules, move, workspace):
    """Store the actions for a move in game i in `workspace.actions`. Return their number, which is 0 for a futile wait.

    For a walker, `find_reachable` must have filled `workspace.entered_by` for this game.
    """
    game, width = state.game[i], state.width
    cell, action = move // ACTIONS, move % ACTIONS
    if action == WAIT:
        return plan_wait(state, i, rules, workspace)
    row, col, length = game.row, game.col, 0
    if cell > 0:
        if rules.actor == WALK:
            cell -= ahead(action, width)
            length = plan_walk(rules, width, cell, workspace)
        row, col = row_of(cell, width), col_of(cell, width)
    put_action(workspace, length, row, col, rules.z_base + action)
    return length + 1


@inner
def advance(state, i, rules, row, col, z):
    """Play one action in game i. Return whether it was valid, the chain that it pushed and the boxes that it burnt."""
    event = rulebook.step(state, i, rules, row, col, z)
    return event.valid, event.chain, event.burnt


@rare
def make_move(state, i, rules, move, workspace):
    """Make a move in game i. Return whether it succeeded, the chain that it pushed and the boxes that it burnt.

    For a walker, `find_reachable` must have filled `workspace.entered_by` for this game. The move fails if a walk ends
    the game before the push.
    """
    count, played = plan_move(state, i, rules, move, workspace), 0
    valid, chain, burnt = count > 0, 0, 0
    while played < count and valid and state.game[i].outcome == PLAYING:
        row, col, z = workspace.actions[played, 0], workspace.actions[played, 1], workspace.actions[played, 2]
        valid, chain, burnt = advance(state, i, rules, row, col, z)
        played += 1
    return played == count and (valid or (move == WAIT and count > 0)), chain, burnt


@rare
def list_moves(state, i, rules, boxes, workspace):
    """Store every useful move of game i in `workspace.moves` and return the number of moves.

    Waiting, or walking without pushing, can help only while a square is ageing.
    """
    game, board, width = state.game[i], state.board[i], state.width
    count = 0
    if rules.actor == WALK:
        find_reachable(game, board, width, workspace)
    for b in range(game.boxes):
        cell = boxes[CELL, b]
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
