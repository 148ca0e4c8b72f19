"""The plans that planners return. Every plan has been verified by playing it under the rules of the game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from .errors import ShoverWorldError
from .notebook import player_html

if TYPE_CHECKING:
    from .replay import Replay

Status = Literal["solved", "unsolvable", "unknown"]
Action = int | tuple[int, ...]  # an action as stored in plans and replays
StoppedBy = Literal["proof", "found", "exhausted", "time", "expansions", "memory", "interrupt", "progress"]


class Playable(Protocol):
    """The part of an environment that `Plan.verify` needs."""

    @property
    def unwrapped(self) -> Any: ...

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]: ...


class PlanOrigin(NamedTuple):
    """Where a plan starts: an environment id, its keyword arguments, and the map as `reset` accepts it."""

    env_id: str
    config: Mapping[str, Any]
    map: str


@dataclass(frozen=True)
class Plan:
    """The result of a search. Each game has a subclass with additional values.

    status: "solved" (the actions win the game), "unsolvable" (proved), or "unknown" (a limit was reached first).
    actions: the actions in the form that `env.step` accepts. An action may be deliberately invalid, as a way to wait.
    objective: the quantity that the search optimised. cost: its value for the plan (default: the number of steps).
    lower_bound: no plan costs less than this number. proved_optimal: whether the plan has been proved to be optimal.
    expanded: the number of states expanded. seconds: the duration of the search, excluding compilation.
    stopped_by: why the search ended: "proof", "found" (any plan was enough), "exhausted" (nothing was left to try, but
    nothing is proved), "time", "expansions", "memory", "interrupt" (Ctrl-C) or "progress" (the progress callback returned
    True).
    origin: where the plan starts. It is None if the plan continues a game in progress.
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
    origin: PlanOrigin | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.cost is None:
            object.__setattr__(self, "cost", self.steps)

    @property
    def steps(self) -> int:
        return len(self.actions)

    def verify(self, env: Playable) -> None:
        """Play the plan in an environment that is in the plan's start state. Raise PlanError unless the game is won.

        A plan without actions claims nothing about the game, so it passes; check its `status` as well.
        """
        base = env.unwrapped
        for number, action in enumerate(self.actions, 1):
            _, _, terminated, truncated, _ = env.step(action)
            if (terminated or truncated) and number < self.steps:
                raise PlanError(f"the game is over ({base.outcome}) after step {number} of {self.steps}")
        if self.actions and base.outcome != base.game.won:
            raise PlanError(f"the plan ends with the outcome {base.outcome}; expected {base.game.won}")

    def replay(self) -> "Replay":
        """Play the plan from its origin and return the replay. Raise PlanError if the plan has no origin."""
        from .replay import Replay  # replay.py imports this module

        if self.origin is None:
            raise PlanError("the plan continues a game in progress, so only `verify` in that game can play it")
        env_id, config, map = self.origin
        return Replay.of(env_id, self.actions, map, seed=0, player="planner", **config)

    def _repr_html_(self) -> str | None:
        return player_html(self.replay()) if self.origin is not None and self.actions else None


class PlanError(ShoverWorldError):
    """A plan does not win the game, or its values are wrong."""
