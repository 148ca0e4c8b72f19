"""The arrays that a batched environment returns from a step.

If the user wants copies, the kernel copies the rows of a share of the games as soon as it has played them, while they
are still in the processor's cache. A copy that the user has released is reused, because allocating new memory is slow.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .atomics import copy_bytes
from .caller_arrays import parts_of
from .jit import inner, kernel
from .results import PLAYING, Results

MOST_SPARE = 8  # the number of copies that are kept for later use

Spans = NDArray[np.int64]  # (arrays, 3): the addresses of an array and of its copy, and the number of bytes in a row


class Snapshot:
    """An observation and an info dict whose arrays belong together.

    `state`, `buffers` and `results` hold the arrays of the engine or copies of them. `spans` tells the kernel what to
    copy.
    """

    def __init__(self, state: Any, buffers: Any, results: Results):
        self.state, self.buffers, self.results = state, buffers, results
        self.spans: Spans = np.zeros((0, 3), np.int64)
        self.observation: Any = None
        self.info: dict[str, Any] = {}
        self.words = np.full(len(results.reward), None, object)  # the outcome of each game in one word
        self.flags = results[:3]  # rewards, terminated, truncated
        self.has_outcomes = False
        self.has_parts = False  # whether the observation is a dict
        self._ended = np.zeros(0, np.int64)  # indices of the games with an outcome
        self._watched: tuple[np.ndarray, ...] = ()
        self._idle = 0

    def show(self, observation: Any, info: dict[str, np.ndarray], mask: NDArray[np.bool_]) -> None:
        """Set the observation and the info dict that the user gets.

        The info dict is in Gymnasium's layout: `_key` marks the games with a value.
        """
        self.observation, self.has_parts = observation, isinstance(observation, dict)
        self.info = masked({**info, "outcome": self.words}, mask)
        self.watch(parts_of(observation))
        self.watch([*info.values(), self.words])

    def watch(self, arrays: Iterable[np.ndarray]) -> None:
        """Add arrays that the user may hold to those that `is_idle` checks."""
        known = {id(array): array for array in (*self._watched, *arrays)}
        self._watched = tuple(known.values())

    def settle(self) -> None:
        """Count the references to the arrays while the user holds none."""
        self._idle = self._references()

    def note_outcomes(self, outcome: NDArray[np.int8], table: NDArray[np.object_]) -> None:
        """Write the outcome of each game as a word, or None while the game is in progress."""
        self.words[self._ended] = None
        self._ended = (outcome != PLAYING).nonzero()[0]  # several times as fast as np.flatnonzero(outcome)
        self.words[self._ended] = table[outcome[self._ended]]
        self.has_outcomes = len(self._ended) > 0

    def is_idle(self) -> bool:
        """Return whether the user has released all arrays of this snapshot."""
        return self._references() == self._idle

    def _references(self) -> int:
        return sum(map(sys.getrefcount, self._watched))


class Snapshots:
    """The snapshots that a batch returns: the engine's own arrays, or copies of them."""

    def __init__(self, make: Callable[[], Snapshot]):
        self._make, self._spare = make, list[Snapshot]()

    def take(self) -> Snapshot:
        """Return a snapshot that the user does not hold."""
        for snapshot in self._spare:
            if snapshot.is_idle():
                return snapshot
        self._spare = [*self._spare[1 - MOST_SPARE :], self._make()]
        self._spare[-1].settle()
        return self._spare[-1]


def spans_of(sources: Sequence[np.ndarray], copies: Sequence[np.ndarray]) -> Spans:
    """Return the spans that tell the kernel to copy these arrays row by row."""
    rows = [
        (array.ctypes.data, copy.ctypes.data, array.nbytes // max(len(array), 1))
        for array, copy in zip(sources, copies, strict=True)
    ]
    return np.array(rows, np.int64).reshape(-1, 3)


@inner
def copy_rows(spans: Spans, first: int, last: int) -> None:
    """Copy the rows of these games."""
    for k in range(len(spans)):
        size = spans[k, 2]
        copy_bytes(spans[k, 1] + first * size, spans[k, 0] + first * size, (last - first) * size)


@kernel
def copy_all(games: int, spans: Spans) -> None:
    copy_rows(spans, 0, games)


def masked(info: dict[str, Any], mask: NDArray[np.bool_]) -> dict[str, Any]:
    """Return an info dict in Gymnasium's layout: for each key, `_key` marks the games that have a value."""
    result: dict[str, Any] = {}
    for key, array in info.items():
        result[key] = array
        result["_" + key] = mask
    return result
