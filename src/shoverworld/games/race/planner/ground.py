"""A track as bits, one a cell, 64 cells a word.

A move by (dx, dy) is then a shift of all cells at once. Rows are cropped to where there is track, and between two rows lie as
many cells off the track as the fastest car can jump: no shift gets from one row into the next.

How fast a car can be: to have the speed v in one direction it must have had 1, 2, …, v one after the other, which takes
v (v + 1) / 2 cells, and the track has only so many. That is exact, not a guess.
"""

from typing import NamedTuple

import numpy as np

from ..codes import FINISH, OFF


class Ground(NamedTuple):
    pitch: int  # from a cell to the one below it
    fast_x: int  # the greatest speed
    fast_y: int
    words: int
    margin: int  # words without track before the first cell, in `track` and `finish` only
    track: np.ndarray  # uint64 (words + 2 margins,)
    finish: np.ndarray  # uint64, the same for the finish cells
    left: int  # the cell (x, y) of the track is bit (y - top) * pitch + x - left
    top: int
    line: int  # the number of the line rule, see gates.py
    cross: bool  # whether a finish cell on the line is enough

    @property
    def velocities(self) -> int:
        return (2 * self.fast_x + 1) * (2 * self.fast_y + 1)

    def bit(self, x: int, y: int) -> int:
        return (y - self.top) * self.pitch + x - self.left

    def cell(self, bit: int) -> tuple[int, int]:
        return bit % self.pitch + self.left, bit // self.pitch + self.top

    def velocity(self, dx: int, dy: int) -> int:
        """The number of a velocity."""
        return (dy + self.fast_y) * (2 * self.fast_x + 1) + dx + self.fast_x

    def speeds(self, velocity: int) -> tuple[int, int]:
        wide = 2 * self.fast_x + 1
        return velocity % wide - self.fast_x, velocity // wide - self.fast_y


def survey(cells: np.ndarray, line: int, cross: bool, velocity: tuple[int, int] = (0, 0)) -> Ground:
    """The ground of a track (rows, cols), for cars at rest and for one with this velocity."""
    rows, cols = np.nonzero(cells != OFF)
    top, left = int(rows.min()), int(cols.min())
    inside = cells[top : rows.max() + 1, left : cols.max() + 1]
    height, width = inside.shape
    fast_x, fast_y = (greatest_speed(side - 1, abs(v)) for side, v in zip((width, height), velocity, strict=True))
    pitch = width + fast_x
    margin = (fast_y * pitch + fast_x) // 64 + 2
    words = (height * pitch + 63) // 64
    return Ground(
        pitch, fast_x, fast_y, words, margin, _bits(inside != OFF, pitch, words, margin),
        _bits(inside == FINISH, pitch, words, margin), left, top, line, cross,
    )  # fmt: skip


def greatest_speed(room: int, speed: int = 0) -> int:
    """Of a car that has `speed` already, in one direction, with so many cells to move over."""
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
