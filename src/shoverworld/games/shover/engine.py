"""The kernels that apply the rules to the games of a state. Both single and vector environments call them."""

from typing import NamedTuple

from shoverworld.core.atomics import address_of, number_at, prefetch
from shoverworld.core.batch_actions import any_outside
from shoverworld.core.grid import ahead, cell_at, col_of, index, row_of
from shoverworld.core.jit import inner, kernel, rare, short_kernel
from shoverworld.core.native import FIRST_ROW, NO_ACTION, NativeArguments, store, unpacked
from shoverworld.core.results import write_flags, write_result
from shoverworld.core.snapshots import copy_rows
from shoverworld.core.workers import CALLER, REFUSED, first_share, given_actions, next_share, total

from . import observation as seen
from . import rules as rulebook
from .config import FIRST_SPECIAL, ShoverRewardNumbers, ShoverRuleNumbers
from .state import PLAYING, TIMEOUT, ShoverStep, State

GAMES_AHEAD = 8  # how many games in advance the processor loads what a step needs


@short_kernel
def play_row(native, row, col, z):
    """Play one step of a single game, write the observation, and return the fields of ShoverStep as a tuple.

    If z is NO_ACTION, the game does not change. `native` contains the values from `CompiledEnv.connect_kernel`.
    """
    state, rules, reward, shown, place = unpacked(native)
    earned = 0.0
    if z != NO_ACTION:
        earned = rulebook.reward_of(rulebook.step(state, 0, rules, row, col, z), reward)
    if len(shown.grid) > 0:
        seen.write_dict(state, 0, shown, place[0])
    game = state.game[0]
    return ShoverStep(
        earned,
        game.timestep,
        game.stamina,
        game.boxes,
        game.destroyed,
        game.valid,
        game.chain,
        game.charged,
        game.burnt,
        game.squares,
        game.reason,
        game.map,
        game.outcome,
    )[:]


@kernel
def convert(native, arguments):
    """Convert the arguments of `play_row` to native form."""
    store(native, arguments)


def play(
    state: State, i: int, rules: ShoverRuleNumbers, reward: ShoverRewardNumbers, row: int, col: int, z: int
) -> ShoverStep:
    """Play one step of game i in place."""
    shown, _ = seen.dict_rows(0, 0, 0)
    return ShoverStep(*play_row(NativeArguments(convert, state.row(i), rules, reward, shown, FIRST_ROW), row, col, z))


class PushPreview(NamedTuple):
    """The predicted effect of playing a direction."""

    row: int  # the target cell; it may be off the map
    col: int
    content: int  # content of the target cell
    chain: int  # number of boxes in an unbroken line that starts at the target
    beyond_row: int  # the cell beyond the chain
    beyond_col: int
    beyond: int  # the content of that cell: LAVA burns the front box, BARRIER blocks the push
    charged: bool  # whether the cost of the push would include the initial force
    cost: float  # the stamina cost of the push
    cost_from_rest: float  # the cost with the initial force ...
    cost_in_motion: float  # ... and without it
    valid: bool


@kernel
def preview_row(state, i, rules, row, col, direction):
    """Return the fields of PushPreview for game i."""
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


def preview_push(state: State, rules: ShoverRuleNumbers, row: int, col: int, direction: int, i: int = 0) -> PushPreview:
    """Predict the effect of playing a direction in game i, without changing the state."""
    return PushPreview(*preview_row(state, i, rules, row, col, direction))


@rare
def step_unless_over(state, rules, row, col, z):
    """Play one step of the only game of a state. If the game is over, do nothing."""
    if state.game[0].outcome == PLAYING:
        rulebook.step(state, 0, rules, row, col, z)


@rare
def copy_game(source, i, target, j):
    """Copy game i of the state `source` to game j of the state `target`."""
    for cell in range(source.board.shape[1]):
        target.board[j, cell] = source.board[i, cell]
    for place in range(source.squares.shape[1]):
        target.squares[j, place] = source.squares[i, place]
    target.game[j] = source.game[i]


