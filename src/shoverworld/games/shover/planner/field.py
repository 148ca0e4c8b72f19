"""How far the lava is: for each cell, the fewest pushes that bring a box from there into lava, other boxes ignored.

The field depends on barriers and lava only, which change with specials only, so fields are kept and found again by
a key of those.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import ahead
from shoverworld.core.jit import rare

from ..config import WALK
from ..measure import NO_WAY, is_floor, spread

# From FAR on, no way leads to lava. FAR itself is a cell from which a walker can bring no box to lava, though there
# is some where he can; FAR + 1 + n is the n-th pocket: connected floor without any lava that a box could be pushed into.
FAR = NO_WAY - 1
DEAD_POCKET = 999  # all pockets in which no square has room
_FIELDS, _CELLS = 512, 1 << 21  # the most fields, and cells of them all


class Fields(NamedTuple):
    key: np.ndarray  # uint64 (N,): of the barriers and lava that the field was made for
    distance: np.ndarray  # int32 (N + 1, cells); the last row is for one-off fields


def new_fields(cells: int) -> Fields:
    count = max(8, min(_FIELDS, _CELLS // cells))
    return Fields(np.zeros(count, np.uint64), np.zeros((count + 1, cells), np.int32))


@rare
def field_of(fields, key, board, width, rules, workspace):
    """The row of `fields.distance` for this board."""
    row = np.int64(key % np.uint64(len(fields.key)))
    if fields.key[row] != key:
        measure(board, width, rules, fields.distance[row], workspace.queue)
        fields.key[row] = key
    return row


@rare
def measure(board, width, rules, distance, queue):
    spread(board, width, rules.actor == WALK, queue, distance)
    mark_dead_cells(board, width, distance, queue)
    number_pockets(board, width, distance, queue)


@rare
def flood(board, width, distance, queue, tail, label):
    """Label all floor without a way that is connected with the cells in the queue; returns the end of the queue."""
    head = 0
    while head < tail:
        cell = queue[head]
        head += 1
        for direction in range(4):
            near = cell + ahead(direction, width)
            if distance[near] == NO_WAY and is_floor(board[near]):
                distance[near] = label
                queue[tail] = near
                tail += 1
    return tail


@rare
def mark_dead_cells(board, width, distance, queue):
    """Cells without a way that are connected with cells that have one: a walker cannot get behind a box there."""
    tail = 0
    for cell in range(width, len(board) - width):
        if is_floor(board[cell]) and distance[cell] < FAR:
            queue[tail] = cell
            tail += 1
    flood(board, width, distance, queue, tail, FAR)


@rare
def number_pockets(board, width, distance, queue):
    pockets = 0
    for start in range(len(board)):
        if distance[start] != NO_WAY or not is_floor(board[start]):
            continue
        pockets = min(pockets + 1, DEAD_POCKET - 1)
        label = FAR + 1 + pockets
        queue[0], distance[start] = start, label
        cells = flood(board, width, distance, queue, 1, label)
        room = False
        for place in range(cells):
            cell = queue[place]
            room |= is_floor(board[cell + 1]) & is_floor(board[cell + width]) & is_floor(board[cell + width + 1])
        if not room:
            for place in range(cells):
                distance[queue[place]] = FAR + 1 + DEAD_POCKET
