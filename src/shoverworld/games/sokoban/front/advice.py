"""The solver as it helps people: plans whose actions can be played in an environment of any codes."""

from collections.abc import Callable
from typing import Any

from shoverworld.core.errors import ConfigError
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.plan import Plan

from ..config import SokobanRules
from ..record import level_of
from ..rules import MOVE, PUSH
from ..state import PLAYING, SokobanState
from .presets import action_of

DIRECTIONS = {"u": UP, "d": DOWN, "l": LEFT, "r": RIGHT}


def solve(
    rules: SokobanRules, state: SokobanState, seconds: float, progress: Callable[[Plan], Any] | None = None
) -> Plan:
    """The fewest pushes from here; a ConfigError where the solver does not know the rules."""
    if rules.players > 1:
        raise ConfigError("the solver plans for one player only: with two there are no hints")
    if rules.pull:
        raise ConfigError("the solver does not know pulls: by these rules there are no hints")
    if state.game["outcome"][0] != PLAYING:
        return Plan("solved" if state.game["on_target"][0] == state.game["boxes"][0] else "unknown")
    from ..solver import solve as search  # only when asked for: it is long in loading

    told = None if progress is None else (lambda plan: progress(_playable(rules, plan)))
    return _playable(rules, search(level_of(state), "pushes", seconds, progress=told))


def _playable(rules: SokobanRules, plan: Any) -> Plan:
    actions: Any = [
        action_of(rules, 0, PUSH if letter.isupper() else MOVE, DIRECTIONS[letter.lower()]) for letter in plan.lurd
    ]
    return Plan(
        plan.status,
        actions,
        expanded=plan.expanded,
        proved_optimal=plan.proved_optimal,
        lower_bound=plan.lower_bound,
        seconds=plan.seconds,
        stopped_by=plan.stopped_by,
    )
