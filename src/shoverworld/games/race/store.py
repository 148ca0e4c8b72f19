"""Tracks as arrays that races are run on: a `Bank`. Games share it and never change it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .codes import OFF, START
from .tracks import Track


class Bank(NamedTuple):
    """T tracks of one size: smaller ones are filled up on the right and below with what is off the track."""

    ground: np.ndarray  # int8 (T, rows * cols): OFF, FREE, START, FINISH
    distance: np.ndarray  # int32 (T, rows * cols): the zombie array
    starts: np.ndarray  # int32 (T, most starts): their cells in reading order, then -1
    start_count: np.ndarray  # int32 (T,)
    rows: int
    cols: int

    @property
    def size(self) -> tuple[int, int]:
        return self.rows, self.cols

    def board(self, track: int) -> np.ndarray:
        """The ground of a track as it lies: a view (rows, cols)."""
        return self.ground[track].reshape(self.size)

    def __deepcopy__(self, memo: dict) -> "Bank":
        return self


def stored(tracks: Sequence[Track]) -> Bank:
    """These tracks, in the size of the largest of them."""
    rows, cols = max(track.rows for track in tracks), max(track.cols for track in tracks)
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
    arrays = ground.reshape(len(tracks), -1), distance.reshape(len(tracks), -1), starts, count
    for array in arrays:
        array.setflags(write=False)
    return Bank(*arrays, rows, cols)
