"""What keys, clicks and drags do in Sokoban, as rows of a sheet. controls.py describes the controls.

What is selected is in a record (`INPUT`), which these functions change: the argument `chosen`.
"""

import numpy as np

from shoverworld.core.cells import OPPOSITE
from shoverworld.core.grid import record_type
from shoverworld.core.jit import both, shared
from shoverworld.core.sheet import ACT, SAY, WALK, row, text

from .. import phrases as say
from ..path_workspace import COMPLETE
from ..paths import NO_PATH, PUSHING, find_push_path, find_pushes, find_walk
from ..position import NO_CELL, NOBODY, action_of, allows_pulls, is_free, is_wall, on_board, player_at
from ..queries import reason_for
from ..reasons import BEYOND, BOX_AHEAD, PLAYER_AHEAD, WALL_AHEAD
from ..rules import MOVE, NOTHING, PULL, PUSH
from ..sentences import box_at, cell_ahead, meaning_of, player_cell, write_box, write_reason
from ..state import PLAYING

INPUT = record_type(
    [
        ("box", np.int32),  # the cell of the selected box, or NO_CELL
        # The cell that views mark: the selected box, or else the player that the mouse moves, if there are two players
        # or the player is grabbing; otherwise NO_CELL.
        ("selected", np.int32),
        ("who", np.int32),  # the player that the mouse moves
        ("holding", np.int32),  # 1 if the player is grabbing
        ("prefix", np.int32),  # the prefixes of a LURD letter that have been read (notation_rows.py)
    ]
)
MOST_VISITS = 4_000_000  # maximum number of cells visited in a search for the paths of one box

KEYS = ("up", "right", "down", "left", "w", "d", "s", "a", ".", "g")
KEY_COUNT = len(KEYS)
LETTER_KEYS, WAIT_KEY, GRAB_KEY = 4, 8, 9  # indices into KEYS
SHIFT = "shift+"
PRESS_KEYS = KEYS + tuple(SHIFT + key for key in KEYS)


@shared
def answer(sheet, phrase, a=0.0, b=0.0):
    """Write a message that consists of one phrase."""
    row(sheet, SAY)
    text(sheet, phrase, a, b)


@shared
def answer_if_over(state, sheet):
    """If the game is over, write a message and return True."""
    outcome = int(state.game[0].outcome)
    if outcome != PLAYING:
        answer(sheet, say.GAME_OVER, outcome)
    return outcome != PLAYING


# --- The selection


@both
def selected_box(state, chosen):
    """Return the cell of the selected box, or NO_CELL."""
    return int(chosen.box) if box_at(state, int(chosen.box)) else NO_CELL


@shared
def select(state, rules, chosen, box):
    chosen.box = box
    is_marked = chosen.holding != 0 or rules.players > 1
    chosen.selected = box if box != NO_CELL else player_cell(state, int(chosen.who)) if is_marked else NO_CELL


@shared
def played(state, rules, chosen):
    """Let the mouse control the player who moved last. Keep a box selected until it is moved."""
    game = state.game[0]
    if game.last_action >= 0 and game.valid:
        who, kind, _ = meaning_of(rules, int(game.last_action))
        if kind != NOTHING:
            chosen.who = who
    select(state, rules, chosen, selected_box(state, chosen))


# --- Keys


@shared
def press(state, rules, chosen, key, sheet):
    """Write what a key does. `key` is an index into PRESS_KEYS."""
    if not 0 <= key < 2 * KEY_COUNT or answer_if_over(state, sheet):
        return
    pressed = key % KEY_COUNT
    if pressed == WAIT_KEY:
        if rules.first_code:
            answer(sheet, say.NO_WAITING)
        else:
            row(sheet, ACT, 0)
    elif pressed == GRAB_KEY:
        grab(state, rules, chosen, sheet)
    else:
        who = 1 if rules.players > 1 and pressed >= LETTER_KEYS else 0
        go(state, rules, chosen, who, pressed % 4, key >= KEY_COUNT or chosen.holding != 0, sheet)


@shared
def grab(state, rules, chosen, sheet):
    if not allows_pulls(rules):
        answer(sheet, say.NO_PULLING)
        return
    chosen.holding = 1 - chosen.holding
    select(state, rules, chosen, NO_CELL)
    answer(sheet, say.GRABBED if chosen.holding else say.LET_GO)


@shared
def go(state, rules, chosen, who, direction, pulls, sheet):
    """Push the box in front of the player. If there is none, walk or, with `pulls`, pull the box behind them."""
    ahead = cell_ahead(player_cell(state, who), direction, state.width)
    kind = PULL if pulls and allows_pulls(rules) and box_at(state, ahead) == 0 else PUSH
    action = action_of(rules, who, kind, direction)
    reason = reason_for(state, rules, action)
    if reason:
        row(sheet, SAY)
        text(sheet, say.SENTENCE)
        text(sheet, say.WAY, direction)
        write_reason(sheet, state, who, direction, reason)
        text(sheet, say.FULL_STOP)
    else:
        chosen.who = who
        row(sheet, ACT, action)


# --- The mouse


@shared
def write_steps(rules, who, count, kind, direction, work, sheet):
    """Write the first `count` steps of the path in the workspace, and then an action unless `kind` is NOTHING.

    A single step is an action of its own.
    """
    total = count + (1 if kind != NOTHING else 0)
    row_kind = ACT if total == 1 else WALK
    for k in range(count):
        step = int(work.steps[k])
        row(sheet, row_kind, action_of(rules, who, PUSH if step >= PUSHING else MOVE, step % PUSHING))
    if kind != NOTHING:
        row(sheet, row_kind, action_of(rules, who, kind, direction))


