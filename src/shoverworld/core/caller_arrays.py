# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# A caller may pass objects of any type.
"""Checks on the arrays that a caller passes to `step_into`. Kernels write to these arrays without further checks."""

from operator import is_
from typing import Any

import numpy as np
from gymnasium import spaces

from .errors import ConfigError


def parts_of(observation: Any) -> tuple[np.ndarray, ...]:
    """Return the arrays of an observation, which is an array or a dict of arrays."""
    return tuple(observation.values()) if isinstance(observation, dict) else (observation,)


class CallerArrays:
    """The arrays that were passed to the last call of `step_into`."""

    def __init__(self, obs: Any, rewards: np.ndarray, terminated: np.ndarray, truncated: np.ndarray):
        self._obs, self._rewards, self._terminated, self._truncated = obs, rewards, terminated, truncated
        self._parts = parts_of(obs) if isinstance(obs, dict) else ()

    def holds(self, obs: Any, rewards: Any, terminated: Any, truncated: Any) -> bool:
        """Return whether these are the same array objects."""
        return (
            rewards is self._rewards
            and terminated is self._terminated
            and truncated is self._truncated
            and (_are_same(parts_of(obs), self._parts) if self._parts else obs is self._obs)
        )


def _are_same(arrays: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    return len(arrays) == len(others) and all(map(is_, arrays, others))


def check_arrays(space: spaces.Space[Any], obs: Any, rewards: Any, terminated: Any, truncated: Any) -> None:
    """Raise ConfigError unless kernels can write the results of a step into these arrays.

    `space` is the observation space of the batch.
    """
    if isinstance(space, spaces.Dict):
        if not isinstance(obs, dict) or set(obs) != set(space):
            raise ConfigError(f"obs: expected a dict of arrays with the keys {', '.join(space)}; see make_buffers")
        for name, part in space.items():
            _check(f"obs[{name!r}]", obs[name], part.shape, (part.dtype,))
    else:
        _check("obs", obs, space.shape, (space.dtype,))
    games = (len(parts_of(obs)[0]),)
    _check("rewards", rewards, games, (np.float32, np.float64))
    _check("terminated", terminated, games, (np.bool_, np.uint8))
    _check("truncated", truncated, games, (np.bool_, np.uint8))
    arrays = (*parts_of(obs), rewards, terminated, truncated)
    if any(np.may_share_memory(one, other) for i, one in enumerate(arrays) for other in arrays[:i]):
        raise ConfigError("two of the arrays share memory; expected separate arrays, as from make_buffers")


def _check(name: str, array: Any, shape: Any, dtypes: tuple[Any, ...]) -> None:
    expected = " or ".join(str(np.dtype(dtype)) for dtype in dtypes)
    if not isinstance(array, np.ndarray) or array.shape != tuple(shape) or array.dtype not in dtypes:
        given = f"{array.shape} and {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ConfigError(f"{name}: expected an array of shape {tuple(shape)} and type {expected}, not {given}")
    if not (array.flags.c_contiguous and array.flags.aligned and array.flags.writeable):
        raise ConfigError(f"{name}: expected a contiguous, aligned and writable array, as from make_buffers")
