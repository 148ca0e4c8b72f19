"""Kernels that apply the rules to the games in a state. Both SokobanEnv and SokobanVectorEnv use these kernels."""

import numpy as np

from shoverworld.core.atomics import number_at
from shoverworld.core.batch_actions import any_outside
from shoverworld.core.grid import index
from shoverworld.core.jit import inner, kernel, rare, short_kernel
from shoverworld.core.native import FIRST_ROW, NO_ACTION, NativeArguments, store, unpacked
from shoverworld.core.results import write_flags, write_result
from shoverworld.core.snapshots import copy_rows
from shoverworld.core.workers import CALLER, REFUSED, first_share, given_actions, next_share, total

from . import rules as rulebook
from .config import SokobanRewardNumbers, SokobanRuleNumbers
from .state import BOX, PLAYING, SECOND, TARGET, TIMEOUT, WALL, SokobanState, SokobanStep


@short_kernel
def play_row(native, action):
    """Play one step of a single game, write the observation, and return the fields of SokobanStep as a tuple.

    If the action is NO_ACTION, the game does not change. `native` contains the arguments that
    `CompiledEnv.connect_kernel` stores in it; `shown` contains the planes of several observations.
    """
    state, rules, reward, shown, place = unpacked(native)
    earned, game = 0.0, state.game[0]
    if action != NO_ACTION:
        event = rulebook.step(state, 0, rules, action)
        earned = rulebook.reward_of(event, game, reward)
    if len(shown) > 0:
        copy_planes(state.planes[0], shown[place[0]])
    return SokobanStep(
        earned,
        game.steps,
        game.moves,
        game.pushes,
        game.pulls,
        game.boxes,
        game.on_target,
        game.valid,
        game.reason,
        game.level,
        game.outcome,
    )[:]


@inner
def copy_planes(source, target):
    for plane in range(source.shape[0]):
        for cell in range(source.shape[1]):
            target[plane, cell] = source[plane, cell]


@kernel
def convert(native, arguments):
    """Convert the arguments of `play_row` to native form."""
    store(native, arguments)


def play(
    state: SokobanState, i: int, rules: SokobanRuleNumbers, reward: SokobanRewardNumbers, action: int
) -> SokobanStep:
    """Play one step of game i, update the game in place and return the result."""
    shown = np.empty((0, 0, 0), np.uint8)
    return SokobanStep(*play_row(NativeArguments(convert, state.row(i), rules, reward, shown, FIRST_ROW), action))


@kernel
def step_rows(work, worker, actions, native):
    """Play one step of every game, and return the number of games that are over.

    Games that were over before the step restart on a random stored level instead. If there are no stored levels, these
    games wait until rooms.py generates new rooms. The threads divide the games among themselves (core/workers.py).
    """
    _, rules, _, _, results, spans, bounds = unpacked(native)
    if worker == CALLER and any_outside(actions, bounds):
        return REFUSED
    first, last = first_share(work, worker, actions)
    while first < last:
        given = given_actions(work)
        if rules.players == 1 and rules.first_code == 1:
            four = SokobanRuleNumbers(players=1, actions_each=4, first_code=1, max_steps=rules.max_steps)
            play_share(native, given, first, last, four, 3)
        else:
            play_any_share(native, given, first, last)
        ended = write_flags(results, index(first), index(last), TIMEOUT)
        copy_rows(spans, first, last)
        first, last = next_share(work, worker, ended)
    return total(work, worker)


@inner
def play_share(native, actions, first, last, rules, bits):
    """Play one step of the games in `range(first, last)`. `actions` is the address of the actions.

    `bits` has all bits that an action may have. If `rules` and `bits` are constants, the compiler leaves out everything
    that these rules do not need: with one player and four actions, the second player, moves without pushes, and pulls.
    """
    state, _, reward, _, results, _, _ = unpacked(native)
    for i in range(index(first), index(last)):
        game = state.game[i]
        if game.outcome == PLAYING:
            event = rulebook.step(state, i, rules, number_at(actions, i) & bits)
            write_result(results, i, rulebook.reward_of(event, game, reward), game.outcome)
        else:
            restart(native, i)


@rare
def play_any_share(native, actions, first, last):
    """Play one step of the games in `range(first, last)` with any rules."""
    play_share(native, actions, first, last, unpacked(native)[1], -1)


@rare
def restart(native, i):
    """Start game i on a random stored level, if there are stored levels. Otherwise, rooms.py starts the game."""
    state, _, _, bank, results, _, _ = unpacked(native)
    if len(bank.boxes) > 0:
        rulebook.reset(state, i, bank, -1)
    write_result(results, i, 0.0, PLAYING)


@kernel
def reset_rows(first, last, state, bank, level, chosen):
    """Start the chosen games in `range(first, last)` on stored level `level`, or on random levels if `level` is -1."""
    for i in range(first, last):
        if chosen[i]:
            rulebook.reset(state, i, bank, level)


@kernel
def mark_valid(state, rules, mask):
    """Set mask[i, action] to whether the action is valid in game i. If the game is over, no action is valid."""
    games, count = mask.shape
    for i in range(games):
        for action in range(count):
            mask[i, action] = state.game[i].outcome == PLAYING and rulebook.is_valid(state, i, rules, action)


# The cell codes of gym-sokoban's room_state. In a cell with a player and a target, only the player's code appears.
WALL_CODE, FLOOR_CODE, TARGET_CODE, BOX_ON_TARGET_CODE, BOX_CODE, PLAYER_CODE = range(6)


@kernel
def write_grid(state, first, last, grid):
    """Write the room_state of the games in `range(first, last)` to `grid`, which is uint8 (N, rows, cols)."""
    cells = grid.reshape(grid.shape[0], grid.shape[1] * grid.shape[2])
    for i in range(first, last):
        planes, game = state.planes[i], state.game[i]
        for cell in range(planes.shape[1]):
            on_target = planes[TARGET, cell] != 0
            bare = FLOOR_CODE - planes[WALL, cell] + on_target
            cells[i, cell] = (
                BOX_CODE - on_target if planes[BOX, cell] != 0 else bare
            )  # on any target, as in gym-sokoban
        cells[i, game.player] = PLAYER_CODE
        if planes.shape[0] > SECOND:
            cells[i, game.second] = PLAYER_CODE
