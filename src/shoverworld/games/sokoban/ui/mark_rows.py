"""The marks of Sokoban as rows of a sheet: the selection, hints, and overlays (overlay_rows.py)."""

from shoverworld.core.jit import shared
from shoverworld.core.sheet import ARROW, FRAME, NO_TEXT, mark, rgb, text

from ..overlay_rows import AHEAD, find_planned_pushes, shade_pushes, write_overlay
from ..paths import find_pushes
from ..phrases import HOLD, LOST, NEXT_NUMBER, NUMBER
from ..position import NO_CELL, action_cell
from ..sentences import meaning_of, player_cell
from .input_rows import MOST_VISITS, selected_box

NEUTRAL = rgb(250, 250, 250)  # colour of the cell under the pointer when no direction is chosen
SELECTED, HINT = rgb(20, 110, 230), rgb(200, 20, 130)


@shared
def frame(sheet, state, cell, colour, phrase=NO_TEXT, number=0):
    mark(sheet, FRAME, cell // state.width, cell % state.width, colour, phrase=phrase, number=number)


@shared
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
def hint(state, rules, action, sheet):
    """Write an arrow for an action and a frame around the same cell."""
    cell = action_cell(state, rules, action)
    if cell != NO_CELL:
        _, _, direction = meaning_of(rules, action)
        arrow(sheet, state, cell, HINT, direction)
        frame(sheet, state, cell, HINT)


@shared
def overlay(state, rules, number, work, sheet):
    """Write the marks of an overlay. The overlay that shows a plan has none."""
    write_overlay(state, rules, number, NUMBER, LOST, work, sheet)


@shared
def plan_marks(state, rules, actions, trial, pushes, sheet):
    """Mark the next pushes of a plan with numbers in the cells where the pushes happen. Walks are not marked.

    `trial` is a state for trying the actions, and `pushes` is memory for MOST_PUSHES pushes, int32 (MOST_PUSHES, 2).
    """
    count = find_planned_pushes(state, rules, actions, trial, pushes)
    for k in range(count):
        cell, direction, is_first = int(pushes[k, 0]), int(pushes[k, 1]), True
        for other in range(k):
            is_first = is_first and not (pushes[other, 0] == cell and pushes[other, 1] == direction)
        if is_first:
            arrow(sheet, state, cell, AHEAD, direction)
            text(sheet, NUMBER, k + 1)
            for other in range(k + 1, count):
                if pushes[other, 0] == cell and pushes[other, 1] == direction:
                    text(sheet, NEXT_NUMBER, other + 1)
