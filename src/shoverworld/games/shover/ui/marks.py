"""The marks of Shover-World, written to sheets: pushes, the selection, squares, boxes in motion, hints and plans."""

from shoverworld.core import sheet as sheets
from shoverworld.core.grid import col_of, row_of
from shoverworld.core.jit import both, shared

from ..scan import write_distances
from ..state import LAVA
from . import phrases as say
from .messages import age_of, steps_left
from .position import (
    MOST_STEPS,
    beside,
    is_direction,
    is_special,
    on_map,
    push_preview,
    try_action,
    used_square,
)
from .trial import copy_game, play_unless_over

POSSIBLE, IMPOSSIBLE, BURNING = sheets.rgb(30, 140, 70), sheets.rgb(200, 30, 40), sheets.rgb(214, 92, 0)
NEUTRAL = sheets.rgb(250, 250, 250)  # colour of the cell under the pointer when no direction is chosen
SQUARE, SELECTED, MOVING = sheets.rgb(100, 120, 0), sheets.rgb(20, 110, 230), sheets.rgb(0, 130, 150)
AHEAD, HINT = sheets.rgb(120, 50, 190), sheets.rgb(200, 20, 130)

SQUARES, MOTION, DISTANCES, PLAN = range(4)  # the overlays


@both
def frame(sheet, row, col, colour, size=1):
    sheets.mark(sheet, sheets.FRAME, row, col, colour, rows=size, cols=size)


@both
def arrow(sheet, row, col, colour, direction):
    sheets.mark(sheet, sheets.ARROW, row, col, colour, direction=direction)


@shared
def write_chain(sheet, state, push, direction):
    """Write a frame around the chain of a push, labelled with the cost, and an arrow in the direction of the push."""
    colour = IMPOSSIBLE if not push.valid else BURNING if push.beyond == LAVA else POSSIBLE
    last_row, last_col = beside(push.row, push.col, direction, push.chain - 1)
    sheets.mark(
        sheet,
        sheets.FRAME,
        min(push.row, last_row),
        min(push.col, last_col),
        colour,
        rows=abs(push.row - last_row) + 1,
        cols=abs(push.col - last_col) + 1,
        phrase=say.NUMBER if push.valid else say.IMPOSSIBLE,
        number=push.cost,
    )
    if push.valid:
        if on_map(state, push.beyond_row, push.beyond_col):
            arrow(sheet, push.beyond_row, push.beyond_col, colour, direction)
        else:
            arrow(sheet, last_row, last_col, colour, direction)


@shared
def write_selection(sheet, chosen):
    if chosen.box:
        frame(sheet, int(chosen.row), int(chosen.col), SELECTED)


# --- Overlays


@shared
def write_overlay(sheet, state, rules, scratch, overlay):
    """Write the marks of an overlay that shows no plan."""
    if overlay == SQUARES:
        write_square_marks(sheet, state, rules)
    elif overlay == MOTION:
        write_moving_boxes(sheet, state)
    elif overlay == DISTANCES:
        write_distances(sheet, state, rules, scratch.queue, scratch.pushes, say.NUMBER)


@shared
def write_square_marks(sheet, state, rules):
    for k in range(int(state.game[0].squares)):
        square = state.squares[0, k]
        n, row, col = int(square.n), int(square.row), int(square.col)
        sheets.mark(sheet, sheets.FRAME, row, col, SQUARE, rows=n, cols=n, style=sheets.DOUBLE)
        sheets.text(sheet, say.AGE, age_of(state, square), steps_left(state, rules, square))


@shared
def write_moving_boxes(sheet, state):
    game = state.game[0]
    cell, direction = int(game.moving_cell), int(game.moving_direction)
    for k in range(int(game.moving)):
        row, col = beside(row_of(cell, state.width), col_of(cell, state.width), direction, k)
        arrow(sheet, row, col, MOVING, direction)


# --- Actions


