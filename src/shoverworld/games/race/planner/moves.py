"""Compute, for each displacement, the cells from which it is legal, as bits. The bits are computed on first use.

A line rule is expressed as constraints. A constraint is a pair of cells, at least one of which must be on the track. A
move is legal if all its constraints hold. While lines.py checks one line at a time, this module checks a displacement
from all cells at once. A test compares the results of the two modules for every displacement. Cells are
given as offsets from the start of the line.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, rare

from ..config import LANDING, VALID_LINE
from ..lines import next_cell
from .bitboard import TrackBitboard

# ---------------------------------------------------------------- constraints of a line


@rare
def line_constraints(pitch, dx, dy, line, constraints):
    """Write the constraints for a line, including the landing cell. Return their number."""
    constraints[0, 0] = constraints[0, 1] = dy * pitch + dx
    if line == LANDING:
        return 1
    right, down = 1 if dx > 0 else -1, pitch if dy > 0 else -pitch
    if line == VALID_LINE:
        count = constraints_between(right, down, abs(dx), abs(dy), constraints, 1)
        return constraints_between(down, right, abs(dy), abs(dx), constraints, count)
    return cells_crossed(pitch, dx, dy, constraints)


@inner
def constraints_between(along, across, length, rise, constraints, count):
    """Write the two cells that the line passes between at each column strictly between its ends.

    If the line passes through the centre of a cell, both cells are that cell. If `along` is a step up or down, rows
    play the role of columns.
    """
    for i in range(1, length):
        whole, part = (i * rise) // length, (i * rise) % length
        constraints[count, 0] = i * along + whole * across
        constraints[count, 1] = constraints[count, 0] + (across if part else 0)
        count += 1
    return count


@rare
def cells_crossed(pitch, dx, dy, constraints):
    """Write a constraint for each cell that the line crosses after the first. A line of length 0 crosses one cell."""
    if dx == 0 and dy == 0:
        constraints[0, 0] = constraints[0, 1] = 0
        return 1
    right, down = 1 if dx > 0 else -1, pitch if dy > 0 else -pitch
    here, columns, rows, count = 0, 0, 0, 0
    while columns < abs(dx) or rows < abs(dy):
        step, columns, rows = next_cell(right, down, abs(dx), abs(dy), columns, rows)
        here += step
        constraints[count, 0] = constraints[count, 1] = here
        count += 1
    return count


def max_constraints(fast_x: int, fast_y: int) -> int:
    return fast_x + fast_y + 1


# ---------------------------------------------------------------- moves from all cells


class MoveTable(NamedTuple):
    """The legal moves by displacement. A displacement has the same number as the velocity that results from it."""

    known: np.ndarray  # bool (velocities,)
    continuing: np.ndarray  # uint64 (velocities, words): cells where the move is legal but the car does not finish
    finishing: np.ndarray  # uint64 (velocities, words): cells where the move is legal and the car finishes
    constraints: np.ndarray  # int64 (constraints, 2): scratch memory
    count: np.ndarray  # int64 (1,): the number of known displacements


def new_moves(board: TrackBitboard) -> MoveTable:
    """Return an empty table. The operating system allocates memory only for the parts that are written."""
    planes = [np.zeros((board.velocities, board.words), np.uint64) for _ in range(2)]
    constraints = np.zeros((max_constraints(board.fast_x, board.fast_y), 2), np.int64)
    return MoveTable(np.zeros(board.velocities, np.bool_), planes[0], planes[1], constraints, np.zeros(1, np.int64))


@inner
def cells_from(bits, place):
    """Return the bits of 64 consecutive cells, beginning with the cell at bit `place`."""
    word, over = place >> 6, np.uint64(place & 63)
    # There are two shifts, because a single shift by 64 is undefined.
    return (bits[word] >> over) | ((bits[word + 1] << np.uint64(1)) << (np.uint64(63) - over))


@rare
def compute_move(board, moves, velocity):
    """Compute the cells from which this displacement is legal, and those from which it takes a car to the finish."""
    wide = 2 * board.fast_x + 1
    dx, dy = velocity % wide - board.fast_x, velocity // wide - board.fast_y
    continuing, finishing, constraints, words = moves.continuing, moves.finishing, moves.constraints, board.words
    begin = board.margin * 64
    # No move starts on a finish cell, because a car that has finished leaves the track.
    for k in range(words):
        continuing[velocity, k] = board.track[board.margin + k] & ~board.finish[board.margin + k]
    for c in range(line_constraints(board.pitch, dx, dy, board.line, constraints)):
        one, other = begin + constraints[c, 0], begin + constraints[c, 1]
        if one == other:
            for k in range(words):
                continuing[velocity, k] &= cells_from(board.track, one + 64 * k)
        else:
            for k in range(words):
                continuing[velocity, k] &= cells_from(board.track, one + 64 * k) | cells_from(
                    board.track, other + 64 * k
                )
    count = 1
    constraints[0, 0] = dy * board.pitch + dx
    if board.cross:
        count = cells_crossed(board.pitch, dx, dy, constraints)
    for c in range(count):
        at = begin + constraints[c, 0]
        for k in range(words):
            finishes = continuing[velocity, k] & cells_from(board.finish, at + 64 * k)
            if finishes:
                finishing[velocity, k] |= finishes
                continuing[velocity, k] &= ~finishes
    moves.known[velocity] = True
    moves.count[0] += 1
