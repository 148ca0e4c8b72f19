# pyright: basic
"""Many levels of one size and one number of boxes in stacked arrays, so that one kernel call works on all of them."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel

from ..levels import Level
from ..solver.tables import FAR, LevelTables, connect_sides, in_order, measure_distances


class LevelBatch(NamedTuple):
    """The tables of L levels (see LevelTables) with their start positions. Cells include a frame of walls."""

    width: int
    wall: np.ndarray  # bool (L, cells)
    target: np.ndarray  # bool (L, cells)
    distance: np.ndarray  # int32 (L, cells, n)
    dead: np.ndarray  # bool (L, cells)
    box_key: np.ndarray  # uint64 (cells,)
    player_key: np.ndarray  # uint64 (cells,)
    boxes: np.ndarray  # int16 (L, n)
    player: np.ndarray  # int16 (L,)

    @property
    def box_count(self) -> int:
        return self.boxes.shape[1]


@inner
def tables_at(batch, i):
    """Return the tables of level i."""
    return LevelTables(
        batch.width, batch.wall[i], batch.target[i], batch.distance[i], batch.dead[i], batch.box_key, batch.player_key
    )


@kernel
def measure_batch(batch, goals, side, best, queue, seen):
    """Fill in the distances and the dead cells of all levels."""
    for i in range(len(batch.wall)):
        side[:] = -1
        seen[:] = 0
        connect_sides(batch.width, batch.wall[i], side, queue, seen)
        measure_distances(batch.width, batch.wall[i], side, goals[i], batch.distance[i], best, queue)
        for cell in range(batch.wall.shape[1]):
            batch.dead[i, cell] = True
            for number in range(goals.shape[1]):
                if batch.distance[i, cell, number] < FAR:
                    batch.dead[i, cell] = False


def is_learnable(level: Level) -> bool:
    """Return whether the policy plays a level: one player, and boxes without numbers."""
    return len(level.players) == 1 and not level.fixed


def batches_of(levels: Iterable[Level]) -> list[tuple[list[int], LevelBatch]]:
    """Group levels by size and number of boxes. Return the places of the levels in the list with each group."""
    groups: defaultdict[tuple[int, int, int], list[int]] = defaultdict(list)
    levels = list(levels)
    for place, level in enumerate(levels):
        groups[(*level.walls.shape, int(np.count_nonzero(level.boxes)))].append(place)
    return [(places, batch_of([levels[place] for place in places])) for _, places in sorted(groups.items())]


def batch_of(levels: list[Level]) -> LevelBatch:
    """Build the tables of levels with the same size and number of boxes."""
    count, n = len(levels), int(np.count_nonzero(levels[0].boxes))

    def framed(name: str, fill: int) -> np.ndarray:
        stacked = np.stack([getattr(level, name) for level in levels])
        return np.pad(stacked, ((0, 0), (1, 1), (1, 1)), constant_values=fill).reshape(count, -1)

    walls, targets, boxes = framed("walls", 1).astype(bool), framed("targets", 0), framed("boxes", 0)
    width, cells = levels[0].walls.shape[1] + 2, walls.shape[1]
    keys = np.random.default_rng(1981).integers(0, 2**64, (2, cells), np.uint64)
    players = np.array([(level.players[0][0] + 1) * width + level.players[0][1] + 1 for level in levels], np.int16)
    goals = np.stack([in_order(row) for row in targets])
    batch = LevelBatch(
        width, walls, targets > 0, np.full((count, cells, n), FAR, np.int32), np.ones((count, cells), np.bool_),
        keys[0], keys[1], np.stack([in_order(row) for row in boxes]).astype(np.int16), players,
    )  # fmt: skip
    side, best = np.full((cells, 4), -1, np.int8), np.zeros((cells, 4), np.int32)
    measure_batch(batch, goals, side, best, np.zeros(4 * cells, np.int64), np.zeros(cells, np.int64))
    return batch
