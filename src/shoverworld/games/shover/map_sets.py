"""The maps on which the games of an environment start: the value of the argument `maps`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shoverworld.core.errors import ConfigError, MapError

from .maps import Map, bundled, bundled_names

PACKAGED_SET = "lessons"
SUFFIXES = (".txt", ".map")  # the suffixes of map files in a folder


def read_maps(given: Any) -> tuple[Map, ...]:
    """Return the given maps. Each item is a Map, a file, a folder, or the name of a packaged map or set."""
    if isinstance(given, str | os.PathLike):
        return _named(given)
    if isinstance(given, Map):
        return (given,)
    if not isinstance(given, Sequence) or not given:
        raise ConfigError(
            f"maps={given!r:.60}: must be a Map, the path of a file or folder, the name of a packaged map or set "
            f"({PACKAGED_SET!r}), or a list of these"
        )
    return tuple(found for part in given for found in read_maps(part))


def _named(name: str | os.PathLike[str]) -> tuple[Map, ...]:
    folder = Path(os.fsdecode(name))
    if not folder.is_dir():
        if name == PACKAGED_SET:
            return tuple(bundled(one) for one in bundled_names())
        return (Map.read(name),)
    files = sorted(file for file in folder.iterdir() if file.suffix in SUFFIXES and file.is_file())
    if not files:
        raise MapError(f"{folder} contains no maps: no file name in it ends with {' or '.join(SUFFIXES)}")
    return tuple(Map.read(file) for file in files)


def padded(grid: np.ndarray, size: tuple[int, int], filling: int) -> np.ndarray:
    """Return a map of this size with the given map in its top-left corner.

    The other cells contain barriers or lava, depending on the edge of the given map, so they act like its edge.
    """
    rows, cols = grid.shape
    return np.pad(grid, ((0, size[0] - rows), (0, size[1] - cols)), constant_values=filling)
