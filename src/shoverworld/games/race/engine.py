"""The rules over rows of games: the kernels that the single and the batched environment call."""

from shoverworld.core.jit import inner, kernel

from . import rules as rulebook
from . import sight as seen
from .state import FINISHED, TIMEOUT


@kernel
def play(state, i, rules, reward, sight, action):
    """One step of game i, and what the car that moves next sees; returns the reward of the car that moved, and all that
    the info dict says."""
    rulebook.step(state, i, rules, action)
    cars, game = state.cars[i], state.game[i]
    seen.look(state, i, rules, game.turn, sight, i)
    car = cars[game.car]
    return (
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
    )


@kernel
def look(state, i, rules, who, sight):
    """What car `who` of game i sees, into the first row."""
    seen.look(state, i, rules, who, sight, 0)


@inner
def judge(state, i, earned, results):
    outcome = state.game[i].outcome
    results.reward[i] = earned
    results.terminated[i] = outcome == FINISHED
    results.truncated[i] = outcome == TIMEOUT
    results.outcome[i] = outcome


@kernel
def step_rows(first, last, state, rules, reward, actions, over, sight, results):
    """One step of the games from `first` to `last`, and what is seen then; those that are over begin anew instead."""
    for i in range(first, last):
        earned = 0.0
        if over[i]:
            rulebook.reset(state, i, -1)
        else:
            rulebook.step(state, i, rules, actions[i])
            game = state.game[i]
            earned = rulebook.reward_of(state.cars[i], game, reward, game.car)
        judge(state, i, earned, results)
        seen.look(state, i, rules, state.game[i].turn, sight, i)


@kernel
def reset_rows(first, last, state, rules, track, chosen, sight, results):
    """Begin the chosen games from `first` to `last` anew: on this track of the bank, or on any of them with track = -1."""
    for i in range(first, last):
        if chosen[i]:
            rulebook.reset(state, i, track)
            judge(state, i, 0.0, results)
            seen.look(state, i, rules, state.game[i].turn, sight, i)


@kernel
def reset_rows_at(first, last, state, rules, track, places, chosen, sight, results):
    """Begin the chosen games from `first` to `last` anew on this track, with the cars on these places (x, y)."""
    for i in range(first, last):
        if chosen[i]:
            rulebook.reset_at(state, i, track, places)
            judge(state, i, 0.0, results)
            seen.look(state, i, rules, state.game[i].turn, sight, i)


@kernel
def first_outside(actions):
    """The first of the actions that lies outside the action space, or -1."""
    for i in range(len(actions)):
        if not 0 <= actions[i] < rulebook.ACTIONS:
            return i
    return -1


@kernel
def mark_legal(state, rules, mask):
    """Set mask[i, action] for each action that would be legal for the car of game i whose turn it is."""
    for i in range(len(mask)):
        seen.mark_legal(state, i, rules, state.game[i].turn, mask[i])


@kernel
def earnings(state, i, reward, earned):
    """What the last step of game i was worth to every car."""
    for who in range(len(earned)):
        earned[who] = rulebook.reward_of(state.cars[i], state.game[i], reward, who)
