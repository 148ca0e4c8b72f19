"""The rules over rows of games: the kernels that the single and the batched environment call."""

from shoverworld.core.jit import as_record, kernel
from shoverworld.core.results import write_result

from . import observation as seen
from . import rules as rulebook
from .config import RaceRewardNumbers, RaceRuleNumbers
from .observation import ObservationBuffers
from .state import PLAYING, TIMEOUT, RaceState, RaceStep


@kernel
def play_row(state, i, rules, reward, buffers, action):
    """One step of game i, and the observation of the car that moves next; `rules` and `reward` are records (core/jit.py).
    Returns the fields of RaceStep as a tuple."""
    rules, reward = rules[0], reward[0]
    rulebook.step(state, i, rules, action)
    cars, game = state.cars[i], state.game[i]
    seen.look(state, i, rules, game.turn, buffers, i)
    car = cars[game.car]
    return RaceStep(
        rulebook.reward_of(cars, game, reward, game.car),
        game.car,
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


def play(
    state: RaceState,
    i: int,
    rules: RaceRuleNumbers,
    reward: RaceRewardNumbers,
    buffers: ObservationBuffers,
    action: int,
) -> RaceStep:
    """One step of game i, changed in place."""
    return RaceStep(*play_row(state, i, as_record(rules), as_record(reward), buffers, action))


@kernel
def look(state, i, rules, who, buffers):
    """Write the observation of car `who` of game i into the first row."""
    seen.look(state, i, rules, who, buffers, 0)


@kernel
def step_rows(first, last, state, rules, reward, actions, over, buffers, results):
    """One step of the games from `first` to `last`, and the observations after it; those that are over start again instead."""
    for i in range(first, last):
        earned = 0.0
        if over[i]:
            rulebook.reset(state, i, -1)
        else:
            rulebook.step(state, i, rules, actions[i])
            game = state.game[i]
            earned = rulebook.reward_of(state.cars[i], game, reward, game.car)
        write_result(results, i, earned, state.game[i].outcome, TIMEOUT)
        seen.look(state, i, rules, state.game[i].turn, buffers, i)


@kernel
def reset_rows(first, last, state, rules, track, chosen, buffers, results):
    """Start the chosen games from `first` to `last`: on this track of the bank, or on any of them with track = -1."""
    for i in range(first, last):
        if chosen[i]:
            rulebook.reset(state, i, track)
            write_result(results, i, 0.0, PLAYING, TIMEOUT)
            seen.look(state, i, rules, state.game[i].turn, buffers, i)


@kernel
def reset_rows_at(first, last, state, rules, track, places, chosen, buffers, results):
    """Start the chosen games from `first` to `last` on this track, with the cars on these places (x, y)."""
    for i in range(first, last):
        if chosen[i]:
            rulebook.reset_at(state, i, track, places)
            write_result(results, i, 0.0, PLAYING, TIMEOUT)
            seen.look(state, i, rules, state.game[i].turn, buffers, i)


@kernel
def mark_legal(state, rules, mask):
    """Set mask[i, action] for each action that is legal for the car of game i whose turn it is."""
    for i in range(len(mask)):
        seen.mark_legal(state, i, rules, state.game[i].turn, mask[i])


@kernel
def earnings(state, i, reward, earned):
    """The reward of the last step of game i for every car."""
    for who in range(len(earned)):
        earned[who] = rulebook.reward_of(state.cars[i], state.game[i], reward, who)
