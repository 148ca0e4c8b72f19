# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Random lines on a lattice: the centre lines of random tracks (generate.py).

A line divides the squares of a lattice into the inside and outside of a loop, or into the two sides of a road.

    o o o o        o o o o       Squares change sides one by one, as long as the line stays a single line that never
    o+---+o   ->   o+-+o o       touches itself.
    o|   |o        o| +-+o
    o+---+o        o+---+o

A lattice of `high` x `wide` points has (high + 1) x (wide + 1) squares, including those around the outermost points. The
array `side` contains which side each square is on, row by row.
"""

import numpy as np

from shoverworld.core.jit import inner, rare
from shoverworld.core.mersenne import next_random

_SWEEPS = 12  # average number of attempts to move each square to the other side of the line
_AROUND = np.array([(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)])  # eight squares, clockwise


@rare
def write_loop(rng, high, wide, twist, side, corners):
    """Write the corners (row, col) of a loop. Return their number."""
    across, first = wide + 1, -1  # the outermost squares never change
    for square in range((high + 1) * across):
        side[square] = 1 <= square // across < high and 1 <= square % across < wide
    shortest = 2 * (high + wide) - 4
    lengthen(rng, side, high, wide, shortest, shortest + int((high * wide - shortest) * twist))
    for square in range((high + 1) * across - 1, -1, -1):
        if side[square]:
            first = square
    row, col = first // across - 1, first % across - 1
    return walk(side, high, wide, row, col, row, col, corners) - 1  # the walk ends where it begins


@rare
def write_road(rng, high, wide, twist, side, corners):
    """Write the corners (row, col) of a road from left to right. Return their number."""
    begin, end = int(next_random(rng) * high), int(next_random(rng) * high)
    across, middle = wide + 1, wide // 2
    for square in range((high + 1) * across):
        side[square] = square // across <= (begin if square % across <= middle else end)
    shortest = wide - 1 + abs(end - begin)
    lengthen(rng, side, high, wide, shortest, shortest + int((high * wide - shortest) * twist))
    return walk(side, high, wide, begin, 0, end, wide - 1, corners)


@rare
def lengthen(rng, side, high, wide, length, wanted):
    """Move randomly chosen squares to the other side until the line is long enough or the attempts run out."""
    across = wide + 1
    for _ in range(_SWEEPS * (high - 1) * (wide - 1)):
        if length >= wanted:
            break
        row = 1 + int(next_random(rng) * (high - 1))
        col = 1 + int(next_random(rng) * (wide - 1))
        here = row * across + col
        # The line must run along this square in one piece: the side changes exactly twice along the ring of eight
        # neighbours, and the line follows one to three edges of the square.
        changes, beside = 0, 0
        for k in range(8):
            one = side[here + _AROUND[k, 0] * across + _AROUND[k, 1]]
            before = side[here + _AROUND[k - 1, 0] * across + _AROUND[k - 1, 1]]
            changes += int(one != before)
            beside += int(k % 2 == 1 and one == side[here])
        more = 2 * beside - 4
        if changes != 2 or beside < 1 or beside > 3 or (more < 0 and next_random(rng) > 0.05):
            continue
        side[here] = not side[here]
        length += more


@rare
def walk(side, high, wide, row, col, end_row, end_col, corners):
    """Write the points (row, col) of the line from one point to another. The walk begins to the right.

    Return the number of points.
    """
    corners[0, 0], corners[0, 1] = row, col
    down, right, count = 0, 1, 1
    while True:
        left_down, left_right = -right, down
        if divides(side, high, wide, row, col, left_down, left_right):
            down, right = left_down, left_right
        elif not divides(side, high, wide, row, col, down, right):
            down, right = right, -down
        row, col = row + down, col + right
        corners[count, 0], corners[count, 1] = row, col
        count += 1
        if row == end_row and col == end_col:
            return count


@inner
def divides(side, high, wide, row, col, down, right):
    """Return whether the line leads from this point in this direction, between squares on different sides."""
    if not (0 <= row + down < high and 0 <= col + right < wide):
        return False
    across = wide + 1
    if right != 0:
        here = row * across + col + int(right > 0)
        return side[here] != side[here + across]
    here = (row + int(down > 0)) * across + col
    return side[here] != side[here + 1]
