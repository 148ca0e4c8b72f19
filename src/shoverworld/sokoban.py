"""Sokoban: levels, solutions, and what makes, plays and solves them. Each name is imported when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .core.errors import LevelError, LevelNotFound

if TYPE_CHECKING:
    from .games.sokoban import duo as duo  # not in __all__: it needs an extra
    from .games.sokoban.bank import names as packaged_names
    from .games.sokoban.bank import packaged
    from .games.sokoban.config import SokobanReward, SokobanRules
    from .games.sokoban.env import SokobanEnv
    from .games.sokoban.formats import levels_text, parse_levels, read_levels, write_levels
    from .games.sokoban.levels import Level
    from .games.sokoban.lurd import read_lurd, write_lurd
    from .games.sokoban.lurd_replay import Checked, LurdGame, check, replay
    from .games.sokoban.rooms import Room, generate_room
    from .games.sokoban.solver import SokobanPlan, solve
    from .games.sokoban.vector import SokobanVectorEnv

_HOMES = {
    "packaged": "bank",
    **dict.fromkeys(("SokobanReward", "SokobanRules"), "config"),
    "SokobanEnv": "env",
    **dict.fromkeys(("levels_text", "parse_levels", "read_levels", "write_levels"), "formats"),
    "Level": "levels",
    **dict.fromkeys(("read_lurd", "write_lurd"), "lurd"),
    **dict.fromkeys(("Checked", "LurdGame", "check", "replay"), "lurd_replay"),
    **dict.fromkeys(("Room", "generate_room"), "rooms"),
    **dict.fromkeys(("SokobanPlan", "solve"), "solver"),
    "SokobanVectorEnv": "vector",
}

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
    "generate_room",
    "levels_text",
    "packaged",
    "packaged_names",
    "parse_levels",
    "read_levels",
    "read_lurd",
    "replay",
    "solve",
    "write_levels",
    "write_lurd",
]


def __getattr__(name: str) -> Any:
    if name == "duo":  # a module, with PettingZoo's names in it
        return import_module(".games.sokoban.duo", __package__)
    if name == "packaged_names":
        return import_module(".games.sokoban.bank", __package__).names
    if name in _HOMES:
        return getattr(import_module(f".games.sokoban.{_HOMES[name]}", __package__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, "duo"])
