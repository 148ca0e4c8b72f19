# pyright: basic
"""Many levels in stacked arrays, so that one kernel call works on all of them.

All boards are padded with walls to the size of the largest one. A level with fewer boxes than others has zeros in the
rest of its row of boxes.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from shoverworld.core.errors import ConfigError
from shoverworld.core.jit import inner, kernel

from ..level_sequence import LevelSequence, PackedLevels
from ..levels import Level
from ..solver.tables import FAR, LevelTables, connect_sides, measure_distances
from ..state import BOX, PLAYER, TARGET, WALL


class LevelBatch(NamedTuple):
    """The tables of L levels (see LevelTables) with their start positions. Cells include a frame of walls."""

    width: int
    wall: np.ndarray  # bool (L, cells)
    target: np.ndarray  # bool (L, cells)
    distance: np.ndarray  # int32 (L, cells, n)
    dead: np.ndarray  # bool (L, cells)
    box_key: np.ndarray  # uint64 (cells,)
    player_key: np.ndarray  # uint64 (cells,)
    boxes: np.ndarray  # int16 (L, n): the cells of the boxes, in order
    player: np.ndarray  # int16 (L,)
    count: np.ndarray  # int64 (L,): the number of boxes


@inner
def tables_at(batch, i):
    """Return the tables of level i."""
    return LevelTables(
        batch.width,
        batch.wall[i],
        batch.target[i],
        batch.distance[i],
        batch.dead[i],
        batch.box_key,
        batch.player_key,
        0,
    )


@kernel
def measure_batch(batch, goals, side, best, queue, seen):
    """Fill in the distances and the dead cells of all levels."""
    for i in range(len(batch.wall)):
        side[:] = -1
        seen[:] = 0
        connect_sides(batch.width, batch.wall[i], side, queue, seen)
        number = batch.count[i]
        measure_distances(batch.width, batch.wall[i], side, goals[i, :number], batch.distance[i], best, queue)
        for cell in range(batch.wall.shape[1]):
            batch.dead[i, cell] = True
            for goal in range(number):
                if batch.distance[i, cell, goal] < FAR:
                    batch.dead[i, cell] = False


class Boards(NamedTuple):
    """The cells of many boards of one size."""

    walls: np.ndarray  # bool (L, rows, cols)
    targets: np.ndarray  # bool (L, rows, cols)
    boxes: np.ndarray  # bool (L, rows, cols)
    players: np.ndarray  # bool (L, rows, cols)


def batch_of(levels: Sequence[Level]) -> LevelBatch:
    """Build the tables of levels. Raise ConfigError for levels that a policy cannot play."""
    boards = _boards(levels)
    count = len(boards.walls)
    flat = Boards(*(plane.reshape(count, -1) for plane in boards))
    cells, width = flat.walls.shape[1], boards.walls.shape[2]
    numbers = np.count_nonzero(flat.boxes, axis=1)
    n = int(numbers.max())
    keys = np.random.default_rng(1981).integers(0, 2**64, (2, cells), np.uint64)
    batch = LevelBatch(
        width, flat.walls, flat.targets, np.full((count, cells, n), FAR, np.int32), np.ones((count, cells), np.bool_),
        keys[0], keys[1], _listed(flat.boxes, numbers).astype(np.int16), flat.players.argmax(axis=1).astype(np.int16),
        numbers.astype(np.int64),
    )  # fmt: skip
    side, best = np.full((cells, 4), -1, np.int8), np.zeros((cells, 4), np.int32)
    queue, seen = np.zeros(4 * cells, np.int64), np.zeros(cells, np.int64)
    measure_batch(batch, _listed(flat.targets, numbers), side, best, queue, seen)
    return batch


def digest_of(batch: LevelBatch) -> str:
    """Return a hash of the levels."""
    found = sha256(str(batch.wall.shape).encode())
    for array in (batch.wall, batch.target, batch.boxes.astype("<i2"), batch.player.astype("<i2")):
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:16]


def _listed(planes: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the cells that are set in each row, in order, followed by zeros."""
    rows, cells = np.nonzero(planes)
    listed = np.zeros((len(planes), int(numbers.max())), np.int64)
    listed[rows, np.arange(len(rows)) - np.repeat(np.cumsum(numbers) - numbers, numbers)] = cells
    return listed


def _boards(levels: Sequence[Level]) -> Boards:
    """Return the boards of all levels, padded to one size and framed with walls."""
    parts = levels.parts if isinstance(levels, LevelSequence) else [levels]
    found = [_packed(part) if isinstance(part, PackedLevels) else _plain(part) for part in parts if len(part)]
    if not found:
        raise ConfigError("there are no levels to learn from; expected at least one")
    rows, cols = (max(boards.walls.shape[axis] for boards in found) for axis in (1, 2))
    return Boards(*(np.concatenate([_framed(boards[i], rows, cols, i == 0) for boards in found]) for i in range(4)))


def _framed(planes: np.ndarray, rows: int, cols: int, fill: bool) -> np.ndarray:
    _, own_rows, own_cols = planes.shape
    return np.pad(planes, ((0, 0), (1, rows - own_rows + 1), (1, cols - own_cols + 1)), constant_values=fill)


def _packed(part: PackedLevels) -> Boards:
    return Boards(*((part.cells >> plane & 1).astype(bool) for plane in (WALL, TARGET, BOX, PLAYER)))


def _plain(levels: Sequence[Level]) -> Boards:
    rows, cols = (max(level.walls.shape[axis] for level in levels) for axis in (0, 1))
    boards = Boards(*(np.full((len(levels), rows, cols), fill, np.bool_) for fill in (True, False, False, False)))
    for i, level in enumerate(levels):
        if len(level.players) != 1 or level.fixed:
            what = "targets of its own for each box" if level.fixed else f"{len(level.players)} players"
            raise ConfigError(f"{level.source}, level {level.number or i + 1}: it has {what}; the policy pushes boxes "
                              "to any target, with one player")  # fmt: skip
        height, width = level.walls.shape
        boards.walls[i, :height, :width] = level.walls
        boards.targets[i, :height, :width] = level.targets != 0
        boards.boxes[i, :height, :width] = level.boxes != 0
        boards.players[i, level.players[0][0], level.players[0][1]] = True
    return boards