@kernel
def step_rows(work, worker, actions, native):
    """Play one step of every game, and return the number of games that are over.

    A game that was over before the step is restarted instead. The threads divide the games among themselves
    (core/workers.py).
    """
    state, rules, reward, _, results, spans, bounds = unpacked(native)
    if worker == CALLER and any_outside(actions, bounds):
        return REFUSED
    first, last = first_share(work, worker, actions)
    while first < last:
        given = given_actions(work)
        for i in range(index(first), index(last)):
            if i + GAMES_AHEAD < last:
                load_early(state, i + GAMES_AHEAD, given)
            game = state.game[i]
            earned = 0.0
            if game.outcome == PLAYING:
                event = rulebook.step(
                    state, i, rules, number_at(given, 3 * i), number_at(given, 3 * i + 1), number_at(given, 3 * i + 2)
                )
                earned = rulebook.reward_of(event, reward)
            else:
                restart(native, i)
            write_result(results, i, earned, game.outcome)
        ended = write_flags(results, index(first), index(last), TIMEOUT)
        copy_rows(spans, first, last)
        first, last = next_share(work, worker, ended)
    return total(work, worker)


@inner
def load_early(state, i, actions):
    """Ask the processor to load the cells around the target of game i's action.

    On a large map, these cells are rarely in the cache. On a small map, the call makes no difference.
    """
    cell = cell_at(number_at(actions, 3 * i), number_at(actions, 3 * i + 1), state.width)
    address = address_of(state.board) + i * state.board.shape[1] + cell
    for row in range(-2, 3):
        prefetch(address + row * state.width)


@rare
def restart(native, i):
    """Start game i as at the first reset."""
    state, rules, _, start, _, _, _ = unpacked(native)
    rulebook.reset(state, i, rules, start)


@kernel
def reset_rows(first, last, state, rules, start, chosen):
    """Start those games from `first` to `last` (exclusive) for which `chosen` is true."""
    for i in range(index(first), index(last)):
        if chosen[i]:
            rulebook.reset(state, i, rules, start)


@kernel
def recount(state):
    """Recount the boxes and blocks of each game and find its squares again, as at the start of a game."""
    for i in range(len(state.game)):
        board, squares, game = state.board[i], state.squares[i], state.game[i]
        game.squares = 0
        for place in range(len(squares)):
            rulebook.clear(squares, place)
        game.boxes = rulebook.count_boxes(board, state.width)
        game.blocks = rulebook.count_blocks(board, state.width)
        rulebook.find_squares(board, squares, game, state.width)


@kernel
def mark_valid(state, rules, first_z, mask):
    """Set mask[i, row, col, z] to True for each valid action in game i. A finished game has no valid actions."""
    games, rows, cols, z_count = mask.shape
    for i in range(games):
        if state.game[i].outcome == PLAYING:
            for z in range(z_count):
                if rulebook.is_anywhere(rules, first_z + z):
                    valid = rulebook.is_valid(state, i, rules, 0, 0, first_z + z)
                    for row in range(rows):
                        for col in range(cols):
                            mask[i, row, col, z] = valid
            if not rulebook.is_anywhere(rules, rules.z_base):
                mark_valid_at_cells(state, i, rules, rules.z_base - first_z, mask[i])


@inner
def mark_valid_at_cells(state, i, rules, up, mask):
    """Set mask[row, col, up + direction] for the directions in game i, whose target is the cell in the action.

    If there is no box in the cell, the direction makes no difference.
    """
    for row in range(mask.shape[0]):
        for col in range(mask.shape[1]):
            has_box = rulebook.is_box(rulebook.at(state.board[i], cell_at(row, col, state.width)))
            valid = rulebook.is_valid(state, i, rules, row, col, rules.z_base)
            for direction in range(FIRST_SPECIAL):
                if has_box and direction > 0:
                    valid = rulebook.is_valid(state, i, rules, row, col, rules.z_base + direction)
                mask[row, col, up + direction] = valid
