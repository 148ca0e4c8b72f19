"""What a race is made of: arrays with one row for each game. All games share the tracks, which never change (store.py).

A car is at (row, col) and came with the velocity (drow, dcol): in the rule book's words at p, from q = p - velocity.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import RNG, copy_arrays, copy_of, record_type

from .store import TrackBank

# One car of one game.
CAR = record_type(
    [
        ("col", np.int32),  # x, ...
        ("row", np.int32),  # ... and y
        ("dcol", np.int32),  # its velocity
        ("drow", np.int32),
        ("wait", np.int32),  # turns it has still to skip
        ("steps", np.int32),  # turns taken, those it skipped too
        ("taken", np.int32),  # of them in the last step of the game
        ("penalties", np.int32),  # illegal moves
        ("place", np.int32),  # 0 while it races, then 1 for the winner, ...
    ]
)

CAR_NAMES: tuple[str, ...] = CAR.names or ()

# One game: a row of numbers.
GAME_RECORD = record_type(
    [
        *RNG,
        ("track", np.int32),  # its place in the bank
        ("turn", np.int32),  # the car that moves next
        ("rounds", np.int32),  # rounds begun, the present one too
        ("racing", np.int32),  # cars that have not finished
        ("outcome", np.int32),  # place in OUTCOMES
        # what the last step did, see RaceEvent
        ("car", np.int32),  # -1: there was none yet
        ("action", np.int32),
        ("from_row", np.int32),
        ("from_col", np.int32),
        ("to_row", np.int32),
        ("to_col", np.int32),
        ("fault", np.int32),
        ("finished", np.int32),
    ]
)

OUTCOMES = (None, "finished", "timeout")
PLAYING, FINISHED, TIMEOUT = range(3)

# What can be wrong with a move: it lands off the track, its line leaves the track, another car stands there.
FAULTS = (None, "off_track", "line", "occupied")
FINE, OFF_TRACK, BAD_LINE, OCCUPIED = range(4)


class RaceState(NamedTuple):
    """N games with C cars each."""

    cars: np.ndarray  # CAR (N, C)
    game: np.ndarray  # GAME_RECORD (N,)
    bank: TrackBank  # the tracks

    @property
    def car_count(self) -> int:
        return self.cars.shape[1]

    def car_numbers(self) -> np.ndarray:
        """The cars as a table of numbers: a view int32 (N, C, fields); 0:2 is the position (x, y), 2:4 the velocity."""
        return self.cars.view(np.int32).reshape(*self.cars.shape, -1)

    def row(self, i: int) -> "RaceState":
        """Game i alone: a view."""
        return RaceState(self.cars[i : i + 1], self.game[i : i + 1], self.bank)

    def copy_to(self, other: "RaceState") -> None:
        """All but the tracks, which the other state must have too."""
        copy_arrays(self[:2], other[:2])

    def copy(self) -> "RaceState":
        """The tracks are shared, because they never change."""
        return RaceState(copy_of(self.cars), copy_of(self.game), self.bank)


class RaceEvent(NamedTuple):
    """What one step did. The record of the game keeps all of it for viewers and agents."""

    car: int
    action: int
    from_row: int
    from_col: int
    to_row: int  # where it wanted to go; off the board, too
    to_col: int
    fault: int  # what was wrong with the move, a place in FAULTS; FINE: it was legal
    finished: bool  # the car has finished


class RaceStep(NamedTuple):
    """The reward of a step, the car that moved, and how the race stands after it."""

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
    """Room for N games with so many cars on these tracks."""
    return RaceState(np.zeros((games, cars), CAR), np.zeros(games, GAME_RECORD), bank)
