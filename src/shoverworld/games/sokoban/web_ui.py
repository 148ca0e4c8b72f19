"""The user interface in Sokoban's WebAssembly module: thin functions that write to the sheet of a block.

core/web.py lists the functions that a page calls. The functions in ui/ contain the logic.
"""

import numpy as np

from shoverworld.core.blocks import array_at, pointer_to, shaped
from shoverworld.core.jit import inner
from shoverworld.core.web import NO_RIM, sheet_view

from .overlay_rows import MOST_PUSHES
from .sentences import write_score
from .ui import input_rows, mark_rows, notation_rows, preview_rows, scene_rows, text_rows
from .web_block import BLOCK, path_workspace_of, state_of, trial_of

_rules, _input, _tiles, _pushes = (BLOCK[name] for name in ("rules", "input", "tiles", "planned_pushes"))
_sheet = sheet_view(BLOCK)
_WORD = np.dtype(np.int32)


@inner
def rows_on(sheet):
    return np.int32(sheet.used[0])


# --- Pictures


def scene(block):
    """Write the tiles and the players."""
    scene_rows.scene(state_of(block), _tiles(block), _sheet(block))
    return NO_RIM


def motion(block, before):
    """Write the motion since the state in another block."""
    sheet = _sheet(block)
    scene_rows.motion(state_of(pointer_to(before)), state_of(block), sheet)
    return rows_on(sheet)


# --- Text


def figures(block):
    """Write the lines of the panel."""
    sheet, rules = _sheet(block), _rules(block)[0]
    text_rows.figures(state_of(block), rules, sheet)
    text_rows.input_figures(rules, _input(block)[0], sheet)
    return rows_on(sheet)


def ending(block):
    """Write the lines of the end screen."""
    sheet = _sheet(block)
    text_rows.ending(state_of(block), _rules(block)[0], sheet)
    return rows_on(sheet)


def move(block, before):
    """Write what the last step did. Another block contains the state before it."""
    sheet = _sheet(block)
    text_rows.move(state_of(pointer_to(before)), state_of(block), _rules(block)[0], sheet)
    return rows_on(sheet)


def describe(block, action):
    """Write an action as an instruction."""
    sheet = _sheet(block)
    text_rows.describe(state_of(block), _rules(block)[0], np.int64(action), sheet)
    return rows_on(sheet)


def score(block):
    """Write the score of a solved game."""
    sheet = _sheet(block)
    write_score(sheet, state_of(block))
    return rows_on(sheet)


# --- Input


def press(block, key):
    """Write what a key does."""
    sheet = _sheet(block)
    input_rows.press(state_of(block), _rules(block)[0], _input(block)[0], np.int64(key), sheet)
    return rows_on(sheet)


def click(block, row, col):
    """Write what a click on a cell does."""
    sheet, work = _sheet(block), path_workspace_of(block)
    input_rows.click(state_of(block), _rules(block)[0], _input(block)[0], np.int64(row), np.int64(col), work, sheet)
    return rows_on(sheet)


def drag(block, row, col, direction):
    """Write what dragging from a cell in a direction does."""
    sheet, work = _sheet(block), path_workspace_of(block)
    input_rows.drag(
        state_of(block), _rules(block)[0], _input(block)[0], np.int64(row), np.int64(col), np.int64(direction), work,
        sheet,
    )  # fmt: skip
    return rows_on(sheet)


def hover(block, row, col, toward):
    """Write the preview of a cell."""
    sheet, work = _sheet(block), path_workspace_of(block)
    preview_rows.hover(
        state_of(block), _rules(block)[0], _input(block)[0], np.int64(row), np.int64(col), np.int64(toward), work,
        sheet,
    )  # fmt: skip
    return rows_on(sheet)


def played(block):
    """Update the selection after a step."""
    input_rows.played(state_of(block), _rules(block)[0], _input(block)[0])
    return 0


# --- Marks


def selection(block):
    """Write the marks that show what is selected."""
    sheet = _sheet(block)
    mark_rows.selection(state_of(block), _rules(block)[0], _input(block)[0], path_workspace_of(block), sheet)
    return rows_on(sheet)


def overlay(block, number):
    """Write the marks of an overlay that shows no plan."""
    sheet = _sheet(block)
    mark_rows.overlay(state_of(block), _rules(block)[0], np.int64(number), path_workspace_of(block), sheet)
    return rows_on(sheet)


def plan_marks(block, actions, count):
    """Write the marks of a plan: `actions` is the address of an int32 array with `count` actions."""
    sheet, plan = _sheet(block), array_at(pointer_to(actions), _WORD, count)
    pushes = shaped(_pushes(block), (MOST_PUSHES, 2))
    mark_rows.plan_marks(state_of(block), _rules(block)[0], plan, trial_of(block), pushes, sheet)
    return rows_on(sheet)


def hint(block, action):
    """Write the marks that point out an action."""
    sheet = _sheet(block)
    mark_rows.hint(state_of(block), _rules(block)[0], np.int64(action), sheet)
    return rows_on(sheet)


# --- Notation


def symbol(block, action):
    """Write an action in LURD notation."""
    sheet = _sheet(block)
    notation_rows.symbol(state_of(block), _rules(block)[0], np.int64(action), sheet)
    return rows_on(sheet)


def letter(block, code):
    """Write the action for a character of a string in LURD notation, or the reason why it is impossible."""
    sheet = _sheet(block)
    notation_rows.letter(state_of(block), _rules(block)[0], _input(block)[0], np.int64(code), sheet)
    return rows_on(sheet)


FUNCTIONS = (
    scene, motion, figures, ending, move, describe, score, press, click, drag, hover, played, selection, overlay, plan_marks, hint,
    symbol, letter,
)  # fmt: skip
