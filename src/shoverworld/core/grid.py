# pyright: basic
# Numba infers the types of these functions; `both` and `inner` hide the types from pyright.
"""Directions, cells, hashing, random numbers and records for all grid games.

A board is a flat array with a frame one cell wide, so the rules never have to check whether a cell is on the map:

    frame  f f f f f       The framed board of a 2 x 3 map has width 5. Row 0, col 0 of the map is cell 6;
           f . . . f       + width is one row down, + 1 is one column to the right.
           f . . . f
           f f f f f
"""

from typing import Any

import numpy as np
from numba.extending import overload

from .jit import INLINED, both, inner

UP, RIGHT, DOWN, LEFT = range(4)
DIRECTIONS = ("up", "right", "down", "left")


@inner
def down(direction):
    """Return the row change for a step in a direction. Arithmetic on comparisons avoids a branch."""
    return int(direction == DOWN) - int(direction == UP)


@inner
def to_the_right(direction):
    """Return the column change for a step in a direction."""
    return int(direction == RIGHT) - int(direction == LEFT)


@inner
def ahead(direction, width):
    """Return the offset from a cell to its neighbour in a direction."""
    return down(direction) * width + to_the_right(direction)


def index(cell):
    """Convert a number, which must not be negative, to an array index.

    In compiled code, the index is unsigned. With a signed index, every access would first test whether the index counts
    from the end of the array, which would make a step 20% slower.
    """
    return cell


@overload(index, jit_options=INLINED)
def _compile_index(cell):
    return lambda cell: np.uint64(cell)


@both
def cell_at(row, col, width):
    """Return the index of the map cell (row, col) in the framed board."""
    return (row + 1) * width + col + 1


@both
def row_of(cell, width):
    return cell // width - 1


@both
def col_of(cell, width):
    return cell % width - 1


def framed(grid: np.ndarray, frame: int) -> np.ndarray:
    """Return a map as a flat board with a frame around it."""
    return np.pad(grid, 1, constant_values=frame).reshape(-1)


# --- Hashing: the key of a board is the XOR of one hash per object (Zobrist hashing), so after a move,
# the key is updated only for the objects that have moved.

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@inner
def scatter(number, salt):
    """Return a 64-bit hash of a number and a salt, computed with the mixing steps of splitmix64."""
    mixed = (np.uint64(number) << np.uint64(4)) + np.uint64(salt + 1) * _GOLDEN
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
    return mixed ^ (mixed >> np.uint64(31))


# --- Random numbers: the generator is sfc32 (small fast counting generator). It calculates with 64-bit integers, so that
# compiled code and plain Python draw the same numbers, and so do single and batched environments.

RNG: list[Any] = [("a", np.uint32), ("b", np.uint32), ("c", np.uint32), ("rolls", np.uint32)]
_32_BITS = 0xFFFFFFFF


def seed_rng(rng: Any, seed: int | None) -> None:
    """Seed a game's random number generator. If the seed is None, use entropy from the operating system."""
    a, b, c = np.random.SeedSequence(seed).generate_state(3)
    rng["a"], rng["b"], rng["c"], rng["rolls"] = a, b, c, 1


@inner
def roll(rng, sides):
    """Return a random integer from 0 to sides - 1. `rng` is any record with the RNG fields."""
    a, b, c, rolls = np.int64(rng.a), np.int64(rng.b), np.int64(rng.c), np.int64(rng.rolls)
    t = (a + b + rolls) & _32_BITS
    rng.rolls = (rolls + 1) & _32_BITS
    rng.a = b ^ (b >> 9)
    rng.b = (c + (c << 3)) & _32_BITS
    rng.c = (((c << 21) & _32_BITS | (c >> 11)) + t) & _32_BITS
    return (t * sides) >> 32


# --- Records: a state is a NamedTuple of arrays with one row for each game. Some of these arrays hold records.


def record_type(fields: list[Any]) -> np.dtype:
    """Return a record type with these fields. Kernels can read a field as `record.field`."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


def copy_arrays(source: tuple[np.ndarray, ...], target: tuple[np.ndarray, ...]) -> None:
    """Copy arrays into arrays of the same types and shapes.

    The arrays are copied as bytes because NumPy would copy records field by field, which is slower.
    """
    for mine, theirs in zip(source, target, strict=True):
        theirs.view(np.uint8)[...] = mine.view(np.uint8)


def copy_of(array: np.ndarray) -> np.ndarray:
    """Return a bytewise copy of an array."""
    new = np.empty_like(array)
    copy_arrays((array,), (new,))
    return new
