"""Check whether an external state is safe for the kernels to use."""

from typing import Any

import numpy as np

from shoverworld.core.errors import ConfigError

from .codes import CODES, OFF
from .config import RaceRules
from .state import CAR, GAME_RECORD, OUTCOMES, PLAYING, RaceState
from .store import TrackBank

_INVALID = "set_state: invalid state"


def checked_state(state: Any, rules: RaceRules, like: RaceState | None = None) -> None:
    """Raise ConfigError unless this is a valid state of one game.

    If `like` is given, the state must instead have as many games as `like`, on the same tracks.
    """
    if not isinstance(state, RaceState):
        raise ConfigError(f"set_state: expected a RaceState from get_state, not {type(state).__name__}")
    games = 1 if like is None else len(like.game)
    try:
        fits = (
            state.cars.dtype == CAR
            and state.game.dtype == GAME_RECORD
            and state.cars.flags.c_contiguous
            and state.game.flags.c_contiguous
            and state.game.shape == (games,)
            and state.cars.shape == (games, rules.cars)
        )
    except (AttributeError, TypeError, ValueError):
        fits = False
    if not fits:
        wanted = f"{games} game{'s' * (games != 1)} with {rules.cars} car{'s' * (rules.cars != 1)}"
        raise ConfigError(f"{_INVALID}: expected {wanted}, in arrays of the same types and shapes as from get_state")
    if like is None:
        _check_bank(state.bank)
    elif not _same(state.bank, like.bank):
        raise ConfigError(f"{_INVALID}: expected the state of a batch on the same tracks")
    _check_contents(state, rules)


def _same(bank: Any, other: TrackBank) -> bool:
    if bank is other:
        return True
    return isinstance(bank, TrackBank) and all(np.array_equal(*pair) for pair in zip(bank, other, strict=True))


def _check_bank(bank: Any) -> None:
    try:
        tracks, cells = bank.ground.shape
        fits = (
            isinstance(bank, TrackBank)
            and type(bank.rows) is type(bank.cols) is int
            and (bank.ground.dtype, bank.distance.dtype) == (np.int8, np.int32)
            and bank.starts.dtype == bank.start_count.dtype == bank.sizes.dtype == np.int32
            and all(array.flags.c_contiguous for array in bank[:-2])
            and tracks > 0
            and cells == bank.rows * bank.cols > 0
            and bank.distance.shape == (tracks, cells)
            and bank.starts.ndim == 2
            and len(bank.starts) == tracks
            and bank.start_count.shape == (tracks,)
            and bank.sizes.shape == (tracks, 2)
            and bool(np.isin(bank.ground, CODES).all())
            and bool(((bank.sizes >= 1) & (bank.sizes <= bank.size)).all())
        )
    except (AttributeError, TypeError, ValueError):
        fits = False
    if not fits:
        raise ConfigError(f"{_INVALID}: the tracks must be a TrackBank created by `make_bank` (store.py)")


def _check_contents(state: RaceState, rules: RaceRules) -> None:
    cars, game, bank = state.cars, state.game, state.bank
    for table, name, least, most in (
        (game, "track", 0, len(bank.ground) - 1),
        (game, "turn", 0, rules.cars - 1),
        (game, "rounds", 1, 2**31 - 2),
        (game, "outcome", 0, len(OUTCOMES) - 1),
        (game, "car", -1, rules.cars - 1),
        (game, "action", 0, 8),
        (game, "fault", 0, 3),
        (cars, "row", 0, bank.rows - 1),
        (cars, "col", 0, bank.cols - 1),
        (cars, "drow", 1 - bank.rows, bank.rows - 1),
        (cars, "dcol", 1 - bank.cols, bank.cols - 1),
        (cars, "wait", 0, rules.penalty),
        (cars, "steps", 0, 2**31 - 2),
        (cars, "place", 0, rules.cars),
    ):
        if (table[name] < least).any() or (table[name] > most).any():
            raise ConfigError(f"{_INVALID}: {name} is {table[name].tolist()[:8]}; expected {least} to {most}")
    races = cars["place"] == 0
    cells = cars["row"] * bank.cols + cars["col"]
    if (bank.ground[game["track"][:, None], cells][races] == OFF).any():
        raise ConfigError(f"{_INVALID}: a car is off the track")
    # Cars that have finished do not occupy a cell, so each of them gets a unique negative number instead of a cell.
    stands = np.sort(np.where(races, cells, -1 - np.arange(rules.cars)), axis=1)
    if (stands[:, 1:] == stands[:, :-1]).any():
        raise ConfigError(f"{_INVALID}: two cars are on the same cell")
    if not np.array_equal(races.sum(axis=1), game["racing"]):
        raise ConfigError(f"{_INVALID}: racing is {game['racing'].tolist()[:8]}, which does not match the cars")
    to_move = cars[np.arange(len(game)), game["turn"]]
    cannot = (game["outcome"] == PLAYING) & ((to_move["place"] != 0) | (to_move["wait"] != 0))
    if cannot.any():
        raise ConfigError(f"{_INVALID}: the car to move is waiting or has finished")