@shared
def write_hint(sheet, state, rules, scratch, row, col, z):
    """Write the marks that point out an action: those of the action, with a frame around a cell that has an arrow."""
    if is_special(z - rules.z_base):
        try_action(state, rules, scratch, row, col, z)
        mark_special(sheet, scratch.tried, HINT)
    else:
        mark_action(sheet, state, rules, row, col, z - rules.z_base, HINT)
    if sheet.used[0] == 1 and sheet.rows[0, 1] == sheets.ARROW:
        frame(sheet, sheet.rows[0, 2], sheet.rows[0, 3], HINT)


@shared
def mark_special(sheet, after, colour):
    """Write a frame around the square that a special action used, or a red frame if it used none."""
    size, row, col = used_square(after)
    if size > 0:
        frame(sheet, row, col, colour, size)
    else:
        game = after.game[0]
        frame(sheet, int(game.row), int(game.col), IMPOSSIBLE)


@shared
def mark_action(sheet, state, rules, row, col, kind, colour):
    """Write an arrow on the target of a direction, or shading on the shover's cell for a no-op.

    A red frame marks the cell of a direction whose target is off the map.
    """
    game = state.game[0]
    if not is_direction(kind):
        if game.shover:
            sheets.mark(sheet, sheets.SHADE, int(game.row), int(game.col), colour, strength=0.3)
        return
    push = push_preview(state, rules, row, col, kind)
    if on_map(state, push.row, push.col):
        arrow(sheet, push.row, push.col, colour, kind)
    elif on_map(state, row, col):
        frame(sheet, row, col, IMPOSSIBLE)
    else:
        frame(sheet, int(game.row), int(game.col), IMPOSSIBLE)


@shared
def write_plan(sheet, state, rules, scratch, actions, count):
    """Write numbered marks for the next steps of a plan, in the cells where the steps happen.

    `actions` contains three numbers for each of `count` actions. Steps with equal marks share one mark.
    """
    tried, steps = scratch.tried, scratch.plan
    sheets.clear(steps)
    copy_game(state, tried)
    for k in range(min(count, MOST_STEPS)):
        row, col, z = int(actions[3 * k]), int(actions[3 * k + 1]), int(actions[3 * k + 2])
        kind, first = z - rules.z_base, steps.used[0]
        if is_special(kind):
            play_unless_over(tried, rules, row, col, z)
            mark_special(steps, tried, AHEAD)
        else:
            mark_action(steps, tried, rules, row, col, kind, AHEAD)
            play_unless_over(tried, rules, row, col, z)
        if steps.used[0] > first:
            steps.rows[first, sheets.COLUMNS - 1] = k + 1
    for k in range(steps.used[0]):
        if first_like(steps, k) == k:
            write_numbered(sheet, steps, k)


@shared
def same_mark(steps, one, other):
    """Return whether two marks are equal except for their numbers."""
    same = True
    for column in range(sheets.COLUMNS - 1):
        same = same and steps.rows[one, column] == steps.rows[other, column]
    return same


@shared
def first_like(steps, place):
    """Return the place of the first mark that equals the mark at `place`."""
    for k in range(place):
        if same_mark(steps, k, place):
            return k
    return place


@shared
def write_numbered(sheet, steps, place):
    """Write a mark of a plan with the numbers of all steps that have this mark."""
    mark = steps.rows[place]
    colour = mark[4]
    sheets.mark(
        sheet, mark[1], mark[2], mark[3], colour, rows=mark[5], cols=mark[6], direction=mark[7], strength=mark[8]
    )
    for k in range(place, steps.used[0]):
        if same_mark(steps, place, k):
            sheets.text(sheet, say.NUMBER if k == place else say.NEXT_NUMBER, steps.rows[k, sheets.COLUMNS - 1])
    if colour == IMPOSSIBLE:
        sheets.text(sheet, say.AND_IMPOSSIBLE)
