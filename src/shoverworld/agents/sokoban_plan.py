"""Sokoban's planner: solves the room when the game begins, then plays the solution."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shoverworld.core.errors import ConfigError
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.solver import SokobanPlan, solve

from .base import RandomAgent

LETTERS = "UDLRudlr"  # of actions 1 to 8


class SokobanPlanAgent:
    """Looks for the fewest pushes; where that takes too long, for any solution. Where none is found it plays at random,
    and `plan.status` says so. It never pulls, and it plays for one player only."""

    def __init__(
        self,
        env: Any,
        time_limit: float = 10.0,
        objective: str = "pushes",
        progress: Callable[[SokobanPlan], Any] | None = None,
        seed: int | None = None,
    ):
        self.env = env.unwrapped
        if self.env.rules.players != 1:
            raise ConfigError("the planner plays Sokoban with one player; this game has two")
        self.options = {"objective": objective, "time_limit": time_limit, "progress": progress}
        self.plan = SokobanPlan("unknown")
        self.actions: list[int] = []
        self._first = 0
        self._otherwise = RandomAgent(env, seed)
        small = Level.parse("#####\n#@$.#\n#####")
        if solve(small, time_limit=0).stopped_by == "interrupt":  # compiled now, which is no thinking
            raise KeyboardInterrupt

    @property
    def expanded(self) -> int:
        return self.plan.expanded

    def reset(self, info: dict[str, Any]) -> None:
        self._first = info["steps"]
        plan = solve(self.env.level, **self.options)
        left = self.env.rules.max_steps - self._first
        if plan.steps > left and self.options["objective"] == "pushes":  # more steps than there are left
            shorter = solve(self.env.level, **{**self.options, "objective": "moves"})
            plan = shorter if 0 < shorter.steps <= left else plan
        self.plan = without_proofs(plan) if self.env.rules.pull else plan
        self.actions = actions_of(self.plan.lurd, self.env.rules)

    def act(self, obs: Any, info: dict[str, Any]) -> Any:
        step = info["steps"] - self._first
        return self.actions[step] if step < len(self.actions) else self._otherwise.act(obs, info)


def without_proofs(plan: SokobanPlan) -> SokobanPlan:
    """Where boxes can be pulled too, nothing that was proved of pushes holds."""
    status = "unknown" if plan.status == "unsolvable" else plan.status
    return replace(plan, status=status, proved_optimal=False, lower_bound=0)


def actions_of(lurd: str, rules: Any) -> list[int]:
    """The letters of a solution as actions: pushes and walks have codes of their own, or are the same four."""
    codes = [LETTERS.index(letter) for letter in lurd]
    return [1 + code for code in codes] if rules.has_noop else [code % 4 for code in codes]
