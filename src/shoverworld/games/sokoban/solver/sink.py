"""Where a packing search takes boxes off the board.

The start cells between which a lone box can be pushed in both directions form a class. A class has room for as many boxes
as start in it, because only these can be pushed to the cells that its boxes reach. A box that has been taken off is
represented by the number of its class. The first row of the board consists of walls, so no box has such a cell number.
"""

from typing import NamedTuple

import numpy as np

from .frozen_reach import MOST_TARGETS
from .tables import FAR, LevelTables

_FAR_FROM_TARGETS = (6, 4, 2)  # how many steps a sink should be away from the targets; the first that is possible


class Sink(NamedTuple):
    of_cell: np.ndarray  # int16 (cells,): the number of the class that takes boxes in this cell, or 0
    starts: np.ndarray  # uint64 (cells,): the start cells from which a box can be pushed to this cell, as bits


def find_sink(
    tables: LevelTables, floor: np.ndarray, boxes: np.ndarray, goals: np.ndarray, pushes: np.ndarray, away: np.ndarray
) -> Sink:
    """Divide the start cells into classes. `away` contains the walking distance of each cell from the targets."""
    cells, n = len(tables.wall), len(boxes)
    reachable = np.zeros((cells, cells), bool)
    reachable[:, floor] = pushes < FAR
    mutual = reachable & reachable.T
    classes = start_classes(mutual, boxes)
    of_cell, starts = np.zeros(cells, np.int16), np.zeros(cells, np.uint64)
    if n > MOST_TARGETS or len(classes) >= tables.width:
        classes, starts[:] = [np.arange(n)], np.uint64((1 << min(n, MOST_TARGETS)) - 1)
    else:
        for i in range(n):
            starts[reachable[boxes[i]]] |= np.uint64(1) << np.uint64(i)
    for number, members in enumerate(classes, 1):
        group = mutual[boxes[members[0]]]
        for distance in _FAR_FROM_TARGETS:
            free = group & (away >= distance)
            if free.any():
                of_cell[free & (of_cell == 0)] = number
                break
        own = boxes[members]
        of_cell[own[of_cell[own] == 0]] = number
        for i in members[:MOST_TARGETS]:
            starts[number] |= np.uint64(1) << np.uint64(i)
    of_cell[goals] = 0
    return Sink(of_cell, starts)


def start_classes(mutual: np.ndarray, boxes: np.ndarray) -> list[np.ndarray]:
    """Return the numbers of the boxes in each class, the largest class first."""
    classes: list[np.ndarray] = []
    left = np.arange(len(boxes))
    while len(left):
        joined = mutual[np.ix_(boxes[left], boxes[left])] | np.eye(len(left), dtype=bool)
        best = joined[joined.sum(axis=1).argmax()]
        first = left[joined.sum(axis=1).argmax()]
        members = left[best]
        classes.append(np.concatenate([[first], members[members != first]]))
        left = left[~best]
    return classes
