"""What a game of Shover-World reports, written to sheets: lines of the panel, and descriptions of moves and actions.

Rows and columns are counted from 0, as in actions.
"""

from shoverworld.core import sheet as sheets
from shoverworld.core.jit import both, shared

from .. import config
from ..config import FIRST_SPECIAL, LAST_PUSH, SELECT, WALK
from ..phrases import write_blocked, write_reason, write_score
from ..state import CLEARED, EXHAUSTED, TIMEOUT
from . import phrases as say
from .position import (
    beside,
    content_of,
    is_box,
    is_direction,
    is_special,
    on_map,
    push_preview,
    try_action,
    used_square,
)

push_baseline = both(config.push_baseline)
MOST_SQUARES = 3  # the maximum number of squares that get a line of their own


# --- The panel


@shared
def write_figures(sheet, state, rules, chosen):
    game = state.game[0]
    boxes, steps, destroyed, burnt = int(game.boxes), int(game.timestep), int(game.destroyed), int(game.burnt)
    write_stamina(sheet, rules, float(game.stamina))
    sheets.figure(sheet, say.BOXES_LEFT, large=True)
    sheets.text(sheet, say.NUMBER, boxes)
    sheets.figure(sheet, say.STEP, share=min(1.0, steps / rules.max_timestep))
    sheets.text(sheet, say.STEP_OF, steps, rules.max_timestep)
    sheets.figure(sheet, say.DESTROYED, idle=destroyed == 0)
    sheets.text(sheet, say.NUMBER, destroyed)
    write_last_action(sheet, state)
    sheets.figure(sheet, say.BURNT_BY_PUSH, tone=sheets.GOOD if burnt > 0 else sheets.NEUTRAL, idle=burnt == 0)
    sheets.text(sheet, say.NUMBER, burnt)
    write_push_ahead(sheet, state, rules, chosen)
    write_squares(sheet, state, rules)


@shared
def write_stamina(sheet, rules, stamina):
    share = min(1.0, max(0.0, stamina / rules.initial_stamina))
    dear = rules.initial_force + rules.unit_force + push_baseline(rules)  # the cost of pushing one box from rest
    tone = sheets.BAD if stamina <= dear else sheets.WARN if share < 0.25 else sheets.NEUTRAL
    sheets.figure(sheet, say.STAMINA, tone=tone, share=share, large=True)
    sheets.text(sheet, say.NUMBER, stamina)


@shared
def write_last_action(sheet, state):
    game = state.game[0]
    if game.timestep == 0:
        sheets.figure(sheet, say.LAST_ACTION, idle=True)
        sheets.text(sheet, say.DASH)
    elif game.valid:
        sheets.figure(sheet, say.LAST_ACTION, tone=sheets.GOOD)
        sheets.text(sheet, say.VALID_ACTION)
    else:
        sheets.figure(sheet, say.LAST_ACTION, tone=sheets.BAD)
        sheets.text(sheet, say.INVALID_BECAUSE)
        write_reason(sheet, state)


@shared
def write_push_ahead(sheet, state, rules, chosen):
    """Write the costs of the push with and without the initial force; the cost that applies now comes first.

    The push is that of the selected box, or else of the box ahead of the shover, in the direction the shover faces.
    """
    game = state.game[0]
    direction = int(game.direction)
    row, col = beside(int(game.row), int(game.col), direction)
    if chosen.box:
        row, col = int(chosen.row), int(chosen.col)
    is_unselected = rules.actor == SELECT and not chosen.box
    if is_unselected or not on_map(state, row, col) or not is_box(content_of(state, row, col)):
        sheets.figure(sheet, say.PUSH_AHEAD, idle=True)
        sheets.text(sheet, say.DASH)
        return
    push = push_preview(state, rules, row, col, direction)
    if not push.valid and chosen.box:
        sheets.figure(sheet, say.PUSH_AHEAD)
        sheets.text(sheet, say.CHOOSE)
        return
    tone = sheets.WARN if not push.valid else sheets.NEUTRAL if push.charged else sheets.GOOD
    sheets.figure(sheet, say.PUSH_WAY, tone=tone, a=direction)
    rest = rest_words(rules)
    if not push.valid:
        sheets.text(sheet, say.BLOCKED_BECAUSE)
        write_why_blocked(sheet, state, push)
    elif push.charged:
        sheets.text(sheet, say.TWO_COSTS, push.cost, rest, push.cost_in_motion, rest + 1)
    else:
        sheets.text(sheet, say.TWO_COSTS, push.cost, rest + 1, push.cost_from_rest, rest)


@both
def rest_words(rules):
    """Return the index of the words for a push that costs the initial force; those for one that does not come next."""
    return 2 if rules.stationary == LAST_PUSH else 0


@shared
def write_why_blocked(sheet, state, push):
    write_blocked(sheet, push.chain, not on_map(state, push.beyond_row, push.beyond_col))


@shared
def write_squares(sheet, state, rules):
    found = int(state.game[0].squares)
    if found == 0:
        sheets.figure(sheet, say.SQUARES, idle=True)
        sheets.text(sheet, say.NONE)
        return
    sheets.figure(sheet, say.SQUARES, tone=sheets.GOOD)
    sheets.text(sheet, say.NUMBER, found)
    limit = rules.perf_sq_initial_age
    for k in range(min(found, MOST_SQUARES)):
        square = state.squares[0, k]
        left = steps_left(state, rules, square)
        share = left / limit if limit > 0 else 0.0
        tone = sheets.WARN if left <= 3 else sheets.NEUTRAL
        sheets.figure(
            sheet, say.SQUARE_AT, tone=tone, share=share, a=int(square.n), b=int(square.row), c=int(square.col)
        )
        sheets.text(sheet, say.STEPS_LEFT, left)
    if found > MOST_SQUARES:
        sheets.figure(sheet, say.EMPTY_TEXT)
        sheets.text(sheet, say.AND_MORE, found - MOST_SQUARES)


