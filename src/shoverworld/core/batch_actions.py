"""The actions of a batch: one action for each game."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy import ndarray
from numpy.typing import ArrayLike, NDArray

from .actions import action_count, action_sizes, action_starts, expected_action, indices_of, numbers_at
from .errors import ActionError
from .jit import inner, kernel

_INT64 = np.dtype(np.int64)


class BatchActions:
    """Checks and converts the actions of a batch. `names` are the names of the numbers in an action, for messages."""

    def __init__(self, space: spaces.Space[Any], games: int, names: tuple[str, ...]):
        self._arguments = space, games, names
        self._space, self._games, self._names = space, games, names
        self.sizes = action_sizes(space)
        self.shape = (games, *space.shape)  # type: ignore[misc]
        lowest = np.array(action_starts(space), np.int64)
        self.bounds = np.stack([lowest, lowest + np.array(self.sizes, np.int64) - 1])

    def __reduce__(self) -> Any:
        return BatchActions, self._arguments

    def parse(self, actions: np.ndarray | Sequence[Any]) -> NDArray[np.int64]:
        """Return the actions as a contiguous int64 array. Raise ActionError if one is outside the action space."""
        numbers = self.convert(actions)
        self.check(numbers)
        return numbers

    def convert(self, actions: np.ndarray | Sequence[Any]) -> NDArray[np.int64]:
        """Return the actions as a contiguous int64 array without checking whether they are in the action space."""
        # Most callers pass such an array. This test is part of every step, so it asks for one flag instead of three:
        # an array that is contiguous, aligned and writable.
        if (
            type(actions) is ndarray
            and actions.dtype is _INT64
            and actions.shape == self.shape
            and actions.flags.carray
        ):
            return actions
        return self._converted(actions)

    def check(self, numbers: NDArray[np.int64]) -> None:
        """Raise ActionError if any action is outside the action space."""
        game = first_outside(numbers, self.bounds)
        if game >= 0:
            expected = expected_action(self._space, self._names)
            given = numbers[game].tolist()
            raise ActionError(f"action {given} of game {game} is outside the action space; expected {expected}")

    def at(self, indices: ArrayLike) -> NDArray[np.int64]:
        """Return the actions with these indices in the action masks, one for each game."""
        numbers, count = np.asarray(indices), action_count(self._space)
        if numbers.dtype.kind not in "iu" or numbers.shape != (self._games,):
            raise ActionError(f"expected integers of shape ({self._games},): an index for each game")
        bad = np.flatnonzero((numbers < 0) | (numbers >= count))
        if bad.size:
            game = int(bad[0])
            raise ActionError(
                f"action {numbers[game]} of game {game} is not an index; expected an integer from 0 to {count - 1}"
            )
        return numbers_at(self._space, numbers)

    def indices(self, actions: np.ndarray | Sequence[Any]) -> NDArray[np.int64]:
        """Return the indices of these actions, one for each game, in the action masks."""
        return indices_of(self._space, self.parse(actions).reshape(self._games, -1))

    def _converted(self, actions: Any) -> NDArray[np.int64]:
        try:
            given = np.asarray(actions)
            if given.dtype.kind not in "iu" or given.shape != self.shape:
                raise ValueError
        except ValueError:
            raise ActionError(f"expected integers of shape {self.shape}: one action for each game") from None
        # The kernels expect numbers in this layout. Unsigned numbers above the largest int64 become negative numbers,
        # which no action space contains.
        return given.astype(np.int64, "C", copy=not given.flags.aligned)


@inner
def any_outside(actions: np.ndarray, bounds: np.ndarray) -> bool:
    """Return whether any action contains a number outside its range. `bounds` holds the lowest and highest numbers."""
    numbers = actions.reshape(actions.size)
    width = bounds.shape[1]
    outside = False
    for k in range(width):  # without an early exit, the processor can check several numbers at once
        low, high = bounds[0, k], bounds[1, k]
        for i in range(len(actions)):
            number = numbers[i * width + k]
            outside |= (number < low) | (number > high)
    return outside


@kernel
def first_outside(actions: np.ndarray, bounds: np.ndarray) -> int:
    """Return the index of the first action that contains a number outside its range, or -1 if all actions are valid."""
    if any_outside(actions, bounds):
        numbers, width = actions.reshape(actions.size), bounds.shape[1]
        for i in range(len(actions)):
            for k in range(width):
                if not bounds[0, k] <= numbers[i * width + k] <= bounds[1, k]:
                    return i
    return -1
