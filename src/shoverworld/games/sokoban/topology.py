"""The topology of a generated room: a random walk digs the floor, and targets and players are placed on it.

    # # # # #      The walk keeps its direction, or draws a new one with probability 0.35. At every step it digs one of
    # . . # #      five masks around its position:
    # # . # #          - - -     - x -     - - -     - - -     - - -
    # # . . #          x x x     - x -     x x -     x x -     - x x        (x is dug; the walk is in the middle)
    # # # # #          - - -     - x -     - x -     x x -     - x -

The floor is connected, because the walk is connected.
"""

import numpy as np

from shoverworld.core.grid import roll
from shoverworld.core.jit import both, part, rare

from .rules import DOWN, LEFT, RIGHT, UP

TURNS, OF_STEPS = 7, 20  # the turn probability, 0.35, as a fraction
# Bit (row + 1) * 3 + column + 1 of a mask is the cell at offset (row, column) from its middle.
MASKS = (0b000_111_000, 0b010_010_010, 0b010_011_000, 0b011_011_000, 0b010_110_000)


@both
def walk_length(rows: int, cols: int) -> int:
    """Return the number of steps in the walk that digs a room of this size."""
    return 17 * (rows + cols) // 10


@rare
def dig(rng, rows, cols, steps, floor):
    """Dig a room with a random walk of `steps` steps: floor[row * cols + col] becomes 1 where the walk has dug."""
    for cell in range(rows * cols):
        floor[cell] = 0
    direction = roll(rng, 4)
    row, col = 1 + roll(rng, rows - 1), 1 + roll(rng, cols - 1)
    for _ in range(steps):
        if roll(rng, OF_STEPS) < TURNS:
            direction = roll(rng, 4)
        row += int(direction == DOWN) - int(direction == UP)
        col += int(direction == RIGHT) - int(direction == LEFT)
        row = min(max(row, 1), rows - 2)
        col = min(max(col, 1), cols - 2)
        mask = MASKS[roll(rng, len(MASKS))]
        for place in range(9):
            if mask >> place & 1:
                floor[(row + place // 3 - 1) * cols + col + place % 3 - 1] = 1
    for r in range(rows):
        floor[r * cols] = floor[r * cols + cols - 1] = 0
    for c in range(cols):
        floor[c] = floor[(rows - 1) * cols + c] = 0


@part
def number_floor(floor, cols, places, number, order):
    """Number the floor cells in reading order, starting with 1. Return how many there are, and the stride.

    places[n] is the cell with number n; number[cell] is the number of that cell, or 0 if the cell is not floor; `order`
    becomes the list of all numbers.

        # # # # #     In a small room, the walls between the floor cells are numbered too, so that the number of the
        # # 1 2 #     cell below n is n + stride. The stride is the width of the floor: here it is 3. If a number
        # 3 4 # #     would then be greater than 63, the numbers have no gaps, and the stride is 0.
        # # # 8 #
        # # # # #
    """
    count, left, right = 0, cols, 0
    for cell in range(len(floor)):
        number[cell] = 0
        if floor[cell]:
            left, right = min(left, cell % cols), max(right, cell % cols)
            order[count] = cell
            count += 1
    if count == 0:
        return 0, 0
    stride, first, last = right - left + 1, np.int64(order[0]), np.int64(order[count - 1])
    if last // cols * stride + last % cols - first // cols * stride - first % cols > 62:
        stride = 0
    for place in range(count):
        cell, n = np.int64(order[place]), place + 1
        if stride:
            n = 1 + cell // cols * stride + cell % cols - first // cols * stride - first % cols
        order[place] = number[cell] = n
        places[n] = cell
    return count, stride


@part
def draw_distinct(rng, count, lots, order):
    """Draw `lots` distinct elements of order[0 : count] and move them to order[0 : lots]."""
    for place in range(lots):
        other = place + roll(rng, count - place)
        order[place], order[other] = order[other], order[place]
