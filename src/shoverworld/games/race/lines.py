"""The line of a move: which cells it asks to be on the track, in exact whole numbers. Three rules, in `clear_line`.

A cell is a square around its middle, and a move is the straight line from the middle of one cell to the middle of another.
Cells lie flat, row after row: one column to the right is + 1, one row down is + columns. Both ends of a line must be on the
board; so is then all that lies between. Nothing is rounded, so a line and the same line back are judged alike, and so is
its mirror image.
"""

from shoverworld.core.jit import inner

from .codes import FINISH, OFF
from .config import LANDING, VALID_LINE


@inner
def is_track(cells, rows, cols, row, col):
    """Is there track at this place, or anything at all?"""
    return 0 <= row < rows and 0 <= col < cols and cells[row * cols + col] != OFF


@inner
def clear_line(cells, cols, row, col, to_row, to_col, kind):
    """Is what lies between these two cells on the track? `kind` is a place in LINES. The ends themselves are not asked.

    valid_line    of the two cells that the line passes between, at least one: at every column, and at every row
    supercover    every cell that the line goes through
    landing       none
    """
    if kind == LANDING:
        return True
    right, down = 1 if to_col > col else -1, cols if to_row > row else -cols
    width, height = abs(to_col - col), abs(to_row - row)
    here = row * cols + col
    if kind == VALID_LINE:
        by_columns = passes_between(cells, here, right, down, width, height)
        return by_columns and passes_between(cells, here, down, right, height, width)
    return goes_through(cells, here, right, down, width, height)


@inner
def passes_between(cells, here, along, across, length, rise):
    """At each column strictly between the ends (or each row: then `along` leads down), the line has an exact height: on
    the middle of one cell, or between the middles of two. There at least one of them must be track.

        o a . .      from o to x: 3 columns along, 1 across.
        . b c x      After 1 column the line is 1/3 down, between a and b; after 2 it is 2/3 down, between the cell
                     above c and c.

        o . . . .    4 along, 2 across: after 2 columns it is 1 down exactly. Only the cell m is asked.
        . . m . .
        . . . . x
    """
    beyond = 0  # how far the line has come across `here`, in parts of a cell: beyond / length
    for _ in range(1, length):
        here += along
        beyond += rise
        while beyond >= length:
            beyond -= length
            here += across
        if cells[here] == OFF and (beyond == 0 or cells[here + across] == OFF):
            return False
    return True


@inner
def goes_through(cells, here, along, across, length, rise):
    """Every cell whose inside the line crosses must be track; a cell that it only touches at a corner is not asked.

    o a .        from o to x the line goes through a, over the edge below it, and through b
    . b x

    o .          a diagonal leaves o by its corner: x is next, and neither cell beside the corner is asked
    . x
    """
    columns, rows = 0, 0  # edges crossed so far
    while columns < length or rows < rise:
        step, columns, rows = next_cell(along, across, length, rise, columns, rows)
        here += step
        if cells[here] == OFF:
            return False
    return True


@inner
def next_cell(along, across, length, rise, columns, rows):
    """From a cell of the line to the next one: what to add to the cell, and the edges crossed then.

    The edge after column k is reached when (2k + 1) / (2 length) of the line are done, that after row k when
    (2k + 1) / (2 rise) are: the sooner one is crossed, or both at their corner.
    """
    to_column, to_row = (2 * columns + 1) * rise, (2 * rows + 1) * length
    if to_column < to_row:
        return along, columns + 1, rows
    if to_row < to_column:
        return across, columns, rows + 1
    return along + across, columns + 1, rows + 1


@inner
def passes_finish(cells, cols, row, col, to_row, to_col):
    """Does the line go through the inside of a finish cell after the cell it begins in, or end on one?"""
    right, down = 1 if to_col > col else -1, cols if to_row > row else -cols
    width, height = abs(to_col - col), abs(to_row - row)
    here, columns, rows = row * cols + col, 0, 0
    while columns < width or rows < height:
        step, columns, rows = next_cell(right, down, width, height, columns, rows)
        here += step
        if cells[here] == FINISH:
            return True
    return False
