# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Random tracks in a WebAssembly module: the same tracks from the same seeds as `levels.random` gives."""

import numpy as np

from shoverworld.core.blocks import shaped
from shoverworld.core.jit import inner, rare
from shoverworld.core.mersenne import seed_from_text
from shoverworld.core.web import SEED_WORDS, write_bytes

from .generate import FOUND, SEED_TITLE, WIDEST, TrackSettings, TrackWorkspace, is_loop, least_side, write_track
from .web_block import BLOCK, col_count, row_count
from .zombie import FramedTrack

_seed, _start, _level, _rng, _text, _seed_words, _hash_words = (
    BLOCK[name] for name in ("seed", "start", "level", "rng", "seed_text", "seed_words", "text_workspace")
)
_side, _corners, _line, _points, _along, _radius, _nearest, _cut = (
    BLOCK[name] for name in ("side", "corners", "line", "points", "along", "radius", "nearest", "cut")
)
_framed_level, _framed_distance, _queue, _neighbours = (
    BLOCK[name] for name in ("framed_level", "framed_distance", "queue", "neighbours")
)
_TITLE = np.frombuffer(SEED_TITLE.encode(), np.uint8)
_ZERO = ord("0")


@inner
def framed_of(block):
    """Return the memory for `spread_from_finish`."""
    return FramedTrack(_framed_level(block), _framed_distance(block), _queue(block), _neighbours(block))


@inner
def generate_level(block):
    """Write a random track to `level`. Return whether there is one."""
    rows, cols, start = row_count(block), col_count(block), _start(block)[0]
    closed = is_loop(_seed(block)[0]) if start.closed < 0 else start.closed > 0
    settings = TrackSettings(closed, rows, cols, int(start.width), start.twist)
    if not (1 <= settings.width <= WIDEST and 0 <= settings.twist <= 1):
        return False
    if min(rows, cols) < least_side(settings.width):
        return False
    length = write_seed_text(_seed(block), _seed_words(block), _text(block))
    seed_from_text(_rng(block), _text(block), length, _hash_words(block))
    corners, line, points = _corners(block), _line(block), _points(block)
    work = TrackWorkspace(
        _side(block),
        shaped(corners, (len(corners) // 2, 2)),
        shaped(line, (len(line) // 2, 2)),
        shaped(points, (len(points) // 2, 2)),
        _along(block),
        _radius(block),
        _nearest(block),
        _cut(block),
        framed_of(block),
    )
    return write_track(_rng(block), settings, work, _level(block)) == FOUND


@rare
def write_seed_text(seed, words, text):
    """Write the text from which `random_track` seeds its random numbers. Return its length.

    The seed is an integer in words of 32 bits, lowest first. `words` is scratch memory for as many integers.
    """
    for k in range(SEED_WORDS):
        words[k] = seed[k]
    first = write_bytes(text, 0, _TITLE)
    length = first
    while True:  # the digits, lowest first
        rest = 0
        for k in range(SEED_WORDS - 1, -1, -1):
            value = (rest << 32) + words[k]
            words[k], rest = value // 10, value % 10
        text[length] = _ZERO + rest
        length += 1
        left = 0
        for k in range(SEED_WORDS):
            left |= words[k]
        if left == 0:
            break
    for k in range((length - first) // 2):
        other = length - 1 - k
        text[first + k], text[other] = text[other], text[first + k]
    return length
