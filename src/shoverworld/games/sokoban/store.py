"""The `LevelBank`, which stores levels as arrays for the kernels."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from shoverworld.core.errors import ConfigError

from .config import SokobanRules
from .level_sequence import LevelSequence, PackedLevels
from .levels import MOST_NUMBERED, Level
from .lurd_replay import check
from .state import BOX, PLAYER, TARGET, WALL


class LevelBank(NamedTuple):
    """M stored levels of the same size, with one byte per cell. Bit p of a byte is the cell's value in plane p."""

    cells: np.ndarray  # uint8 (M, rows * cols)
    numbers: np.ndarray  # uint8 (M, 2, rows * cols): numbers of targets and boxes; empty unless targets are fixed
    players: np.ndarray  # int32 (M, 2): the cells of the players; -1 if there is no second player
    boxes: np.ndarray  # int32 (M,)
    on_target: np.ndarray  # int32 (M,): number of boxes on their targets at the start
    width: int

    @property
    def size(self) -> tuple[int, int]:
        return self.cells.shape[1] // self.width, self.width

    @property
    def largest_number(self) -> int:
        """The largest box number; 1 if boxes have no numbers."""
        return int(self.boxes.max()) if len(self.numbers) else 1


def empty_bank(rows: int, cols: int) -> LevelBank:
    """Return an empty bank for games in generated rooms."""
    cells, nothing = rows * cols, np.zeros(0, np.int32)
    return LevelBank(
        np.zeros((0, cells), np.uint8), np.zeros((0, 2, cells), np.uint8), np.zeros((0, 2), np.int32), nothing, nothing, cols
    )  # fmt: skip


def make_bank(levels: Sequence[Level], rules: SokobanRules, size: tuple[int, int] | None = None) -> LevelBank:
    """Return a bank of these levels for games with these rules.

    The rooms have the given size or, if no size is given, the size of the largest level. Smaller levels are padded with
    walls on the right and at the bottom.
    """
    if not isinstance(levels, LevelSequence):
        return _joined([levels] if len(levels) else [], rules, size)
    kind = rules.players, rules.fixed_targets, size
    if kind not in levels.banks:
        levels.banks[kind] = _joined(levels.parts, rules, size)
    return levels.banks[kind]


def _joined(parts: Sequence[Sequence[Level]], rules: SokobanRules, size: tuple[int, int] | None) -> LevelBank:
    if not parts:
        raise ConfigError("levels: expected at least one level, not an empty collection")
    rows, cols = size or tuple(np.max([side for part in parts for side in _sizes(part)], axis=0).tolist())
    banks = [_bank(part, rules, rows, cols) for part in parts]
    if len(banks) == 1:
        return banks[0]
    cells, numbers, players, boxes, on_target = (
        np.concatenate(arrays) for arrays in zip(*(bank[:-1] for bank in banks), strict=True)
    )
    return LevelBank(cells, numbers, players, boxes, on_target, cols)


def _bank(part: Sequence[Level], rules: SokobanRules, rows: int, cols: int) -> LevelBank:
    cells = _cells(part, rules.players, rows, cols)
    boxes, targets = ((cells & (1 << thing)) != 0 for thing in (BOX, TARGET))
    players = np.full((len(cells), 2), -1, np.int32)
    for who in range(rules.players):
        players[:, who] = ((cells & (1 << (PLAYER + who))) != 0).argmax(axis=1)
    numbers = np.zeros((0, 2, rows * cols), np.uint8)
    at_home = boxes & targets
    if rules.fixed_targets:
        numbers = _numbers(part, rows, cols)
        at_home &= numbers[:, 0] == numbers[:, 1]
    count, at_home = (np.count_nonzero(things, axis=1).astype(np.int32) for things in (boxes, at_home))
    return LevelBank(cells, numbers, players, count, at_home, cols)


def _sizes(part: Sequence[Level]) -> list[tuple[int, ...]]:
    return [part.cells.shape[1:]] if isinstance(part, PackedLevels) else [(level.rows, level.cols) for level in part]


def _cells(part: Sequence[Level], players: int, rows: int, cols: int) -> np.ndarray:
    """Return the cells of all levels in `part`, with one byte for each cell."""
    if isinstance(part, PackedLevels):
        _check(part[0], players, rows, cols)  # all levels of the part have the same size and number of players
        cells = np.full((len(part), rows, cols), 1 << WALL, np.uint8)
        cells[:, : part.cells.shape[1], : part.cells.shape[2]] = part.cells
        return cells.reshape(len(part), -1)
    cells = np.full((len(part), rows, cols), 1 << WALL, np.uint8)
    for i, level in enumerate(part):
        _check(level, players, rows, cols)
        room = cells[i, : level.rows, : level.cols]
        room[...] = level.walls * np.uint8(1 << WALL)
        room |= (level.targets != 0) * np.uint8(1 << TARGET) | (level.boxes != 0) * np.uint8(1 << BOX)
        for who, place in enumerate(level.players):
            room[place] |= 1 << (PLAYER + who)
    return cells.reshape(len(part), -1)


def _check(level: Level, players: int, rows: int, cols: int) -> None:
    if len(level.players) != players:
        raise ConfigError(f"{name_of(level)}: players={len(level.players)}; this game is for {players}")
    if level.rows > rows or level.cols > cols:
        raise ConfigError(
            f"{name_of(level)} is {level.rows} x {level.cols}; levels in this game are at most {rows} x {cols}"
        )


def name_of(level: Level) -> str:
    return level.source + (f", level {level.number}" if level.number is not None else "")


def _numbers(part: Sequence[Level], rows: int, cols: int) -> np.ndarray:
    """Return the target and box numbers of each level.

    A level without numbers is numbered in reading order, so its first box belongs to its first target.
    """
    tables = np.zeros((len(part), 2, rows, cols), np.uint8)
    if isinstance(part, PackedLevels):
        height, width = part.cells.shape[1:]
        for k, thing in enumerate((TARGET, BOX)):
            there = (part.cells & (1 << thing)) != 0
            counted = there.reshape(len(part), -1).cumsum(axis=1).reshape(there.shape)
            _check_count(part[0], int(counted.max()))
            tables[:, k, :height, :width] = there * counted
        return tables.reshape(len(part), 2, -1)
    for i, level in enumerate(part):
        _check_count(level, level.box_count)
        tables[i, :, : level.rows, : level.cols] = _own_numbers(level)
    return tables.reshape(len(part), 2, -1)


def _own_numbers(level: Level) -> np.ndarray:
    tables = np.stack((level.targets, level.boxes))
    if not level.fixed:
        tables[tables != 0] = np.tile(np.arange(1, level.box_count + 1), 2)
    return tables


def solution_of(level: Level, rules: SokobanRules) -> str:
    """Return the solution to the level, or "" if the solution is not valid under these rules.

    With fixed targets, a solution that leaves a box on another box's target is not valid.
    """
    if not (rules.fixed_targets and level.solution) or level.fixed:
        return level.solution
    targets, boxes = _own_numbers(level)
    alone = replace(level, targets=targets, boxes=boxes, players=level.players[:1])
    return level.solution if check(alone, level.solution).solved else ""


def _check_count(level: Level, boxes: int) -> None:
    if boxes > MOST_NUMBERED:
        raise ConfigError(f"{name_of(level)} has {boxes} boxes; fixed_targets allows at most {MOST_NUMBERED}")
