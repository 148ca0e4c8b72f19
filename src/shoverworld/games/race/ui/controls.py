# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Keyboard and mouse controls for the race.

The nine keys on the number pad (or in the number row) correspond to the nine cells that the car can drive to. Nine
on-screen buttons and clicks on these cells have the same effect. An illegal move incurs a penalty, so the player must
choose an illegal move twice to confirm it, unless no move is legal.
"""

from collections.abc import Callable

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.grid import record_type
from shoverworld.core.jit import shared
from shoverworld.core.sheet import ACT, CROSS, DOT, FRAME, LINE, PLAIN, SAY, mark, rgb, row, text
from shoverworld.core.ui import Cell, InputHandler, Intent, KeyHelp, Mark, Preview, SpecialMove

from ..boards import rules_of
from ..config import RaceRules
from ..engine import find_faults
from ..phrases import KEYS
from ..reasons import FINE
from ..rules import ACTIONS
from ..state import RaceState
from ..tiles import car_colour
from . import phrases as say
from .position import (
    action_to,
    any_legal,
    distance_at,
    is_over,
    is_track,
    landing,
    new_faults,
    on_board,
    turn_of,
    write_why_not,
)
from .reading import read

# The keys, and their actions in the same order.
PRESS_KEYS = (*KEYS, "up", "left", "right", "down", ".")
PRESS_ACTIONS = (*range(ACTIONS), 1, 3, 5, 7, 4)
GOOD, BAD, POINTED = rgb(120, 230, 130), rgb(226, 60, 52), rgb(255, 255, 255)

# What is selected: an illegal move that has been chosen once.
INPUT = record_type(
    [
        ("warned", np.int32),  # 1 + the action, or 0 if nothing is selected
        ("row", np.int32),  # the landing cell of the move, which may be off the board
        ("col", np.int32),
    ]
)

keys = (
    KeyHelp(tuple("789"), "accelerate up-left, up, up-right (brake when driving down)"),
    KeyHelp(tuple("456"), "accelerate left, keep the velocity, accelerate right"),
    KeyHelp(tuple("123"), "accelerate down-left, down, down-right (brake when driving up)"),
    KeyHelp(("up", "left", "right", "down"), "alternatives to 8, 4, 6 and 2"),
)
mouse = (
    KeyHelp(("click",), "drive to one of the nine numbered cells; the nine buttons do the same"),
    KeyHelp(("point",), "see where a move leads, or why it is illegal"),
    KeyHelp(("wheel",), "scroll the log of moves"),
)


# --- Shared with the browser. `selected` is an INPUT record, and `faults` is scratch memory.


@shared
def write_press(state, rules, selected, key, faults, sheet):
    """Write what a key does: an index into PRESS_KEYS."""
    write_choice(state, rules, selected, PRESS_ACTIONS[key], faults, sheet)


@shared
def write_click(state, rules, selected, to_row, to_col, faults, sheet):
    """Write what a click on a cell does."""
    action = action_to(state, to_row, to_col)
    if action < 0 and not is_over(state):
        row(sheet, SAY)
        text(sheet, say.UNREACHABLE, to_col, to_row)
    else:
        write_choice(state, rules, selected, max(action, 0), faults, sheet)


@shared
def write_choice(state, rules, selected, action, faults, sheet):
    """Write what choosing an action does: the action itself or a warning, which selects the action."""
    if is_over(state):
        row(sheet, SAY)
        text(sheet, say.OVER, state.game[0].outcome)
        return
    find_faults(state, rules, faults)
    if faults[action] == FINE or selected.warned == action + 1 or not any_legal(faults):
        row(sheet, ACT, action)
        return
    selected.warned = action + 1
    selected.row, selected.col = landing(state, action)
    row(sheet, SAY)
    text(sheet, say.WARNING, action)
    write_why_not(state, action, faults, sheet)
    text(sheet, say.TURNS_WARNING if rules.penalty > 0 else say.STOP_WARNING, rules.penalty)


@shared
def write_preview(state, rules, to_row, to_col, faults, sheet):
    """Write the preview for the cell under the pointer: its text, then its marks."""
    if is_over(state) or not on_board(state, to_row, to_col):
        return
    action = action_to(state, to_row, to_col)
    if action < 0:
        left = distance_at(state, to_row, to_col)
        if not is_track(state, to_row, to_col):
            text(sheet, say.OFF_TRACK, to_col, to_row)
        else:
            text(sheet, say.ON_TRACK_AT if left >= 0 else say.ON_TRACK, to_col, to_row, left)
        return
    find_faults(state, rules, faults)
    if faults[action] != FINE:
        text(sheet, say.KEY_ILLEGAL, action)
        write_why_not(state, action, faults, sheet)
        mark(sheet, FRAME, to_row, to_col, BAD, phrase=say.CROSSED_OUT)
        return
    car = state.cars[0, turn_of(state)]
    down, right = to_row - car.row, to_col - car.col
    text(sheet, say.CLICK, action, action, to_col, to_row, right, down)
    mark(sheet, LINE, car.row, car.col, POINTED, down, right, strength=0.6)
    mark(sheet, FRAME, to_row, to_col, GOOD)


@shared
def write_selection(state, rules, selected, faults, sheet):
    """Mark the landing cells of the nine actions."""
    if is_over(state):
        return
    find_faults(state, rules, faults)
    colour = car_colour(turn_of(state))
    for action in range(ACTIONS):
        there_row, there_col = landing(state, action)
        if on_board(state, there_row, there_col):
            legal = faults[action] == FINE
            mark(
                sheet, DOT, there_row, there_col, colour if legal else BAD, strength=1.0 if legal else 0.75,
                style=PLAIN if legal else CROSS, phrase=say.KEY, number=action,
            )  # fmt: skip
    if selected.warned > 0 and on_board(state, selected.row, selected.col):
        mark(sheet, FRAME, selected.row, selected.col, BAD, phrase=say.AGAIN)


@shared
def deselect(selected):
    selected.warned, selected.row, selected.col = 0, 0, 0


# --- Window and terminal


class RaceInput:
    """Converts keys and clicks to actions under the rules of one environment."""

    def __init__(self, rules: RaceRules):
        self.rules = rules.numbers()
        self.selected: Cell | None = None  # the destination of an illegal move that has been chosen once
        self._input = np.zeros(1, INPUT)

    def press(self, state: RaceState, key: str) -> Intent | None:
        return self._chosen(write_press, state, PRESS_KEYS.index(key)) if key in PRESS_KEYS else None

    def click(self, state: RaceState, cell: Cell) -> Intent | None:
        return self._chosen(write_click, state, *cell)

    def drag(self, state: RaceState, cell: Cell, direction: int) -> Intent | None:
        return self.click(state, cell)

    def hover(self, state: RaceState, cell: Cell, toward: int | None) -> Preview:
        reader = read(write_preview, state, self.rules, *cell, new_faults())
        return Preview(tuple(reader.marks()), reader.text())

    def marks(self, state: RaceState) -> tuple[Mark, ...]:
        return tuple(read(write_selection, state, self.rules, self._input[0], new_faults()).marks())

    def played(self, state: RaceState) -> None:
        self._input, self.selected = np.zeros(1, INPUT), None

    def _chosen(self, write: Callable[..., None], state: RaceState, *where: int) -> Intent | None:
        """Return the intent that `write` writes. The record is copied first, because undo keeps copies of this object."""
        self._input = self._input.copy()
        selected = self._input[0]
        intent = read(write, state, self.rules, selected, *where, new_faults()).intent(1)
        self.selected = (int(selected.row), int(selected.col)) if selected.warned else None
        return intent


def handler(env: GridEnv) -> InputHandler:
    return RaceInput(rules_of(env))


def specials(env: GridEnv, state: RaceState) -> tuple[SpecialMove, ...]:
    return ()


def place_spares_steps(env: GridEnv) -> bool:
    return False
