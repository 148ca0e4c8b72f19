"""Observations that a kernel writes, such as pictures: one array for all games of a batch."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from .jit import resolve


class Painter:
    """A painter that writes the observations of games into arrays.

    `write` is a kernel with the arguments (state, first, last, *looks, shown). It writes the observations of the games
    in `range(first, last)` into the rows of `shown`, which have the given shape.
    """

    def __init__(self, write: Any, state: Any, looks: tuple[Any, ...], shape: tuple[int, ...], dtype: DTypeLike):
        self.shape, self.dtype, self._looks = shape, dtype, looks
        self._write = resolve(write, state, 0, 1, *looks, self.blank(1))

    def blank(self, games: int) -> np.ndarray:
        """Return an array for the observations of this many games. Its content is undefined."""
        return np.empty((games, *self.shape), self.dtype)

    def paint(self, first: int, last: int, state: Any, shown: np.ndarray) -> None:
        """Write the observations of the games in `range(first, last)`."""
        self._write(state, first, last, *self._looks, shown)

    def paint_one(self, state: Any) -> np.ndarray:
        """Return the observation of the first game as a new array."""
        shown = self.blank(1)
        self.paint(0, 1, state, shown)
        return shown[0]
