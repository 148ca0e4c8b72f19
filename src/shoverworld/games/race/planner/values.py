"""Compute the value of every state on a track: its minimum number of moves to the finish. Agents use these values."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner

from ..codes import OFF
from ..tracks import Track
from .bitboard import TrackBitboard
from .search import NOT_YET
from .solver import Cell, Progress, Search

FAR = 1 << 30  # the value of a state from which the finish is unreachable


class ValueTable(NamedTuple):
    """The values as arrays, for kernels."""

    left: int
    top: int
    pitch: int
    fast_x: int
    fast_y: int
    rank: np.ndarray  # int32 (bits,): the column of each cell in `value`
    value: np.ndarray  # uint16 or uint32 (velocities, cells of the track); 0 if the finish is unreachable


@inner
def moves_left(table, row, col, drow, dcol):
    """Return the minimum number of moves from this cell with this velocity, or FAR if the finish is unreachable."""
    if abs(drow) > table.fast_y or abs(dcol) > table.fast_x:
        return FAR
    velocity = (drow + table.fast_y) * (2 * table.fast_x + 1) + dcol + table.fast_x
    moves = np.int64(table.value[velocity, table.rank[(row - table.top) * table.pitch + col - table.left]])
    return moves if moves != NOT_YET else FAR


class Values:
    """The exact values of all states on a track, computed by a backward search.

    Velocities that no car can reach on this track are omitted.
    """

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
        board: TrackBitboard = search.ground
        self.board = board
        rank = np.full(board.words * 64, -1, np.int32)
        ys, xs = np.nonzero(track.cells != OFF)
        rank[(ys - board.top) * board.pitch + xs - board.left] = np.arange(len(xs))
        value = search.backward([], np.zeros((board.velocities, len(xs)), np.uint16), rank).value
        self.states = int(np.count_nonzero(value))
        self.table = ValueTable(board.left, board.top, board.pitch, board.fast_x, board.fast_y, rank, value)

    def moves(self, cell: Cell, velocity: Cell = (0, 0)) -> int | None:
        """Return the minimum number of moves from (x, y) with velocity (dx, dy); None if the finish is unreachable."""
        (x, y), (dx, dy), table = cell, velocity, self.table
        inside = 0 <= x < self.track.cols and 0 <= y < self.track.rows and self.track.cells[y, x] != OFF
        if not inside or abs(dx) > table.fast_x or abs(dy) > table.fast_y:
            return None
        return int(table.value[self.board.velocity(dx, dy), table.rank[self.board.bit(x, y)]]) or None


@lru_cache(maxsize=4)
def values_of(track: Track, line: str = "valid_line", finish: str = "land") -> Values:
    """Return the values for a track. Recent results are cached."""
    return Values(track, line, finish)
