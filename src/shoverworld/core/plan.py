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
    proved_optimal: no plan is better by the objective that was asked for.
    lower_bound: no plan has fewer steps. stamina_bound: no plan ends with more stamina.
    stopped_by: why the search ended: "proof", "time", "interrupt" (Ctrl-C), "progress" (whoever was told so).
    An action of a plan may be invalid on purpose: where nothing else is left to do, it lets time pass.
    """

    status: str
    actions: list[tuple[int, int, int]] = field(default_factory=list)
    final_stamina: float = 0.0
    expanded: int = 0
    proved_optimal: bool = False
    lower_bound: int = 0
    seconds: float = 0.0
    stamina_bound: float = float("inf")
    stopped_by: str = "time"

    @property
    def steps(self) -> int:
        return len(self.actions)

    def verify(self, env: Playable) -> None:
        """Replay the plan in an environment that was just reset; anything that differs is a PlanError."""
        info: dict[str, Any] = {}
        for number, action in enumerate(self.actions, 1):
            _, _, terminated, truncated, info = env.step(action)
            if (terminated or truncated) and number < self.steps:
                raise PlanError(f"the game is over ({info['outcome']}) after step {number} of {self.steps}")
        if self.actions and (info["outcome"] != "cleared" or info["stamina"] != self.final_stamina):
            raise PlanError(
                f"the plan ends with {info['outcome']} and stamina {info['stamina']:g}; it promised cleared and {self.final_stamina:g}"
            )


class PlanError(ShoverWorldError):
    """A plan that does not do what it says."""
