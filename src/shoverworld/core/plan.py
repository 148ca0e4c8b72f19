"""Plan: what a planner returns. Every plan has been replayed through the rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from .errors import ShoverWorldError

Status = Literal["solved", "unsolvable", "unknown"]
Action = int | tuple[int, ...]  # an action as plans and replays keep it
StoppedBy = Literal["proof", "found", "time", "memory", "interrupt", "progress"]


class Playable(Protocol):
    """The part of an environment that a replay needs."""

    @property
    def unwrapped(self) -> Any: ...

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]: ...


@dataclass(frozen=True)
class Plan:
    """The result of a search. Each game has a subclass with its own figures.

    status: "solved" (the actions win the game), "unsolvable" (proved), or "unknown" (the limits were reached first).
    actions: `env.step` accepts them as they are. An action may be invalid on purpose, to let time pass.
    objective: what the search minimised, and cost: how much of it the plan needs (default: its steps).
    lower_bound: no plan costs less. proved_optimal: no plan is better by the objective.
    expanded: the states that were expanded. seconds: the time of the search without compilation.
    stopped_by: why the search ended: "proof", "found" (any plan was wanted), "time", "memory", "interrupt" (Ctrl-C),
    "progress" (the progress callback returned True).
    """

    status: Status
    actions: Sequence[Action] = field(default_factory=list[Action])
    objective: str = "steps"
    cost: float | None = None
    lower_bound: int = 0
    proved_optimal: bool = False
    expanded: int = 0
    seconds: float = 0.0
    stopped_by: StoppedBy = "time"

    def __post_init__(self) -> None:
        if self.cost is None:
            object.__setattr__(self, "cost", self.steps)

    @property
    def steps(self) -> int:
        return len(self.actions)

    def verify(self, env: Playable) -> None:
        """Play the plan in an environment that is at its start; raise PlanError unless the game is won at the end."""
        base = env.unwrapped
        for number, action in enumerate(self.actions, 1):
            _, _, terminated, truncated, _ = env.step(action)
            if (terminated or truncated) and number < self.steps:
                raise PlanError(f"the game is over ({base.outcome}) after step {number} of {self.steps}")
        if self.actions and base.outcome != base.game.won:
            raise PlanError(f"the plan ends with the outcome {base.outcome}; expected {base.game.won}")


class PlanError(ShoverWorldError):
    """A plan that does not win the game, or does not reach the figures it states."""
