"""The planner as it helps people: the quickest way of the car to move, the other cars ignored."""

from collections.abc import Callable
from typing import Any

from shoverworld.core.plan import Plan

from ..config import RaceRules
from ..record import track_of
from ..state import RaceState
from .grid import car_to_move, is_over


def solve(rules: RaceRules, state: RaceState, seconds: float, progress: Callable[[Plan], Any] | None = None) -> Plan:
    if is_over(state):
        return Plan("solved")
    from ..planner import solve as search  # only when asked for: it is long in loading

    (row, col), (down, right) = car_to_move(state).cell, car_to_move(state).velocity
    return search(
        track_of(state),
        start=(col, row),
        line=rules.line,
        finish=rules.finish,
        velocity=(right, down),
        time_limit=seconds,
        progress=progress,
    )
