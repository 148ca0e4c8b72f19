"""The hash of a race: the same on every machine, for one game and for a row of a batch.

Left out: the dice, and where in its bank the track lies. What the last step did is left in.
"""

import struct
from hashlib import blake2b
from typing import Any

from .state import GAME, RaceState

NAMES = (
    "turn", "rounds", "racing", "outcome", "car", "action", "from_row", "from_col", "to_row", "to_col", "fault", "finished",
)  # fmt: skip


def game_numbers(state: RaceState, i: int = 0) -> dict[str, Any]:
    """The fields of game i as plain Python numbers: much quicker than asking the record for one after the other."""
    return dict(zip(GAME.names or (), state.game[i].item(), strict=True))


def state_hash(state: RaceState, i: int = 0) -> str:
    """16 hexadecimal digits for game i."""
    return blake2b(canonical(state, i), digest_size=8).hexdigest()


def canonical(state: RaceState, i: int = 0) -> bytes:
    """All that matters in game i, as bytes: whole numbers of 64 bits, the cars one after the other, the track row by row."""
    game = game_numbers(state, i)
    board = state.bank.board(game["track"])
    cars = [number for car in state.cars[i].tolist() for number in car]
    numbers = [*board.shape, state.car_count, *(game[name] for name in NAMES), *cars]
    return b"race 1\n" + struct.pack(f"<{len(numbers)}q", *numbers) + board.tobytes()
