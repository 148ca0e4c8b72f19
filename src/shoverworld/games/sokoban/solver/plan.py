"""The result of `solve`, a SokobanPlan."""

from dataclasses import dataclass, field
from typing import Any

from shoverworld.core.plan import Plan, PlanError

from ..levels import Level
from ..lurd_replay import check

LETTERS = "UDLRudlr"  # the letters for actions 1 to 8


@dataclass(frozen=True)
class SokobanPlan(Plan):
    """A solution to a level. `Plan` describes all fields; those with a special meaning here are:

    actions: codes of the nine standard actions. 1 to 4 push up, down, left and right; 5 to 8 move in the same four
    directions.
    cost and lower_bound: counted in moves if the objective is "moves", otherwise in pushes.
    """

    actions: list[int] = field(default_factory=list[int])

    @classmethod
    def from_lurd(cls, lurd: str, **fields: Any) -> "SokobanPlan":
        """Return the plan for a solution that is written in letters."""
        return cls("solved", [LETTERS.index(letter) + 1 for letter in lurd], **fields)

    @property
    def lurd(self) -> str:
        """The solution with one letter for each step: u, d, l or r for a walk, and U, D, L or R for a push."""
        return "".join(LETTERS[action - 1] for action in self.actions)

    @property
    def moves(self) -> int:
        """The number of steps that the player takes, including pushes."""
        return len(self.actions)

    @property
    def pushes(self) -> int:
        return sum(action <= 4 for action in self.actions)

    def check(self, level: Level) -> None:
        """Replay the solution on a level under the rules. Raise PlanError unless it solves the level."""
        checked = check(level, self.lurd)
        if not checked.solved:
            raise PlanError(f"the plan does not solve the level: {checked.error or 'a box is not on its target'}")
