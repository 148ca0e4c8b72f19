"""The rules of the grid race as data: `RaceRules` and `RaceReward`. Variants differ only in these values."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple

from shoverworld.core.config import GameReward, GameRules, RuleField
from shoverworld.core.errors import ConfigError

Line = Literal["valid_line", "supercover", "landing"]
Finish = Literal["land", "cross"]
LINES = ("valid_line", "supercover", "landing")
VALID_LINE, SUPERCOVER, LANDING = range(3)
FINISHES = ("land", "cross")
MOST_CARS, LONGEST_PENALTY = 1000, 10_000
FIELDS = (
    RuleField("cars", "whole", 1, MOST_CARS),
    RuleField("line", "word", words=LINES),
    RuleField("finish", "word", words=FINISHES),
    RuleField("penalty", "whole", 0, LONGEST_PENALTY),
    RuleField("max_rounds", "whole", 1, 2**31 - 2),
)


@dataclass(frozen=True)
class RaceReward(GameReward):
    """The reward for one step. Each part can be set separately."""

    step: float = -1.0  # reward for every turn, including skipped turns
    finish: float = 0.0  # reward when the car finishes
    illegal: float = 0.0  # reward for an illegal move


@dataclass(frozen=True)
class RaceRules(GameRules):
    """One field for each rule; the defaults are those of `Race-v0`."""

    field_checks: ClassVar[tuple[RuleField, ...]] = FIELDS
    of_level: ClassVar[tuple[str, ...]] = ("cars",)

    cars: int = 1
    line: Line = "valid_line"  # which cells along a move must be on the track; see lines.py
    finish: Finish = "land"  # a car must land on a finish cell; with "cross", crossing a finish cell is enough
    penalty: int = 5  # turns that a car skips after an illegal move
    max_rounds: int = 500  # rounds before the timeout
    reward: RaceReward = field(default_factory=RaceReward)

    def __post_init__(self):
        self.check_fields()
        if not isinstance(self.reward, RaceReward):
            raise ConfigError(f"reward={self.reward!r}: must be a RaceReward, e.g. RaceReward(step=-1, finish=100)")

    def numbers(self) -> "RaceRuleNumbers":
        """Return these rules in the form that the kernels use."""
        return RaceRuleNumbers(LINES.index(self.line), self.finish == "cross", self.penalty, self.max_rounds)

    def reward_numbers(self) -> "RaceRewardNumbers":
        return RaceRewardNumbers(self.reward.step, self.reward.finish, self.reward.illegal)


class RaceRuleNumbers(NamedTuple):
    """`RaceRules` as numbers for the kernels. The number of cars is not included, because the state contains it."""

    line: int  # index into LINES
    cross: bool
    penalty: int
    max_rounds: int


class RaceRewardNumbers(NamedTuple):
    step: float
    finish: float
    illegal: float


USUAL, STRICT, JUMPS, CROSS = "race", "supercover", "landing", "cross"
RULES = {
    USUAL: RaceRules(),
    STRICT: RaceRules(line="supercover"),
    JUMPS: RaceRules(line="landing"),
    CROSS: RaceRules(finish="cross"),
}
