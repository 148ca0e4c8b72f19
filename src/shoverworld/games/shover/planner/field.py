"""How far the lava is: for each cell, the fewest pushes that bring a box from there into lava, other boxes ignored.

The field depends on barriers and lava only, which change with specials only, so fields are kept and found again by
a key of those.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import ahead
from shoverworld.core.jit import inner, rare

from ..config import WALK
from ..state import BARRIER, LAVA

FAR = 1000  # no way leads to lava; leap and select: + the number of the pocket that the cell lies in
DEAD_POCKET = 999  # a pocket in which no square has room
_FIELDS = 512


class Fields(NamedTuple):
    key: np.ndarray  # uint64 (_FIELDS,): of the barriers and lava that the field was made for
    distance: np.ndarray  # int16 (_FIELDS + 1, cells); the last row is for one-off fields


def new_fields(cells: int) -> Fields:
    return Fields(np.zeros(_FIELDS, np.uint64), np.zeros((_FIELDS + 1, cells), np.int16))


@inner
def is_floor(content):
    return (content != BARRIER) & (content != LAVA)


@rare
def field_of(fields, key, board, width, rules, desk):
    """The row of `fields.distance` for this board."""
    row = np.int64(key % np.uint64(_FIELDS))
    if fields.key[row] != key:
        measure(board, width, rules, fields.distance[row], desk.queue)
        fields.key[row] = key
    return row


@rare
def measure(board, width, rules, distance, queue):
    """Breadth first, from the lava backwards. A walker pushes a box only from a floor cell behind it."""
    walker = rules.actor == WALK
    tail = 0
    for cell in range(len(board)):
        distance[cell] = 0
        if is_floor(board[cell]):
            distance[cell] = FAR
            for direction in range(4):
                forward = ahead(direction, width)
                if board[cell + forward] == LAVA and (not walker or is_floor(board[cell - forward])):
                    distance[cell] = 1
            if distance[cell] == 1:
                queue[tail] = cell
                tail += 1
    head = 0
    while head < tail:
        cell = queue[head]
        head += 1
        for direction in range(4):
            forward = ahead(direction, width)
            behind = cell - forward
            if distance[behind] == FAR and (not walker or is_floor(board[behind - forward])):
                distance[behind] = distance[cell] + 1
                queue[tail] = behind
                tail += 1
    if not walker:
        number_pockets(board, width, distance, queue)


@rare
def number_pockets(board, width, distance, queue):
    """Cells that no lava can be reached from, pocket by pocket: FAR + 1, FAR + 2, ...; FAR + DEAD_POCKET when the
    pocket has no room for a square of two."""
    pockets = 0
    for start in range(len(board)):
        if distance[start] != FAR:
            continue
        pockets = min(pockets + 1, DEAD_POCKET - 1)
        label = FAR + pockets
        queue[0], distance[start] = start, label
        head, tail, room = 0, 1, False
        while head < tail:
            cell = queue[head]
            head += 1
            room |= is_floor(board[cell + 1]) & is_floor(board[cell + width]) & is_floor(board[cell + width + 1])
            for direction in range(4):
                near = cell + ahead(direction, width)
                if distance[near] == FAR:
                    distance[near] = label
                    queue[tail] = near
                    tail += 1
        if not room:
            for place in range(tail):
                distance[queue[place]] = FAR + DEAD_POCKET
