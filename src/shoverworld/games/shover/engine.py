"""The rules over rows of games: the kernels that the single and the batched environment call."""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import ahead, cell_at, col_of, row_of
from shoverworld.core.jit import kernel, part, rare

from . import rules as rulebook
from .config import RuleNumbers
from .state import CLEARED, EXHAUSTED, PLAYING, TIMEOUT, State


def views(state: State) -> dict[str, np.ndarray]:
    """What players see (1.7), one row a game: nothing but views of the state."""
    return {
        "grid": state.grid(),
        "agent": state.pair("row"),
        "direction": state.game["direction"],
        "stamina": state.game["stamina"],
        "previous_selected_position": state.pair("previous_row"),
        "previous_action": state.game["previous_action"],
    }


@kernel
def play(state, i, rules, reward, row, col, z):
    """One step of game i; returns its reward and all that its info dict says."""
    event = rulebook.step(state, i, rules, row, col, z)
    game = state.game[i]
    return (
        rulebook.reward_of(event, reward),
        game.timestep,
        game.stamina,
        game.boxes,
        game.destroyed,
        event.valid,
        event.chain,
        event.charged,
        event.burnt,
        game.squares,
        game.outcome,
    )


class Foresight(NamedTuple):
    """What a direction would do, before it is done."""

    row: int  # the target cell; it may lie off the map
    col: int
    content: int  # what is there
    chain: int  # how many boxes stand in line from the target on
    beyond_row: int  # the cell behind them
    beyond_col: int
    beyond: int  # what is there: of a push, LAVA burns the front box and BARRIER holds it
    charged: bool  # would a push pay the initial force
    cost: float  # the stamina a push would take
    cost_from_rest: float  # the same for boxes at rest ...
    cost_in_motion: float  # ... and for boxes in motion
    valid: bool


@kernel
def foretell(state, i, rules, row, col, direction):
    board, game, width = state.board[i], state.game[i], state.width
    valid = rulebook.is_valid(state, i, rules, row, col, rules.z_base + direction)
    row, col = rulebook.target_of(game, rules, row, col, direction)
    target, forward = cell_at(row, col, width), ahead(direction, width)
    chain, beyond = rulebook.chain_from(board, target, forward)
    charged = chain > 0 and rulebook.starts_from_rest(game, rules, target, beyond - forward, direction, width)
    return (
        row,
        col,
        board[target],
        chain,
        row_of(beyond, width),
        col_of(beyond, width),
        board[beyond],
        charged,
        rulebook.cost_of(rules, chain, charged),
        rulebook.cost_of(rules, chain, True),
        rulebook.cost_of(rules, chain, False),
        valid,
    )


def foresee(state: State, rules: RuleNumbers, row: int, col: int, direction: int, i: int = 0) -> Foresight:
    """What a direction would do in game i, by the rules themselves. Nothing is changed."""
    return Foresight(*foretell(state, i, rules, row, col, direction))


@rare
def copy_game(source, i, target, j):
    """Game i of one state becomes game j of another."""
    for cell in range(source.board.shape[1]):
        target.board[j, cell] = source.board[i, cell]
    for place in range(source.squares.shape[1]):
        target.squares[j, place] = source.squares[i, place]
    target.game[j] = source.game[i]


@part
def judge(state, i, earned, results):
    outcome = state.game[i].outcome
    results.reward[i] = earned
    results.terminated[i] = (outcome == CLEARED) | (outcome == EXHAUSTED)
    results.truncated[i] = outcome == TIMEOUT
    results.outcome[i] = outcome


@kernel
def step_rows(first, last, state, rules, reward, actions, over, setup, results):
    """One step of the games from `first` to `last`; those that are over begin anew instead."""
    for i in range(first, last):
        if over[i]:
            rulebook.reset(state, i, rules, setup)
            judge(state, i, 0.0, results)
        else:
            event = rulebook.step(state, i, rules, actions[i, 0], actions[i, 1], actions[i, 2])
            judge(state, i, rulebook.reward_of(event, reward), results)


@kernel
def reset_rows(first, last, state, rules, setup, chosen, results):
    """Begin the chosen games from `first` to `last` anew."""
    for i in range(first, last):
        if chosen[i]:
            rulebook.reset(state, i, rules, setup)
            judge(state, i, 0.0, results)


@kernel
def first_outside(actions, rows, cols, first_z, z_count):
    """The first row of `actions` that lies outside the action space, or -1."""
    for i in range(len(actions)):
        row, col, z = actions[i, 0], actions[i, 1], actions[i, 2]
        if not (0 <= row < rows and 0 <= col < cols and first_z <= z < first_z + z_count):
            return i
    return -1


@kernel
def mark_valid(state, rules, first_z, mask):
    """Set mask[i, row, col, z] for each action that would be valid in game i; all False when it is over."""
    games, rows, cols, z_count = mask.shape
    for i in range(games):
        if state.game[i].outcome == PLAYING:
            for row in range(rows):
                for col in range(cols):
                    for z in range(z_count):
                        mask[i, row, col, z] = rulebook.is_valid(state, i, rules, row, col, first_z + z)
