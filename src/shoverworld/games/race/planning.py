"""Find a plan for a race in progress."""

from collections.abc import Callable
from typing import Any

from shoverworld.core.checks import word
from shoverworld.core.env import GridEnv

from .boards import rules_of
from .planner import RacePlan, solve
from .record import track_of
from .state import PLAYING, RaceState


def plan_for(
    env: GridEnv,
    state: RaceState | None = None,
    *,
    objective: str | None = None,
    time_limit: float = 10.0,
    memory_limit: float = 1024.0,
    progress: Callable[[RacePlan], Any] | None = None,
) -> RacePlan:
    """Return a plan with the fewest steps to the finish for the car whose turn it is, ignoring the other cars."""
    word("objective", objective or "steps", ("steps",))
    rules: Any = rules_of(env)  # typed as Any because the solver checks `line` and `finish`
    start: RaceState = env.get_state() if state is None else state
    if int(start.game["outcome"][0]) != PLAYING:
        return RacePlan("solved")
    col, row, right, down = (int(number) for number in start.car_numbers()[0, int(start.game["turn"][0]), :4])
    return solve(
        track_of(start),
        start=(col, row),
        line=rules.line,
        finish=rules.finish,
        velocity=(right, down),
        time_limit=time_limit,
        memory_limit=memory_limit,
        progress=progress,
    )
