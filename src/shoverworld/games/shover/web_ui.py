"""The user interface of Shover-World in its WebAssembly module. core/web.py lists the functions.

Each function calls a function that the window and the terminal call too (ui/), on the sheet of the block.
"""

import numpy as np

from shoverworld.core.blocks import array_at, pointer_to
from shoverworld.core.jit import inner

from .ui import intents, marks, messages, notation, scenes
from .web_block import BLOCK, chosen_of, empty_sheet, rules_of, scratch_of, state_of

_tiles, _queue, _used = (BLOCK[name] for name in ("tiles", "queue", "sheet_used"))
_WORD = np.dtype(np.int32)


@inner
def rows_written(block):
    return _used(block)[0]


def scene(block):
    """Write the tiles to `tiles` and the shover to the sheet. Return the tile of the rim, or NO_RIM."""
    return scenes.write_scene(empty_sheet(block), state_of(block), _tiles(block))


def motion(block, before):
    """Write the motion from the game in the block `before` to this game."""
    scenes.write_motion(empty_sheet(block), state_of(pointer_to(before)), state_of(block), _queue(block))
    return rows_written(block)


def figures(block):
    """Write the lines of the panel."""
    messages.write_figures(empty_sheet(block), state_of(block), rules_of(block), chosen_of(block))
    return rows_written(block)


def ending(block):
    """Write the lines of the end screen."""
    messages.write_ending(empty_sheet(block), state_of(block))
    return rows_written(block)


def move(block, before):
    """Write what the last step did."""
    messages.write_move(empty_sheet(block), state_of(pointer_to(before)), state_of(block), rules_of(block))
    return rows_written(block)


def describe(block, row, col, z):
    """Write an action as an instruction."""
    messages.write_instruction(
        empty_sheet(block),
        state_of(block),
        rules_of(block),
        scratch_of(block),
        np.int64(row),
        np.int64(col),
        np.int64(z),
    )
    return rows_written(block)


def press(block, key):
    """Write what a key does: the index of a key in `press_keys`."""
    intents.write_press(empty_sheet(block), state_of(block), rules_of(block), chosen_of(block), np.int64(key))
    return rows_written(block)


def click(block, row, col):
    """Write what a click on a cell does."""
    intents.write_click(
        empty_sheet(block),
        state_of(block),
        rules_of(block),
        chosen_of(block),
        scratch_of(block),
        np.int64(row),
        np.int64(col),
    )
    return rows_written(block)


def drag(block, row, col, direction):
    """Write what dragging the content of a cell in a direction does."""
    intents.write_drag(
        empty_sheet(block),
        state_of(block),
        rules_of(block),
        chosen_of(block),
        np.int64(row),
        np.int64(col),
        np.int64(direction),
    )
    return rows_written(block)


def hover(block, row, col, toward):
    """Write the preview for a cell: a text, then marks. `toward` is the side that the pointer is on, or -1."""
    intents.write_hover(
        empty_sheet(block),
        state_of(block),
        rules_of(block),
        chosen_of(block),
        scratch_of(block),
        np.int64(row),
        np.int64(col),
        np.int64(toward),
    )
    return rows_written(block)


def selection(block):
    """Write the marks that show what is selected."""
    marks.write_selection(empty_sheet(block), chosen_of(block))
    return rows_written(block)


def played(block):
    """Update the selection after a step, an undo or an agent's action."""
    intents.update_selection(state_of(block), rules_of(block), chosen_of(block))
    return 0


def specials(block):
    """Write the special actions that are possible now."""
    intents.write_specials(empty_sheet(block), state_of(block), rules_of(block), scratch_of(block))
    return rows_written(block)


def overlay(block, number):
    """Write the marks of an overlay, except those that show a plan."""
    marks.write_overlay(empty_sheet(block), state_of(block), rules_of(block), scratch_of(block), np.int64(number))
    return rows_written(block)


def plan_marks(block, actions, count):
    """Write the marks of a plan: `actions` is the address of an int32 array with three numbers for each action."""
    numbers = array_at(pointer_to(actions), _WORD, 3 * count)
    marks.write_plan(empty_sheet(block), state_of(block), rules_of(block), scratch_of(block), numbers, np.int64(count))
    return rows_written(block)


def hint(block, row, col, z):
    """Write the marks that point out an action."""
    marks.write_hint(
        empty_sheet(block),
        state_of(block),
        rules_of(block),
        scratch_of(block),
        np.int64(row),
        np.int64(col),
        np.int64(z),
    )
    return rows_written(block)


def score(block):
    """Write the score of a game that was won."""
    messages.write_result(empty_sheet(block), state_of(block))
    return rows_written(block)


def symbol(block, row, col, z):
    """Write an action in the notation of the game."""
    notation.write_symbol(
        empty_sheet(block), state_of(block), rules_of(block), np.int64(row), np.int64(col), np.int64(z)
    )
    return rows_written(block)


def place_symbol(block, row, col):
    """Write the move of the shover to a cell in the notation of the game."""
    notation.write_place_symbol(empty_sheet(block), np.int64(row), np.int64(col))
    return rows_written(block)


UI_FUNCTIONS = (
    scene, motion, figures, ending, move, describe, press, click, drag, hover, selection, played, specials, overlay,
    plan_marks, hint, score, symbol, place_symbol,
)  # fmt: skip
