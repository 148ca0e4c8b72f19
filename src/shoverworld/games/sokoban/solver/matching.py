"""The lower bound for the search.

The bound is the cost of the cheapest matching of boxes to targets, ignoring collisions between boxes. The Hungarian
algorithm computes the matching. After a push, only the moved box is matched again.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from .tables import FAR

_MUCH = 1 << 40


class Matching(NamedTuple):
    """The state of the Hungarian algorithm. Boxes and targets are numbered from 1; 0 means none."""

    box_price: np.ndarray  # int64 (n + 1,)
    target_price: np.ndarray  # int64 (n + 1,)
    owner: np.ndarray  # int64 (n + 1,): the box matched to each target
    slack: np.ndarray  # int64 (n + 1,)
    previous: np.ndarray  # int64 (n + 1,)
    done: np.ndarray  # bool (n + 1,)


def new_matching(n: int) -> Matching:
    numbers = [np.zeros(n + 1, np.int64) for _ in range(5)]
    return Matching(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], np.zeros(n + 1, np.bool_))


@rare
def assign(m, distance, cells, box):
    """Match box number `box` along a shortest augmenting path. `cells` contains the positions of the boxes."""
    n = len(cells)
    for j in range(n + 1):
        m.slack[j] = _MUCH
        m.done[j] = False
    m.owner[0] = box
    j = 0
    while True:
        m.done[j] = True
        i = m.owner[j]
        cell = cells[i - 1]
        least, nearest = _MUCH, 0
        for k in range(1, n + 1):
            if m.done[k]:
                continue
            cost = distance[cell, k - 1] - m.box_price[i] - m.target_price[k]
            if cost < m.slack[k]:
                m.slack[k] = cost
                m.previous[k] = j
            if m.slack[k] < least:
                least, nearest = m.slack[k], k
        for k in range(n + 1):
            if m.done[k]:
                m.box_price[m.owner[k]] += least
                m.target_price[k] -= least
            else:
                m.slack[k] -= least
        j = nearest
        if m.owner[j] == 0:
            break
    while j != 0:
        m.owner[j] = m.owner[m.previous[j]]
        j = m.previous[j]


@inner
def total(m, distance, cells):
    pushes = 0
    for k in range(1, len(cells) + 1):
        pushes += distance[cells[m.owner[k] - 1], k - 1]
    return min(pushes, FAR)


@inner
def fixed_total(distance, cells):
    """Return the total distance if every box must go to the target with the same number."""
    pushes = 0
    for i in range(len(cells)):
        pushes += distance[cells[i], i]
    return min(pushes, FAR)


@inner
def nearest_total(distance, cells):
    """Return the total distance if every box goes to its nearest target, whether or not another box does the same."""
    pushes = 0
    for cell in cells:
        nearest = distance[cell, 0]
        for k in range(1, len(cells)):
            nearest = min(nearest, distance[cell, k])
        pushes += nearest
    return min(pushes, FAR)


@rare
def match_all(m, distance, cells):
    """Match every box. Return the total distance, or FAR if a box has no reachable target."""
    for j in range(len(cells) + 1):
        m.box_price[j] = m.target_price[j] = m.owner[j] = 0
    for box in range(1, len(cells) + 1):
        assign(m, distance, cells, box)
    return total(m, distance, cells)


@rare
def rematch(m, old, distance, cells, box):
    """Update the matching `old` after box number `box` has moved. Return the total distance.

    The price of the moved box still applies to its old cell; `assign` corrects the price first.
    """
    for j in range(len(cells) + 1):
        m.box_price[j] = old.box_price[j]
        m.target_price[j] = old.target_price[j]
        m.owner[j] = 0 if old.owner[j] == box else old.owner[j]
    assign(m, distance, cells, box)
    return total(m, distance, cells)
