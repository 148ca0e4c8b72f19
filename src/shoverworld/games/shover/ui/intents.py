"""What keys, clicks and drags mean in Shover-World, written to sheets. controls.py explains the controls.

`chosen` is a record of the type INPUT (position.py): what is selected.
"""

from shoverworld.core import sheet as sheets
from shoverworld.core.jit import both, shared

from ..config import FIRST_SPECIAL, NOOP, SELECT, SPECIALS, WALK
from ..state import BARRIER, EMPTY, LAVA, PLAYING
from . import phrases as say
from .position import (
    beside,
    content_of,
    direction_to,
    in_reach,
    is_box,
    on_map,
    opposite,
    try_action,
    used_square,
)
from .preview import preview_click, write_choice, write_preview

WAIT = "."
DIRECTION_KEYS = ("up", "right", "down", "left", "w", "d", "s", "a")  # in the order of the directions, twice
PRESS_KEYS = (*DIRECTION_KEYS, *(special.key for special in SPECIALS), WAIT)
FIRST_SPECIAL_KEY, WAIT_KEY = len(DIRECTION_KEYS), PRESS_KEYS.index(WAIT)


@both
def answer(sheet, phrase, a=0.0, b=0.0, c=0.0, d=0.0):
    sheets.row(sheet, sheets.SAY)
    sheets.text(sheet, phrase, a, b, c, d)


@shared
def act(sheet, rules, row, col, kind):
    sheets.row(sheet, sheets.ACT, row, col, rules.z_base + kind)


@shared
def is_over(sheet, state):
    """If the game is over, answer with the outcome. Return whether it is over."""
    outcome = int(state.game[0].outcome)
    if outcome != PLAYING:
        answer(sheet, say.OVER, outcome)
    return outcome != PLAYING


@shared
def holds_box(state, chosen):
    """Return whether a box is selected and still there."""
    return chosen.box and is_box(content_of(state, int(chosen.row), int(chosen.col)))


@shared
def select(chosen, row, col):
    chosen.box, chosen.row, chosen.col = True, row, col


@shared
def deselect(chosen):
    chosen.box, chosen.row, chosen.col = False, 0, 0


@shared
def forget_push(chosen):
    chosen.pushed, chosen.pushed_row, chosen.pushed_col, chosen.direction = False, 0, 0, 0


# --- Keys


@shared
def write_press(sheet, state, rules, chosen, key):
    """Write the intent for a key, which is an index into PRESS_KEYS."""
    if is_over(sheet, state):
        return
    game = state.game[0]
    row, col = int(game.row), int(game.col)
    if key < FIRST_SPECIAL_KEY:
        go(sheet, state, rules, chosen, key % 4)
    elif key < WAIT_KEY:
        act(sheet, rules, row, col, FIRST_SPECIAL + key - FIRST_SPECIAL_KEY)
    elif rules.noop:
        act(sheet, rules, row, col, NOOP)
    else:
        answer(sheet, say.NO_WAITING)


@shared
def go(sheet, state, rules, chosen, direction):
    """Push the selected box. If no box is selected, act on the cell next to the shover."""
    if holds_box(state, chosen):
        push(sheet, rules, chosen, int(chosen.row), int(chosen.col), direction)
        return
    game = state.game[0]
    row, col = beside(int(game.row), int(game.col), direction)
    if rules.actor == WALK:
        if on_map(state, row, col):
            act(sheet, rules, row, col, direction)
        else:
            act(sheet, rules, int(game.row), int(game.col), direction)
    elif rules.actor == SELECT:
        answer(sheet, say.SELECT_FIRST)
    elif not on_map(state, row, col):
        answer(sheet, say.MAP_ENDS, direction)
    else:
        act(sheet, rules, row, col, direction)


@shared
def push(sheet, rules, chosen, row, col, direction):
    """Push this box and keep it selected."""
    if rules.actor != WALK:
        select(chosen, row, col)
        chosen.pushed, chosen.pushed_row, chosen.pushed_col, chosen.direction = True, row, col, direction
    act(sheet, rules, row, col, direction)


# --- Mouse


