"""`shover bench` runs the benchmarks for the games (games/NAME/bench.py) and for the whole package (startup.py)."""

import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np

from shoverworld._version import __version__
from shoverworld.core.measuring import Group
from shoverworld.games import all_games, game_named

from . import startup

__all__ = ["groups", "machine"]


def groups(game: str | None = None) -> Iterator[Group]:
    """Yield the lines for one game or, by default, for all games and the whole package.

    Every name begins with the name of the game.
    """
    for each in [game_named(game)] if game else all_games().values():
        if each.bench is not None:
            for group in each.bench.groups():
                yield group.prefixed(f"{each.name}: ")
    if game is None:
        for group in startup.groups():
            yield group.prefixed("all games: ")


def machine() -> dict[str, Any]:
    """Return a description of the machine and of the software versions used for the measurements."""
    return {
        "cpu": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "version": __version__,
    }


def _processor() -> str:
    """Return the processor model if the system reports one."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()
