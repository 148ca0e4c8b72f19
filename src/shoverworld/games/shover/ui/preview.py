"""Previews of the cell under the pointer and of the effect of a click there, written to sheets.

The text comes first, because texts after a mark belong to the mark.
"""

from shoverworld.core import sheet as sheets
from shoverworld.core.jit import shared

from ..config import SELECT, WALK
from ..state import BARRIER, EMPTY, LAVA
from . import phrases as say
from .marks import NEUTRAL, frame, write_chain
from .messages import push_baseline, rest_words, steps_left, write_why_blocked
from .position import (
    beside,
    content_of,
    direction_to,
    in_reach,
    is_box,
    on_map,
    opposite,
    push_preview,
    push_preview_from,
)


@shared
def write_preview(sheet, state, rules, scratch, row, col, toward):
    """Write the preview for a cell. `toward` is the side of the cell that the pointer is on, or -1 in the middle."""
    if not is_box(content_of(state, row, col)):
        write_cell(sheet, state, rules, scratch, row, col)
    elif rules.actor == WALK:
        preview_box_of_walker(sheet, state, rules, scratch, row, col, toward)
    elif toward >= 0:
        push = push_preview(state, rules, row, col, toward)
        write_push(sheet, state, rules, push, toward)
        write_square_of(sheet, state, rules, row, col)
        write_chain(sheet, state, push, toward)
    else:
        if write_ways(sheet, state, rules, row, col, say.BOX_AND_COSTS, say.STUCK_BOX):
            sheets.text(sheet, say.CLICK_TO_SELECT)
        write_square_of(sheet, state, rules, row, col)
        frame(sheet, row, col, NEUTRAL)


@shared
def preview_click(sheet, state, rules, row, col, direction):
    """Write the preview of the push of a box that a click would make."""
    push = push_preview(state, rules, row, col, direction)
    sheets.text(sheet, say.CLICK_TO)
    write_push(sheet, state, rules, push, direction)
    write_chain(sheet, state, push, direction)


@shared
def preview_box_of_walker(sheet, state, rules, scratch, row, col, toward):
    """Write the push of a box next to the shover, or where the shover has to stand."""
    game = state.game[0]
    away = direction_to(int(game.row), int(game.col), row, col)
    if away >= 0:
        push = push_preview(state, rules, int(game.row), int(game.col), away)
        write_push(sheet, state, rules, push, away)
        write_square_of(sheet, state, rules, row, col)
        write_chain(sheet, state, push, away)
        return
    behind_row, behind_col = beside(row, col, opposite(toward))
    if toward < 0:
        sheets.text(sheet, say.STAND_FIRST, row, col)
    elif not on_map(state, behind_row, behind_col) or content_of(state, behind_row, behind_col) != EMPTY:
        sheets.text(sheet, say.NO_ROOM, toward, opposite(toward))
    else:
        sheets.text(sheet, say.PUSH_FROM, behind_row, behind_col)
        push = push_preview_from(state, rules, scratch, behind_row, behind_col, toward)
        write_push(sheet, state, rules, push, toward)
    write_square_of(sheet, state, rules, row, col)
    frame(sheet, row, col, NEUTRAL)  # no push yet, because the shover is not next to the box


@shared
def write_push(sheet, state, rules, push, direction):
    """Describe a push: "Push 2 boxes up: 60 stamina (40 to start + 10 per box); the front box burns (+40 stamina)"."""
    if not push.valid:
        sheets.text(sheet, say.CANNOT_PUSH, push.chain, direction)
        write_why_blocked(sheet, state, push)
        return
    if push.charged:
        sheets.text(sheet, say.PUSH_FROM_REST, push.chain, direction, push.cost, rules.initial_force, rules.unit_force)
    else:
        sheets.text(sheet, say.PUSH_IN_MOTION, push.chain, direction, push.cost, rules.unit_force)
    if push_baseline(rules) != 0.0:
        sheets.text(sheet, say.PER_STEP, push_baseline(rules))
    if not push.charged:
        sheets.text(sheet, say.NO_START, rest_words(rules) + 1)
    sheets.text(sheet, say.BRACKET)
    burns = int(push.beyond == LAVA)
    if burns > 0:
        sheets.text(sheet, say.FRONT_BURNS, push.chain)
        if not on_map(state, push.beyond_row, push.beyond_col):
            sheets.text(sheet, say.BEYOND_EDGE)
        sheets.text(sheet, say.REFUND, rules.initial_force)
    game = state.game[0]
    if float(game.stamina) - push.cost + rules.initial_force * burns <= 0 and game.boxes > burns:
        sheets.text(sheet, say.USES_UP)


@shared
def write_ways(sheet, state, rules, row, col, intro, otherwise):
    """Write the phrase `intro` and the possible pushes of a box with their costs, as in "up 50, right 60 (burns)".

    If no push is possible, write the phrase `otherwise` instead. Return whether a push is possible.
    """
    found = False
    for direction in range(4):
        push = push_preview(state, rules, row, col, direction)
        if push.valid:
            if found:
                sheets.text(sheet, say.COMMA)
            else:
                sheets.text(sheet, intro, row, col)
            found = True
            sheets.text(sheet, say.WAY_AND_COST, direction, push.cost)
            if push.beyond == LAVA:
                sheets.text(sheet, say.BURNS)
    if not found:
        sheets.text(sheet, otherwise, row, col)
    return found


@shared
def write_choice(sheet, state, rules, row, col):
    """Write what the player can do with a selected box."""
    if write_ways(sheet, state, rules, row, col, say.CHOOSE_WAY, say.NO_WAY_TO_PUSH):
        sheets.text(sheet, say.STOP)


@shared
def write_square_of(sheet, state, rules, row, col):
    """Write which perfect square contains a box, or nothing if there is none."""
    for k in range(int(state.game[0].squares)):
        square = state.squares[0, k]
        n, top, left = int(square.n), int(square.row), int(square.col)
        if top <= row < top + n and left <= col < left + n:
            sheets.text(sheet, say.IN_SQUARE, n, steps_left(state, rules, square))
            return


@shared
def write_cell(sheet, state, rules, scratch, row, col):
    game, content = state.game[0], content_of(state, row, col)
    if content == BARRIER:
        sheets.text(sheet, say.ON_BARRIER)
    elif content == LAVA:
        sheets.text(sheet, say.ON_LAVA, rules.initial_force)
    elif rules.actor == SELECT:
        sheets.text(sheet, say.EMPTY_CELL)
    elif row == game.row and col == game.col:
        sheets.text(sheet, say.ON_SHOVER, int(game.direction))
    elif rules.actor == WALK and not in_reach(state, scratch, row, col):
        sheets.text(sheet, say.NO_PATH)
    else:
        sheets.text(sheet, say.CLICK_TO_STAND)
