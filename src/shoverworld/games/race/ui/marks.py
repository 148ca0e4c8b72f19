"""Things drawn over the track: the ways the cars have come, the plan ahead, the ghost of the best run, the zombie array."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from shoverworld.core.plan import Plan
from shoverworld.core.ui import Cell, Mark, Overlay

from ..config import Finish, Line, RaceRules
from ..record import track_of
from ..state import RaceState
from ..tiles import colour_of, mixed
from ..tracks import Track
from .grid import Car, car_to_move, cars_of, distance_of, is_over, landing, turn_of

AHEAD, HINT, GHOST = (250, 250, 250), (255, 80, 200), (255, 236, 150)
NEAR, DISTANT = (40, 190, 90), (60, 70, 190)
FAINT = 0.45  # the strength of the ways of cars whose turn it is not
GHOST_SECONDS = 3.0
MOST_NUMBERED = 2500  # cells of a zombie array that have their numbers written on them

PLAN, BEST, ZOMBIES = "f", "b", "z"
OVERLAYS = (
    Overlay(PLAN, "plan ahead", "the quickest way from here to the finish, the other cars ignored", plans=True),
    Overlay(BEST, "best run", "the quickest run from the best start, with its ghost where it would be by now"),
    Overlay(ZOMBIES, "zombie array", "how many steps it is to the finish over four neighbours"),
)


def overlay(key: str, rules: RaceRules, state: RaceState, plan: Plan | None) -> list[Mark]:
    if key == PLAN and plan is not None and not is_over(state):
        return plan_marks(state, plan.actions)
    if key == BEST:
        return ghost_marks(rules, state)
    return zombie_marks(state) if key == ZOMBIES else []


def line(start: Cell, end: Cell, colour: tuple[int, int, int], strength: float) -> Mark:
    return Mark("line", start, colour, rows=end[0] - start[0], cols=end[1] - start[1], strength=strength)


def ways(states: Sequence[RaceState]) -> list[Mark]:
    """The way of every car, with a dot at every landing; that of the car to move is the strongest, and on top."""
    last = states[-1]
    turn = -1 if is_over(last) else turn_of(last)
    paths: list[list[Cell]] = [[car.cell] for car in cars_of(states[0])]
    for state in states[1:]:
        moved = int(state.game["car"][0])
        if moved >= 0:
            cell = int(state.cars["row"][0, moved]), int(state.cars["col"][0, moved])
            if cell != paths[moved][-1]:
                paths[moved].append(cell)
    marks: list[Mark] = []
    for number in sorted(range(len(paths)), key=lambda number: number == turn):
        strength = 1.0 if number == turn else FAINT
        colour = colour_of(number) if number == turn else mixed(colour_of(number), (92, 96, 104), 0.25)
        cells = paths[number]
        marks += [line(a, b, colour, strength) for a, b in pairwise(cells)]
        marks += [Mark("dot", cell, colour, strength=1.0, style="small") for cell in cells]
    return marks + [_waits(car) for car in cars_of(last) if car.wait and car.place == 0]


def _waits(car: Car) -> Mark:
    return Mark("frame", car.cell, (226, 60, 52), f"-{car.wait}")


def plan_marks(state: RaceState, actions: Sequence[Any]) -> list[Mark]:
    car = car_to_move(state)
    marks = []
    for action in actions:
        there = landing(car, int(action))
        marks += [line(car.cell, there, AHEAD, 0.6), Mark("dot", there, AHEAD, strength=0.9, style="small")]
        car = car._replace(velocity=(there[0] - car.cell[0], there[1] - car.cell[1]), cell=there)
    return marks


@lru_cache(maxsize=16)
def best_run(track: Track, line: Line, finish: Finish) -> tuple[Cell, ...]:
    """The cells of the quickest run; none, when it was not found in time."""
    from ..planner import solve  # only when asked for: it is long in loading

    plan = solve(track, line=line, finish=finish, time_limit=GHOST_SECONDS)
    return tuple((y, x) for x, y in plan.positions)


def ghost_marks(rules: RaceRules, state: RaceState) -> list[Mark]:
    run = best_run(track_of(state), rules.line, rules.finish)
    if not run:
        return []
    marks = [line(a, b, GHOST, 0.4) for a, b in pairwise(run)]
    marks += [Mark("dot", cell, GHOST, strength=0.9, style="small") for cell in run]
    steps = min(car_to_move(state).steps, len(run) - 1)
    return [*marks, Mark("dot", run[steps], GHOST, "G", strength=0.9)]


def zombie_marks(state: RaceState) -> list[Mark]:
    distance = distance_of(state)
    cells = [(row, col) for row, col in zip(*(distance >= 0).nonzero(), strict=True)]
    farthest, numbered = max(1, int(distance.max())), len(cells) <= MOST_NUMBERED
    marks = []
    for row, col in cells:
        far = int(distance[row, col])
        text = str(far) if numbered else ""
        marks.append(Mark("shade", (int(row), int(col)), mixed(NEAR, DISTANT, far / farthest), text, strength=0.45))
    return marks


def hint(state: RaceState, action: Any) -> tuple[Mark, ...]:
    car = car_to_move(state)
    there = landing(car, int(action))
    return line(car.cell, there, HINT, 0.8), Mark("frame", there, HINT, "hint")
