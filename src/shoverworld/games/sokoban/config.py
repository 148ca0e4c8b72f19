"""The rules of Sokoban as data: `SokobanRules` and `SokobanReward`. Variants differ only in their field values."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from shoverworld.core.checks import whole
from shoverworld.core.config import GameReward, GameRules, RuleField
from shoverworld.core.errors import ConfigError
from shoverworld.core.jit import both

from .problems import PROBLEMS, PULL_MOVES

Moves = Literal["push_and_move", "four"]
MOVES = ("push_and_move", "four")
SMALLEST_SIDE, LARGEST_SIDE = 3, 64
FIELDS = (
    RuleField("players", "whole", 1, 2),
    RuleField("pull", "truth"),
    RuleField("fixed_targets", "truth"),
    RuleField("moves", "word", words=MOVES),
    RuleField("num_boxes", "whole", 1, LARGEST_SIDE**2),
    RuleField("max_steps", "whole", 1, 2**31 - 1),
)


@both
def rule_problem(pull, four):
    """Return the message if these rules are incompatible with one another, or -1."""
    return PULL_MOVES if pull and four else -1


@both
def count_actions(pull, four):
    """Return the number of actions per player, not counting the no-op."""
    return 4 if four else 12 if pull else 8


@dataclass(frozen=True)
class SokobanReward(GameReward):
    """The reward for a step. Every component can be set."""

    step: float = -0.1  # reward for every step
    on_target: float = 1.0  # reward for moving a box onto its target
    off_target: float = -1.0  # reward for moving a box off its target
    solved: float = 10.0  # reward when all boxes are on their targets


@dataclass(frozen=True)
class SokobanRules(GameRules):
    """The rules of a game, with one field for each rule. The default values are the rules of `Sokoban-v0`."""

    field_checks: ClassVar[tuple[RuleField, ...]] = FIELDS
    of_level: ClassVar[tuple[str, ...]] = ("dim_room", "num_boxes")

    players: int = 1  # one or two; with two, either player can act in each step
    pull: bool = False  # whether a player can also pull boxes
    fixed_targets: bool = False  # whether each box has its own target and must be moved to that target
    moves: Moves = "push_and_move"  # with "four", there are only moves, which push a box if possible
    dim_room: tuple[int, int] = (10, 10)  # rows and columns of a generated room
    num_boxes: int = 3  # number of boxes in a generated room
    max_steps: int = 200  # number of steps until the timeout
    reward: SokobanReward = field(default_factory=SokobanReward)

    def __post_init__(self):
        self.check_fields()
        object.__setattr__(self, "dim_room", _size(self.dim_room))
        problem = rule_problem(self.pull, self.moves == "four")
        if problem >= 0:
            raise ConfigError(PROBLEMS.sentence(problem))
        if not isinstance(self.reward, SokobanReward):
            raise ConfigError(f"reward={self.reward!r}: must be a SokobanReward, e.g. SokobanReward(step=0, solved=1)")

    @property
    def has_noop(self) -> bool:
        return self.moves != "four"

    @property
    def actions_each(self) -> int:
        """The number of actions per player, not counting the no-op."""
        return count_actions(self.pull, self.moves == "four")

    @property
    def action_count(self) -> int:
        return self.has_noop + self.players * self.actions_each

    def numbers(self) -> "SokobanRuleNumbers":
        """Return these rules in the form that the kernels use."""
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
    """The rules in the form that the kernels use. Fixed targets are left out, because the state contains them."""

    players: int
    actions_each: int
    first_code: int  # 0 if action 0 is the no-op, 1 if action 0 is up
    max_steps: int


class SokobanRewardNumbers(NamedTuple):
    step: float
    on_target: float
    off_target: float
    solved: float


# --- The presets for human players; the settings of the environment ids are in presets.py

MAX_STEPS = 100_000  # practically no limit for human players; the ids have lower limits, meant for training
PUSH_ONLY, PULLING, FIXED, TWO = "sokoban", "pull", "fixed", "two"
RULES = {
    PUSH_ONLY: SokobanRules(max_steps=MAX_STEPS),
    PULLING: SokobanRules(max_steps=MAX_STEPS, pull=True),
    FIXED: SokobanRules(max_steps=MAX_STEPS, fixed_targets=True),
    TWO: SokobanRules(max_steps=MAX_STEPS, players=2),
}