@shared
def write_click(sheet, state, rules, chosen, scratch, row, col):
    if not on_map(state, row, col) or is_over(sheet, state):
        return
    content = content_of(state, row, col)
    if is_box(content):
        click_box(sheet, state, rules, chosen, row, col)
        return
    direction = direction_of_click(state, chosen, row, col)
    if direction >= 0:
        push(sheet, rules, chosen, int(chosen.row), int(chosen.col), direction)
        return
    deselect(chosen)
    game = state.game[0]
    if content == BARRIER:
        answer(sheet, say.BARRIER_AT, row, col)
    elif content == LAVA:
        answer(sheet, say.LAVA_AT, row, col)
    elif rules.actor == SELECT:
        answer(sheet, say.CLICK_A_BOX)
    elif row == game.row and col == game.col:
        answer(sheet, say.SHOVER_HERE)
    elif rules.actor == WALK and not in_reach(state, scratch, row, col):
        answer(sheet, say.NO_PATH_TO, row, col)
    else:
        sheets.row(sheet, sheets.PLACE, row, col)


@shared
def direction_of_click(state, chosen, row, col):
    """Return the direction from the selected box to a cell if the cell is empty or lava and next to the box, or -1."""
    content = content_of(state, row, col)
    if not holds_box(state, chosen) or (content != EMPTY and content != LAVA):
        return -1
    return direction_to(int(chosen.row), int(chosen.col), row, col)


@shared
def click_box(sheet, state, rules, chosen, row, col):
    game = state.game[0]
    if rules.actor == WALK:
        direction = direction_to(int(game.row), int(game.col), row, col)
        if direction < 0:
            answer(sheet, say.STAND_NEXT)
        else:
            push(sheet, rules, chosen, row, col, direction)
    elif chosen.box and row == chosen.row and col == chosen.col:
        deselect(chosen)
        answer(sheet, say.NOTHING_SELECTED)
    else:
        select(chosen, row, col)
        answer(sheet, say.BOX_SELECTED)
        write_choice(sheet, state, rules, row, col)


@shared
def write_drag(sheet, state, rules, chosen, row, col, direction):
    if not on_map(state, row, col) or is_over(sheet, state):
        return
    game = state.game[0]
    behind_row, behind_col = beside(row, col, opposite(direction))
    if row == game.row and col == game.col and rules.actor != SELECT:
        deselect(chosen)
        go(sheet, state, rules, chosen, direction)
    elif not is_box(content_of(state, row, col)):
        answer(sheet, say.DRAG_A_BOX)
    elif rules.actor != WALK or (behind_row == game.row and behind_col == game.col):
        push(sheet, rules, chosen, row, col, direction)
    elif not on_map(state, behind_row, behind_col) or content_of(state, behind_row, behind_col) != EMPTY:
        answer(sheet, say.NO_ROOM_TO_STAND, direction, opposite(direction))
    else:
        answer(sheet, say.STAND_THERE, direction, opposite(direction), behind_row, behind_col)


@shared
def write_hover(sheet, state, rules, chosen, scratch, row, col, toward):
    """Write the preview for the cell under the pointer: a text, then marks."""
    if not on_map(state, row, col):
        return
    direction = direction_of_click(state, chosen, row, col)
    if direction >= 0:
        preview_click(sheet, state, rules, int(chosen.row), int(chosen.col), direction)
    elif toward < 0 and holds_box(state, chosen) and row == chosen.row and col == chosen.col:
        write_choice(sheet, state, rules, row, col)
    else:
        write_preview(sheet, state, rules, scratch, row, col, toward)


# --- After a step


@shared
def update_selection(state, rules, chosen):
    """Keep a pushed box selected, so that the same key pushes it again. Clear the selection if the box is gone."""
    game = state.game[0]
    if chosen.pushed and chosen.box and game.chain > 0:
        row, col, direction = int(chosen.pushed_row), int(chosen.pushed_col), int(chosen.direction)
        played = game.previous_row == row and game.previous_col == col
        if played and game.previous_action - rules.z_base == direction and chosen.row == row and chosen.col == col:
            row, col = beside(row, col, direction)
            select(chosen, row, col)
    forget_push(chosen)
    if chosen.box and not (on_map(state, int(chosen.row), int(chosen.col)) and holds_box(state, chosen)):
        deselect(chosen)


@shared
def write_specials(sheet, state, rules, scratch):
    """Write the special actions that a perfect square makes possible. Each action is tried on a copy of the game."""
    game = state.game[0]
    if game.squares == 0 or game.outcome != PLAYING:
        return
    for k in range(len(SPECIALS)):
        try_action(state, rules, scratch, int(game.row), int(game.col), rules.z_base + FIRST_SPECIAL + k)
        if used_square(scratch.tried)[0] > 0:
            gain = float(scratch.tried.game[0].stamina) - float(game.stamina)
            sheets.row(sheet, sheets.SPECIAL, FIRST_SPECIAL_KEY + k)
            if gain != 0.0:
                sheets.text(sheet, say.EFFECT_AND_GAIN, k, gain)
            else:
                sheets.text(sheet, say.EFFECT, k)
