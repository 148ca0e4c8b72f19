"""Seeds derived from a secret. A seed depends on what it is for, and never on the order in which games are played."""

from hashlib import blake2b

BITS = 63  # every program that reads a replay can store such an integer


def derived_seed(secret: str, *parts: object) -> int:
    """Return the seed for these parts. Without the secret, it cannot be predicted."""
    text = b"".join(len(part).to_bytes(8, "big") + part for part in (str(part).encode() for part in (secret, *parts)))
    return int.from_bytes(blake2b(text, digest_size=8, person=b"shover exam").digest(), "big") >> (64 - BITS)
