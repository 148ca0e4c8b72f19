"""The hash of a game of Shover-World. It is the same on every machine, for one game and for a row of a batch.

docs/replays.md describes it. It leaves out what does not matter: the random numbers, the frame, what follows from the
board or from other fields (`blocks`, the corner of a square, `cost`, `barrier`, `hellified`, `kind`), and the boxes that
were in motion once all are at rest.
"""

import struct

from shoverworld.core.grid import col_of, row_of
from shoverworld.core.hashing import digest, game_numbers, packed

from .state import State

NAMES = (
    "row", "col", "direction", "timestep", "previous_row", "previous_col", "previous_action", "boxes", "destroyed",
    "outcome", "last_push", "valid", "chain", "charged", "burnt", "moving",
)  # fmt: skip


def state_hash(state: State, i: int = 0) -> str:
    """16 hexadecimal digits for game i."""
    return digest(canonical(state, i))


def canonical(state: State, i: int = 0) -> bytes:
    """The relevant content of game i as bytes: 64-bit integers, the stamina, and the cells row by row."""
    game = game_numbers(state, i)
    grid = state.grid()[i]
    numbers = [*grid.shape, *(game[name] for name in NAMES)]
    if game["moving"]:
        cell = game["moving_cell"]
        numbers += [row_of(cell, state.width), col_of(cell, state.width), game["moving_direction"]]
    numbers.append(game["squares"])
    for n, row, col, _, born in state.squares[i, : game["squares"]].tolist():
        numbers += [n, row, col, born]
    stamina = game["stamina"] + 0.0  # -0.0 becomes 0.0
    return b"shover 1\n" + packed(*numbers) + struct.pack("<d", stamina) + grid.tobytes()
