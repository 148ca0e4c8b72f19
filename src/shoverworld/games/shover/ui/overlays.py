"""The overlays of Shover-World (perfect squares, boxes in motion, distances to lava, plan ahead) and hints."""

from typing import Any

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.plan import Plan
from shoverworld.core.sheet import sheet_rows
from shoverworld.core.sheet_ui import written
from shoverworld.core.ui import Mark, Overlay

from ..boards import rules_of
from ..phrases import PHRASES
from ..state import State
from .marks import PLAN, write_hint, write_overlay, write_plan
from .position import MOST_STEPS, scratch_for

overlays = (
    Overlay("1", "perfect squares", "the ages of the squares, and the steps until they dissolve", default=True),
    Overlay("2", "boxes in motion", "boxes that moved in the last step, and their direction"),
    Overlay("3", "distance to lava", "pushes needed to burn a box from here, ignoring other boxes (grey: impossible)"),
    Overlay("4", "plan ahead", "the next steps of the plan, numbered", plans=True, most=MOST_STEPS),
)
_NUMBERS = {overlay.key: number for number, overlay in enumerate(overlays)}


def marks(overlay: str, env: GridEnv, state: State, plan: Plan | None) -> list[Mark]:
    rules, scratch, number = rules_of(env).numbers(), scratch_for(state), _NUMBERS.get(overlay, -1)
    if number != PLAN:
        rows = sheet_rows(*state.grid().shape[1:])
        return written(PHRASES, write_overlay, state, rules, scratch, number, rows=rows).marks()
    if plan is None:
        return []
    actions = np.array(list(plan.actions)[:MOST_STEPS], np.int64).reshape(-1)
    return written(PHRASES, write_plan, state, rules, scratch, actions, len(actions) // 3).marks()


def hint(env: GridEnv, state: State, action: Any) -> tuple[Mark, ...]:
    """Return the marks for an action, with a frame around each cell that has an arrow."""
    numbers = (int(number) for number in action)
    return tuple(written(PHRASES, write_hint, state, rules_of(env).numbers(), scratch_for(state), *numbers).marks())
