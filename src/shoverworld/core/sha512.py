# pyright: basic
# Numba infers the types of the functions that are compiled.
"""SHA-512 (FIPS 180-4) of short texts, for modules without hashlib. mersenne.py needs it: Python's `random` hashes seeds."""

from math import isqrt

import numpy as np

from .jit import inner, rare

DIGEST = 64  # bytes in a digest
LONGEST = 111  # bytes in a text that fits in one block
WORKSPACE = 80  # 64-bit words of scratch memory
_64_BITS = (1 << 64) - 1


def _cube_root(number: int) -> int:
    """Return the cube root of a number, rounded down."""
    low, high = 0, 1 << (number.bit_length() // 3 + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**3 <= number else (low, middle - 1)
    return low


_PRIMES = [number for number in range(2, 410) if all(number % divisor for divisor in range(2, isqrt(number) + 1))]
# The first 64 bits of the fractional parts of the square roots of 8 primes and of the cube roots of 80 primes.
_START = np.array([isqrt(prime << 128) & _64_BITS for prime in _PRIMES[:8]], np.uint64)
_ROUND = np.array([_cube_root(prime << 192) & _64_BITS for prime in _PRIMES[:80]], np.uint64)


@inner
def _rotated(word, bits):
    return (word >> np.uint64(bits)) | (word << np.uint64(64 - bits))


@rare
def append_digest(text, length, words):
    """Write the digest of the first `length` bytes of `text`, at most LONGEST, after these bytes.

    `words` is scratch memory, uint64 (WORKSPACE,).
    """
    for k in range(16):
        words[k] = 0
    for k in range(length + 1):
        byte = np.uint64(text[k]) if k < length else np.uint64(0x80)
        words[k // 8] |= byte << np.uint64(56 - 8 * (k % 8))
    words[15] = np.uint64(8 * length)
    for k in range(16, 80):
        early, late = words[k - 15], words[k - 2]
        mixed = _rotated(early, 1) ^ _rotated(early, 8) ^ (early >> np.uint64(7))
        more = _rotated(late, 19) ^ _rotated(late, 61) ^ (late >> np.uint64(6))
        words[k] = words[k - 16] + mixed + words[k - 7] + more
    a, b, c, d = _START[0], _START[1], _START[2], _START[3]
    e, f, g, h = _START[4], _START[5], _START[6], _START[7]
    for k in range(80):
        first = h + (_rotated(e, 14) ^ _rotated(e, 18) ^ _rotated(e, 41)) + ((e & f) ^ (~e & g)) + _ROUND[k] + words[k]
        second = (_rotated(a, 28) ^ _rotated(a, 34) ^ _rotated(a, 39)) + ((a & b) ^ (a & c) ^ (b & c))
        h, g, f, e, d, c, b, a = g, f, e, d + first, c, b, a, first + second
    words[0], words[1], words[2], words[3] = a, b, c, d
    words[4], words[5], words[6], words[7] = e, f, g, h
    for k in range(DIGEST):
        word = words[k // 8] + _START[k // 8]
        text[length + k] = (word >> np.uint64(56 - 8 * (k % 8))) & np.uint64(255)
