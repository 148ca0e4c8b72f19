"""The rules for the line of a move: which cells must be on the track. `clear_line` implements the three rules.

A cell is a square around its centre. A move is the straight line from the centre of one cell to the centre of another.
Cells are stored row by row: a step to the right adds 1 to the index, a step down adds the number of columns. Both ends
of a line must be on the board, so everything between them is on the board too. All arithmetic uses exact integers, so
a line, its reverse and its mirror image always give the same result.
"""

from shoverworld.core.jit import inner

from .codes import FINISH, OFF
from .config import LANDING, VALID_LINE


@inner
def is_track(cells, rows, cols, row, col):
    """Return whether this cell is on the board and on the track."""
    return 0 <= row < rows and 0 <= col < cols and cells[row * cols + col] != OFF


@inner
def clear_line(cells, cols, row, col, to_row, to_col, kind):
    """Return whether the line between two cells is on the track, ignoring its ends. `kind` is an index into LINES.

    valid_line    at every column and at every row, one of the two cells that the line passes between must be track
    supercover    every cell that the line crosses must be track
    landing       no cell is checked
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
    """Return whether the line passes through or beside a track cell at each column strictly between its ends.

    At each column, the line passes through the centre of one cell or between the centres of two. At least one of these
    cells must be track. If `along` points down, rows take the role of columns.

        o a . .      From o to x: 3 columns along, 1 across.
        . b c x      After 1 column the line is 1/3 down, between a and b. After 2 columns it is 2/3 down, between the
                     cell above c and c.

        o . . . .    4 along, 2 across: after 2 columns the line is exactly 1 down. Only the cell m is checked.
        . . m . .
        . . . . x
    """
    beyond = 0  # the line is `beyond / length` cells away from the centre of `here`
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
    """Return whether every cell whose interior the line crosses is track. Cells touched only at a corner do not count.

    o a .        From o to x the line crosses a, the edge below a, and b.
    . b x

    o .          A diagonal leaves o at its corner. The next cell is x; the two cells beside the corner are not checked.
    . x
    """
    columns, rows = 0, 0  # numbers of edges crossed so far
    while columns < length or rows < rise:
        step, columns, rows = next_cell(along, across, length, rise, columns, rows)
        here += step
        if cells[here] == OFF:
            return False
    return True


@inner
def next_cell(along, across, length, rise, columns, rows):
    """Return the offset to the next cell on the line, and the numbers of column and row edges crossed so far.

    The line reaches the edge after column k at the fraction (2k + 1) / (2 length) of its length, and the edge after row
    k at (2k + 1) / (2 rise). It crosses the nearer edge, or both edges at a corner.
    """
    to_column, to_row = (2 * columns + 1) * rise, (2 * rows + 1) * length
    if to_column < to_row:
        return along, columns + 1, rows
    if to_row < to_column:
        return across, columns, rows + 1
    return along + across, columns + 1, rows + 1


@inner
def passes_finish(cells, cols, row, col, to_row, to_col):
    """Return whether the line crosses the interior of a finish cell or ends on one. The start cell does not count."""
    right, down = 1 if to_col > col else -1, cols if to_row > row else -cols
    width, height = abs(to_col - col), abs(to_row - row)
    here, columns, rows = row * cols + col, 0, 0
    while columns < width or rows < height:
        step, columns, rows = next_cell(right, down, width, height, columns, rows)
        here += step
        if cells[here] == FINISH:
            return True
    return False
