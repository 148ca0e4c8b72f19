"""Sokoban: read, write, generate and solve levels, and make environments for them.

All three games offer the functions `read`, `write`, `packaged`, `packaged_names`, `generate`, `solve` and `make_env`.
`duo`, the PettingZoo environment for two players, needs the `multiplayer` extra.
"""

from collections.abc import Sequence
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from .core.errors import LevelError, LevelNotFound
from .games.sokoban.config import SokobanReward, SokobanRules
from .games.sokoban.env import SokobanEnv
from .games.sokoban.formats import levels_text, parse_levels, read_each_level, read_levels, write_levels
from .games.sokoban.level_sets import names as packaged_names
from .games.sokoban.level_sets import packaged
from .games.sokoban.levels import Level
from .games.sokoban.lurd import read_lurd, write_lurd
from .games.sokoban.lurd_replay import Checked, LurdGame, check, replay
from .games.sokoban.rooms import Room, generate_room
from .games.sokoban.solver import SokobanPlan, solve
from .games.sokoban.vector import SokobanVectorEnv

if TYPE_CHECKING:
    from .games.sokoban import duo as duo  # not in __all__, because `duo` needs an extra

__all__ = [
    "Checked",
    "Level",
    "LevelError",
    "LevelNotFound",
    "LurdGame",
    "Room",
    "SokobanEnv",
    "SokobanPlan",
    "SokobanReward",
    "SokobanRules",
    "SokobanVectorEnv",
    "check",
    "generate",
    "generate_room",
    "levels_text",
    "make_env",
    "packaged",
    "packaged_names",
    "parse_levels",
    "read",
    "read_levels",
    "read_lurd",
    "replay",
    "solve",
    "write",
    "write_levels",
    "write_lurd",
]

RenderMode = Literal["human", "rgb_array", "ansi", "tiny_human", "tiny_rgb_array"]
Observation = Literal["planes", "grid", "rgb", "tiny_rgb"]


def read(path: str | PathLike[str], number: int = 1) -> Level:
    """Read level `number` (counted from 1) from a file. `read_levels` returns all levels in a file.

    A file without valid levels raises LevelError, whose message gives the level and line. A missing level raises
    LevelNotFound.
    """
    levels = read_each_level(path)
    if not 1 <= number <= len(levels):
        raise LevelNotFound.at(f"there is no level {number}; the levels are 1 to {len(levels)}", str(path))
    if isinstance(level := levels[number - 1], LevelError):
        raise level
    return level


def write(path: str | PathLike[str], level: Level | Sequence[Level]) -> None:
    """Write one or more levels to a file in the XSB format. `read_levels` returns levels that are equal to these."""
    write_levels(path, [level] if isinstance(level, Level) else level)


def generate(
    seed: int | None = None,
    *,
    rows: int = 10,
    cols: int = 10,
    boxes: int = 3,
    players: Literal[1, 2] = 1,
    fixed_targets: bool = False,
    min_score: int = 0,
    min_pushes: int = 0,
) -> Level:
    """Generate a random room that has a solution. The same seed and arguments give the same room on every machine.

    rows, cols: the size of the room, including its outer walls. boxes: the number of boxes.
    players: 1, or 2 for the `duo` environment.
    fixed_targets: if True, each box has its own target.
    min_score, min_pushes: the minimum difficulty. `generate_room` also returns the room's score and number of pushes.
    """
    rules = SokobanRules(dim_room=(rows, cols), num_boxes=boxes, players=players, fixed_targets=fixed_targets)
    return generate_room(seed, rules=rules, min_score=min_score, min_pushes=min_pushes).level


def make_env(
    level: Level | Sequence[Level] | str | PathLike[str] | None = None,
    *,
    rules: str | SokobanRules | None = None,
    render_mode: RenderMode | None = None,
    observation: Observation | None = None,
    **settings: Any,
) -> SokobanEnv:
    """Make an environment.

    level: the level for every game, or several levels, one of which is chosen at random for each game. The value
    may be a Level, a sequence of Levels, a file, or the name of a packaged set. None means random rooms.
    rules: a SokobanRules object, or an environment id without its namespace, such as "Sokoban-small-v0".
    observation: the kind of observation that `reset` and `step` return. The default is "planes".
    settings: other keyword arguments for SokobanEnv, such as `max_steps`, `reward` and `seed`.
    """
    return SokobanEnv(level, render_mode=render_mode, observation=observation, rules=rules, **settings)


def __getattr__(name: str) -> Any:
    if name == "duo":  # a module that needs an optional extra
        return import_module(".games.sokoban.duo", __package__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), "duo"])
