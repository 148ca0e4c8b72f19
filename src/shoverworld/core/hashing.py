# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# `canonical_bytes` accepts values of any type.
"""State hashes, and access to the numbers in a game's record. Equal states have equal hashes on every machine."""

import struct
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any

import numpy as np


def digest(data: bytes) -> str:
    """Return a hash of the data as 16 hexadecimal digits."""
    return blake2b(data, digest_size=8).hexdigest()


def game_numbers(state: Any, i: int = 0) -> dict[str, Any]:
    """Return the record of game i as a dict of Python numbers. Reading the fields one by one is much slower."""
    return dict(zip(state.game.dtype.names, state.game[i].item(), strict=True))


def packed(*numbers: int) -> bytes:
    """Return the integers as bytes, each as a signed 64-bit little-endian number."""
    return struct.pack(f"<{len(numbers)}q", *numbers)


def canonical_bytes(value: Any) -> bytes:
    """Return bytes that are equal for equal values.

    A value may be a number, a string, an array, or a tuple, list, set, dict or dataclass that contains such values.
    """
    if isinstance(value, np.ndarray):
        little = value.astype(value.dtype.newbyteorder("<"), copy=False)
        return f"{little.dtype.str}{value.shape}".encode() + little.tobytes()
    if is_dataclass(value) and not isinstance(value, type):
        value = tuple(getattr(value, field.name) for field in fields(value))
    if isinstance(value, dict):
        value = sorted(value.items())
    if isinstance(value, set | frozenset):
        value = sorted(value)
    if isinstance(value, tuple | list):
        parts = [canonical_bytes(part) for part in value]
        return b"".join(f"{len(part)}:".encode() + part for part in parts)
    return repr(value.item() if isinstance(value, np.generic) else value).encode()
