"""SokobanPlan: what `solve` returns."""

from dataclasses import dataclass, field
from typing import Any

from shoverworld.core.plan import Plan, PlanError

from ..levels import Level
from ..lurd_replay import check

LETTERS = "UDLRudlr"  # of the actions 1 to 8


@dataclass(frozen=True)
class SokobanPlan(Plan):
    """A solution of a level; `Plan` describes the fields.

    actions: for the standard nine actions: 1 to 4 push, 5 to 8 move, up, down, left, right.
    cost and lower_bound: moves if the objective is "moves", else pushes.
    """

    actions: list[int] = field(default_factory=list[int])

    @classmethod
    def from_lurd(cls, lurd: str, **fields: Any) -> "SokobanPlan":
        """The plan of a solution in letters."""
        return cls("solved", [LETTERS.index(letter) + 1 for letter in lurd], **fields)

    @property
    def lurd(self) -> str:
        """The solution with one letter for each step: u, d, l, r walk, U, D, L, R push."""
        return "".join(LETTERS[action - 1] for action in self.actions)

    @property
    def moves(self) -> int:
        """All steps of the player, pushes included."""
        return len(self.actions)

    @property
    def pushes(self) -> int:
        return sum(action <= 4 for action in self.actions)

    def check(self, level: Level) -> None:
        """Replay the solution on a level by the rules; raise PlanError unless it solves the level."""
        checked = check(level, self.lurd)
        if not checked.solved:
            raise PlanError(f"the plan does not solve the level: {checked.error or 'a box is not on its target'}")
