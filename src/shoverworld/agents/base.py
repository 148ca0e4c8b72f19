"""The Agent protocol, and the two agents that can play every game."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from shoverworld.core.errors import ResetNeeded, UnsolvableError
from shoverworld.core.plan import Plan
from shoverworld.games import game_of

PLANNING_TIME = 5.0  # the default time in which the planner agent searches for a plan, in seconds


class Agent(Protocol):
    """A player. `reset` is called once for each game, and `act` once for each step."""

    def reset(self, info: dict[str, Any]) -> None: ...

    def act(self, obs: Any, info: dict[str, Any]) -> Any: ...


class RandomAgent:
    """An agent that plays random valid actions; all valid actions are equally likely."""

    def __init__(self, env: Any, seed: int | None = None):
        self.env = env.unwrapped
        self.rng = np.random.default_rng(seed)

    def reset(self, info: dict[str, Any]) -> None:
        pass

    def act(self, obs: Any, info: dict[str, Any]) -> Any:
        mask = self.env.action_mask()
        valid = np.flatnonzero(mask)
        return self.env.action_of(self.rng.choice(valid if len(valid) else len(mask)))


class PlanAgent:
    """An agent that finds a plan for the whole game with `Game.plan` and then plays the plan.

    The agent plays at random if there is no plan (see `plan.status`) and after the last action in the plan.
    In a multiplayer game, the agent plans as if it were alone.
    """

    def __init__(
        self,
        env: Any,
        time_limit: float = PLANNING_TIME,
        objective: str | None = None,
        progress: Callable[[Plan], Any] | None = None,
        seed: int | None = None,
    ):
        self.env, self._plan = env.unwrapped, game_of(env).plan
        self.options = {"objective": objective, "time_limit": time_limit, "progress": progress}
        self.plan = Plan("unknown")
        self._next = 0
        self._otherwise = RandomAgent(env, seed)
        with suppress(ResetNeeded, UnsolvableError):  # compiling the planner does not count as thinking time
            if self._plan(self.env, time_limit=0.0).stopped_by == "interrupt":
                raise KeyboardInterrupt

    @property
    def actions(self) -> list[Any]:
        return list(self.plan.actions)

    @property
    def expanded(self) -> int:
        return self.plan.expanded

    def reset(self, info: dict[str, Any]) -> None:
        self._next = 0
        try:
            self.plan = self._plan(self.env, **self.options)
        except UnsolvableError:  # the planner does not cover these rules
            self.plan = Plan("unknown")
        if self.plan.stopped_by == "interrupt":
            raise KeyboardInterrupt

    def act(self, obs: Any, info: dict[str, Any]) -> Any:
        if self._next >= len(self.plan.actions):
            return self._otherwise.act(obs, info)
        self._next += 1
        return self.plan.actions[self._next - 1]
