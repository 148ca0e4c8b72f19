"""Overlays for Sokoban: dead squares, reachable cells, the next pushes of the plan, and distances to the targets."""

from collections.abc import Iterable
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.plan import Plan
from shoverworld.core.ui import Mark, Overlay

from .. import engine, overlay_rows
from ..boards import rules_of
from ..config import SokobanRules
from ..path_workspace import workspace_for
from ..state import PLAYING, SokobanState
from . import mark_rows
from .sheets import reader_for, sheet_for

MOST_PUSHES = 12  # the maximum number of planned pushes that are shown

# The order corresponds to the numbers of the overlays in overlay_rows.py.
overlays = (
    Overlay("1", "dead squares", "a box in a dead square cannot reach any target; a frame marks a lost box"),
    Overlay("2", "where you can go", "cells that the player can walk to without a push"),
    Overlay("3", "plan ahead", f"the solver's next {MOST_PUSHES} pushes, numbered", plans=True),
    Overlay("4", "distance to targets", "pushes from each cell to a target, for a box alone on the board"),
)


_NUMBERS = {overlay.key: number for number, overlay in enumerate(overlays)}


def marks(overlay: str, env: GridEnv, state: SokobanState, plan: Plan | None) -> list[Mark]:
    rules, number = rules_of(env), _NUMBERS.get(overlay)
    if number is None or number == overlay_rows.PLAN:
        return [] if number is None or plan is None else plan_marks(rules, state, plan.actions)
    sheet = sheet_for(state)
    mark_rows.overlay(state, rules.numbers(), number, workspace_for(state.planes.shape[2]), sheet)
    return reader_for(sheet).marks()


def hint(env: GridEnv, state: SokobanState, action: Any) -> tuple[Mark, ...]:
    """Return the arrow for an action and a frame around the same cell."""
    sheet = sheet_for(state)
    mark_rows.hint(state, rules_of(env).numbers(), int(action), sheet)
    return tuple(reader_for(sheet).marks())


def after(rules: SokobanRules, state: SokobanState, action: Any) -> SokobanState:
    """Return the state after an action, or an unchanged copy if the game is already over."""
    tried = state.copy()
    if tried.game["outcome"][0] == PLAYING:
        engine.play(tried, 0, rules.numbers(), rules.reward_numbers(), int(action))
    return tried


def plan_marks(rules: SokobanRules, state: SokobanState, actions: Iterable[Any]) -> list[Mark]:
    """Mark the next pushes with numbers in the cells where the pushes happen. Walks are not marked."""
    numbers: dict[Mark, list[int]] = {}
    pushes = 0
    for action in actions:
        sheet = sheet_for(state)
        mark_rows.action_mark(state, rules.numbers(), int(action), overlay_rows.AHEAD, sheet)
        state = after(rules, state, action)
        if state.game["pushed"][0] or state.game["pulled"][0]:
            pushes += 1
            [mark] = reader_for(sheet).marks()
            numbers.setdefault(mark, []).append(pushes)
        if pushes == MOST_PUSHES:
            break
    return [mark._replace(text=", ".join(map(str, steps))) for mark, steps in numbers.items()]
