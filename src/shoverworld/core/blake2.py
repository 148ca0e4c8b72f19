# pyright: basic
# Numba infers the types of these functions.
"""BLAKE2b (RFC 7693) with a digest of 8 bytes, for modules that have no hashlib.

`digest` in hashing.py returns the same value. Browsers have no BLAKE2b, so the page computes state hashes with this
function.
"""

import numpy as np

from .jit import inner, rare

DIGEST = 8  # bytes in a digest
WORKSPACE = 40  # 64-bit words of scratch memory: 8 of state, 16 of the working vector, 16 of the message
_STATE, _VECTOR, _MESSAGE = 0, 8, 24
_BLOCK = 128  # bytes per block of the message
_ROUNDS = 12
_PARAMETERS = np.uint64(0x01010000 ^ DIGEST)  # fanout 1, depth 1, no key
_IV = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ],
    np.uint64,
)  # fmt: skip
_SIGMA = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ],
    np.uint8,
)  # fmt: skip


@inner
def _rotated(word, bits):
    return (word >> np.uint64(bits)) | (word << np.uint64(64 - bits))


@inner
def _mix(work, a, b, c, d, x, y):
    a, b, c, d = a + _VECTOR, b + _VECTOR, c + _VECTOR, d + _VECTOR
    work[a] = work[a] + work[b] + work[_MESSAGE + x]
    work[d] = _rotated(work[d] ^ work[a], 32)
    work[c] = work[c] + work[d]
    work[b] = _rotated(work[b] ^ work[c], 24)
    work[a] = work[a] + work[b] + work[_MESSAGE + y]
    work[d] = _rotated(work[d] ^ work[a], 16)
    work[c] = work[c] + work[d]
    work[b] = _rotated(work[b] ^ work[c], 63)


@rare
def _compress(work, count, is_last):
    """Mix a block of the message into the state. `count` is the number of bytes up to the end of this block."""
    for k in range(8):
        work[_VECTOR + k] = work[_STATE + k]
        work[_VECTOR + 8 + k] = _IV[k]
    work[_VECTOR + 12] ^= np.uint64(count)
    if is_last:
        work[_VECTOR + 14] = ~work[_VECTOR + 14]
    for k in range(_ROUNDS):
        order = _SIGMA[k % 10]
        for column in range(4):
            x, y = order[2 * column], order[2 * column + 1]
            _mix(work, column, column + 4, column + 8, column + 12, x, y)
        for column in range(4):
            x, y = order[8 + 2 * column], order[9 + 2 * column]
            _mix(work, column, (column + 1) % 4 + 4, (column + 2) % 4 + 8, (column + 3) % 4 + 12, x, y)
    for k in range(8):
        work[_STATE + k] ^= work[_VECTOR + k] ^ work[_VECTOR + 8 + k]


@rare
def write_digest(data, length, work, digest):
    """Write the digest of the first `length` bytes of `data` to `digest`. `work` is scratch memory, uint64 (WORKSPACE,)."""
    for k in range(8):
        work[_STATE + k] = _IV[k]
    work[_STATE] ^= _PARAMETERS
    start = 0
    while True:
        end = min(length, start + _BLOCK)
        for k in range(16):
            work[_MESSAGE + k] = 0
        for k in range(start, end):
            place = k - start
            work[_MESSAGE + place // 8] |= np.uint64(data[k]) << np.uint64(8 * (place % 8))
        _compress(work, end, end == length)
        if end == length:
            break
        start = end
    for k in range(DIGEST):
        digest[k] = (work[_STATE] >> np.uint64(8 * k)) & np.uint64(255)
