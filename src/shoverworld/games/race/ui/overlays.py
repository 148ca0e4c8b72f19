"""Overlays for the race: the planned path, the ghost of the best run, and the zombie array."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.plan import Plan
from shoverworld.core.ui import Cell, Mark, Overlay

from ..boards import rules_of
from ..config import RaceRules
from ..record import track_of
from ..state import RaceState
from ..tiles import mixed
from ..tracks import Track
from .position import car_to_move, distance_of, is_over, landing

AHEAD, HINT, GHOST = (250, 250, 250), (255, 80, 200), (60, 255, 60)  # no car has any of these colours
NEAR, DISTANT = (40, 190, 90), (60, 70, 190)
GHOST_SECONDS = 3.0
MOST_NUMBERED = 2500  # a zombie array with more cells than this is shown without numbers

PLAN, BEST, ZOMBIES = "f", "b", "z"
overlays = (
    Overlay(PLAN, "plan ahead", "the fastest path to the finish, ignoring the other cars", plans=True),
    Overlay(BEST, "best run", "the fastest run from the best start, with a ghost at its current position"),
    Overlay(ZOMBIES, "zombie array", "the number of non-diagonal steps to the finish"),
)


def marks(overlay: str, env: GridEnv, state: RaceState, plan: Plan | None) -> list[Mark]:
    if overlay == PLAN and plan is not None and not is_over(state):
        return plan_marks(state, plan.actions)
    if overlay == BEST:
        return ghost_marks(rules_of(env), state)
    return zombie_marks(state) if overlay == ZOMBIES else []


def line(start: Cell, end: Cell, colour: tuple[int, int, int], strength: float) -> Mark:
    return Mark("line", start, colour, rows=end[0] - start[0], cols=end[1] - start[1], strength=strength)


def plan_marks(state: RaceState, actions: Sequence[Any]) -> list[Mark]:
    car = car_to_move(state)
    marks = []
    for action in actions:
        there = landing(car, int(action))
        marks += [line(car.cell, there, AHEAD, 0.6), Mark("dot", there, AHEAD, strength=0.9, style="small")]
        car = car._replace(velocity=(there[0] - car.cell[0], there[1] - car.cell[1]), cell=there)
    return marks


@lru_cache(maxsize=16)
def best_run(track: Track, line: str, finish: str) -> tuple[Cell, ...]:
    """Return the cells of the fastest run, or an empty tuple if no run was found in time."""
    from ..planner import solve  # imported here because the planner is slow to import

    words: Any = {"line": line, "finish": finish}  # `solve` itself checks these values
    plan = solve(track, **words, time_limit=GHOST_SECONDS)
    return tuple((y, x) for x, y in plan.positions)


def ghost_marks(rules: RaceRules, state: RaceState) -> list[Mark]:
    run = best_run(track_of(state), rules.line, rules.finish)
    if not run:
        return []
    marks = [line(a, b, GHOST, 0.5) for a, b in pairwise(run)]
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


def hint(env: GridEnv, state: RaceState, action: Any) -> tuple[Mark, ...]:
    car = car_to_move(state)
    there = landing(car, int(action))
    return line(car.cell, there, HINT, 0.8), Mark("frame", there, HINT, "hint")
