"""The number of boxes in windows of the board and in places for perfect squares, before and after a push."""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import col_of, row_of
from shoverworld.core.jit import inner, rare

from .. import rules as rulebook
from ..measure import is_floor

NO_PLACE = -1
_RING = 8  # more boxes in the ring of a 2 x 2 place than this do not count


class Windows(NamedTuple):
    """Sums over the board, and the places for squares by their top-left cells."""

    boxes: np.ndarray  # int32 (cells,): the boxes in all rows and columns up to this cell
    walls: np.ndarray  # int32 (cells,): the cells without floor up to this cell
    two: np.ndarray  # int32 (cells,): boxes * 16 + boxes in the ring of the 2 x 2 place, or NO_PLACE
    three: np.ndarray  # int32 (cells,): boxes in the 3 x 3 place, or NO_PLACE


def new_windows(cells: int) -> Windows:
    return Windows(*(np.zeros(cells, np.int32) for _ in range(4)))


@inner
def sum_within(sums, width, top, left, bottom, right):
    """Return the sum over rows top to bottom and columns left to right of the framed board. None of them is 0."""
    low, high = bottom * width, (top - 1) * width
    return sums[low + right] - sums[low + left - 1] - sums[high + right] + sums[high + left - 1]


@rare
def write_windows(board, width, windows):
    """Write the sums and the places for squares of a board."""
    high = len(board) // width
    for row in range(high):
        boxes, walls = 0, 0
        for col in range(width):
            cell = row * width + col
            boxes += rulebook.is_box(board[cell])
            walls += not is_floor(board[cell])
            windows.boxes[cell] = boxes + (windows.boxes[cell - width] if row > 0 else 0)
            windows.walls[cell] = walls + (windows.walls[cell - width] if row > 0 else 0)
            windows.two[cell], windows.three[cell] = NO_PLACE, NO_PLACE
    for row in range(1, high - 2):
        for col in range(1, width - 2):
            if sum_within(windows.walls, width, row, col, row + 1, col + 1) == 0:
                inside = sum_within(windows.boxes, width, row, col, row + 1, col + 1)
                ring = boxes_between(windows, width, row - 1, col - 1, row + 2, col + 2) - inside
                windows.two[row * width + col] = inside * 16 + ring
            fits = row < high - 3 and col < width - 3
            if fits and sum_within(windows.walls, width, row, col, row + 2, col + 2) == 0:
                windows.three[row * width + col] = sum_within(windows.boxes, width, row, col, row + 2, col + 2)


@inner
def boxes_between(windows, width, top, left, bottom, right):
    """Return the number of boxes in a window, which may reach beyond the map."""
    high = len(windows.boxes) // width
    top, left, bottom, right = max(top, 1), max(left, 1), min(bottom, high - 1), min(right, width - 1)
    return sum_within(windows.boxes, width, top, left, bottom, right)


@inner
def boxes_near(windows, width, cell, radius):
    """Return the number of boxes at most `radius` rows and columns from a cell, which may be in the frame."""
    row, col = cell // width, cell % width
    return np.int64(boxes_between(windows, width, row - radius, col - radius, row + radius, col + radius))


@inner
def is_near(cell, other, width, radius):
    rows, cols = abs(row_of(cell, width) - row_of(other, width)), abs(col_of(cell, width) - col_of(other, width))
    return rows <= radius and cols <= radius


@rare
def best_places(windows, width, cell, gone):
    """Return the most complete 2 x 2 place and the number of boxes in the fullest 3 x 3 place that contain a cell.

    gone: -1 to measure the board as it is; otherwise, a box moves from `gone` to the cell. The first number is
    16 * boxes - boxes in the ring + _RING, or 0 if there is no place.
    """
    moves = int(gone >= 0)
    row, col = row_of(gone, width), col_of(gone, width)
    two, three = 0, 0
    for up in range(3):
        for left in range(3):
            corner = cell - up * width - left
            if corner < 0:
                continue
            rows, cols = row - row_of(corner, width), col - col_of(corner, width)
            if up < 2 and left < 2 and windows.two[corner] != NO_PLACE:
                place = np.int64(windows.two[corner])
                lost = moves and 0 <= rows < 2 and 0 <= cols < 2
                near = moves and not lost and -1 <= rows < 3 and -1 <= cols < 3
                inside, ring = place // 16 + moves - lost, place % 16 - near
                two = max(two, 16 * inside - min(ring, _RING) + _RING)
            if windows.three[corner] != NO_PLACE:
                lost = moves and 0 <= rows < 3 and 0 <= cols < 3
                three = max(three, np.int64(windows.three[corner]) + moves - lost)
    return two, three
