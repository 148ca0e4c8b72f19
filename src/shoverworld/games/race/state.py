"""The state of races: arrays with one row for each game. All games share the tracks, which never change (store.py).

A car is at (row, col) and arrived there with the velocity (drow, dcol). In the notation of the rules, the car is at p
and came from q = p - velocity.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import RNG, copy_arrays, copy_of, record_type

from .store import TrackBank

# The fields of one car in one game.
CAR = record_type(
    [
        ("col", np.int32),  # x
        ("row", np.int32),  # y
        ("dcol", np.int32),  # x component of the velocity
        ("drow", np.int32),  # y component of the velocity
        ("wait", np.int32),  # turns that the car must still skip
        ("steps", np.int32),  # turns so far, including skipped turns
        ("taken", np.int32),  # turns taken or skipped in the last step of the game
        ("penalties", np.int32),  # number of illegal moves
        ("place", np.int32),  # 0 while the car is racing, 1 for the winner, 2 for the next car, ...
    ]
)

CAR_NAMES: tuple[str, ...] = CAR.names or ()

# The fields of one game.
GAME_RECORD = record_type(
    [
        *RNG,
        ("track", np.int32),  # index of the track in the bank
        ("turn", np.int32),  # number of the car that moves next
        ("rounds", np.int32),  # rounds begun, including the current round
        ("racing", np.int32),  # number of cars that have not finished
        ("outcome", np.int32),  # index into OUTCOMES
        # the event of the last step; see RaceEvent
        ("car", np.int32),  # number of the car that moved; -1 before the first step
        ("action", np.int32),
        ("from_row", np.int32),
        ("from_col", np.int32),
        ("to_row", np.int32),
        ("to_col", np.int32),
        ("fault", np.int32),
        ("valid", np.bool_),
        ("finished", np.bool_),
    ]
)

OUTCOMES = (None, "finished", "timeout")
PLAYING, FINISHED, TIMEOUT = range(3)


class RaceState(NamedTuple):
    """The state of N games with C cars each."""

    cars: np.ndarray  # CAR (N, C)
    game: np.ndarray  # GAME_RECORD (N,)
    bank: TrackBank  # the tracks

    @property
    def car_count(self) -> int:
        return self.cars.shape[1]

    def car_numbers(self) -> np.ndarray:
        """Return a view of the cars, int32 (N, C, fields); fields 0:2 are the position, 2:4 the velocity (x, y)."""
        return self.cars.view(np.int32).reshape(*self.cars.shape, -1)

    def row(self, i: int) -> "RaceState":
        """Return a state that contains only game i. The arrays of the result are views of the arrays of this state."""
        return RaceState(self.cars[i : i + 1], self.game[i : i + 1], self.bank)

    def copy_to(self, other: "RaceState") -> None:
        """Copy everything except the tracks to `other`, which must have the same tracks."""
        copy_arrays(self[:2], other[:2])

    def copy(self) -> "RaceState":
        """Return a copy that shares its tracks with this state, because tracks never change."""
        return RaceState(copy_of(self.cars), copy_of(self.game), self.bank)


class RaceEvent(NamedTuple):
    """The effects of one step, stored in the game record for viewers and agents."""

    car: int
    action: int
    from_row: int
    from_col: int
    to_row: int  # the landing cell of the action, which may be off the board
    to_col: int
    fault: int  # the fault of the move, an index into the table in reasons.py; FINE if the move was legal
    finished: bool  # whether the car finished with this move


class RaceStep(NamedTuple):
    """The reward of a step, the car that moved, and the state of the race after the step."""

    reward: float
    car: int
    steps: int
    penalties: int
    wait: int
    col: int
    row: int
    dcol: int
    drow: int
    fault: int
    place: int
    turn: int
    rounds: int
    track: int
    outcome: int


def new_state(games: int, cars: int, bank: TrackBank) -> RaceState:
    """Allocate the state of `games` games with `cars` cars each, on the tracks of this bank."""
    return RaceState(np.zeros((games, cars), CAR), np.zeros(games, GAME_RECORD), bank)
