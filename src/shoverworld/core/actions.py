"""Actions as numbers: the ranges of the numbers in an action, and the index of an action in a flat action mask.

An action is an integer if the space is `Discrete`, or a tuple of integers if the space is `MultiDiscrete`. Actions are
indexed from 0, with the last number of the action changing fastest.
"""

from operator import index as as_index
from typing import Any, SupportsIndex, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .errors import ActionError
from .plan import Action

Space = spaces.Space[Any]


def action_sizes(space: Space) -> tuple[int, ...]:
    """Return how many values each number in an action can take."""
    if isinstance(space, spaces.MultiDiscrete):
        return tuple(cast("np.ndarray", space.nvec).tolist())  # pyright: ignore[reportUnknownMemberType]
    assert isinstance(space, spaces.Discrete), space
    return (int(space.n),)


def action_starts(space: Space) -> tuple[int, ...]:
    """Return the lowest possible value for each number in an action."""
    assert isinstance(space, spaces.Discrete | spaces.MultiDiscrete), space
    return tuple(np.atleast_1d(cast("Any", space.start)).tolist())  # pyright: ignore[reportUnknownMemberType]


def expected_action(space: Space, names: tuple[str, ...] = ()) -> str:
    """Describe the valid actions in words, such as "an integer from 0 to 8"."""
    ranges = [(first, first + n - 1) for first, n in zip(action_starts(space), action_sizes(space), strict=True)]
    if isinstance(space, spaces.Discrete):
        return "an integer from {} to {}".format(*ranges[0])
    names = names or tuple(f"number {place}" for place in range(1, len(ranges) + 1))
    parts = [f"{name} {first}-{last}" for name, (first, last) in zip(names, ranges, strict=True)]
    return f"({', '.join(names)}) with {', '.join(parts)}"


def action_count(space: Space) -> int:
    """Return the number of actions in a space."""
    return int(np.prod(action_sizes(space)))


def action_at(space: Space, index: SupportsIndex) -> Action:
    """Return the action with this index."""
    count = action_count(space)
    try:
        number = as_index(index)
    except TypeError:
        number = -1
    if not 0 <= number < count:
        raise ActionError(f"action {index!r:.60} is not an index; expected an integer from 0 to {count - 1}")
    return actions_at(space, np.array([number]))[0]


def actions_at(space: Space, indices: NDArray[np.integer[Any]]) -> list[Any]:
    """Return the actions with these indices, which must be in range."""
    numbers = numbers_at(space, indices)
    return numbers.tolist() if numbers.ndim == 1 else [tuple(action) for action in numbers.tolist()]


def numbers_at(space: Space, indices: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return the actions with these indices as rows of an array, or as numbers if the space is `Discrete`."""
    if isinstance(space, spaces.Discrete):
        return indices.astype(np.int64) + action_starts(space)[0]
    return np.stack(np.unravel_index(indices, action_sizes(space)), axis=-1) + np.array(action_starts(space))


def indices_of(space: Space, actions: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return the indices of actions in the space. The last axis holds the numbers in each action."""
    numbers = tuple(np.moveaxis(actions - np.array(action_starts(space)), -1, 0))
    return np.asarray(np.ravel_multi_index(numbers, action_sizes(space)))
