"""Check many boards at once: boards of the same size form one array, so a 28 MB file takes seconds, not minutes.

`sound_boards` accepts only boards that are certainly valid. `Level` itself checks all others and explains what is
wrong.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from .levels import (
    BOX,
    BOX_ON_TARGET,
    FLOOR,
    LARGEST_SIDE,
    PLAYER,
    PLAYER_ON_TARGET,
    SMALLEST_SIDE,
    TARGET,
    WALL,
    SoundBoard,
)

_MOST_SWEEPS = 64  # a board that needs more sweeps for its flood fill, such as a spiral, is left to `Level`
_KNOWN, _WALL, _TARGET, _BOX, _PLAYER = 1, 2, 4, 8, 16
_BITS = np.zeros(256, np.uint8)  # the meaning of each XSB character
for _characters, _bit in (
    (WALL + FLOOR + TARGET + BOX + BOX_ON_TARGET + PLAYER + PLAYER_ON_TARGET, _KNOWN),
    (WALL, _WALL),
    (TARGET + BOX_ON_TARGET + PLAYER_ON_TARGET, _TARGET),
    (BOX + BOX_ON_TARGET, _BOX),
    (PLAYER + PLAYER_ON_TARGET, _PLAYER),
):
    _BITS[list(_characters.encode())] |= _bit


def sound_boards(boards: Sequence[list[str] | None]) -> list[SoundBoard | None]:
    """Convert boards from rows of XSB characters to arrays. A board that needs a closer look becomes None."""
    found: list[SoundBoard | None] = [None] * len(boards)
    sizes: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for place, rows in enumerate(boards):
        if rows and SMALLEST_SIDE <= len(rows) <= LARGEST_SIDE:
            width = max(map(len, rows))
            if SMALLEST_SIDE <= width <= LARGEST_SIDE:
                sizes[len(rows), width].append(place)
    for (height, width), places in sizes.items():
        text = "".join([row.ljust(width) for place in places for row in boards[place] or ()])
        letters = np.frombuffer(text.encode("ascii", "replace"), np.uint8).reshape(-1, height, width)
        for place, board in zip(places, _checked(_BITS[letters]), strict=True):
            found[place] = board
    return found


def _checked(bits: np.ndarray) -> list[SoundBoard | None]:
    """Check boards of one size, given as bits (boards, rows, cols). A board that needs a closer look becomes None."""
    walls, targets, boxes, players = ((bits & bit) != 0 for bit in (_WALL, _TARGET, _BOX, _PLAYER))
    counts = players.sum(axis=(1, 2))
    outside, settled = _outside(walls)
    sound = settled & (bits != 0).all(axis=(1, 2)) & (counts >= 1) & (counts <= 2) & boxes.any(axis=(1, 2))
    sound &= boxes.sum(axis=(1, 2)) == targets.sum(axis=(1, 2))
    sound &= ~((targets | boxes | players) & outside).any(axis=(1, 2))
    walls |= outside
    targets, boxes = targets.astype(np.uint8), boxes.astype(np.uint8)
    _, rows, cols = np.nonzero(players)
    cells = list(zip(rows.tolist(), cols.tolist(), strict=True))
    ends = np.cumsum(counts).tolist()
    return [
        SoundBoard(walls[i].copy(), targets[i].copy(), boxes[i].copy(), tuple(cells[end - count : end]))
        if good
        else None
        for i, (good, count, end) in enumerate(zip(sound.tolist(), counts.tolist(), ends, strict=True))
    ]


def _outside(walls: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the cells open to the outside, and for each board whether all of these cells were found."""
    outside = np.zeros_like(walls)
    settled = np.ones(len(walls), np.bool_)
    border = walls[:, 0].all(1) & walls[:, -1].all(1) & walls[:, :, 0].all(1) & walls[:, :, -1].all(1)
    todo = np.flatnonzero(~border)
    # With a frame of open cells around the board, the cells reached from the frame are those open to the outside.
    free = np.pad(~walls[todo], ((0, 0), (1, 1), (1, 1)))
    reached = np.ones_like(free)
    reached[:, 1:-1, 1:-1] = False
    for _ in range(_MOST_SWEEPS):
        inner = reached[:, :-2, 1:-1] | reached[:, 2:, 1:-1] | reached[:, 1:-1, :-2] | reached[:, 1:-1, 2:]
        inner &= free[:, 1:-1, 1:-1]
        inner |= reached[:, 1:-1, 1:-1]
        grown = (inner != reached[:, 1:-1, 1:-1]).any(axis=(1, 2))
        outside[todo] = inner
        if not grown.any():
            return outside, settled
        todo, free, reached, inner = todo[grown], free[grown], reached[grown], inner[grown]
        reached[:, 1:-1, 1:-1] = inner
    settled[todo] = False
    return outside, settled
