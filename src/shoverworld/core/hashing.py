# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# `canonical_bytes` accepts values of any type.
"""State hashes, and the numbers of a game's record. Equal games have equal hashes on every machine."""

import struct
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any

import numpy as np


def digest(data: bytes) -> str:
    """16 hexadecimal digits."""
    return blake2b(data, digest_size=8).hexdigest()


def game_numbers(state: Any, i: int = 0) -> dict[str, Any]:
    """The record of game i as plain Python numbers. One call is much faster than reading field after field."""
    return dict(zip(state.game.dtype.names, state.game[i].item(), strict=True))


def packed(*numbers: int) -> bytes:
    """Integers as 64 bits each, signed, little-endian."""
    return struct.pack(f"<{len(numbers)}q", *numbers)


def canonical_bytes(value: Any) -> bytes:
    """Bytes that are equal for equal values: numbers, strings, arrays, and tuples, lists, dicts and dataclasses of these."""
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
