"""A game at rest, as tiles; the players stand over them."""

import numpy as np

from shoverworld.core.ui import Cell, Scene, Sprite

from ..draw import tiles_of
from ..levels import MOST_NUMBERED, Level
from ..state import BOX, TARGET, WALL, SokobanState
from ..tiles import PLAYER_TILE, SECOND_TILE, STANDS_ON_TARGET
from .cells import players_of

FIGURES = (PLAYER_TILE, SECOND_TILE)


def scene(state: SokobanState) -> Scene:
    room = state.rooms()[0]
    return still(room[WALL], room[TARGET], room[BOX], players_of(state))


def still(walls: np.ndarray, targets: np.ndarray, boxes: np.ndarray, players: list[Cell] | tuple[Cell, ...]) -> Scene:
    """A board with its players; the first of them comes first."""
    actors = tuple(Sprite(figure(who, targets[cell] != 0), cell, cell) for who, cell in enumerate(players))
    return Scene(tiles_of(walls, targets, boxes), actors)


def figure(who: int, on_target: bool) -> int:
    """The tile of a player."""
    return FIGURES[who] + (STANDS_ON_TARGET if on_target else 0)


def numbered(level: Level, fixed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Targets and boxes of a level as a game shows them: with numbers when targets are fixed, else as 0 and 1. A level
    without numbers gets them in reading order (store.py)."""
    if fixed and level.fixed:
        return level.targets, level.boxes
    tables = (level.targets != 0).astype(np.uint8), (level.boxes != 0).astype(np.uint8)
    if fixed:
        for table in tables:
            table[table != 0] = np.minimum(np.arange(1, level.box_count + 1), MOST_NUMBERED)
    return tables
