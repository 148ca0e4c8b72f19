"""Check whether the kernels can safely continue from a state that the caller supplied."""

from typing import Any

import numpy as np

from shoverworld.core.errors import ConfigError, TrackError
from shoverworld.core.states import COUNT, INVALID, RNG_LIMITS, check_fields, is_array

from .codes import LARGEST_SIDE, OFF
from .config import LONGEST_PENALTY, MOST_CARS, RaceRules
from .reasons import CODES
from .rules import ACTIONS
from .state import CAR, GAME_RECORD, OUTCOMES, PLAYING, RaceState
from .store import TrackBank, make_bank
from .tracks import Track


def checked_state(
    state: Any, rules: RaceRules | None = None, like: RaceState | None = None, own: TrackBank | None = None
) -> None:
    """Raise ConfigError unless the kernels can safely continue from this state.

    If `rules` is None, the state may have any number of cars. If `like` is given, the state must have as many games as
    `like`, on the same tracks. Otherwise it must have one game. `own` is a bank that need not be checked again.
    """
    if not isinstance(state, RaceState):
        raise ConfigError(f"set_state: expected a RaceState from get_state, not {type(state).__name__}")
    games = 1 if like is None else len(like.game)
    if not _fits(state, games, rules):
        cars = "" if rules is None else f" with {rules.cars} car{'s' * (rules.cars != 1)}"
        wanted = f"{games} game{'s' * (games != 1)}{cars}"
        raise ConfigError(f"{INVALID}: expected {wanted}, with arrays unchanged in type and shape")
    if like is not None:
        if not same_bank(state.bank, like.bank):
            raise ConfigError(f"{INVALID}: expected the state of a batch on the same tracks")
    elif own is None or not same_bank(state.bank, own):
        _check_bank(state.bank)
    check_fields(state.game, game_limits(state))
    check_fields(state.cars, car_limits(state, LONGEST_PENALTY if rules is None else rules.penalty))
    _check_race(state)


def _fits(state: RaceState, games: int, rules: RaceRules | None) -> bool:
    """Return whether the arrays have the types and shapes of a state."""
    try:
        cars = state.car_count
    except (AttributeError, IndexError):
        return False
    return (
        (1 <= cars <= MOST_CARS if rules is None else cars == rules.cars)
        and is_array(state.cars, CAR, (games, cars))
        and is_array(state.game, GAME_RECORD, (games,))
    )


def same_bank(bank: Any, other: TrackBank) -> bool:
    """Return whether two banks hold the same tracks."""
    if bank is other:
        return True
    return (
        isinstance(bank, TrackBank)
        and (bank.rows, bank.cols) == (other.rows, other.cols)
        and all(
            is_array(mine, theirs.dtype, theirs.shape) and np.array_equal(mine, theirs)
            for mine, theirs in zip(bank[:-2], other[:-2], strict=True)
        )
    )


def _check_bank(bank: Any) -> None:
    """Check a bank by rebuilding it from its tracks."""
    fits = False
    if _is_bank(bank):
        try:
            tracks = [Track(bank.board(i)) for i in range(len(bank.ground))]
            fits = same_bank(bank, make_bank(tracks, bank.size))
        except TrackError:
            pass
    if not fits:
        raise ConfigError(f"{INVALID}: the tracks must be a TrackBank created by `make_bank` (store.py)")


def _is_bank(bank: Any) -> bool:
    """Return whether the tracks of this bank can be read."""
    try:
        tracks, cells = len(bank.ground), bank.rows * bank.cols
        return (
            isinstance(bank, TrackBank)
            and type(bank.rows) is type(bank.cols) is int
            and 1 <= bank.rows <= LARGEST_SIDE
            and 1 <= bank.cols <= LARGEST_SIDE
            and tracks > 0
            and is_array(bank.ground, np.int8, (tracks, cells))
            and is_array(bank.sizes, np.int32, (tracks, 2))
            and bool(((bank.sizes >= 1) & (bank.sizes <= bank.size)).all())
        )
    except (AttributeError, TypeError, ValueError):
        return False


def game_limits(state: RaceState) -> dict[str, tuple[float, float]]:
    """Return the minimum and maximum of each field of a game's record."""
    bank, last_car = state.bank, state.car_count - 1
    return {
        **RNG_LIMITS,
        "track": (0, len(bank.ground) - 1),
        "turn": (0, last_car),
        "rounds": (1, COUNT[1]),
        "racing": (0, last_car + 1),
        "outcome": (0, len(OUTCOMES) - 1),
        "car": (-1, last_car),
        "action": (0, ACTIONS - 1),
        "from_row": (0, bank.rows - 1),
        "from_col": (0, bank.cols - 1),
        "to_row": (-bank.rows, 2 * bank.rows - 1),  # the landing cell of an illegal move may be off the board
        "to_col": (-bank.cols, 2 * bank.cols - 1),
        "fault": (0, len(CODES) - 1),
        "valid": (0, 1),
        "finished": (0, 1),
    }


def car_limits(state: RaceState, penalty: int) -> dict[str, tuple[float, float]]:
    """Return the minimum and maximum of each field of a car's record."""
    rows, cols = state.bank.size
    return {
        "col": (0, cols - 1),
        "row": (0, rows - 1),
        "dcol": (1 - cols, cols - 1),
        "drow": (1 - rows, rows - 1),
        "wait": (0, penalty),
        "steps": COUNT,
        "taken": COUNT,
        "penalties": COUNT,
        "place": (0, state.car_count),
    }


def _check_race(state: RaceState) -> None:
    """Check that the cars are on the track and on different cells, and that the car whose turn it is can move."""
    cars, game, bank = state.cars, state.game, state.bank
    races = cars["place"] == 0
    cells = cars["row"] * bank.cols + cars["col"]
    if (bank.ground[game["track"][:, None], cells] == OFF).any():
        raise ConfigError(f"{INVALID}: a car is off the track")
    # Cars that have finished do not occupy a cell, so each of them gets a unique negative number instead of a cell.
    stands = np.sort(np.where(races, cells, -1 - np.arange(state.car_count)), axis=1)
    if (stands[:, 1:] == stands[:, :-1]).any():
        raise ConfigError(f"{INVALID}: two cars are on the same cell")
    if not np.array_equal(races.sum(axis=1), game["racing"]):
        raise ConfigError(f"{INVALID}: racing is {game['racing'].tolist()[:8]}, which does not match the cars")
    to_move = cars[np.arange(len(game)), game["turn"]]
    cannot = (game["outcome"] == PLAYING) & ((to_move["place"] != 0) | (to_move["wait"] != 0))
    if cannot.any():
        raise ConfigError(f"{INVALID}: the car whose turn it is must wait or has finished")
