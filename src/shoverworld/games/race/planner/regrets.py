"""Compute the regret of each move: the steps that it costs compared with the best move from the same state.

A move that keeps the minimum number of moves to the finish has the regret 0. The regrets of the nine actions in a state
are computed on first use and stored in one integer, so that a tree search needs one lookup per position.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from .. import rules as rulebook
from ..codes import FINISH
from ..lines import clear_line, is_track, passes_finish
from .costs import steps_to_go
from .values import FAR, ValueTable, moves_left

# Each action has four bits: its regret, or one of the two codes below.
BITS, MASK = 4, 15
LARGE = 14  # legal, but the regret is too large to be stored or a crash becomes unavoidable
ILLEGAL = 15
FINISHING = 36  # the first of nine bits that mark the actions with which the car finishes
BEST = 45  # the first of nine bits that mark the actions with the smallest regret, if it is small enough to be stored
KNOWN = 1 << 62  # distinguishes computed codes from 0


class RaceGround(NamedTuple):
    """A track, the value of every state on it, and the codes computed so far."""

    cells: np.ndarray  # int8 (rows * cols,)
    rows: int
    cols: int
    table: ValueTable
    codes: np.ndarray  # int64 (velocities, cells of the track): 0 until computed


def new_ground(cells: np.ndarray, rows: int, cols: int, table: ValueTable) -> RaceGround:
    """Return a track without codes. The operating system allocates memory only for the codes that are written."""
    return RaceGround(cells, rows, cols, table, np.zeros(table.value.shape, np.int64))


@inner
def move_codes(ground, rules, row, col, drow, dcol):
    """Return the codes of the nine actions in this state."""
    table = ground.table
    if abs(drow) > table.fast_y or abs(dcol) > table.fast_x:
        return compute_codes(ground, rules, row, col, drow, dcol)
    velocity = (drow + table.fast_y) * (2 * table.fast_x + 1) + dcol + table.fast_x
    cell = table.rank[(row - table.top) * table.pitch + col - table.left]
    codes = ground.codes[velocity, cell]
    if codes == 0:
        codes = compute_codes(ground, rules, row, col, drow, dcol)
        ground.codes[velocity, cell] = codes
    return codes


@rare
def compute_codes(ground, rules, row, col, drow, dcol):
    best = steps_to_go(ground.table, rules, row, col, drow, dcol)
    codes, smallest, marks = np.int64(KNOWN), np.int64(LARGE), np.int64(0)
    for action in range(rulebook.ACTIONS):
        to_row, to_col = row + drow + action // 3 - 1, col + dcol + action % 3 - 1
        code = ILLEGAL
        if can_drive(ground, rules, row, col, to_row, to_col):
            if reaches_finish(ground, rules, row, col, to_row, to_col):
                codes |= np.int64(1) << (FINISHING + action)
                code = 0
            else:
                left = moves_left(ground.table, to_row, to_col, to_row - row, to_col - col)
                regret = 1 + left - best
                code = regret if left < FAR and 0 <= regret < LARGE else LARGE
        codes |= np.int64(code) << (BITS * action)
        if code < smallest:
            smallest, marks = np.int64(code), np.int64(0)
        if code == smallest and code < LARGE:
            marks |= np.int64(1) << action
    return codes | marks << BEST


@inner
def can_drive(ground, rules, row, col, to_row, to_col):
    """Return whether a move to this cell is legal if no car is on the cell."""
    cells, cols = ground.cells, ground.cols
    if not is_track(cells, ground.rows, cols, to_row, to_col):
        return False
    return clear_line(cells, cols, row, col, to_row, to_col, rules.line)


@inner
def reaches_finish(ground, rules, row, col, to_row, to_col):
    """Return whether a car finishes with this legal move."""
    if rules.cross:
        return passes_finish(ground.cells, ground.cols, row, col, to_row, to_col)
    return ground.cells[to_row * ground.cols + to_col] == FINISH


@inner
def code_of(codes, action):
    return (codes >> (BITS * action)) & MASK


@inner
def is_finishing(codes, action):
    return (codes >> (FINISHING + action)) & 1 == 1


@inner
def best_of(codes):
    """Return the actions with the smallest regret as nine bits, or 0 if even the smallest is too large to be stored."""
    return (codes >> BEST) & 511
