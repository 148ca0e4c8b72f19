"""The rules of Sokoban as data: `SokobanRules` and `SokobanReward`. A variant differs only in its values."""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from shoverworld.core.checks import truth, whole, word
from shoverworld.core.config import GameReward, GameRules
from shoverworld.core.errors import ConfigError

Moves = Literal["push_and_move", "four"]
MOVES = ("push_and_move", "four")
SMALLEST_SIDE, LARGEST_SIDE = 3, 64


@dataclass(frozen=True)
class SokobanReward(GameReward):
    """The reward of a step. Every part is a number you can set."""

    step: float = -0.1  # every step
    on_target: float = 1.0  # one more box stands on its target
    off_target: float = -1.0  # one less does
    solved: float = 10.0  # all of them do


@dataclass(frozen=True)
class SokobanRules(GameRules):
    """One field for each rule; the defaults are those of `Sokoban-v0`."""

    players: int = 1  # one or two; with two, either may act each step
    pull: bool = False  # may a player also pull a box along
    fixed_targets: bool = False  # does a box count on its own target only
    moves: Moves = (
        "push_and_move"  # a no-op, and pushes and moves apart; or "four": a move pushes when it can, no no-op
    )
    dim_room: tuple[int, int] = (10, 10)  # rows and columns of a room that is made
    num_boxes: int = 3  # and its boxes
    max_steps: int = 200  # steps until the timeout
    reward: SokobanReward = field(default_factory=SokobanReward)

    def __post_init__(self):
        put = object.__setattr__
        put(self, "players", whole("players", self.players, 1, 2))
        put(self, "pull", truth("pull", self.pull))
        put(self, "fixed_targets", truth("fixed_targets", self.fixed_targets))
        word("moves", self.moves, MOVES)
        put(self, "dim_room", _size(self.dim_room))
        put(self, "num_boxes", whole("num_boxes", self.num_boxes, 1, LARGEST_SIDE**2))
        put(self, "max_steps", whole("max_steps", self.max_steps, 1, 2**31 - 1))
        if self.pull and self.moves == "four":
            raise ConfigError("pull=True needs moves='push_and_move': with four moves there is no code for a pull")
        if not isinstance(self.reward, SokobanReward):
            raise ConfigError(f"reward={self.reward!r}: must be a SokobanReward, e.g. SokobanReward(step=0, solved=1)")

    @property
    def has_noop(self) -> bool:
        return self.moves != "four"

    @property
    def actions_each(self) -> int:
        """How many actions a player has besides the no-op."""
        return 4 if self.moves == "four" else 12 if self.pull else 8

    @property
    def action_count(self) -> int:
        return self.has_noop + self.players * self.actions_each

    def numbers(self) -> "SokobanRuleNumbers":
        """The same rules as the compiled functions read them."""
        return SokobanRuleNumbers(self.players, self.actions_each, int(not self.has_noop), self.max_steps)

    def reward_numbers(self) -> "SokobanRewardNumbers":
        return SokobanRewardNumbers(self.reward.step, self.reward.on_target, self.reward.off_target, self.reward.solved)


def _size(given: Any) -> tuple[int, int]:
    try:
        rows, cols = given
    except (TypeError, ValueError):
        raise ConfigError(f"dim_room={given!r}: must be (rows, columns), e.g. (10, 10)") from None
    return (
        whole("dim_room, rows", rows, SMALLEST_SIDE, LARGEST_SIDE),
        whole("dim_room, columns", cols, SMALLEST_SIDE, LARGEST_SIDE),
    )


class SokobanRuleNumbers(NamedTuple):
    """`SokobanRules` for the kernels. Fixed targets need no number: the state has them (state.py)."""

    players: int
    actions_each: int
    first_code: int  # what action 0 stands for: 0 the no-op, 1 up
    max_steps: int


class SokobanRewardNumbers(NamedTuple):
    step: float
    on_target: float
    off_target: float
    solved: float
