"""The list of the boxes of one game.

The search makes the list once for each game that it expands. A push changes only one entry, because the occupied cells
change only at the two ends of the chain: a box leaves the first cell, and a box arrives beyond the last one.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import cell_at, col_of, row_of
from shoverworld.core.jit import inner, rare

from .. import rules as rulebook

# The rows of `Boxes.each`. The rows from TO_LAVA onwards are for the heuristic (heuristic.py).
CELL, ROW, COL, TO_LAVA, GAP, SECOND, THIRD, FOURTH, SECOND_LEFT, THIRD_LEFT = range(10)


class Boxes(NamedTuple):
    """The boxes of one game, row by row."""

    each: np.ndarray  # (10, boxes): the values for each box. A single array is cheap to pass to a function
    first: np.ndarray  # (rows + 1,): the index of the first box in each row or below; the last entry is the box count
    index: np.ndarray  # (cells,): the index of the box on a cell; valid only for cells that contain a box


def new_boxes(boxes: int, cells: int, width: int) -> Boxes:
    return Boxes(*(np.zeros(shape, np.int64) for shape in ((10, boxes), cells // width - 1, cells)))


@rare
def list_boxes(board, width, boxes):
    """Store the cell, row and column of each box and return the number of boxes."""
    count, last = 0, len(boxes.first) - 1
    for row in range(last):
        boxes.first[row] = count
        start = cell_at(row, 0, width)
        for col in range(width - 2):
            if rulebook.is_box(board[start + col]):
                boxes.each[CELL, count] = start + col
                boxes.each[ROW, count] = row
                boxes.each[COL, count] = col
                boxes.index[start + col] = count
                count += 1
    boxes.first[last] = count
    return count


@inner
def replace_box(boxes, b, cell, width):
    """Change the cell of box b in `Boxes.each`. The list is then no longer sorted, and its index is not updated."""
    boxes[CELL, b] = cell
    boxes[ROW, b] = row_of(cell, width)
    boxes[COL, b] = col_of(cell, width)
