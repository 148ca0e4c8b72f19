"""RacePlan: what `solve` hands out."""

from dataclasses import dataclass, field
from typing import Any

from shoverworld.core.plan import Plan, PlanError, Playable


@dataclass(frozen=True)
class RacePlan(Plan):
    """The way of one car to the finish; see Plan for what all plans have (stamina is not used).

    positions: the cells (x, y) from the start on; there is one more of them than of `actions`, which are 0 to 8.
    lower_bound: no car gets there in fewer legal moves. expanded: how many states, a cell and a velocity each, were met.
    stopped_by: also "memory" (no more room).
    """

    actions: list[int] = field(default_factory=list)  # type: ignore[assignment]
    positions: list[tuple[int, int]] = field(default_factory=list)

    @property
    def start(self) -> tuple[int, int] | None:
        return self.positions[0] if self.positions else None

    def verify(self, env: Playable) -> None:
        """Drive the plan in an environment of one car that was just reset with this start; a PlanError if it does not finish."""
        info: dict[str, Any] = {}
        for number, action in enumerate(self.actions, 1):
            _, _, terminated, truncated, info = env.step(action)
            if (terminated or truncated) and number < self.steps:
                raise PlanError(f"the race is over ({info['outcome']}) after move {number} of {self.steps}")
        if self.actions and info["outcome"] != "finished":
            raise PlanError(f"the plan ends with {info['outcome']}; it promised finished")
