"""The keyboard and mouse controls of Shover-World. The effect of a key or a click depends on the actor (rule 1.1).

walk    A direction key makes the shover walk or push. A click makes it walk to a cell, or push an adjacent box.
leap    A click selects a box, or puts the shover on an empty cell. A direction key pushes the selected box, or
        makes the shover leap.
select  A click selects a box. A direction key pushes the selected box.

If a box is selected, a click on an empty cell or a lava cell next to the box pushes the box onto that cell.
"""

from typing import Any

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.sheet_reader import SheetReader
from shoverworld.core.sheet_ui import written
from shoverworld.core.ui import Cell, InputHandler, Intent, KeyHelp, Mark, Preview, SpecialMove

from ..boards import rules_of
from ..config import SPECIALS, Rules
from ..phrases import PHRASES
from ..state import State
from . import intents
from .intents import PRESS_KEYS, WAIT
from .marks import write_selection
from .position import INPUT, scratch_for

ACTION_NUMBERS = 3  # row, col, z
keys = (
    KeyHelp(("up", "w"), "push or move up"),
    KeyHelp(("right", "d"), "push or move right"),
    KeyHelp(("down", "s"), "push or move down"),
    KeyHelp(("left", "a"), "push or move left"),
    *(KeyHelp((special.key,), f"{special.name}: {special.effect}") for special in SPECIALS),
    KeyHelp((WAIT,), "wait one step (walker only)"),
)
mouse = (
    KeyHelp(("click",), "go to a cell, or select a box; push it with a direction key or a click beside it"),
    KeyHelp(("drag",), "push a box in that direction"),
    KeyHelp(("point",), "see the chain, its cost and its effect; point at one side of a box to choose the direction"),
)


class ShoverInput:
    """Turns keys and clicks into actions according to the rules of one environment (intents.py)."""

    def __init__(self, rules: Rules):
        self._rules = rules.numbers()
        self._input = np.zeros(1, INPUT)  # replaced, never changed, because undo keeps copies of the handler

    @property
    def chosen(self) -> Any:
        """The record of what is selected."""
        return self._input[0]

    @property
    def selected(self) -> Cell | None:
        return (int(self.chosen.row), int(self.chosen.col)) if self.chosen.box else None

    def _written(self, write: Any, state: State, *arguments: Any) -> SheetReader:
        """Call a function that may change the selection."""
        self._input = self._input.copy()
        return written(PHRASES, write, state, self._rules, self.chosen, *arguments)

    def press(self, state: State, key: str) -> Intent | None:
        if key not in PRESS_KEYS:
            return None
        return self._written(intents.write_press, state, PRESS_KEYS.index(key)).intent(ACTION_NUMBERS)

    def click(self, state: State, cell: Cell) -> Intent | None:
        return self._written(intents.write_click, state, scratch_for(state), *cell).intent(ACTION_NUMBERS)

    def drag(self, state: State, cell: Cell, direction: int) -> Intent | None:
        return self._written(intents.write_drag, state, *cell, direction).intent(ACTION_NUMBERS)

    def hover(self, state: State, cell: Cell, toward: int | None) -> Preview:
        side = -1 if toward is None else toward
        reader = self._written(intents.write_hover, state, scratch_for(state), *cell, side)
        return Preview(tuple(reader.marks()), reader.text())

    def marks(self, state: State) -> tuple[Mark, ...]:
        return tuple(written(PHRASES, write_selection, self.chosen).marks())

    def played(self, state: State) -> None:
        """Keep a pushed box selected, so that the same key pushes it again. Clear the selection if the box is gone."""
        self._input = self._input.copy()
        intents.update_selection(state, self._rules, self.chosen)


def handler(env: GridEnv) -> InputHandler:
    return ShoverInput(rules_of(env))


def specials(env: GridEnv, state: State) -> tuple[SpecialMove, ...]:
    """Return the special actions that a perfect square makes possible."""
    found = written(PHRASES, intents.write_specials, state, rules_of(env).numbers(), scratch_for(state))
    return found.specials(PRESS_KEYS)


def place_spares_steps(env: GridEnv) -> bool:
    return rules_of(env).actor == "walk"
