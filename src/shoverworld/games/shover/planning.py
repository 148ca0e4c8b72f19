"""Plans for a Shover-World game in progress."""

from collections.abc import Callable
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.plan import Plan

from .boards import rules_of
from .planner import solve
from .state import State


def plan_for(
    env: GridEnv,
    state: State | None = None,
    *,
    objective: str | None = None,
    time_limit: float = 10.0,
    memory_limit: float = 1024.0,
    progress: Callable[[Plan], Any] | None = None,
) -> Plan:
    """Return a plan with the fewest steps (objective "steps") or the most stamina left (objective "stamina")."""
    start = env.get_state() if state is None else state
    wanted: Any = objective or "steps"  # the solver checks this value
    return solve(start, rules_of(env), wanted, time_limit, memory_limit, progress)
