"""Shover-World's planner: plans once, then plays the plan."""

from collections.abc import Callable
from typing import Any

from shoverworld.core.plan import Plan
from shoverworld.games.shover.maps import Map
from shoverworld.games.shover.planner import solve

from .base import RandomAgent


class PlanAgent:
    """Solves the game when it begins; where no plan is found it plays at random, and `plan.status` says so."""

    def __init__(
        self,
        env: Any,
        time_limit: float = 2.0,
        objective: str = "steps",
        progress: Callable[[Plan], Any] | None = None,
        seed: int | None = None,
    ):
        self.env = env.unwrapped
        self.options = {"objective": objective, "time_limit": time_limit, "progress": progress}
        self.plan = Plan("unknown")
        self._first = 0
        self._otherwise = RandomAgent(env, seed)
        ready = solve(Map.parse("AB."), self.env.rules, time_limit=0)  # compiled now, which is no thinking
        if ready.stopped_by == "interrupt":
            raise KeyboardInterrupt

    @property
    def actions(self) -> list[Any]:
        return list(self.plan.actions)

    @property
    def expanded(self) -> int:
        return self.plan.expanded

    def reset(self, info: dict[str, Any]) -> None:
        self._first = info["timestep"]
        self.plan = solve(self.env.get_state(), self.env.rules, **self.options)

    def act(self, obs: dict[str, Any], info: dict[str, Any]) -> Any:
        step = info["timestep"] - self._first
        if step < self.plan.steps:
            return self.plan.actions[step]
        return self._otherwise.act(obs, info)
