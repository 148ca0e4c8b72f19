"""Checks on states that the caller supplied, such as the argument of `set_state`.

Kernels do not check indices, so if the numbers in a state were out of range, a kernel could read or overwrite any
memory of the process. A game therefore checks every array and every field of a state before its kernels use the state.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import ConfigError
from .grid import RNG

INVALID = "set_state: not a valid state from get_state"
COUNT = (0, 2**31 - 2**20)  # limits for a counter that must still fit into 32 bits after a million more steps
FINITE = (-np.finfo(np.float64).max, np.finfo(np.float64).max)
RNG_LIMITS = {name: (0, 2**32 - 1) for name, _ in RNG}


def is_array(value: Any, dtype: Any, shape: tuple[int, ...]) -> bool:
    """Return whether this is an array of exactly this type and shape, in the layout that kernels expect."""
    return (
        type(value) is np.ndarray
        and value.dtype == dtype
        and value.dtype.type is np.dtype(dtype).type
        and value.shape == shape
        and value.flags.c_contiguous
        and value.flags.aligned
    )


def check_fields(records: np.ndarray, limits: Mapping[str, tuple[float, float]]) -> None:
    """Raise ConfigError unless these fields are within their limits (least, most) in every record."""
    lows, highs = _extremes(records, limits)
    for name, (least, most) in limits.items():
        if not (least <= lows[name] and highs[name] <= most):  # this condition is also true if a value is NaN
            here = records[name].reshape(-1).tolist()[:8]
            raise ConfigError(f"{INVALID}: {name} is {here}; expected {least:.0f} to {most:.0f}")


def _extremes(records: np.ndarray, names: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the lowest and the highest number in each field."""
    if records.size == 1:  # reading the whole record is much faster than reading its fields one by one
        only = dict(zip(records.dtype.names or (), records.item(), strict=True))
        return only, only
    return {name: records[name].min() for name in names}, {name: records[name].max() for name in names}
