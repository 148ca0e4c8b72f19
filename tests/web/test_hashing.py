"""The compiled hash function gives the same hashes as hashlib."""

from hashlib import blake2b

import numpy as np
import pytest

from shoverworld.core.blake2 import DIGEST, WORKSPACE, write_digest
from shoverworld.core.jit import kernel


@kernel
def digest_of(data, work, digest):
    write_digest(data, len(data), work, digest)


@pytest.mark.parametrize("length", [0, 1, 7, 8, 63, 127, 128, 129, 255, 256, 257, 5000])
def test_the_compiled_blake2b_gives_the_same_hashes_as_hashlib(length):
    data = np.random.default_rng(length).integers(0, 256, length).astype(np.uint8)
    digest = np.zeros(DIGEST, np.uint8)
    digest_of(data, np.zeros(WORKSPACE, np.uint64), digest)
    assert digest.tobytes() == blake2b(data.tobytes(), digest_size=DIGEST).digest()
