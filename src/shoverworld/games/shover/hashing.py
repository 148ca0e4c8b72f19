"""The hash of a game: the same on every machine, for one game and for a row of a batch. docs/replays.md describes it.

What does not matter is left out: the dice, the frame, what follows from the board (`blocks`, the corner of a square),
and what old boxes in motion have left behind once all are at rest.
"""

import struct
from hashlib import blake2b
from typing import Any

from shoverworld.core.grid import col_of, row_of

from .state import GAME, State

NAMES = (
    "row", "col", "direction", "timestep", "previous_row", "previous_col", "previous_action", "boxes", "destroyed",
    "outcome", "last_push", "valid", "chain", "charged", "burnt", "moving",
)  # fmt: skip


def game_numbers(state: State, i: int = 0) -> dict[str, Any]:
    """The fields of game i as plain Python numbers: much quicker than asking the record for one after the other."""
    return dict(zip(GAME.names or (), state.game[i].item(), strict=True))


def state_hash(state: State, i: int = 0) -> str:
    """16 hexadecimal digits for game i."""
    return blake2b(canonical(state, i), digest_size=8).hexdigest()


def canonical(state: State, i: int = 0) -> bytes:
    """All that matters in game i, as bytes: whole numbers of 64 bits, the stamina, and the cells row by row."""
    game = game_numbers(state, i)
    grid = state.grid()[i]
    numbers = [*grid.shape, *(game[name] for name in NAMES)]
    if game["moving"]:
        cell = game["moving_cell"]
        numbers += [row_of(cell, state.width), col_of(cell, state.width), game["moving_direction"]]
    numbers.append(game["squares"])
    for n, row, col, _, born in state.squares[i, : game["squares"]].tolist():
        numbers += [n, row, col, born]
    stamina = game["stamina"] + 0.0  # there is one zero, not two
    return b"shover 1\n" + struct.pack(f"<{len(numbers)}qd", *numbers, stamina) + grid.tobytes()
