# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Overlays for the race: the planned path, the ghost of the best run, and the zombie array."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.jit import shared
from shoverworld.core.plan import Plan
from shoverworld.core.sheet import DOT, FRAME, LINE, NO_TEXT, SHADE, SMALL, mark, rgb
from shoverworld.core.ui import Mark, Overlay

from ..boards import best_run, identity_of, rules_of
from ..config import RaceRules
from ..record import track_of
from ..rules import landing_cell
from ..state import RaceState
from ..tiles import mixed_colour
from ..tracks import Track
from . import phrases as say
from .position import is_over, landing, turn_of
from .reading import read

AHEAD, HINT, GHOST = rgb(250, 250, 250), rgb(255, 80, 200), rgb(60, 255, 60)  # no car has any of these colours
NEAR, DISTANT = rgb(40, 190, 90), rgb(60, 70, 190)
GHOST_SECONDS = 3.0
MOST_NUMBERED = 2500  # a zombie array with more cells than this is shown without numbers

overlays = (
    Overlay("f", "plan ahead", "the fastest path to the finish, ignoring the other cars", plans=True),
    Overlay("b", "best run", "the fastest run from the best start, with a ghost at its current position"),
    Overlay("z", "zombie array", "the number of non-diagonal steps to the finish"),
)
PLAN, BEST, ZOMBIES = range(len(overlays))
_NUMBERS = {overlay.key: number for number, overlay in enumerate(overlays)}


# --- Shared with the browser


@shared
def write_line(row, col, to_row, to_col, colour, strength, sheet):
    """Mark a line between two cells."""
    mark(sheet, LINE, row, col, colour, to_row - row, to_col - col, strength=strength)


class Course(NamedTuple):
    """The cell and the velocity of a car, for `landing_cell`."""

    row: Any
    col: Any
    drow: Any
    dcol: Any


@shared
def write_landing(row, col, colour, sheet):
    """Mark a cell on which a car lands in a run."""
    mark(sheet, DOT, row, col, colour, strength=0.9, style=SMALL)


@shared
def write_run(state, run, count, sheet):
    """Mark the path of a run through `count` cells, x and y alternately, and its position after as many steps as the car."""
    for k in range(1, count):
        write_line(run[2 * k - 1], run[2 * k - 2], run[2 * k + 1], run[2 * k], GHOST, 0.5, sheet)
    for k in range(count):
        write_landing(run[2 * k + 1], run[2 * k], GHOST, sheet)
    if count > 0:
        now = min(int(state.cars[0, turn_of(state)].steps), count - 1)
        mark(sheet, DOT, run[2 * now + 1], run[2 * now], GHOST, strength=0.9, phrase=say.GHOST)


@shared
def write_distances(distance, cols, sheet):
    """Mark each cell of the track with its distance to the finish. `distance` is a zombie array with `cols` columns."""
    cells, farthest = 0, 1
    for cell in range(len(distance)):
        cells += int(distance[cell] >= 0)
        farthest = max(farthest, int(distance[cell]))
    phrase = say.NUMBER if cells <= MOST_NUMBERED else NO_TEXT
    for cell in range(len(distance)):
        far = int(distance[cell])
        if far >= 0:
            colour = mixed_colour(NEAR, DISTANT, far / farthest)
            mark(sheet, SHADE, cell // cols, cell % cols, colour, strength=0.45, phrase=phrase, number=far)


@shared
def write_hint(state, action, sheet):
    car = state.cars[0, turn_of(state)]
    there_row, there_col = landing(state, action)
    write_line(car.row, car.col, there_row, there_col, HINT, 0.8, sheet)
    mark(sheet, FRAME, there_row, there_col, HINT, phrase=say.HINT)


@shared
def write_plan(state, actions, sheet):
    """Mark the path of the car to move if it plays these actions, with a numbered frame around each cell it lands on.

    The hint has a frame without a number, and the best run has dots.
    """
    car = state.cars[0, turn_of(state)]
    row, col, drow, dcol = np.int64(car.row), np.int64(car.col), np.int64(car.drow), np.int64(car.dcol)
    for k in range(len(actions)):
        to_row, to_col = landing_cell(Course(row, col, drow, dcol), np.int64(actions[k]))
        write_line(row, col, to_row, to_col, AHEAD, 0.6, sheet)
        mark(sheet, FRAME, to_row, to_col, AHEAD, phrase=say.NUMBER, number=k + 1)
        row, col, drow, dcol = to_row, to_col, to_row - row, to_col - col


# --- Window and terminal


def marks(overlay: str, env: GridEnv, state: RaceState, plan: Plan | None) -> list[Mark]:
    number = _NUMBERS.get(overlay)
    if number == PLAN and plan is not None and not is_over(state):
        return read(write_plan, state, plan.actions, rows=2 * len(plan.actions)).marks()
    if number == BEST:
        run = run_on(track_of(state), rules_of(env))
        return read(write_run, state, run, len(run) // 2, rows=len(run) + 1).marks()
    if number == ZOMBIES:
        distance = state.bank.distance[int(state.game["track"][0])]
        return list(_zombie_marks(distance.tobytes(), state.bank.cols))
    return []


@lru_cache(maxsize=4)
def _zombie_marks(distance: bytes, cols: int) -> tuple[Mark, ...]:
    numbers = np.frombuffer(distance, np.int32)
    return tuple(read(write_distances, numbers.tolist(), cols, rows=len(numbers)).marks())


def run_on(track: Track, rules: RaceRules) -> Sequence[int]:
    """Return the cells of the fastest run, x and y alternately, or an empty list if no run was found in time."""
    return best_run(identity_of(track, rules)) or _planned_run(track, rules.line, rules.finish)


@lru_cache(maxsize=16)
def _planned_run(track: Track, line: str, finish: str) -> tuple[int, ...]:
    from ..planner import solve  # imported here because the planner is slow to import

    words: Any = {"line": line, "finish": finish}  # `solve` itself checks these values
    plan = solve(track, **words, time_limit=GHOST_SECONDS)
    return tuple(number for cell in plan.positions for number in cell)


def hint(env: GridEnv, state: RaceState, action: Any) -> tuple[Mark, ...]:
    return tuple(read(write_hint, state, int(action)).marks())
