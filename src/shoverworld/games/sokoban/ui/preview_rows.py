"""Previews of the cell under the pointer, and of the effect of a click or a drag there, as rows of a sheet.

The text comes before the marks, because a text after a mark would belong to the mark.
"""

from shoverworld.core.jit import shared
from shoverworld.core.sheet import text

from .. import phrases as say
from ..overlay_rows import BAD, GOOD
from ..paths import NO_PATH, find_pushes, find_walk, measure_lone_box
from ..position import NO_CELL, NOBODY, allows_pulls, is_wall, on_board, player_at, target_at
from ..queries import has_numbers
from ..rules import PULL
from ..sentences import box_at, cell_ahead, write_box
from ..solver.tables import FAR
from .input_rows import MOST_VISITS, selected_box, shove, why_no_shove
from .mark_rows import NEUTRAL, arrow, frame

MIDDLE = -1  # instead of a direction: the pointer is in the middle of the cell
NOTHING_CHANGES, REACHES_TARGET, IS_LOST = range(3)  # the consequences of a move for a box


@shared
def hover(state, rules, chosen, at_row, at_col, toward, work, sheet):
    """Write the preview for a cell.

    `toward` is the side of the cell that the pointer is on, or the direction of a drag, or MIDDLE.
    """
    if not on_board(state, at_row, at_col):
        return
    cell, who, box = at_row * state.width + at_col, int(chosen.who), selected_box(state, chosen)
    if is_wall(state, cell):
        text(sheet, say.A_WALL)
    elif box_at(state, cell):
        if toward == MIDDLE:
            hover_over_box(state, cell, sheet)
        else:
            hover_beside_box(state, rules, who, cell, toward, work, sheet)
    elif player_at(state, cell) != NOBODY:
        hover_over_player(rules, who, player_at(state, cell), sheet)
    elif box != NO_CELL:
        hover_over_goal(state, rules, who, box, cell, work, sheet)
    else:
        hover_over_floor(state, who, cell, work, sheet)


@shared
def hover_over_floor(state, who, cell, work, sheet):
    if target_at(state, cell):
        if has_numbers(state):
            text(sheet, say.TARGET_NUMBER, target_at(state, cell))
        else:
            text(sheet, say.TARGET)
    steps = find_walk(state, who, cell, work)
    if steps == NO_PATH:
        text(sheet, say.NO_PATH_HERE)
    else:
        text(sheet, say.WALK_HERE, steps)
        frame(sheet, state, cell, NEUTRAL)


@shared
def hover_over_player(rules, who, player, sheet):
    if rules.players == 1:
        text(sheet, say.ABOUT_THE_PLAYER)
        return
    text(sheet, say.ABOUT_PLAYER, player)
    if player != who:
        text(sheet, say.OR_CLICK)


@shared
def hover_over_goal(state, rules, who, box, cell, work, sheet):
    """Write the preview for a cell that the selected box could be pushed to."""
    find_pushes(state, who, box, MOST_VISITS, work)
    pushes = int(work.pushes[cell])
    if pushes < 0:
        text(sheet, say.SENTENCE)
        write_box(sheet, state, box)
        text(sheet, say.CANNOT_BE_PUSHED_HERE)
        frame(sheet, state, cell, BAD)
        return
    text(sheet, say.CLICK_TO_PUSH)
    write_box(sheet, state, box)
    text(sheet, say.PUSH_HERE, pushes)
    consequence(state, rules, box, cell, work, sheet)
    frame(sheet, state, cell, GOOD, say.NUMBER, pushes)


@shared
def hover_over_box(state, cell, sheet):
    box, goal, numbered = box_at(state, cell), target_at(state, cell), has_numbers(state)
    text(sheet, say.NUMBERED_BOX_AT if numbered else say.BOX_AT, cell // state.width, cell % state.width, box)
    if goal and goal == box:
        text(sheet, say.ON_ITS_TARGET)
    elif goal:
        text(sheet, say.ON_ANOTHER_TARGET, goal)
    text(sheet, say.SELECT_OR_DRAG)
    frame(sheet, state, cell, NEUTRAL)


@shared
def hover_beside_box(state, rules, who, cell, toward, work, sheet):
    """Write the preview of a drag."""
    steps, kind = shove(state, rules, who, cell, toward, work)
    if steps < 0:
        why_no_shove(state, rules, who, cell, toward, sheet)
        frame(sheet, state, cell, BAD, say.IMPOSSIBLE)
        return
    there = cell_ahead(cell, toward, state.width)
    text(sheet, say.DRAG_TO_PULL if kind == PULL else say.DRAG_TO_PUSH)
    write_box(sheet, state, cell)
    text(sheet, say.GOING, toward)
    if steps > 0:
        text(sheet, say.STEPS_AWAY, steps)
    colour = BAD if consequence(state, rules, cell, there, work, sheet) == IS_LOST else GOOD
    frame(sheet, state, cell, colour)
    arrow(sheet, state, there, colour, toward)


@shared
def consequence(state, rules, box, cell, work, sheet):
    """Write and return the consequence of a move of a box to a cell."""
    number, numbered = box_at(state, box), has_numbers(state)
    if target_at(state, cell) == number:
        text(sheet, say.WOULD_REACH_ITS_TARGET if numbered else say.WOULD_REACH_A_TARGET)
        return REACHES_TARGET
    if allows_pulls(rules):
        return NOTHING_CHANGES
    measure_lone_box(state, number if numbered else 0, work)
    if work.distance[cell] < FAR:
        return NOTHING_CHANGES
    text(sheet, say.WOULD_BE_LOST)
    return IS_LOST
