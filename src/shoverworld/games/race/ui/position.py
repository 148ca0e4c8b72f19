# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Shared functions that answer questions about a position in a race: whose turn it is, and where cars can go.

They run as plain Python and compiled to WebAssembly (core/jit.py). The position is the first game of the state.
"""

import numpy as np

from shoverworld.core.jit import both, shared
from shoverworld.core.sheet import text
from shoverworld.core.ui import Cell

from ..codes import OFF
from ..reasons import FINE
from ..rules import ACTIONS, car_on, landing_cell
from ..state import PLAYING


def new_faults() -> np.ndarray:
    """Return scratch memory for `find_faults` (engine.py)."""
    return np.zeros(ACTIONS, np.int64)


@both
def is_over(state):
    return state.game[0].outcome != PLAYING


@both
def turn_of(state):
    """Return the number of the car that moves next."""
    return int(state.game[0].turn)


@both
def car_count(state):
    return state.cars.shape[1]


@both
def on_board(state, row, col):
    return 0 <= row < state.bank.rows and 0 <= col < state.bank.cols


@both
def is_track(state, row, col):
    """Return whether a cell of the board is on the track."""
    return state.bank.ground[state.game[0].track, row * state.bank.cols + col] != OFF


@both
def distance_at(state, row, col):
    """Return the value of the zombie array on a cell: the number of non-diagonal steps to the finish, or -1."""
    return int(state.bank.distance[state.game[0].track, row * state.bank.cols + col])


@shared
def landing(state, action):
    """Return the row and column that an action of the car to move leads to, which may be off the board."""
    row, col = landing_cell(state.cars[0, turn_of(state)], action)
    return int(row), int(col)


@shared
def action_to(state, row, col):
    """Return the action that leads to a cell, or -1 if there is none."""
    for action in range(ACTIONS):
        there_row, there_col = landing(state, action)
        if there_row == row and there_col == col:
            return action
    return -1


@shared
def any_legal(faults):
    legal = 0
    for action in range(len(faults)):
        legal += int(faults[action] == FINE)
    return legal > 0


@shared
def write_reason(state, who, row, col, fault, sheet):
    """Write why car `who` cannot move to this cell. The number of a reason is the number of its phrase."""
    text(sheet, fault, 1 + car_on(state.cars[0], who, row, col))


@shared
def write_why_not(state, action, faults, sheet):
    """Write why an action of the car to move is illegal. `faults` contains the faults of all actions."""
    row, col = landing(state, action)
    write_reason(state, turn_of(state), row, col, faults[action], sheet)


def spot(cell: Cell) -> str:
    """Return the name of a cell in the form x,y."""
    return f"{cell[1]},{cell[0]}"