@both
def age_of(state, square):
    return int(state.game[0].timestep) - int(square.born)


@both
def steps_left(state, rules, square):
    """Return the number of steps until a square dissolves."""
    return max(0, rules.perf_sq_initial_age - age_of(state, square))


@shared
def write_ending(sheet, state):
    game = state.game[0]
    outcome = int(game.outcome)
    tone = sheets.NEUTRAL
    if outcome == CLEARED:
        tone = sheets.GOOD
    elif outcome == EXHAUSTED:
        tone = sheets.BAD
    elif outcome == TIMEOUT:
        tone = sheets.WARN
    sheets.figure(sheet, say.OUTCOME, tone=tone)
    sheets.text(sheet, say.ENDINGS[outcome])
    sheets.figure(sheet, say.STEPS, large=True)
    sheets.text(sheet, say.NUMBER, int(game.timestep))
    sheets.figure(sheet, say.STAMINA, large=True)
    sheets.text(sheet, say.NUMBER, float(game.stamina))
    sheets.figure(sheet, say.BOXES_DESTROYED)
    sheets.text(sheet, say.NUMBER, int(game.destroyed))
    sheets.figure(sheet, say.BOXES_LEFT)
    sheets.text(sheet, say.NUMBER, int(game.boxes))


@shared
def write_result(sheet, state):
    """Write the score of a game that was won; otherwise, write nothing."""
    game = state.game[0]
    if game.outcome == CLEARED:
        write_score(sheet, int(game.timestep), float(game.stamina))


# --- What a move did


@shared
def write_move(sheet, before, after, rules):
    old, new = before.game[0], after.game[0]
    if new.timestep == old.timestep:
        if new.row != old.row or new.col != old.col:
            sheets.row(sheet, sheets.MOVE, sheets.PLACED)
            sheets.text(sheet, say.PLACED, int(new.row), int(new.col))
        return
    dissolved, kind = int(new.dissolved), move_kind(new)
    if dissolved > 0 and kind != sheets.BURN and kind != sheets.SPECIAL_MOVE and kind != sheets.INVALID:
        kind = sheets.DISSOLVE
    sheets.row(sheet, sheets.MOVE, kind)
    write_action(sheet, after, rules)
    if dissolved > 0:
        sheets.text(sheet, say.AND_DISSOLVED, dissolved)


@shared
def move_kind(game):
    if not game.valid:
        return sheets.INVALID
    if game.chain > 0:
        return sheets.BURN if game.burnt > 0 else sheets.PUSHED
    if is_special(game.kind):
        return sheets.SPECIAL_MOVE
    return sheets.WALKED if is_direction(game.kind) else sheets.NOTHING


@shared
def write_action(sheet, state, rules):
    """Write what the last action did, without the squares that dissolved in the same step."""
    game = state.game[0]
    kind, chain = int(game.kind), int(game.chain)
    if not game.valid:
        if is_special(kind):
            sheets.text(sheet, say.TRIED_SPECIAL, kind - FIRST_SPECIAL)
        else:
            sheets.text(sheet, say.TRIED_WAY, kind)
        write_reason(sheet, state)
    elif chain > 0:
        sheets.text(sheet, say.PUSHED, chain, kind)
        if game.burnt > 0:
            sheets.text(sheet, say.AND_BURNT, chain)
    elif is_special(kind):
        size, row, col = used_square(state)
        sheets.text(sheet, say.SPECIAL_USED, kind - FIRST_SPECIAL, size, row, col)
    elif not is_direction(kind):
        sheets.text(sheet, say.WAITED)
    elif rules.actor == WALK:
        sheets.text(sheet, say.WALKED, kind)
    else:
        sheets.text(sheet, say.LEAPT, int(game.row), int(game.col))


# --- What an action would do


@shared
def write_instruction(sheet, state, rules, scratch, row, col, z):
    """Write an action as an instruction, such as "push the box at row 2, column 5 to the right"."""
    kind = z - rules.z_base
    if is_special(kind):
        try_action(state, rules, scratch, row, col, z)
        size, square_row, square_col = used_square(scratch.tried)
        if size > 0:
            sheets.text(sheet, say.USE_SPECIAL, kind - FIRST_SPECIAL, size, square_row, square_col)
        else:
            sheets.text(sheet, say.WAIT_BECAUSE)
            write_reason(sheet, scratch.tried)
        return
    if not is_direction(kind):
        sheets.text(sheet, say.WAIT)
        return
    push = push_preview(state, rules, row, col, kind)
    if not push.valid:
        sheets.text(sheet, say.INVALID_WAY, kind)
    elif push.chain == 1:
        sheets.text(sheet, say.PUSH_ONE, push.row, push.col, kind)
    elif push.chain > 1:
        sheets.text(sheet, say.PUSH_SEVERAL, push.row, push.col, kind, push.chain)
    elif rules.actor == WALK:
        sheets.text(sheet, say.WALK, kind)
    else:
        sheets.text(sheet, say.LEAP, push.row, push.col)
