# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Races with several players, each of whom drives a car."""

from collections.abc import Sequence

from shoverworld.core.env import GridEnv
from shoverworld.core.jit import shared
from shoverworld.core.sheet import BAD, BUTTON, DOT, FRAME, GOOD, NEUTRAL, SMALL, figure, mark, rgb, row, text
from shoverworld.core.ui import Board, Colour, Figure, Mark, MoveButton, Score

from ..boards import environment as environment
from ..boards import options as options
from ..boards import rules_of, score_of
from ..engine import find_faults
from ..phrases import KEYS
from ..reasons import FINE
from ..rules import ACTIONS
from ..state import RaceState
from ..tiles import car_colour, colour_of, mixed_colour
from . import phrases as say
from .overlays import write_line
from .position import car_count, distance_at, is_over, landing, new_faults, turn_of, write_why_not
from .reading import read

FAINT = 0.45  # strength of the trails of all cars except the car whose turn it is
PALE = rgb(92, 96, 104)  # colour that is mixed into the colours of these trails
PENALTY = rgb(226, 60, 52)
FAR = 10**9  # sorts a car that cannot reach the finish behind all others


# --- Shared with the browser


@shared
def write_buttons(state, rules, faults, sheet):
    """Write a button for each action of the car to move. `faults` is scratch memory."""
    if is_over(state):
        return
    find_faults(state, rules, faults)
    for action in range(ACTIONS):
        there_row, there_col = landing(state, action)
        row(sheet, BUTTON, action, action // 3 - 1, action % 3 - 1, int(faults[action] == FINE))
        text(sheet, say.BUTTON, action, there_col, there_row)
        if faults[action] != FINE:
            text(sheet, say.ILLEGAL)
            write_why_not(state, action, faults, sheet)


@shared
def note_landing(state, landings, count):
    """Note where the last step led, after the first `count` landings. Return the new number of landings.

    A landing consists of a car, a row and a column. If `count` is 0, note the cells of all cars.
    """
    if count == 0:
        for number in range(car_count(state)):
            write_cell(state, number, landings[number])
        return car_count(state)
    write_cell(state, int(state.game[0].car), landings[count])
    return count + 1


@shared
def write_cell(state, number, landing):
    landing[0] = number
    if number >= 0:
        landing[1], landing[2] = int(state.cars[0, number].row), int(state.cars[0, number].col)


@shared
def write_trails(state, landings, count, sheet):
    """Mark the path of each car through its landings, with a dot wherever the car landed.

    The path of the car whose turn it is has the strongest colour and is drawn on top. If the sheet has too few rows,
    the oldest landings are left out.
    """
    turn = -1 if is_over(state) else turn_of(state)
    first = max(0, count - (len(sheet.rows) - car_count(state)) // 2)
    for number in range(car_count(state)):
        if number != turn:
            colour = mixed_colour(car_colour(number), PALE, 0.25)
            write_trail(number, landings, first, count, colour, FAINT, sheet)
    if turn >= 0:
        write_trail(turn, landings, first, count, car_colour(turn), 1.0, sheet)
    for number in range(car_count(state)):
        car = state.cars[0, number]
        if car.wait > 0 and car.place == 0:
            mark(sheet, FRAME, car.row, car.col, PENALTY, phrase=say.WAITING, number=car.wait)


@shared
def write_trail(number, landings, first, count, colour, strength, sheet):
    """Mark the path of a car: first the lines, then the dots."""
    for dots in range(2):
        last = -1
        for k in range(first, count):
            if landings[k][0] == number:
                at_row, at_col = landings[k][1], landings[k][2]
                if last < 0 or at_row != landings[last][1] or at_col != landings[last][2]:
                    if dots == 1:
                        mark(sheet, DOT, at_row, at_col, colour, strength=1.0, style=SMALL)
                    elif last >= 0:
                        write_line(landings[last][1], landings[last][2], at_row, at_col, colour, strength, sheet)
                last = k


@shared
def write_standings(state, ranks, sheet):
    """Write the finished cars by rank, then the other cars by their distance from the finish.

    `ranks` is scratch memory for one integer for each car.
    """
    over, turn = is_over(state), turn_of(state)
    for number in range(car_count(state)):
        rank = rank_of(state, number)
        k = number
        while k > 0 and ranks[k - 1] > rank:
            ranks[k] = ranks[k - 1]
            k -= 1
        ranks[k] = rank
    for k in range(car_count(state)):
        number = ranks[k] % car_count(state)
        car, colour = state.cars[0, number], car_colour(number)
        tone = GOOD if car.place == 1 else BAD if car.wait > 0 else NEUTRAL
        if car.place > 0:
            figure(sheet, say.PLACED, tone, colour=colour, a=car.place, b=number)
        else:
            to_move = number == turn and not over
            figure(sheet, say.TO_MOVE if to_move else say.NAME, tone, colour=colour, a=number)
        write_standing(car, over, sheet)


@shared
def rank_of(state, number):
    """Return an integer that sorts the cars: by place or distance from the finish, then by number."""
    car = state.cars[0, number]
    if car.place > 0:
        return int(car.place) * car_count(state) + number
    left = distance_at(state, car.row, car.col)
    return (FAR + (left if left >= 0 else FAR)) * car_count(state) + number


@shared
def write_standing(car, over, sheet):
    text(sheet, say.STEPS, car.steps)
    if over and car.place == 0:
        text(sheet, say.COMMA)
        text(sheet, say.NOT_FINISHED)
    if car.wait > 0:
        text(sheet, say.COMMA)
        text(sheet, say.SKIPS, car.wait)
    elif car.penalties > 0 and (car.place > 0 or over):
        text(sheet, say.COMMA)
        text(sheet, say.PENALTY_COUNT, car.penalties)


# --- Window and terminal


def max_players(board: Board) -> int:
    """Return the maximum number of players, which is the number of start cells."""
    return len(board.level.track.starts)


def player_count(env: GridEnv) -> int:
    return rules_of(env).cars


def player_to_move(env: GridEnv, state: RaceState) -> int:
    return turn_of(state)


def colour(player: int) -> Colour:
    return colour_of(player)


def move_buttons(env: GridEnv, state: RaceState) -> tuple[MoveButton, ...]:
    buttons = read(write_buttons, state, rules_of(env).numbers(), new_faults()).buttons()
    return tuple(MoveButton(KEYS[key], offset, legal, about) for key, offset, legal, about in buttons)


def trails(env: GridEnv, states: Sequence[RaceState]) -> list[Mark]:
    """Mark the path of each car."""
    landings, count = [[0, 0, 0] for _ in range(states[0].car_count + len(states))], 0
    for state in states:
        count = note_landing(state, landings, count)
    return read(write_trails, states[-1], landings, count, rows=2 * count + states[-1].car_count).marks()


def standings(env: GridEnv, state: RaceState, names: Sequence[str]) -> list[Figure]:
    """List the finished cars by rank, then the other cars by their distance from the finish."""
    cars = state.car_count
    return read(write_standings, state, [0] * cars, rows=8 * cars, names=names).figures()


def score(env: GridEnv, state: RaceState, player: int) -> Score | None:
    return score_of(state, player)
