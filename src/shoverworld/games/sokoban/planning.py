"""Plans for Sokoban games in progress, using the action codes of their environments."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import UnsolvableError
from shoverworld.core.plan import Plan

from .boards import rules_of
from .config import SokobanRules
from .levels import Level
from .record import level_of
from .solver import SokobanPlan, solve
from .state import PLAYING, SokobanState

LETTERS = "UDLRudlr"  # the letters for a player's actions, in order
STATUSES = ("solved", "unknown", "unsolvable")  # sorted from best to worst

Progress = Callable[[Plan], Any] | None


def plan_for(
    env: GridEnv,
    state: SokobanState | None = None,
    *,
    objective: str | None = None,
    time_limit: float = 10.0,
    memory_limit: float = 1024.0,
    progress: Progress = None,
    threads: int = 1,
) -> Plan:
    """Return a plan with the fewest pushes or moves. `threads`: 1 or 2, as for `solve`.

    By default, minimize the pushes. If that plan needs more steps than are left, minimize the moves instead.

    The solver does not pull, and if there are two players, it moves only one of them. Under rules that allow pulls or
    two players, a plan is therefore not proved optimal, and an UnsolvableError means only that no player can solve the
    game alone without pulling.
    """
    rules = rules_of(env)
    start: SokobanState = env.get_state() if state is None else state
    if start.game["outcome"][0] != PLAYING:
        return Plan("solved" if start.game["on_target"][0] == start.game["boxes"][0] else "unknown")
    limits = {"time_limit": time_limit / rules.players, "memory_limit": memory_limit, "threads": threads}
    search = _Search(rules, level_of(start), progress, limits)
    plan = search.run(objective or "pushes")
    left = rules.max_steps - int(start.game["steps"][0])
    if objective is None and plan.steps > left and plan.stopped_by != "interrupt":
        shorter = search.run("moves")
        plan = shorter if 0 < shorter.steps <= left else plan
    return plan


class _Search:
    """A search that runs the solver on a level for one or two players."""

    def __init__(self, rules: SokobanRules, level: Level, progress: Progress, limits: dict[str, Any]):
        self.rules, self.level, self.progress, self.limits = rules, level, progress, limits

    def run(self, objective: str) -> Plan:
        if self.rules.players > 1:
            return self._for_two(objective)
        plan = self._solve(self.level, objective, 0)
        if self.rules.pull and plan.status == "unsolvable":
            raise UnsolvableError("pushes alone cannot solve this position, and the solver does not pull")
        return plan

    def _for_two(self, objective: str) -> Plan:
        """Return the better of the two plans in which one player does all the work."""
        best = Plan("unsolvable")
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

    def _solve(self, level: Level, objective: Any, player: int) -> Plan:
        report = self.progress
        shown = None if report is None else (lambda plan: report(self._playable(plan, player)))
        return self._playable(solve(level, objective, progress=shown, **self.limits), player)

    def _playable(self, plan: SokobanPlan, player: int) -> Plan:
        """Return the plan as actions for this player.

        A proof for one player who only pushes does not hold under other rules.
        """
        proofs = self.rules.players == 1 and not self.rules.pull
        if proofs and self.rules.has_noop:
            return plan  # the solver's actions can be used unchanged
        return Plan(
            plan.status,
            actions_of(plan.lurd, self.rules, player),
            plan.objective,
            plan.cost,
            lower_bound=plan.lower_bound if proofs else 0,
            proved_optimal=plan.proved_optimal and proofs,
            expanded=plan.expanded,
            seconds=plan.seconds,
            stopped_by=plan.stopped_by,
        )


def _rank(plan: Plan) -> tuple[int, int]:
    return STATUSES.index(plan.status), plan.steps


def actions_of(lurd: str, rules: SokobanRules, player: int = 0) -> list[Any]:
    """Return the actions for a solution in LURD letters. With four actions, pushing and walking share codes."""
    first = rules.has_noop + player * rules.actions_each
    return [first + LETTERS.index(letter) % rules.actions_each for letter in lurd]


def alone(level: Level, player: int) -> Level | None:
    """Return the level with the other player replaced by a wall, or None if the wall would be on a target."""
    row, col = level.players[1 - player]
    if level.targets[row, col]:
        return None
    walls = level.walls.copy()
    walls[row, col] = True
    return replace(level, walls=walls, players=(level.players[player],), solution="")
