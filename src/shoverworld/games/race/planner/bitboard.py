"""A track as a bitboard: one bit per cell, 64 cells per word.

A single shift of the bits applies a move by (dx, dy) to all cells at once. The board is cropped to the track. Each
row is followed by as many cells off the track as the fastest car can cross in one move, so that no shift carries a car
from one row into the next.

The maximum speed is exact: to reach speed v in one direction, a car must pass through the speeds 1, 2, …, v, which
takes v (v + 1) / 2 cells, and the size of the track limits the number of cells.
"""

from typing import NamedTuple

import numpy as np

from ..codes import FINISH, OFF


class TrackBitboard(NamedTuple):
    """A cropped track as bits, with the rules that determine which moves are legal."""

    pitch: int  # bits from a cell to the cell below it
    fast_x: int  # the maximum horizontal speed
    fast_y: int  # the maximum vertical speed
    words: int
    margin: int  # empty words before the first and after the last cell; only `track` and `finish` have them
    track: np.ndarray  # uint64 (words + 2 margins,)
    finish: np.ndarray  # uint64 (words + 2 margins,)
    left: int  # the cell (x, y) of the track is bit (y - top) * pitch + x - left
    top: int
    line: int  # index of the line rule in LINES
    cross: bool  # whether crossing a finish cell is enough to finish

    @property
    def velocities(self) -> int:
        return (2 * self.fast_x + 1) * (2 * self.fast_y + 1)

    def bit(self, x: int, y: int) -> int:
        return (y - self.top) * self.pitch + x - self.left

    def cell(self, bit: int) -> tuple[int, int]:
        return bit % self.pitch + self.left, bit // self.pitch + self.top

    def velocity(self, dx: int, dy: int) -> int:
        """Return the number that stands for this velocity."""
        return (dy + self.fast_y) * (2 * self.fast_x + 1) + dx + self.fast_x

    def speeds(self, velocity: int) -> tuple[int, int]:
        """Return the velocity (dx, dy) with this number."""
        wide = 2 * self.fast_x + 1
        return velocity % wide - self.fast_x, velocity // wide - self.fast_y


def build_bitboard(cells: np.ndarray, line: int, cross: bool, velocity: tuple[int, int] = (0, 0)) -> TrackBitboard:
    """Build the bitboard of a track (rows, cols), for cars that start at rest or with this velocity."""
    rows, cols = np.nonzero(cells != OFF)
    top, left = int(rows.min()), int(cols.min())
    inside = cells[top : rows.max() + 1, left : cols.max() + 1]
    height, width = inside.shape
    fast_x, fast_y = (greatest_speed(side - 1, abs(v)) for side, v in zip((width, height), velocity, strict=True))
    pitch = width + fast_x
    margin = (fast_y * pitch + fast_x) // 64 + 2
    words = (height * pitch + 63) // 64
    return TrackBitboard(
        pitch, fast_x, fast_y, words, margin, _bits(inside != OFF, pitch, words, margin),
        _bits(inside == FINISH, pitch, words, margin), left, top, line, cross,
    )  # fmt: skip


def greatest_speed(room: int, speed: int = 0) -> int:
    """Return the maximum speed in one direction that a car with this speed can reach within `room` cells."""
    while room > speed:
        speed += 1
        room -= speed
    return speed


def _bits(cells: np.ndarray, pitch: int, words: int, margin: int) -> np.ndarray:
    height, width = cells.shape
    flat = np.zeros(words * 64, np.uint8)
    flat[: height * pitch].reshape(height, pitch)[:, :width] = cells
    bits = np.zeros(words + 2 * margin, np.uint64)
    bits[margin : margin + words] = np.packbits(flat, bitorder="little").view("<u8")
    return bits