@shared
def click(state, rules, chosen, at_row, at_col, work, sheet):
    """Write what a click on a cell does."""
    if not on_board(state, at_row, at_col) or answer_if_over(state, sheet):
        return
    cell, who = at_row * state.width + at_col, int(chosen.who)
    if box_at(state, cell):
        click_box(state, rules, chosen, cell, work, sheet)
        return
    box, player = selected_box(state, chosen), player_at(state, cell)
    select(state, rules, chosen, NO_CELL)
    if player != NOBODY:
        click_player(state, rules, chosen, player, sheet)
    elif is_wall(state, cell):
        answer(sheet, say.CLICKED_WALL)
    elif box != NO_CELL:
        push_there(state, rules, who, box, cell, work, sheet)
    else:
        count = find_walk(state, who, cell, work)
        if count == NO_PATH:
            answer(sheet, say.NO_PATH_TO, at_row, at_col)
        else:
            write_steps(rules, who, count, NOTHING, 0, work, sheet)


@shared
def click_box(state, rules, chosen, cell, work, sheet):
    if cell == chosen.box:
        select(state, rules, chosen, NO_CELL)
        answer(sheet, say.NOTHING_SELECTED)
        return
    select(state, rules, chosen, cell)
    places = find_pushes(state, int(chosen.who), cell, MOST_VISITS, work)
    row(sheet, SAY)
    text(sheet, say.SENTENCE)
    write_box(sheet, state, cell)
    if places == 0:
        text(sheet, say.SELECTED_FOR_NOTHING)
    else:
        text(sheet, say.SELECTED, places)


@shared
def click_player(state, rules, chosen, who, sheet):
    if who != chosen.who:
        chosen.who = who
        select(state, rules, chosen, NO_CELL)
        answer(sheet, say.MOUSE_NOW_MOVES, who)
    elif rules.players > 1:
        answer(sheet, say.THIS_IS_PLAYER, who)
    else:
        answer(sheet, say.THIS_IS_THE_PLAYER)


@shared
def push_there(state, rules, who, box, goal, work, sheet):
    """Write the steps that push a box to a cell, or the reason why this is impossible."""
    count = find_push_path(state, who, box, goal, MOST_VISITS, work)
    goal_row, goal_col = goal // state.width, goal % state.width
    if count >= 0:
        write_steps(rules, who, count, NOTHING, 0, work, sheet)
        return
    row(sheet, SAY)
    if count == NO_PATH and work.searched[COMPLETE]:
        text(sheet, say.SENTENCE)
        write_box(sheet, state, box)
        text(sheet, say.CANNOT_BE_PUSHED_TO, goal_row, goal_col)
    else:
        text(sheet, say.NO_WAY_TO_PUSH)
        write_box(sheet, state, box)
        text(sheet, say.NOT_FOUND_IN_TIME, goal_row, goal_col)


@shared
def drag(state, rules, chosen, at_row, at_col, direction, work, sheet):
    """Write what dragging from a cell in a direction does."""
    if not on_board(state, at_row, at_col) or answer_if_over(state, sheet):
        return
    cell = at_row * state.width + at_col
    player = player_at(state, cell)
    if player != NOBODY:
        go(state, rules, chosen, player, direction, chosen.holding != 0, sheet)
    elif box_at(state, cell) == 0:
        answer(sheet, say.DRAG_A_BOX)
    else:
        select(state, rules, chosen, NO_CELL)
        who = int(chosen.who)
        count, kind = shove(state, rules, who, cell, direction, work)
        if count >= 0:
            write_steps(rules, who, count, kind, direction, work, sheet)
        else:
            row(sheet, SAY)
            why_no_shove(state, rules, who, cell, direction, sheet)
            text(sheet, say.FULL_STOP)


@shared
def shove(state, rules, who, box, direction, work):
    """Find the walk after which a player can push a box by one cell, or else pull it.

    Return the number of steps, which are in the workspace, and PUSH or PULL. If neither is possible, the number is
    NO_PATH.
    """
    width, player = state.width, player_cell(state, who)
    there = cell_ahead(box, direction, width)
    if not is_free(state, there) and there != player:
        return NO_PATH, PUSH
    count = find_walk(state, who, cell_ahead(box, OPPOSITE[direction], width), work)
    if count >= 0:  # a player in the box's new cell walks away first
        return count, PUSH
    if allows_pulls(rules):
        beyond = cell_ahead(there, direction, width)
        if is_free(state, beyond) or beyond == player:
            return find_walk(state, who, there, work), PULL
    return NO_PATH, PUSH


@shared
def why_no_shove(state, rules, who, box, direction, sheet):
    """Write why a player can neither push nor pull a box by one cell."""
    width = state.width
    there, behind = cell_ahead(box, direction, width), cell_ahead(box, OPPOSITE[direction], width)
    if not is_free(state, there) and there != player_cell(state, who):
        obstacle = WALL_AHEAD if is_wall(state, there) else BOX_AHEAD if box_at(state, there) else PLAYER_AHEAD
        text(sheet, say.SENTENCE)
        write_box(sheet, state, box)
        text(sheet, say.CANNOT_MOVE, direction)
        text(sheet, say.REASONS[obstacle + BEYOND], 1 - who)
    elif is_wall(state, behind) or box_at(state, behind):
        text(sheet, say.SENTENCE)
        write_box(sheet, state, box)
        text(sheet, say.NO_ROOM, direction, OPPOSITE[direction])
        write_box(sheet, state, box)
    else:
        text(sheet, say.TO_PUSH)
        write_box(sheet, state, box)
        text(sheet, say.MUST_STAND, direction, OPPOSITE[direction])
        write_box(sheet, state, box)
        text(sheet, say.NO_PATH_THERE)
