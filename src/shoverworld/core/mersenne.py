# pyright: basic
# Numba infers the types of the functions that are compiled.
"""The random numbers of Python's `random.Random`, for kernels: the Mersenne Twister MT19937.

The state is an int64 array of STATE numbers. Python code copies it from `random.Random` (`state_of`); modules, which
have no Python, compute it with `seed_from_text`.
"""

import random
from typing import Any

import numpy as np

from .jit import inner, rare
from .sha512 import DIGEST, append_digest

WORDS = 624
STATE = WORDS + 1  # the words, and the index of the next word
_32_BITS = 0xFFFFFFFF


def state_of(rng: random.Random) -> Any:
    """Return the state of a random number generator as an array for kernels."""
    return np.array(rng.getstate()[1], np.int64)


@inner
def next_random(state):
    """Return the next random number, at least 0 and less than 1, as `random()` does."""
    high, low = _next_word(state) >> 5, _next_word(state) >> 6
    return (high * 67108864.0 + low) / 9007199254740992.0


@rare
def _next_word(state):
    if state[WORDS] >= WORDS:
        _twist(state)
    word = state[state[WORDS]]
    state[WORDS] += 1
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)


@rare
def _twist(state):
    """Compute the next 624 words."""
    for k in range(WORDS):
        word = (state[k] & 0x80000000) | (state[(k + 1) % WORDS] & 0x7FFFFFFF)
        state[k] = state[(k + 397) % WORDS] ^ (word >> 1) ^ (0x9908B0DF if word & 1 else 0)
    state[WORDS] = 0


@rare
def seed_from_text(state, text, length, workspace):
    """Seed the generator as `random.seed` does with a string: the first `length` bytes of `text`.

    There must be room for DIGEST bytes after the text. `workspace` is scratch memory for sha512.py.
    """
    append_digest(text, length, workspace)
    size = length + DIGEST
    count = (size + 3) // 4  # the seed is the integer with these bytes, in words of 32 bits
    state[0] = 19650218
    for k in range(1, WORDS):
        state[k] = (1812433253 * _folded(state[k - 1]) + k) & _32_BITS
    place, word = 1, 0
    for _ in range(max(WORDS, count)):
        mixed = state[place] ^ (_folded(state[place - 1]) * 1664525)
        state[place] = (mixed + _word_of(text, size, word) + word) & _32_BITS
        place, word = _next_place(state, place), (word + 1) % count
    for _ in range(WORDS - 1):
        mixed = state[place] ^ (_folded(state[place - 1]) * 1566083941)
        state[place] = (mixed - place) & _32_BITS
        place = _next_place(state, place)
    state[0] = 0x80000000
    state[WORDS] = WORDS


@inner
def _folded(word):
    return word ^ (word >> 30)


@inner
def _next_place(state, place):
    if place + 1 < WORDS:
        return place + 1
    state[0] = state[WORDS - 1]
    return 1


@inner
def _word_of(text, size, word):
    """Return word `word` of the integer with these bytes. Its lowest word consists of the last four bytes."""
    value = 0
    for k in range(size - 4 * word - 4, size - 4 * word):
        value = (value << 8) | (int(text[k]) if k >= 0 else 0)
    return value
