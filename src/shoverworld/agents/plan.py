"""Plans once, then plays the plan."""

from typing import Any

from shoverworld.games.shover.maps import Map
from shoverworld.games.shover.planner import solve

from .base import RandomAgent


class PlanAgent:
    """Solves the map when the game begins; where no plan is found it plays at random, and `plan.status` says so."""

    def __init__(self, env: Any, time_limit: float = 2.0, seed: int | None = None):
        self.env = env.unwrapped
        self.time_limit = time_limit
        self._otherwise = RandomAgent(env, seed)

    def reset(self, info: dict[str, Any]) -> None:
        obs, _ = self.env.observe()
        dock = Map(obs["grid"], tuple(obs["agent"].tolist()))
        self.plan = solve(dock, rules=self.env.rules, time_limit=self.time_limit)

    def act(self, obs: dict[str, Any], info: dict[str, Any]) -> Any:
        if info["timestep"] < self.plan.steps:
            return self.plan.actions[info["timestep"]]
        return self._otherwise.act(obs, info)
