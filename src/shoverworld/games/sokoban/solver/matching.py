"""The fewest pushes that bring every box to a target of its own, if boxes were not in each other's way.

The Hungarian method. One box has moved since the last matching: only that box is matched anew.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from .ground import FAR

_MUCH = 1 << 40


class Matching(NamedTuple):
    """Boxes and targets count from 1 here; 0 is nobody."""

    box_price: np.ndarray  # int64 (n + 1,)
    target_price: np.ndarray  # int64 (n + 1,)
    owner: np.ndarray  # int64 (n + 1,): the box of each target
    slack: np.ndarray  # int64 (n + 1,)
    way: np.ndarray  # int64 (n + 1,)
    done: np.ndarray  # bool (n + 1,)


def new_matching(n: int) -> Matching:
    numbers = [np.zeros(n + 1, np.int64) for _ in range(5)]
    return Matching(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], np.zeros(n + 1, np.bool_))


@rare
def place(m, distance, cells, box):
    """Find a target for box number `box`; the boxes stand in `cells`."""
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
                m.way[k] = j
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
        m.owner[j] = m.owner[m.way[j]]
        j = m.way[j]


@inner
def total(m, distance, cells):
    pushes = 0
    for k in range(1, len(cells) + 1):
        pushes += distance[cells[m.owner[k] - 1], k - 1]
    return min(pushes, FAR)


@inner
def own_ways(distance, cells):
    """The pushes when every box has a target of its own, that of the same number."""
    pushes = 0
    for i in range(len(cells)):
        pushes += distance[cells[i], i]
    return min(pushes, FAR)


@rare
def match_all(m, distance, cells):
    """Match every box; returns the pushes, FAR if there is a box without a target."""
    for j in range(len(cells) + 1):
        m.box_price[j] = m.target_price[j] = m.owner[j] = 0
    for box in range(1, len(cells) + 1):
        place(m, distance, cells, box)
    return total(m, distance, cells)


@rare
def match_again(m, old, distance, cells, box):
    """As `old`, in which box number `box` stood elsewhere; returns the pushes.

    The price of that box is that of its old cell; `place` begins by setting it right.
    """
    for j in range(len(cells) + 1):
        m.box_price[j] = old.box_price[j]
        m.target_price[j] = old.target_price[j]
        m.owner[j] = 0 if old.owner[j] == box else old.owner[j]
    place(m, distance, cells, box)
    return total(m, distance, cells)
