"""Plans for a game of Sokoban in progress, with actions for the codes of its environment."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import UnsolvableError

from .boards import rules_of
from .config import SokobanRules
from .levels import Level
from .record import level_of
from .solver import SokobanPlan, solve
from .state import PLAYING, SokobanState

LETTERS = "UDLRudlr"  # of a player's actions, in their order
STATUSES = ("solved", "unknown", "unsolvable")  # the best first

Progress = Callable[[SokobanPlan], Any] | None


def plan_for(
    env: GridEnv,
    state: SokobanState | None = None,
    *,
    objective: str | None = None,
    time_limit: float = 10.0,
    memory_limit: float = 1024.0,
    progress: Progress = None,
) -> SokobanPlan:
    """A plan with the fewest pushes or moves; the default is pushes, or moves if the pushes take too many steps.

    The solver does not pull, and of two players it moves only one. In these cases a plan has no proofs, and an
    UnsolvableError says that no plan of this kind exists.
    """
    rules = rules_of(env)
    start: SokobanState = env.get_state() if state is None else state
    if start.game["outcome"][0] != PLAYING:
        return SokobanPlan("solved" if start.game["on_target"][0] == start.game["boxes"][0] else "unknown")
    search = _Search(rules, level_of(start), time_limit, memory_limit, progress)
    plan = search.run(objective or "pushes")
    left = rules.max_steps - int(start.game["steps"][0])
    if objective is None and plan.steps > left and plan.stopped_by != "interrupt":
        shorter = search.run("moves")
        plan = shorter if 0 < shorter.steps <= left else plan
    return plan


class _Search:
    """Runs the solver on a level for one player or for two."""

    def __init__(self, rules: SokobanRules, level: Level, seconds: float, memory: float, progress: Progress):
        self.rules, self.level, self.progress = rules, level, progress
        self.limits = {"time_limit": seconds / rules.players, "memory_limit": memory}

    def run(self, objective: str) -> SokobanPlan:
        if self.rules.players > 1:
            return self._for_two(objective)
        plan = self._solve(self.level, objective, 0)
        if self.rules.pull and plan.status == "unsolvable":
            raise UnsolvableError("pushes alone cannot solve this position, and the solver does not pull")
        return plan

    def _for_two(self, objective: str) -> SokobanPlan:
        """The better plan of the two in which one player does all the work."""
        best = SokobanPlan("unsolvable")
        for player in range(2):
            if (level := alone(self.level, player)) is None:
                continue
            plan = self._solve(level, objective, player)
            if _rank(plan) < _rank(best):
                best = plan
            if plan.stopped_by == "interrupt":
                break
        if best.status == "unsolvable":
            raise UnsolvableError("neither player can solve this position alone, and the solver moves only one player")
        return best

    def _solve(self, level: Level, objective: str, player: int) -> SokobanPlan:
        report = self.progress
        shown = None if report is None else (lambda plan: report(self._playable(plan, player)))
        return self._playable(solve(level, objective, progress=shown, **self.limits), player)

    def _playable(self, plan: SokobanPlan, player: int) -> SokobanPlan:
        """The plan with actions of this player. A proof for one player who only pushes does not hold for other rules."""
        plan = replace(plan, actions=actions_of(plan.lurd, self.rules, player))
        if self.rules.players == 1 and not self.rules.pull:
            return plan
        return replace(plan, proved_optimal=False, lower_bound=0)


def _rank(plan: SokobanPlan) -> tuple[int, int]:
    return STATUSES.index(plan.status), plan.steps


def actions_of(lurd: str, rules: SokobanRules, player: int = 0) -> list[Any]:
    """The actions for the letters of a solution. With four actions, a push and a walk have the same code."""
    first = rules.has_noop + player * rules.actions_each
    return [first + LETTERS.index(letter) % rules.actions_each for letter in lurd]


def alone(level: Level, player: int) -> Level | None:
    """The level for one of two players, with the other as a wall; None if the other is on a target."""
    row, col = level.players[1 - player]
    if level.targets[row, col]:
        return None
    walls = level.walls.copy()
    walls[row, col] = True
    return replace(level, walls=walls, players=(level.players[player],), solution="")
