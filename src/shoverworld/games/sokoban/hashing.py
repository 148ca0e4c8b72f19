"""The hash of a game of Sokoban: the same on every machine, for one game and for a row of a batch.

Left out: the dice, and from where among the stored levels the room was taken. What the last step did is left in.
"""

import struct
from hashlib import blake2b
from typing import Any

from .state import GAME, SokobanState

NAMES = (
    "player", "second", "steps", "boxes", "on_target", "moves", "pushes", "pulls", "last_action", "outcome",
    "valid", "pushed", "pulled", "change",
)  # fmt: skip


def game_numbers(state: SokobanState, i: int = 0) -> dict[str, Any]:
    """The fields of game i as plain Python numbers: much quicker than asking the record for one after the other."""
    return dict(zip(GAME.names or (), state.game[i].item(), strict=True))


def state_hash(state: SokobanState, i: int = 0) -> str:
    """16 hexadecimal digits for game i."""
    return blake2b(canonical(state, i), digest_size=8).hexdigest()


def canonical(state: SokobanState, i: int = 0) -> bytes:
    """All that matters in game i, as bytes: whole numbers of 64 bits, and the planes row by row."""
    game = game_numbers(state, i)
    numbers = [*state.size, state.players, *(game[name] for name in NAMES)]
    return b"sokoban 1\n" + struct.pack(f"<{len(numbers)}q", *numbers) + state.planes[i].tobytes()
