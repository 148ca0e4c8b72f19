"""The marks of Sokoban as rows of a sheet: the selection, hints, and overlays (overlay_rows.py)."""

from shoverworld.core.cells import OPPOSITE
from shoverworld.core.jit import both, shared
from shoverworld.core.sheet import ARROW, FRAME, NO_TEXT, mark, rgb

from ..overlay_rows import shade_pushes, write_overlay
from ..paths import find_pushes
from ..phrases import HOLD, LOST, NUMBER
from ..position import NO_CELL
from ..rules import NOTHING, PULL
from ..sentences import box_at, cell_ahead, meaning_of, player_cell
from .input_rows import MOST_VISITS, selected_box

NEUTRAL = rgb(250, 250, 250)  # colour of the cell under the pointer when no direction is chosen
SELECTED, HINT = rgb(20, 110, 230), rgb(200, 20, 130)


@both
def frame(sheet, state, cell, colour, phrase=NO_TEXT, number=0):
    mark(sheet, FRAME, cell // state.width, cell % state.width, colour, phrase=phrase, number=number)


@both
def arrow(sheet, state, cell, colour, direction):
    mark(sheet, ARROW, cell // state.width, cell % state.width, colour, direction=direction)


@shared
def selection(state, rules, chosen, work, sheet):
    """Mark the selected box and the cells that it can be pushed to, or else the player that the mouse moves."""
    box, who = selected_box(state, chosen), int(chosen.who)
    if box != NO_CELL:
        find_pushes(state, who, box, MOST_VISITS, work)
        shade_pushes(state, work, sheet)
        frame(sheet, state, box, SELECTED)
    elif chosen.holding or rules.players > 1:
        frame(sheet, state, player_cell(state, who), SELECTED, HOLD if chosen.holding else NO_TEXT)


@shared
def action_cell(state, rules, action):
    """Return the cell of the box that an action moves, or else the cell that the player walks to.

    Return NO_CELL for a no-op.
    """
    who, kind, direction = meaning_of(rules, action)
    if kind == NOTHING:
        return NO_CELL
    here = player_cell(state, who)
    behind = cell_ahead(here, OPPOSITE[direction], state.width)
    return behind if kind == PULL and box_at(state, behind) else cell_ahead(here, direction, state.width)


@shared
def action_mark(state, rules, action, colour, sheet):
    """Write an arrow on the cell that an action is about."""
    cell = action_cell(state, rules, action)
    if cell != NO_CELL:
        _, _, direction = meaning_of(rules, action)
        arrow(sheet, state, cell, colour, direction)


@shared
def hint(state, rules, action, sheet):
    """Write an arrow for an action and a frame around the same cell."""
    action_mark(state, rules, action, HINT, sheet)
    cell = action_cell(state, rules, action)
    if cell != NO_CELL:
        frame(sheet, state, cell, HINT)


@shared
def overlay(state, rules, number, work, sheet):
    """Write the marks of an overlay. The overlay that shows a plan has none."""
    write_overlay(state, rules, number, NUMBER, LOST, work, sheet)
