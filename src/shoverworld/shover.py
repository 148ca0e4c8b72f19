"""Shover-World: read, write, generate and solve maps, and make environments for them.

All three games offer the functions `read`, `write`, `packaged`, `packaged_names`, `generate`, `solve` and `make_env`.
"""

from os import PathLike
from typing import Any, Literal

from .core.errors import MapError, MapNotFound
from .core.plan import Plan
from .games.shover.config import PresetName, Reward, Rules
from .games.shover.env import ShoverWorldEnv
from .games.shover.generate import random_map
from .games.shover.maps import Map
from .games.shover.maps import bundled as packaged
from .games.shover.maps import bundled_names as packaged_names
from .games.shover.planner import ShoverPlan, solve
from .games.shover.vector import ShoverWorldVectorEnv

__all__ = [
    "Map",
    "MapError",
    "MapNotFound",
    "Plan",
    "Reward",
    "Rules",
    "ShoverPlan",
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

Format = Literal["A", "B"]
RenderMode = Literal["human", "rgb_array", "ansi"]


def read(path: str | PathLike[str]) -> Map:
    """Read a map file in either format, or return the packaged map with this name.

    A file that is not a map raises MapError with the line and column. A missing file raises MapNotFound.
    """
    return Map.read(path)


def write(path: str | PathLike[str], level: Map, format: Format = "B") -> None:
    """Write a map to a file. `read` returns a map that is equal to the written one.

    Format "A" writes a number for each cell, and format "B" writes a symbol.
    """
    level.write(path, format)


def generate(
    seed: int | None = None,
    *,
    rules: PresetName | str | Rules = "milestone1",
    rows: int | None = None,
    cols: int | None = None,
    boxes: int | None = None,
    barriers: int | None = None,
    lavas: int | None = None,
    solvable: bool = False,
) -> Map:
    """Generate a random map. The same seed and arguments give the same map on every machine.

    rules: the name of a preset, a string such as "phase2, unit_force=5", or a Rules object. The rules determine the
    defaults for the other arguments and are written into the header of the map.
    rows, cols: the size of the map, from 1 to 256 each.
    boxes, barriers, lavas: the number of cells of each kind. The defaults are 15%, 8% and 5% of the cells.
    solvable: if True, generate maps until the planner finds a way to clear one of them.
    """
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
    rules: PresetName | str | Rules | None = None,
    render_mode: RenderMode | None = None,
    **settings: Any,
) -> ShoverWorldEnv:
    """Make an environment.

    level: the map for every game, as a Map, a file, or the name of a packaged map. None means random maps.
    rules: the name of a preset, a string such as "phase2, unit_force=5", or a Rules object. By default, the rules
    in the header of the map apply, or "milestone1" if there are none.
    settings: other keyword arguments for ShoverWorldEnv, such as `max_timestep`, `reward` and `seed`.
    """
    return ShoverWorldEnv(map_path=level, rules=rules, render_mode=render_mode, **settings)
