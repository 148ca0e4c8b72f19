"""Shover-World: read, write, generate and solve maps, and make environments for them.

The three games offer the same functions: `read`, `write`, `packaged`, `packaged_names`, `generate`, `solve`, `make_env`.
"""

from os import PathLike
from typing import Any, Literal

from .core.errors import MapError, MapNotFound
from .core.plan import Plan
from .games.shover.config import Reward, Rules
from .games.shover.env import ShoverWorldEnv
from .games.shover.generate import random_map
from .games.shover.maps import Map
from .games.shover.maps import bundled as packaged
from .games.shover.maps import bundled_names as packaged_names
from .games.shover.planner import solve
from .games.shover.vector import ShoverWorldVectorEnv

__all__ = [
    "Map",
    "MapError",
    "MapNotFound",
    "Plan",
    "Reward",
    "Rules",
    "ShoverWorldEnv",
    "ShoverWorldVectorEnv",
    "generate",
    "make_env",
    "packaged",
    "packaged_names",
    "random_map",
    "read",
    "solve",
    "write",
]

PresetName = Literal["milestone1", "walker", "phase2"]
Format = Literal["A", "B"]
RenderMode = Literal["human", "rgb_array", "ansi"]


def read(path: str | PathLike[str]) -> Map:
    """The map of a file, or the packaged map with this name."""
    return Map.read(path)


def write(path: str | PathLike[str], level: Map, format: Format = "B") -> None:
    """Write a map to a file: A numbers, B symbols."""
    level.write(path, format)


def generate(
    seed: int | None = None,
    *,
    rules: PresetName | Rules = "milestone1",
    rows: int | None = None,
    cols: int | None = None,
    boxes: int | None = None,
    barriers: int | None = None,
    lavas: int | None = None,
    solvable: bool = False,
) -> Map:
    """A random map. `solvable`: only a map that the planner has cleared. None: the default of the rules."""
    return random_map(
        seed,
        rules=rules,
        n_rows=rows,
        n_cols=cols,
        number_of_boxes=boxes,
        number_of_barriers=barriers,
        number_of_lavas=lavas,
        solvable=solvable,
    )


def make_env(
    level: Map | str | PathLike[str] | None = None,
    *,
    rules: PresetName | Rules = "milestone1",
    render_mode: RenderMode | None = None,
    **settings: Any,
) -> ShoverWorldEnv:
    """An environment that starts every game on this map; None: on random maps. `settings`: keywords of the environment."""
    return ShoverWorldEnv(map_path=level, rules=rules, render_mode=render_mode, **settings)
