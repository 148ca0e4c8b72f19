"""The hash of a game of Sokoban. It is the same on every machine, for one game and for a row of a batch.

It leaves out the random numbers, and the place of the level among the stored levels. It includes what the last step did.
"""

from shoverworld.core.hashing import digest, game_numbers, packed

from .state import SokobanState

NAMES = (
    "player", "second", "steps", "boxes", "on_target", "moves", "pushes", "pulls", "last_action", "outcome",
    "valid", "pushed", "pulled", "change",
)  # fmt: skip


def state_hash(state: SokobanState, i: int = 0) -> str:
    """16 hexadecimal digits for game i."""
    return digest(canonical(state, i))


def canonical(state: SokobanState, i: int = 0) -> bytes:
    """The relevant content of game i as bytes: 64-bit integers, and the planes row by row."""
    game = game_numbers(state, i)
    numbers = packed(*state.size, state.players, *(game[name] for name in NAMES))
    return b"sokoban 1\n" + numbers + state.planes[i].tobytes()
