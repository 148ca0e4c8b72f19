"""Sokoban: levels, solutions and what plays them. `from shoverworld import sokoban`."""

from .core.errors import LevelError, LevelNotFound
from .games.sokoban.formats import levels_text, parse_levels, read_levels, write_levels
from .games.sokoban.levels import Level
from .games.sokoban.lurd import Checked, Game, check, replay
from .games.sokoban.lurd import read as read_lurd
from .games.sokoban.lurd import write as write_lurd

__all__ = [
    "Checked",
    "Game",
    "Level",
    "LevelError",
    "LevelNotFound",
    "check",
    "levels_text",
    "parse_levels",
    "read_levels",
    "read_lurd",
    "replay",
    "write_levels",
    "write_lurd",
]
