"""Pairs of boxes that have no solution, even if they are alone on the board.

#######
#@    #     A single box in the upper row can be pushed to the target, but two boxes cannot: only one of them
#     #     can leave the row, because the row has a single target.
# $ $.#
#######

A backward search pulls two boxes from all pairs of targets and finds every pair of cells, with the area of the player,
that has a solution. All others are stored as deadlocks. In a position with more boxes, a deadlock of two of them remains one.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .freeze import EMPTY
from .macro import SEEN, flood
from .tables import LevelTables, step

MOST_CELLS = 400  # larger levels are not searched: the search would take more than a few tenths of a second
ALL_SIDES = 15


class PairTable(NamedTuple):
    """The deadlocks of two boxes. The empty table of `no_pairs` contains none."""

    row: np.ndarray  # int16 (cells,): the row of each cell in the table; 0 for cells that are dead for a box
    dead: (
        np.ndarray
    )  # uint8 (rows, rows): bit s is set if the boxes are lost with the player on side s of the first box


class PairSearch(NamedTuple):
    """Scratch memory for the backward search."""

    alive: (
        np.ndarray
    )  # uint8 (rows, rows): bit s is set if there is a solution with the player on side s of the first box
    stack: np.ndarray  # int32: pairs to be expanded, with the sides of both boxes that the player can reach
    height: np.ndarray  # int64 (1,)
    seen: np.ndarray  # int64 (cells,)
    queue: np.ndarray  # int64 (cells,)
    stamp: np.ndarray  # int64 (1,)


def no_pairs(cells: int) -> PairTable:
    return PairTable(np.zeros(cells, np.int16), np.zeros((1, 1), np.uint8))


@rare
def add_pair(width, wall, row, one, two, player, s):
    """Mark two boxes, with the player next to one of them, as solvable. Return False if the stack is full.

    The flood fill ends as soon as it has reached all free sides of both boxes.
    """
    s.stamp[0] += 1
    stamp = s.stamp[0]
    s.seen[one] = s.seen[two] = stamp
    wanted = 0
    for direction in range(4):
        for box in (one, two):
            side = box + step(width, direction)
            wanted += not wall[side] and side != one and side != two
    s.queue[0], head, tail = player, 0, 1
    s.seen[player] = stamp
    found = 0
    while head < tail and wanted > 0:
        here = s.queue[head]
        head += 1
        for direction in range(4):
            near = here + step(width, direction)
            if near == one:
                found |= 1 << (direction ^ 1)
                wanted -= 1
            elif near == two:
                found |= 16 << (direction ^ 1)
                wanted -= 1
            elif not wall[near] and s.seen[near] != stamp:
                s.seen[near] = stamp
                s.queue[tail] = near
                tail += 1
    s.alive[row[one], row[two]] |= found & 15
    s.alive[row[two], row[one]] |= found >> 4
    if s.height[0] == len(s.stack):
        return False
    s.stack[s.height[0]] = (row[one] * len(s.alive) + row[two]) * 256 + found
    s.height[0] += 1
    return True


@kernel
def find_alive(tables, row, cell_of, goals, s):
    """Pull pairs of boxes from all pairs of targets. Return False if the stack is full."""
    width, wall, rows = tables.width, tables.wall, len(s.alive)
    for i in range(len(goals)):
        for j in range(i):
            for direction in range(8):
                one, two = (goals[i], goals[j]) if direction < 4 else (goals[j], goals[i])
                player = one + step(width, direction & 3)
                if wall[player] or player == two or s.alive[row[one], row[two]] >> (direction & 3) & 1:
                    continue
                if not add_pair(width, wall, row, one, two, player, s):
                    return False
    while s.height[0] > 0:
        s.height[0] -= 1
        entry = np.int64(s.stack[s.height[0]])
        pair, sides = entry >> 8, entry & 255
        for side in range(8):
            if not sides >> side & 1:
                continue
            one, two = cell_of[pair // rows], cell_of[pair % rows]
            if side >= 4:
                one, two = two, one
            ahead = step(width, side & 3)
            to, player = one + ahead, one + 2 * ahead
            if wall[player] or player == two or s.alive[row[to], row[two]] >> (side & 3) & 1:
                continue
            if not add_pair(width, wall, row, to, two, player, s):
                return False
    return True


@inner
def in_dead_pair(pairs, cells, pushed, sides):
    """Return whether the box that was pushed and some other box are lost, with the player on one of these sides of it.

    The player's sides of the box are bits; with ALL_SIDES, the pair must be lost wherever the player is.
    """
    mine = pairs.row[pushed]
    if mine > 0:
        for cell in cells:
            if pairs.dead[mine, pairs.row[cell]] & sides == sides:
                return True
    return False


@rare
def has_dead_pair(width, board, cells, player, pushed, pairs, w):
    """Return whether the box that was pushed last and some other box are lost. `player` is a cell of the player's area."""
    if pairs.row[pushed] == 0:
        return False
    flood(width, board, player, w)
    for direction in range(4):
        side = pushed + step(width, direction)
        if board[side] == EMPTY and w.seen[side] == w.numbers[SEEN]:
            return in_dead_pair(pairs, cells, pushed, 1 << direction)
    return False


def find_pairs(tables: LevelTables, goals: np.ndarray) -> PairTable:
    """Return the table of a level, or an empty table if the level has too many cells."""
    cells = len(tables.wall)
    live = np.flatnonzero(~tables.dead & ~tables.wall)
    rows = len(live) + 1
    if rows > MOST_CELLS or len(goals) < 2:
        return no_pairs(cells)
    row, cell_of = np.zeros(cells, np.int16), np.zeros(rows, np.int64)
    row[live], cell_of[1:] = np.arange(1, rows), live
    search = PairSearch(
        np.zeros((rows, rows), np.uint8), np.zeros(2 * rows * rows, np.int32), np.zeros(1, np.int64),
        np.zeros(cells, np.int64), np.zeros(cells, np.int64), np.zeros(1, np.int64),
    )  # fmt: skip
    if not find_alive(tables, row, cell_of, np.sort(goals), search):
        return no_pairs(cells)
    dead = ~search.alive & ALL_SIDES
    dead[0], dead[:, 0] = 0, 0
    np.fill_diagonal(dead, 0)
    return PairTable(row, dead)
