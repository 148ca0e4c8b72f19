"""How a box in each cell of an area divides this area.

A depth-first search (Tarjan's search for articulation points) visits the area once. Each cell that it enters from another
cell is the child of that cell. A box in a cell cuts off the child, with all cells that were entered after it and before
the search came back, if no other way leads around the box:

#########
#  r    #     r is the first cell. A box in x cuts off the child c with the two cells below.
####x####     The rest of the area contains r.
#### c###
####  ###
#########
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from .freeze import EMPTY
from .tables import step

REST = -1  # stands for the part of the area with its first cell


class Division(NamedTuple):
    """The result of the search, for the cells of the area that it has visited last, and scratch memory."""

    found: np.ndarray  # int64 (cells,): the number of the visit; larger in each search
    low: np.ndarray  # int64 (cells,): the least number next to the cell and the cells that were entered after it
    size: np.ndarray  # int64 (cells,): the number of cells that were entered from here, with this cell
    first: np.ndarray  # int64 (cells,): the first of these cells
    parent: np.ndarray  # int64 (cells,)
    turn: np.ndarray  # int64 (cells,): the next direction to try
    visits: np.ndarray  # int64 (1,): the number of visits in all searches


def new_division(cells: int) -> Division:
    found, low, size, first, parent, turn = np.zeros((6, cells), np.int64)
    return Division(found, low, size, first, parent, turn, np.ones(1, np.int64))


@rare
def divide(width, board, root, d):
    """Visit the area that contains `root`, its first cell. Return the number of its cells."""
    began = d.visits[0]
    d.found[root] = d.low[root] = began
    d.size[root], d.first[root], d.parent[root], d.turn[root] = 1, root, -1, 0
    here, visits = root, began + 1
    while True:
        if d.turn[here] == 4:
            up = d.parent[here]
            if up < 0:
                break
            d.low[up] = min(d.low[up], d.low[here])
            d.size[up] += d.size[here]
            d.first[up] = min(d.first[up], d.first[here])
            here = up
            continue
        near = here + step(width, d.turn[here])
        d.turn[here] += 1
        if board[near] != EMPTY:
            continue
        if d.found[near] >= began:
            d.low[here] = min(d.low[here], d.found[near])
        else:
            d.found[near] = d.low[near] = visits
            d.size[near], d.first[near], d.parent[near], d.turn[near] = 1, near, here, 0
            visits += 1
            here = near
    d.visits[0] = visits
    return visits - began


@inner
def is_cut_off(board, d, cell, child):
    """Return whether a box in `cell` separates the neighbour `child` from the first cell of the area."""
    return board[child] == EMPTY and d.parent[child] == cell and d.low[child] >= d.found[cell]


@inner
def part_with(width, board, d, cell, near):
    """Return the child that is in the same part as the cell `near` if there is a box in `cell`, or REST."""
    for direction in range(4):
        child = cell + step(width, direction)
        if is_cut_off(board, d, cell, child) and d.found[child] <= d.found[near] < d.found[child] + d.size[child]:
            return child
    return np.int64(REST)


@inner
def parts_of(width, board, d, cell, total):
    """Return into how many parts a box in `cell` divides the area of `total` cells, and the size of the rest."""
    parts, rest = 0, total - 1
    for direction in range(4):
        child = cell + step(width, direction)
        if is_cut_off(board, d, cell, child):
            parts += 1
            rest -= d.size[child]
    return parts + (rest > 0), rest
