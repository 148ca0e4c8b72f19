"""Directions, cells and dice: the small change of every grid game.

A board is stored flat inside a frame one cell wide, so that no rule has to ask whether a cell is on the map:

    frame  f f f f f       row 0, col 0 of a 2 x 3 map is cell 6 of the framed board, whose width is 5;
           f . . . f       one row down is + width, one column to the right is + 1
           f . . . f
           f f f f f
"""

from typing import Any

import numpy as np

from .jit import both, inner

UP, RIGHT, DOWN, LEFT = range(4)
DIRECTIONS = ("up", "right", "down", "left")


@inner
def down(direction):
    """How many rows a direction goes down. (A sum of truths: the processor has nothing to guess.)"""
    return int(direction == DOWN) - int(direction == UP)


@inner
def to_the_right(direction):
    return int(direction == RIGHT) - int(direction == LEFT)


@inner
def ahead(direction, width):
    """What to add to a cell to go one cell in this direction."""
    return down(direction) * width + to_the_right(direction)


@both
def cell_at(row, col, width):
    """The cell of the framed board at (row, col) of the map."""
    return (row + 1) * width + col + 1


@both
def row_of(cell, width):
    return cell // width - 1


@both
def col_of(cell, width):
    return cell % width - 1


def framed(grid: np.ndarray, frame: int) -> np.ndarray:
    """The flat board of a map, with its frame."""
    return np.pad(grid, 1, constant_values=frame).reshape(-1)


# --- Hashing. A board's key is the exclusive or of one scattered number for each thing on it, so that a move changes
# the key by the things it moved.

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@inner
def scatter(number, salt):
    """64 bits that look random but depend on nothing than number and salt: the mixing steps of splitmix64."""
    mixed = (np.uint64(number) << np.uint64(4)) + np.uint64(salt + 1) * _GOLDEN
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
    return mixed ^ (mixed >> np.uint64(31))


# --- Dice: sfc32 (small fast counting generator). Only 32-bit additions and shifts, held in 64-bit integers, so that
# compiled and plain Python, one game and a thousand, all roll the same.

RNG: list[Any] = [("a", np.int64), ("b", np.int64), ("c", np.int64), ("rolls", np.int64)]
_32_BITS = 0xFFFFFFFF


def seed_rng(rng: Any, seed: int | None) -> None:
    """Start a game's dice from a seed (None: from the operating system)."""
    a, b, c = np.random.SeedSequence(seed).generate_state(3)
    rng["a"], rng["b"], rng["c"], rng["rolls"] = a, b, c, 1


@inner
def roll(rng, sides):
    """A number from 0 to sides - 1; `dice` is any record with the DICE fields."""
    t = (rng.a + rng.b + rng.rolls) & _32_BITS
    rng.rolls = (rng.rolls + 1) & _32_BITS
    rng.a = rng.b ^ (rng.b >> 9)
    rng.b = (rng.c + (rng.c << 3)) & _32_BITS
    rng.c = (((rng.c << 21) & _32_BITS | (rng.c >> 11)) + t) & _32_BITS
    return (t * sides) >> 32
