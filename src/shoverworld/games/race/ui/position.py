"""Functions that answer questions about a position in a race, such as where the cars are and where they can go.

Cells are (row, col), but on-screen text shows them as x,y.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.ui import Cell

from .. import engine
from ..codes import OFF
from ..config import RaceRules
from ..record import why_invalid
from ..rules import ACTIONS
from ..state import PLAYING, RaceState

KEYS = "789456123"  # the keys for actions 0 to 8, arranged as on the number pad


class Car(NamedTuple):
    """A car in a state, with its cell and velocity as (rows, columns)."""

    number: int
    cell: Cell
    velocity: Cell  # rows down, columns to the right
    wait: int
    steps: int
    taken: int  # turns that this car took or skipped in the last step of the race
    penalties: int
    place: int  # rank at the finish, or 0 while the car is still racing


def cars_of(state: RaceState) -> list[Car]:
    return [
        Car(number, (row, col), (drow, dcol), *rest)
        for number, (col, row, dcol, drow, *rest) in enumerate(state.cars[0].tolist())
    ]


def car_to_move(state: RaceState) -> Car:
    return cars_of(state)[turn_of(state)]


def turn_of(state: RaceState) -> int:
    return int(state.game["turn"][0])


def is_over(state: RaceState) -> bool:
    return int(state.game["outcome"][0]) != PLAYING


def ground_of(state: RaceState) -> np.ndarray:
    """Return the codes of the track's cells, as an array of shape (rows, cols)."""
    return state.bank.board(int(state.game["track"][0]))


def distance_of(state: RaceState) -> np.ndarray:
    """Return the zombie array (rows, cols): the number of non-diagonal steps from each cell to the finish."""
    return state.bank.distance[int(state.game["track"][0])].reshape(state.bank.size)


def change_of(action: int) -> Cell:
    """Return the change that an action makes to the velocity, as (rows, columns)."""
    return action // 3 - 1, action % 3 - 1


def landing(car: Car, action: int) -> Cell:
    """Return the cell that an action leads to, which may be off the board."""
    down, right = change_of(action)
    return car.cell[0] + car.velocity[0] + down, car.cell[1] + car.velocity[1] + right


def legal_actions(rules: RaceRules, state: RaceState) -> list[bool]:
    """Return whether each of the nine actions is legal in this turn."""
    mask = np.zeros((1, ACTIONS), np.bool_)
    engine.mark_legal(state, rules.numbers(), mask)
    return mask[0].tolist()


def on_board(state: RaceState, cell: Cell) -> bool:
    rows, cols = state.bank.size
    return 0 <= cell[0] < rows and 0 <= cell[1] < cols


def is_track(state: RaceState, cell: Cell) -> bool:
    return on_board(state, cell) and int(ground_of(state)[cell]) != OFF


def why_not(rules: RaceRules, state: RaceState, action: int) -> str:
    """Return the reason why an action is illegal in this turn, or "" if it is legal."""
    tried = state.copy()
    engine.play(tried, 0, rules.numbers(), rules.reward_numbers(), action)
    return why_invalid(tried)


def spot(cell: Cell) -> str:
    """Return the name of a cell in the form x,y."""
    return f"{cell[1]},{cell[0]}"
