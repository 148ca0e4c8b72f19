"""The kernels that apply the rules to games. Both the single and the batched environment call these kernels."""

from shoverworld.core.atomics import number_at
from shoverworld.core.batch_actions import any_outside
from shoverworld.core.grid import index
from shoverworld.core.jit import kernel, rare, short_kernel
from shoverworld.core.native import FIRST_ROW, NO_ACTION, NativeArguments, store, unpacked
from shoverworld.core.results import write_flags, write_result
from shoverworld.core.snapshots import copy_rows
from shoverworld.core.workers import CALLER, REFUSED, first_share, given_actions, next_share, total

from . import observation as seen
from . import rules as rulebook
from .config import RaceRewardNumbers, RaceRuleNumbers
from .observation import new_buffers
from .state import PLAYING, TIMEOUT, RaceState, RaceStep


@short_kernel
def play_row(native, action):
    """Play one step of a single game, and write the observation for the car that moves next.

    Return the fields of RaceStep as a tuple. If the action is NO_ACTION, the game does not change. `native` contains
    the values from `CompiledEnv.connect_kernel`.
    """
    state, rules, reward, buffers, place = unpacked(native)
    cars, game = state.cars[0], state.game[0]
    earned = 0.0
    if action != NO_ACTION:
        rulebook.step(state, 0, rules, action)
        earned = rulebook.reward_of(cars, game, reward, game.car)
    seen.look(state, 0, rules, game.turn, buffers, place[0])
    who = max(game.car, 0)  # before the first step, `game.car` is -1
    car = cars[who]
    return RaceStep(
        earned,
        who,
        car.steps,
        car.penalties,
        car.wait,
        car.col,
        car.row,
        car.dcol,
        car.drow,
        game.fault,
        car.place,
        game.turn,
        game.rounds,
        game.track,
        game.outcome,
    )[:]


@kernel
def convert(native, arguments):
    """Convert the arguments of `play_row` to native form."""
    store(native, arguments)


def play(state: RaceState, i: int, rules: RaceRuleNumbers, reward: RaceRewardNumbers, action: int) -> RaceStep:
    """Play one step of game i, changing the state in place."""
    buffers = new_buffers((), 1, 1, state.bank)
    return RaceStep(*play_row(NativeArguments(convert, state.row(i), rules, reward, buffers, FIRST_ROW), action))


@kernel
def look(native, who):
    """Write the observation for car `who` in a single game."""
    state, rules, _, buffers, place = unpacked(native)
    seen.look(state, 0, rules, who, buffers, place[0])


@kernel
def look_rows(first, last, state, rules, buffers):
    """Write the observations of the games from `first` to `last` - 1, each for the car that moves next."""
    for i in range(first, last):
        seen.look(state, i, rules, state.game[i].turn, buffers, i)


@kernel
def step_rows(work, worker, actions, native):
    """Play one step in every game, write the observations after this step, and return the number of games that are over.

    A game that was over before the step is reset instead. The threads divide the games among themselves
    (core/workers.py).
    """
    state, rules, reward, buffers, results, spans, bounds = unpacked(native)
    if worker == CALLER and any_outside(actions, bounds):
        return REFUSED
    first, last = first_share(work, worker, actions)
    while first < last:
        given = given_actions(work)
        for i in range(index(first), index(last)):
            game = state.game[i]
            earned = 0.0
            if game.outcome == PLAYING:
                rulebook.step(state, i, rules, number_at(given, i))
                earned = rulebook.reward_of(state.cars[i], game, reward, game.car)
            else:
                restart(native, i)
            write_result(results, i, earned, game.outcome)
            seen.look(state, i, rules, game.turn, buffers, i)
        ended = write_flags(results, index(first), index(last), TIMEOUT)
        copy_rows(spans, first, last)
        first, last = next_share(work, worker, ended)
    return total(work, worker)


@rare
def restart(native, i):
    """Start game i on a random track."""
    rulebook.reset(unpacked(native)[0], i, -1)


@kernel
def reset_rows(first, last, state, rules, track, chosen, buffers):
    """Start the chosen games from `first` to `last` - 1 on this track, or on random tracks if `track` is -1.

    `track` is an index into the bank.
    """
    for i in range(index(first), index(last)):
        if chosen[i]:
            rulebook.reset(state, i, track)
            seen.look(state, i, rules, state.game[i].turn, buffers, i)


@kernel
def reset_rows_at(first, last, state, rules, track, places, chosen, buffers):
    """Start the chosen games from `first` to `last` - 1 on this track, with the cars on these cells (x, y)."""
    for i in range(index(first), index(last)):
        if chosen[i]:
            rulebook.reset_at(state, i, track, places)
            seen.look(state, i, rules, state.game[i].turn, buffers, i)


@kernel
def mark_legal(state, rules, mask):
    """Write to mask[i, action] whether the action is legal for the car whose turn it is in game i."""
    for i in range(len(mask)):
        seen.mark_legal(state, i, rules, state.game[i].turn, mask[i])


@kernel
def find_faults(state, rules, faults):
    """Write to faults[action] the fault of each action of the car whose turn it is in the first game, or FINE."""
    who = state.game[0].turn
    for action in range(len(faults)):
        row, col = rulebook.landing_cell(state.cars[0, who], action)
        faults[action] = rulebook.fault_of(state, 0, rules, who, row, col)


@kernel
def earnings(state, i, reward, earned):
    """Write the reward of every car for the last step of game i."""
    for who in range(len(earned)):
        earned[who] = rulebook.reward_of(state.cars[i], state.game[i], reward, who)
