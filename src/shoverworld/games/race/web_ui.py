# pyright: basic
# Numba infers the types of the functions that are compiled.
"""The user interface of the race in a WebAssembly module. core/web.py lists the functions.

`trails` and `land` belong together. A page reserves memory for landings, 12 bytes each: one landing for each car, and one
for each step. It calls `count = land(block, landings, 0)` when a race starts, and `count = land(block, landings, count)`
after each step. In the state after k steps, `count` is k plus the number of cars, so after an undo or a jump the page
only needs to use this number again. `trails(block, landings, count)` writes the marks.
"""

import numpy as np

from shoverworld.core.blocks import array_at, pointer_to, shaped
from shoverworld.core.jit import inner
from shoverworld.core.sheet import text
from shoverworld.core.web import NO_RIM, sheet_view

from .boards import write_score
from .draw import write_tiles
from .tiles import car_colour
from .ui.controls import deselect, write_click, write_press, write_preview, write_selection
from .ui.drawing import write_actors, write_motion
from .ui.multiplayer import note_landing, write_buttons, write_standings, write_trails
from .ui.overlays import ZOMBIES, write_distances, write_hint, write_plan, write_run
from .ui.phrases import KEY
from .ui.position import turn_of
from .ui.texts import write_description, write_ending, write_figures, write_move
from .web_block import BLOCK, LONGEST_RUN, car_count, col_count, row_count, state_of

_empty_sheet = sheet_view(BLOCK)
_rules, _input, _faults, _ranks, _run, _level, _distance, _tiles = (
    BLOCK[name] for name in ("rules", "input", "faults", "ranks", "run", "level", "distance", "tiles")
)
_WORD = np.dtype(np.int32)


# --- Pictures


def scene(block):
    """Write the tiles and the cars."""
    write_tiles(_level(block), row_count(block), col_count(block), _tiles(block))
    write_actors(state_of(block), _empty_sheet(block))
    return NO_RIM


def motion(block, before):
    sheet = _empty_sheet(block)
    write_motion(state_of(pointer_to(before)), state_of(block), sheet)
    return sheet.used[0]


# --- Text


def figures(block):
    sheet = _empty_sheet(block)
    write_figures(state_of(block), sheet)
    return sheet.used[0]


def ending(block):
    sheet = _empty_sheet(block)
    write_ending(state_of(block), sheet)
    return sheet.used[0]


def move(block, before):
    sheet = _empty_sheet(block)
    write_move(state_of(pointer_to(before)), state_of(block), _rules(block)[0], sheet)
    return sheet.used[0]


def describe(block, action):
    sheet = _empty_sheet(block)
    write_description(state_of(block), _rules(block)[0], np.int64(action), _faults(block), sheet)
    return sheet.used[0]


def symbol(block, action):
    sheet = _empty_sheet(block)
    text(sheet, KEY, action)
    return sheet.used[0]


def score(block):
    """Write the score of the fastest car."""
    sheet = _empty_sheet(block)
    write_score(state_of(block), -1, sheet)
    return sheet.used[0]


def player_score(block, player):
    """Write the score of a player, or nothing if their car has not finished."""
    sheet = _empty_sheet(block)
    write_score(state_of(block), np.int64(player), sheet)
    return sheet.used[0]


# --- Input


def press(block, key):
    sheet = _empty_sheet(block)
    write_press(state_of(block), _rules(block)[0], _input(block)[0], np.int64(key), _faults(block), sheet)
    return sheet.used[0]


@inner
def _click(block, row, col):
    sheet, selected = _empty_sheet(block), _input(block)[0]
    write_click(state_of(block), _rules(block)[0], selected, np.int64(row), np.int64(col), _faults(block), sheet)
    return sheet.used[0]


def click(block, row, col):
    return _click(block, row, col)


def drag(block, row, col, direction):
    """Do the same as `click`."""
    return _click(block, row, col)


def hover(block, row, col, toward):
    sheet = _empty_sheet(block)
    write_preview(state_of(block), _rules(block)[0], np.int64(row), np.int64(col), _faults(block), sheet)
    return sheet.used[0]


def selection(block):
    sheet = _empty_sheet(block)
    write_selection(state_of(block), _rules(block)[0], _input(block)[0], _faults(block), sheet)
    return sheet.used[0]


def played(block):
    deselect(_input(block)[0])
    return 0


# --- Overlays


def overlay(block, number):
    sheet = _empty_sheet(block)
    if number == ZOMBIES:
        write_distances(_distance(block), col_count(block), sheet)
    return sheet.used[0]


def plan_marks(block, actions, count):
    """Write the marks of a plan: `actions` is the address of an int32 array with `count` actions."""
    sheet = _empty_sheet(block)
    write_plan(state_of(block), array_at(pointer_to(actions), _WORD, count), sheet)
    return sheet.used[0]


def ghost(block, count):
    """Write the overlay "best run" for the first `count` cells of the array `run`."""
    sheet = _empty_sheet(block)
    write_run(state_of(block), _run(block), min(np.int64(count), LONGEST_RUN), sheet)
    return sheet.used[0]


def hint(block, action):
    sheet = _empty_sheet(block)
    write_hint(state_of(block), np.int64(action), sheet)
    return sheet.used[0]


# --- Several players


def player_to_move(block):
    return turn_of(state_of(block))


def colour(block, player):
    """Return the colour of a player."""
    return car_colour(np.int64(player))


def buttons(block):
    """Write the move buttons of the player to move."""
    sheet = _empty_sheet(block)
    write_buttons(state_of(block), _rules(block)[0], _faults(block), sheet)
    return sheet.used[0]


def standings(block):
    """Write a line for each player, with the leader first. The view supplies the list of words `name`."""
    sheet = _empty_sheet(block)
    write_standings(state_of(block), _ranks(block), sheet)
    return sheet.used[0]


def land(block, landings, count):
    """Note where the last step led, after the first `count` landings. Return the new number of landings."""
    rows = count + car_count(block)
    noted = shaped(array_at(pointer_to(landings), _WORD, 3 * rows), (rows, 3))
    return note_landing(state_of(block), noted, np.int64(count))


def trails(block, landings, count):
    """Write the paths of all players through the first `count` landings."""
    sheet, rows = _empty_sheet(block), np.int64(count)
    write_trails(state_of(block), shaped(array_at(pointer_to(landings), _WORD, 3 * rows), (rows, 3)), rows, sheet)
    return sheet.used[0]


FUNCTIONS = (
    scene, motion, figures, ending, move, describe, symbol, score, player_score, press, click, drag, hover, selection,
    played, overlay, plan_marks, ghost, hint, player_to_move, colour, buttons, standings, land, trails,
)  # fmt: skip
