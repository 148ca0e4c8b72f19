"""Sokoban's planner: solves the room when the game begins, then plays the solution."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.planning import alone
from shoverworld.games.sokoban.solver import SokobanPlan, solve

from .base import RandomAgent

LETTERS = "UDLRudlr"  # of a player's actions, in their order


class SokobanPlanAgent:
    """Looks for the fewest pushes; where that takes too long, for any solution. Where none is found it plays at random,
    and `plan.status` says so. It never pulls; of two players only one moves, and goes around the other."""

    def __init__(
        self,
        env: Any,
        time_limit: float = 10.0,
        objective: str = "pushes",
        progress: Callable[[SokobanPlan], Any] | None = None,
        seed: int | None = None,
    ):
        self.env = env.unwrapped
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
        rules = self.env.rules
        plan, who = self._solved(self.options["objective"])
        left = rules.max_steps - self._first
        if plan.steps > left and self.options["objective"] == "pushes":  # more steps than there are left
            shorter, other = self._solved("moves")
            plan, who = (shorter, other) if 0 < shorter.steps <= left else (plan, who)
        self.plan = plan if rules.players == 1 and not rules.pull else without_proofs(plan)
        self.actions = actions_of(plan.lurd, rules, who)

    def _solved(self, objective: str) -> tuple[SokobanPlan, int]:
        """A plan, and which player it is for."""
        level, options = self.env.level, {**self.options, "objective": objective}
        if len(level.players) == 1:
            return solve(level, **options), 0
        options["time_limit"] /= 2
        plans = []
        for who in range(2):
            if (one := alone(level, who)) is not None:
                plans.append((solve(one, **options), who))
                if plans[-1][0].stopped_by == "interrupt":
                    return plans[-1]
        return min(plans, key=lambda found: (found[0].status != "solved", found[0].pushes), default=(self.plan, 0))

    def act(self, obs: Any, info: dict[str, Any]) -> Any:
        step = info["steps"] - self._first
        return self.actions[step] if step < len(self.actions) else self._otherwise.act(obs, info)


def without_proofs(plan: SokobanPlan) -> SokobanPlan:
    """Where boxes can be pulled too, or another player can help, nothing that was proved of one who pushes holds."""
    status = "unknown" if plan.status == "unsolvable" else plan.status
    return replace(plan, status=status, proved_optimal=False, lower_bound=0)


def actions_of(lurd: str, rules: Any, who: int = 0) -> list[int]:
    """The letters of a solution as actions of a player: pushes and walks have codes of their own, or are the same four."""
    first = rules.has_noop + who * rules.actions_each
    return [first + LETTERS.index(letter) % rules.actions_each for letter in lurd]
