"""Overlays for Sokoban: dead squares, reachable cells, the next pushes of the plan, and distances to the targets."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.plan import Plan
from shoverworld.core.ui import Mark, Overlay

from ..boards import rules_of
from ..config import SokobanRules
from ..overlay_rows import MOST_PUSHES, PLAN
from ..path_workspace import workspace_for
from ..state import SokobanState
from . import mark_rows
from .sheets import reader_for, sheet_for

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
    if number is None:
        return []
    if number == PLAN:
        return [] if plan is None else plan_marks(rules, state, plan.actions)
    sheet = sheet_for(state)
    mark_rows.overlay(state, rules.numbers(), number, workspace_for(state.planes.shape[2]), sheet)
    return reader_for(sheet).marks()


def hint(env: GridEnv, state: SokobanState, action: Any) -> tuple[Mark, ...]:
    """Return the arrow for an action and a frame around the same cell."""
    sheet = sheet_for(state)
    mark_rows.hint(state, rules_of(env).numbers(), int(action), sheet)
    return tuple(reader_for(sheet).marks())


def plan_marks(rules: SokobanRules, state: SokobanState, actions: Iterable[Any]) -> list[Mark]:
    """Mark the next pushes with numbers in the cells where the pushes happen. Walks are not marked."""
    sheet, numbers = sheet_for(state), np.array(list(actions), np.int32)
    pushes = np.zeros((MOST_PUSHES, 2), np.int32)
    mark_rows.plan_marks(state, rules.numbers(), numbers, state.copy(), pushes, sheet)
    return reader_for(sheet).marks()
