"""Keyboard and mouse controls for Sokoban.

A direction key moves the player or pushes a box. A blocked move is not played: a message explains why, and no step is
counted. Clicking a cell makes the player walk there. Clicking a box and then a cell pushes the box to that cell;
the player walks as necessary. Dragging a box pushes it by one cell. If the rules allow pulling, G switches grabbing on
and off. While grabbing is on or Shift is held down, the direction keys pull. With two players, the arrow keys move the
first player, and the WASD keys move the second player. The mouse controls the player who was clicked or moved last.
"""

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.sheet import Sheet
from shoverworld.core.ui import Cell, InputHandler, Intent, KeyHelp, Mark, Preview, SpecialMove

from ..boards import rules_of
from ..config import SokobanRules
from ..path_workspace import PathWorkspace, workspace_for
from ..state import SokobanState
from . import input_rows, mark_rows, preview_rows
from .input_rows import INPUT, NO_CELL, PRESS_KEYS
from .sheets import reader_for, sheet_for

keys = (
    KeyHelp(("up", "w"), "walk or push up (with two players: arrows for the first, WASD for the second)"),
    KeyHelp(("right", "d"), "walk or push to the right"),
    KeyHelp(("down", "s"), "walk or push down"),
    KeyHelp(("left", "a"), "walk or push to the left"),
    KeyHelp(
        ("g",),
        "grab or let go: while grabbing, directions pull the box behind you; Shift pulls for one step (rules: pull)",
    ),
    KeyHelp((".",), "wait one step"),
)
mouse = (
    KeyHelp(("click",), "walk to a cell; or select a box and then the cell to push it to"),
    KeyHelp(("drag",), "push a box by one cell, after walking around it"),
    KeyHelp(("point",), "see the distance, and what a push would do"),
)


class SokobanInput:
    """An input handler that turns keys and clicks into actions under the rules of one environment.

    input_rows.py, mark_rows.py and preview_rows.py contain the logic.
    """

    def __init__(self, rules: SokobanRules):
        self._rules = rules.numbers()
        self._input = np.zeros(
            1, INPUT
        )  # replaced by a copy before each change, because copies of the handler share it
        self._width = 0  # the width of the board that the cells in the record refer to

    @property
    def record(self) -> np.record:
        """What is selected."""
        return self._input[0]

    @property
    def selected(self) -> Cell | None:
        """The cell of the selected box.

        If no box is selected: the cell of the player that the mouse moves, if there are two players or the player is
        grabbing; otherwise None.
        """
        cell = int(self.record["selected"])
        return None if cell == NO_CELL else divmod(cell, self._width)

    @property
    def who(self) -> int:
        """The player that the mouse moves."""
        return int(self.record["who"])

    def press(self, state: SokobanState, key: str) -> Intent | None:
        if key not in PRESS_KEYS:
            return None
        sheet = sheet_for(state)
        input_rows.press(state, self._rules, self._changing(state), PRESS_KEYS.index(key), sheet)
        return _intent(sheet)

    def click(self, state: SokobanState, cell: Cell) -> Intent | None:
        sheet = sheet_for(state)
        input_rows.click(state, self._rules, self._changing(state), *cell, _workspace(state), sheet)
        return _intent(sheet)

    def drag(self, state: SokobanState, cell: Cell, direction: int) -> Intent | None:
        sheet = sheet_for(state)
        input_rows.drag(state, self._rules, self._changing(state), *cell, direction, _workspace(state), sheet)
        return _intent(sheet)

    def hover(self, state: SokobanState, cell: Cell, toward: int | None) -> Preview:
        sheet, side = sheet_for(state), preview_rows.MIDDLE if toward is None else toward
        preview_rows.hover(state, self._rules, self.record, *cell, side, _workspace(state), sheet)
        reader = reader_for(sheet)
        return Preview(tuple(reader.marks()), reader.text())

    def marks(self, state: SokobanState) -> tuple[Mark, ...]:
        sheet = sheet_for(state)
        mark_rows.selection(state, self._rules, self.record, _workspace(state), sheet)
        return tuple(reader_for(sheet).marks())

    def played(self, state: SokobanState) -> None:
        input_rows.played(state, self._rules, self._changing(state))

    def _changing(self, state: SokobanState) -> np.record:
        """Return a new copy of the record, which a function may change."""
        self._input, self._width = self._input.copy(), state.width
        return self.record


def _intent(sheet: Sheet) -> Intent | None:
    return reader_for(sheet).intent(1)


def _workspace(state: SokobanState) -> PathWorkspace:
    return workspace_for(state.planes.shape[2])


def handler(env: GridEnv) -> InputHandler:
    return SokobanInput(rules_of(env))


def specials(env: GridEnv, state: SokobanState) -> tuple[SpecialMove, ...]:
    return ()


def place_spares_steps(env: GridEnv) -> bool:
    return False
