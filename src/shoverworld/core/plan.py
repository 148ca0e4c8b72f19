"""Plan: what a planner hands out, and nothing that has not been replayed through the rules."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from .errors import ShoverWorldError


class Playable(Protocol):
    """As much of an environment as a replay needs."""

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]: ...


@dataclass(frozen=True)
class Plan:
    """The result of a search.

    status: "solved" (the actions clear the map), "unsolvable" (proved), or "unknown" (nothing found in the time given).
    lower_bound: no plan can be shorter than this. proved_optimal: this plan meets a bound.
    """

    status: str
    actions: list[tuple[int, int, int]] = field(default_factory=list)
    final_stamina: float = 0.0
    expanded: int = 0
    proved_optimal: bool = False
    lower_bound: int = 0
    seconds: float = 0.0

    @property
    def steps(self) -> int:
        return len(self.actions)

    def verify(self, env: Playable) -> None:
        """Replay the plan in an environment that was just reset; anything that differs is a PlanError."""
        info: dict[str, Any] = {}
        for number, action in enumerate(self.actions, 1):
            _, _, terminated, truncated, info = env.step(action)
            if not info["last_action_valid"]:
                raise PlanError(f"step {number} of the plan, {action}, is invalid")
            if (terminated or truncated) and number < self.steps:
                raise PlanError(f"the game is over ({info['outcome']}) after step {number} of {self.steps}")
        if self.actions and (info["outcome"] != "cleared" or info["stamina"] != self.final_stamina):
            raise PlanError(
                f"the plan ends with {info['outcome']} and stamina {info['stamina']:g}; it promised cleared and {self.final_stamina:g}"
            )


class PlanError(ShoverWorldError):
    """A plan that does not do what it says."""
