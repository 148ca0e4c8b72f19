"""A `TrackBank` holds the tracks of races as arrays. Games share the bank and never change it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .codes import OFF, START
from .tracks import Track


class TrackBank(NamedTuple):
    """T tracks on boards of the same size. Smaller tracks are padded with OFF on the right and at the bottom.

    All arrays are read-only.
    """

    ground: np.ndarray  # int8 (T, rows * cols): OFF, FREE, START, FINISH
    distance: np.ndarray  # int32 (T, rows * cols): the zombie array
    starts: np.ndarray  # int32 (T, maximum number of starts): the start cells in reading order, padded with -1
    start_count: np.ndarray  # int32 (T,): the number of start cells
    sizes: np.ndarray  # int32 (T, 2): rows and columns of each track
    rows: int  # rows of each board
    cols: int  # columns of each board

    @property
    def size(self) -> tuple[int, int]:
        return self.rows, self.cols

    def board(self, track: int) -> np.ndarray:
        """Return a view of the ground of a track without padding, int8 (rows, cols)."""
        rows, cols = self.sizes[track].tolist()
        return self.ground[track].reshape(self.size)[:rows, :cols]

    def distances(self, track: int) -> np.ndarray:
        """Return a view of the zombie array of a track without padding, int32 (rows, cols)."""
        rows, cols = self.sizes[track].tolist()
        return self.distance[track].reshape(self.size)[:rows, :cols]

    def __deepcopy__(self, memo: dict) -> "TrackBank":
        return self

    def __reduce__(self) -> Any:
        return frozen_bank, tuple(self)


def frozen_bank(*parts: Any) -> TrackBank:
    """Return a bank with these parts. Its arrays are read-only, as the kernels expect."""
    views = [part.view() for part in parts[:-2]]
    for view in views:
        view.setflags(write=False)
    return TrackBank(*views, *parts[-2:])


def copied_bank(bank: TrackBank) -> TrackBank:
    """Return a bank that shares no memory with this bank."""
    return frozen_bank(*(part.copy() for part in bank[:-2]), *bank.size)


def make_bank(tracks: Sequence[Track], size: tuple[int, int] | None = None) -> TrackBank:
    """Return a bank of these tracks on boards of this size, or on the smallest boards that fit all tracks."""
    rows, cols = size or (max(track.rows for track in tracks), max(track.cols for track in tracks))
    ground = np.full((len(tracks), rows, cols), OFF, np.int8)
    distance = np.full((len(tracks), rows, cols), -1, np.int32)
    for i, track in enumerate(tracks):
        ground[i, : track.rows, : track.cols] = track.cells
        distance[i, : track.rows, : track.cols] = track.distance
    cells = [np.flatnonzero(board == START) for board in ground]
    starts = np.full((len(tracks), max(map(len, cells))), -1, np.int32)
    for i, own in enumerate(cells):
        starts[i, : len(own)] = own
    count = np.array([len(own) for own in cells], np.int32)
    sizes = np.array([(track.rows, track.cols) for track in tracks], np.int32)
    return frozen_bank(
        ground.reshape(len(tracks), -1), distance.reshape(len(tracks), -1), starts, count, sizes, rows, cols
    )
