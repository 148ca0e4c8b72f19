"""Values: the fewest moves to the finish from every state of a track, for players, hints and ghosts."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner

from ..codes import OFF
from ..tracks import Track
from .ground import Ground
from .search import NOT_YET
from .solver import Cell, Progress, Search

FAR = 1 << 30  # there is no way


class Table(NamedTuple):
    """What the kernels of players look into."""

    left: int
    top: int
    pitch: int
    fast_x: int
    fast_y: int
    rank: np.ndarray  # int32 (bits,): the column of a cell
    value: np.ndarray  # uint16 or uint32 (velocities, cells of the track); 0: no way


@inner
def moves_left(table, row, col, drow, dcol):
    """The fewest moves from this cell of the track with this velocity, FAR if no legal moves lead to the finish."""
    if abs(drow) > table.fast_y or abs(dcol) > table.fast_x:
        return FAR
    velocity = (drow + table.fast_y) * (2 * table.fast_x + 1) + dcol + table.fast_x
    moves = np.int64(table.value[velocity, table.rank[(row - table.top) * table.pitch + col - table.left]])
    return moves if moves != NOT_YET else FAR


class Values:
    """Exact, by a search from the finish over all states. Velocities that no car can reach on this track are left out."""

    def __init__(
        self,
        track: Track,
        line: str = "valid_line",
        finish: str = "land",
        time_limit: float | None = None,
        memory_limit: float = 4096.0,
        progress: Progress | None = None,
    ):
        search = Search(track, line, finish, (0, 0), time_limit, memory_limit, progress)
        self.track, self.line, self.finish = track, line, finish
        ground: Ground = search.ground
        self.ground = ground
        rank = np.full(ground.words * 64, -1, np.int32)
        ys, xs = np.nonzero(track.cells != OFF)
        rank[(ys - ground.top) * ground.pitch + xs - ground.left] = np.arange(len(xs))
        value = search.backward([], np.zeros((ground.velocities, len(xs)), np.uint16), rank).value
        self.states = int(np.count_nonzero(value))
        self.table = Table(ground.left, ground.top, ground.pitch, ground.fast_x, ground.fast_y, rank, value)

    def moves(self, cell: Cell, velocity: Cell = (0, 0)) -> int | None:
        """The fewest moves from the cell (x, y) with the velocity (dx, dy); None: no legal moves lead to the finish."""
        (x, y), (dx, dy), table = cell, velocity, self.table
        inside = 0 <= x < self.track.cols and 0 <= y < self.track.rows and self.track.cells[y, x] != OFF
        if not inside or abs(dx) > table.fast_x or abs(dy) > table.fast_y:
            return None
        return int(table.value[self.ground.velocity(dx, dy), table.rank[self.ground.bit(x, y)]]) or None


@lru_cache(maxsize=4)
def values_of(track: Track, line: str = "valid_line", finish: str = "land") -> Values:
    """The values of a track, kept for the next one who asks."""
    return Values(track, line, finish)
