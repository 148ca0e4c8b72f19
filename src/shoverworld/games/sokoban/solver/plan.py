"""SokobanPlan: what `solve` hands out."""

from dataclasses import dataclass

from shoverworld.core.plan import Plan, PlanError, Playable

from .. import lurd
from ..levels import Level


@dataclass(frozen=True)
class SokobanPlan(Plan):
    """The result of a search in a level; see Plan for what all plans have (`actions` and stamina are not used).

    lurd: the solution, a letter a step: u, d, l, r a walk, U, D, L, R a push.
    lower_bound: no solution has fewer moves if the objective was "moves", else none has fewer pushes.
    stopped_by: also "memory" (no more room), and "found" (any solution would do).
    """

    lurd: str = ""

    @property
    def steps(self) -> int:
        return len(self.lurd)

    @property
    def moves(self) -> int:
        """All steps of the player, pushes too."""
        return len(self.lurd)

    @property
    def pushes(self) -> int:
        return sum(map(str.isupper, self.lurd))

    def check(self, level: Level) -> None:
        """Replay the solution; a PlanError if it does not solve the level."""
        checked = lurd.check(level, self.lurd)
        if not checked.solved:
            raise PlanError(f"the plan does not solve the level: {checked.error or 'a box is not on its target'}")

    def verify(self, env: Playable) -> None:
        """Play the solution in an environment with nine actions that was just reset; a PlanError if it does not solve."""
        outcome = None
        for place, letter in enumerate(self.lurd, 1):
            # Actions 1 to 4 push and 5 to 8 walk up, down, left, right.
            action = "UDLRudlr".index(letter) + 1
            _, _, terminated, truncated, info = env.step(action)
            outcome = info["outcome"]
            if (terminated or truncated) and place < self.steps:
                raise PlanError(f"the game is over ({outcome}) after step {place} of {self.steps}")
        if self.lurd and outcome != "solved":
            raise PlanError(f"the plan ends with {outcome}; it promised solved")
