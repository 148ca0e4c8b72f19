"""The solver as it helps people: plans whose actions can be played in an environment of any codes."""

from collections.abc import Callable
from typing import Any

from shoverworld.core.errors import UnsolvableError
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.plan import Plan

from ..config import SokobanRules
from ..levels import Level
from ..record import level_of
from ..rules import MOVE, PUSH
from ..state import PLAYING, SokobanState
from .alone import alone
from .presets import action_of

DIRECTIONS = {"u": UP, "d": DOWN, "l": LEFT, "r": RIGHT}


Progress = Callable[[Plan], Any] | None


def solve(rules: SokobanRules, state: SokobanState, seconds: float, progress: Progress = None) -> Plan:
    """The fewest pushes from here. Of pulls the solver knows nothing, and of two players it lets one do the work: then
    nothing is proved, and an UnsolvableError says that it cannot be done in this way."""
    if state.game["outcome"][0] != PLAYING:
        return Plan("solved" if state.game["on_target"][0] == state.game["boxes"][0] else "unknown")
    level = level_of(state)
    if rules.players > 1:
        return _by_one_of_two(rules, level, seconds, progress)
    plan = _search(rules, level, seconds, progress)
    if rules.pull and plan.status == "unsolvable":
        raise UnsolvableError("by pushes alone there is no way from here, and pulls are not known to the solver")
    return plan


def _by_one_of_two(rules: SokobanRules, level: Level, seconds: float, progress: Progress) -> Plan:
    """Whoever needs fewer moves; the other stands where he is."""
    best = Plan("unsolvable")
    for who in range(2):
        if (room := alone(level, who)) is None:
            continue
        plan = _search(rules, room, seconds / 2, progress, who)
        if _rank(plan) < _rank(best):
            best = plan
        if plan.stopped_by == "interrupt":
            break
    if best.status == "unsolvable":
        raise UnsolvableError("neither player can do it alone from here, and the solver lets one do all the work")
    return best


def _rank(plan: Plan) -> tuple[int, int]:
    return ("solved", "unknown", "unsolvable").index(plan.status), plan.steps


def _search(rules: SokobanRules, level: Level, seconds: float, progress: Progress, who: int = 0) -> Plan:
    from ..solver import solve as search  # only when asked for: it is long in loading

    told = None if progress is None else (lambda plan: progress(_playable(rules, plan, who)))
    return _playable(rules, search(level, "pushes", seconds, progress=told), who)


def _playable(rules: SokobanRules, plan: Any, who: int) -> Plan:
    actions: Any = [
        action_of(rules, who, PUSH if letter.isupper() else MOVE, DIRECTIONS[letter.lower()]) for letter in plan.lurd
    ]
    proofs = rules.players == 1 and not rules.pull  # else what is proved of one who pushes does not hold
    return Plan(
        plan.status,
        actions,
        expanded=plan.expanded,
        proved_optimal=plan.proved_optimal and proofs,
        lower_bound=plan.lower_bound if proofs else 0,
        seconds=plan.seconds,
        stopped_by=plan.stopped_by,
    )
