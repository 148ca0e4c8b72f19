"""Shover-World: read, write, generate and solve maps, and make environments for them.

The three games offer the same functions: `read`, `write`, `packaged`, `packaged_names`, `generate`, `solve`, `make_env`.
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
    """Read a map file of either format, or the packaged map with this name.

    A file that is not a map raises MapError, which names the line and column. A missing file raises MapNotFound.
    """
    return Map.read(path)


def write(path: str | PathLike[str], level: Map, format: Format = "B") -> None:
    """Write a map to a file. Format "A" has a number for each cell, format "B" a symbol. `read` returns an equal map."""
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
    """Generate a random map. The same seed and keywords give the same map on every machine.

    rules: the name of a preset, or a Rules. They determine the defaults of the other keywords.
    rows, cols: the size, 1 to 256.
    boxes, barriers, lavas: how many cells contain one. The defaults are 15 %, 8 % and 5 % of the cells.
    solvable: True generates maps until the planner has cleared one.
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
    rules: PresetName | Rules = "milestone1",
    render_mode: RenderMode | None = None,
    **settings: Any,
) -> ShoverWorldEnv:
    """Make an environment.

    level: the map of every game: a Map, a file, or the name of a packaged map. None: random maps.
    rules: the name of a preset, or a Rules.
    settings: other keywords of ShoverWorldEnv, such as `max_timestep`, `reward` and `seed`.
    """
    return ShoverWorldEnv(map_path=level, rules=rules, render_mode=render_mode, **settings)
