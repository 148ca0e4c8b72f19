"""3 x 3 patterns of the board. Every pattern is seen from the four directions of a push, and mirrored."""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from .. import rules as rulebook
from ..state import BARRIER, EMPTY

MARGIN = 5  # patterns may be centred up to four cells beyond the frame
EMPTY_CODE, BOX_CODE, BARRIER_CODE, LAVA_CODE = range(4)


class Patches(NamedTuple):
    """The patterns of one board, on a copy of the board with a margin."""

    codes: np.ndarray  # int32 (cells with margin,): the content of each cell in two bits
    patterns: np.ndarray  # int32 (8, cells with margin): the pattern around each cell: 2 * direction + mirrored
    offsets: np.ndarray  # int64 (8, 9): the cells of a pattern relative to its centre


def new_patches(rows: int, cols: int) -> Patches:
    wide, high = cols + 2 + 2 * MARGIN, rows + 2 + 2 * MARGIN
    steps = (-wide, 1, wide, -1)  # up, right, down, left
    offsets = np.zeros((4, 2, 3, 3), np.int64)
    for direction in range(4):
        for forward in range(3):
            for side in range(3):
                ahead, aside = (forward - 1) * steps[direction], (side - 1) * steps[(direction + 1) % 4]
                offsets[direction, :, forward, side] = ahead + aside, ahead - aside
    return Patches(np.zeros(wide * high, np.int32), np.zeros((8, wide * high), np.int32), offsets.reshape(8, 9))


@inner
def code_of(content):
    """Return the content of a cell as a number from 0 to 3. Strength marks have no effect."""
    if content == EMPTY:
        return EMPTY_CODE
    if rulebook.is_box(content):
        return BOX_CODE
    return BARRIER_CODE if content == BARRIER else LAVA_CODE


@rare
def write_patches(board, width, patches):
    """Write the patterns of a board. The frame continues into the margin."""
    codes, patterns, offsets = patches.codes, patches.patterns, patches.offsets
    wide, high = width + 2 * MARGIN, len(board) // width
    for row in range(high + 2 * MARGIN):
        source = min(max(row - MARGIN, 0), high - 1) * width
        for col in range(wide):
            codes[row * wide + col] = code_of(board[source + min(max(col - MARGIN, 0), width - 1)])
    first, last = wide + 1, len(codes) - wide - 1
    for view in range(8):
        pattern = patterns[view]
        for cell in range(first, last):
            pattern[cell] = codes[cell + offsets[view, 0]]
        for place in range(1, 9):
            offset = offsets[view, place]
            for cell in range(first, last):
                pattern[cell] |= codes[cell + offset] << (2 * place)


@inner
def with_margin(cell, width):
    """Return the index of a cell of the framed board in the board with a margin."""
    return (cell // width + MARGIN) * (width + 2 * MARGIN) + cell % width + MARGIN


@inner
def symmetric_pattern(patches, cell, direction):
    """Return the pattern around a cell. A pattern and its mirror image give the same number."""
    return np.int64(min(patches.patterns[2 * direction, cell], patches.patterns[2 * direction + 1, cell]))
