"""The hash of a race. It is the same on every machine, for one game and for a row of a batch.

It leaves out the random numbers, and the place of the track in its bank. It includes what the last step did.
"""

from shoverworld.core.hashing import digest, game_numbers, packed

from .state import RaceState

NAMES = (
    "turn", "rounds", "racing", "outcome", "car", "action", "from_row", "from_col", "to_row", "to_col", "fault", "finished",
)  # fmt: skip


def state_hash(state: RaceState, i: int = 0) -> str:
    """16 hexadecimal digits for game i."""
    return digest(canonical(state, i))


def canonical(state: RaceState, i: int = 0) -> bytes:
    """The relevant content of game i as bytes: 64-bit integers, the cars in order, and the track row by row."""
    game = game_numbers(state, i)
    board = state.bank.board(game["track"])
    cars = [number for car in state.cars[i].tolist() for number in car]
    numbers = packed(*board.shape, state.car_count, *(game[name] for name in NAMES), *cars)
    return b"race 1\n" + numbers + board.tobytes()
