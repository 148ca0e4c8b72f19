"""Levels as arrays that games begin from: a `Bank`."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoverworld.core.errors import ConfigError

from .config import SokobanRules
from .levels import MOST_NUMBERED, Level
from .state import BOX, PLAYER, TARGET, WALL


class Bank(NamedTuple):
    """M stored levels of one size; the planes are those of state.py."""

    planes: np.ndarray  # uint8 (M, 4 or 5, rows * cols)
    players: np.ndarray  # int32 (M, 2): their cells, -1 where there is no second
    boxes: np.ndarray  # int32 (M,)
    on_target: np.ndarray  # int32 (M,): boxes at home when the game begins
    width: int

    @property
    def size(self) -> tuple[int, int]:
        return self.planes.shape[2] // self.width, self.width


def stored(levels: Sequence[Level], rules: SokobanRules, size: tuple[int, int] | None = None) -> Bank:
    """These levels for games with these rules, in rooms of this size or of the largest of them.

    Smaller ones are filled up with walls on the right and below.
    """
    if not levels:
        raise ConfigError("levels: there is none; expected at least one")
    rows, cols = size or (max(level.rows for level in levels), max(level.cols for level in levels))
    for level in levels:
        if len(level.players) != rules.players:
            raise ConfigError(f"{name_of(level)}: players={len(level.players)}; this game is for {rules.players}")
        if level.rows > rows or level.cols > cols:
            raise ConfigError(
                f"{name_of(level)} is {level.rows} x {level.cols}; this game has room for {rows} x {cols}"
            )
    planes = np.zeros((len(levels), PLAYER + rules.players, rows, cols), np.uint8)
    planes[:, WALL] = 1
    players = np.full((len(levels), 2), -1, np.int32)
    for i, level in enumerate(levels):
        room = planes[i, :, : level.rows, : level.cols]
        room[WALL] = level.walls
        room[TARGET], room[BOX] = numbered(level, rules.fixed_targets)
        for who, (row, col) in enumerate(level.players):
            room[PLAYER + who, row, col] = 1
            players[i, who] = row * cols + col
    planes = planes.reshape(len(levels), -1, rows * cols)
    box, target = planes[:, BOX], planes[:, TARGET]
    boxes = np.count_nonzero(box, axis=1).astype(np.int32)
    on_target = np.count_nonzero((box != 0) & (box == target), axis=1).astype(np.int32)
    return Bank(planes, players, boxes, on_target, cols)


def name_of(level: Level) -> str:
    return level.source + (f", level {level.number}" if level.number is not None else "")


def numbered(level: Level, fixed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Targets and boxes of a level: with numbers when targets are fixed, else as 0 and 1.

    A level without numbers gets them in reading order: its first box belongs to its first target.
    """
    targets, boxes = (level.targets != 0).astype(np.uint8), (level.boxes != 0).astype(np.uint8)
    if not fixed:
        return targets, boxes
    if level.fixed:
        return level.targets, level.boxes
    if level.box_count > MOST_NUMBERED:
        raise ConfigError(f"{name_of(level)} has {level.box_count} boxes; with fixed_targets at most {MOST_NUMBERED}")
    for table in (targets, boxes):
        table[table != 0] = np.arange(1, level.box_count + 1)
    return targets, boxes
