# pyright: basic
# Numba infers the types of the functions that are compiled.
"""The on-screen text of the race: panel lines, descriptions of moves, and the reasons why moves are illegal."""

from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.jit import shared
from shoverworld.core.sheet import BAD, DROVE, FINISH, GOOD, INVALID, MOVE, NEUTRAL, WARN, figure, row, text
from shoverworld.core.ui import Figure, InputHandler, MoveText

from ..boards import rules_of
from ..engine import find_faults
from ..reasons import FINE
from ..state import FINISHED, TIMEOUT, RaceState
from . import phrases as say
from .position import (
    car_count,
    distance_at,
    is_over,
    landing,
    new_faults,
    spot,
    turn_of,
    write_reason,
    write_why_not,
)
from .reading import read

place_name = spot  # messages in the race refer to cells as x,y


# --- Shared with the browser


@shared
def write_figures(state, sheet):
    """Write the panel: the figures of the car to move, or the ending if the race is over."""
    if is_over(state):
        write_ending(state, sheet)
        return
    car = state.cars[0, turn_of(state)]
    figure(sheet, say.STEP, large=True)
    text(sheet, say.NUMBER, car.steps + 1)
    figure(sheet, say.SPEED, large=True)
    if car.dcol == 0 and car.drow == 0:
        text(sheet, say.STOPPED)
    else:
        text(sheet, say.PAIR, car.dcol, car.drow)
    figure(sheet, say.AT)
    text(sheet, say.TO_THE_FINISH, car.col, car.row, distance_at(state, car.row, car.col))
    if car.penalties > 0:
        figure(sheet, say.PENALTIES, tone=BAD)
        text(sheet, say.NUMBER, car.penalties)
    if car_count(state) > 1:
        figure(sheet, say.ROUND)
        text(sheet, say.NUMBER, state.game[0].rounds)


@shared
def write_ending(state, sheet):
    outcome, alone = state.game[0].outcome, car_count(state) == 1
    if outcome == FINISHED:
        figure(sheet, say.OUTCOME, tone=GOOD)
        text(sheet, say.FINISHED if alone else say.ALL_FINISHED)
    elif outcome == TIMEOUT:
        figure(sheet, say.OUTCOME, tone=WARN)
        text(sheet, say.TIME_IS_UP)
    else:
        figure(sheet, say.OUTCOME, tone=NEUTRAL)
        text(sheet, say.STILL_RACING)
    if alone:
        figure(sheet, say.ALL_STEPS, large=True)
        text(sheet, say.NUMBER, state.cars[0, 0].steps)
        figure(sheet, say.PENALTIES, large=True)
        text(sheet, say.NUMBER, state.cars[0, 0].penalties)


@shared
def write_move(before, after, rules, sheet):
    """Describe the move of a car, with its step number, and the turns that other cars skipped after the move."""
    game = after.game[0]
    mover = int(game.car)
    if mover < 0 or steps_in(after) == steps_in(before):
        return
    was, car = before.cars[0, mover], after.cars[0, mover]
    if game.fault != FINE:
        row(sheet, MOVE, INVALID)
        text(sheet, say.MOVED, was.steps + 1, game.to_col, game.to_row)
        text(sheet, say.COLON)
        write_reason(after, mover, game.to_row, game.to_col, game.fault, sheet)
        text(sheet, say.STOPS_AND_SKIPS if rules.penalty > 0 else say.STOPS, rules.penalty)
    else:
        row(sheet, MOVE, FINISH if game.finished else DROVE)
        text(sheet, say.MOVED, was.steps + 1, car.col, car.row)
        if game.finished:
            text(sheet, say.FINISHED_IN, car.steps, car.place)
        else:
            text(sheet, say.MOVED_AT_SPEED, car.dcol, car.drow)
    for number in range(car_count(after)):
        other = after.cars[0, number]
        if number != mover and other.taken > 0:
            text(sheet, say.OTHER_SKIPS, number + 1, other.taken, other.wait)


@shared
def steps_in(state):
    """Return the number of turns that the cars have taken or skipped so far."""
    steps = 0
    for number in range(car_count(state)):
        steps += int(state.cars[0, number].steps)
    return steps


@shared
def write_description(state, rules, action, faults, sheet):
    """Phrase an action of the car to move as an instruction. `faults` is scratch memory."""
    there_row, there_col = landing(state, action)
    text(sheet, say.DRIVE_TO, action, there_col, there_row)
    find_faults(state, rules, faults)
    if faults[action] != FINE:
        text(sheet, say.ILLEGAL)
        write_why_not(state, action, faults, sheet)


# --- Window and terminal


def figures(env: GridEnv, state: RaceState, handler: InputHandler | None) -> list[Figure]:
    return read(write_figures, state).figures()


def ending(env: GridEnv, state: RaceState) -> list[Figure]:
    return read(write_ending, state).figures()


def move(env: GridEnv, before: RaceState, after: RaceState) -> MoveText:
    return read(write_move, before, after, rules_of(env).numbers(), rows=8 + after.car_count).move()


def describe(env: GridEnv, state: RaceState, action: Any) -> str:
    return read(write_description, state, rules_of(env).numbers(), int(action), new_faults()).text()
