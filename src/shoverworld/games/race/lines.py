"""The rules for the line of a move: which cells must be on the track. `clear_line` implements the three rules.

A cell is a square around its centre. A move is the straight line from the centre of one cell to the centre of another.
Cells are stored row by row: a step to the right adds 1 to the index, and a step down adds the number of columns. Both
ends of a line must be on the board, so all cells between them are on the board too. All arithmetic uses exact integers,
so a line, its reverse, and its mirror image on a mirrored track give the same result.
"""

from shoverworld.core.jit import inner

from .codes import FINISH, OFF
from .config import LANDING, VALID_LINE


@inner
def is_track(cells, rows, cols, row, col):
    """Return whether cell (row, col) is on the board and on the track."""
    return 0 <= row < rows and 0 <= col < cols and cells[row * cols + col] != OFF


@inner
def clear_line(cells, cols, row, col, to_row, to_col, kind):
    """Return whether the line between two track cells satisfies the line rule `kind`, an index into LINES.

    valid_line    at each column and row, at least one of the two cells that the line passes between must be track
    supercover    every cell that the line crosses must be track
    landing       the cells along the line are not checked
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

    At each column, the line passes through the centre of one cell or between the centres of two. That cell, or at
    least one of the two cells, must be track. If `along` is a step up or down, rows play the role of columns.

        o a . .      From o to x: 3 columns along, 1 row across.
        . b c x      After 1 column, the line is 1/3 of a row down, between a and b. After 2 columns, it is 2/3 of a
                     row down, between c and the cell above c.

        o . . . .    4 columns along, 2 rows across: after 2 columns, the line passes through the centre of m, so m is
        . . m . .    the only cell that is checked in this column.
        . . . . x
    """
    beyond = 0  # the line is `beyond / length` of a cell past the centre of cell `here`
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
    """Return whether every cell that the line crosses after its first cell is track.

    The line crosses a cell if it passes through the cell's interior. Cells touched only at a corner do not count.

    o a .        From o to x, the line crosses a, then the edge between a and b, then b.
    . b x

    o .          A diagonal line leaves o at a corner. The next cell is x. The other two cells there are not checked.
    . x
    """
    columns, rows = 0, 0  # counts of column and row edges crossed so far
    while columns < length or rows < rise:
        step, columns, rows = next_cell(along, across, length, rise, columns, rows)
        here += step
        if cells[here] == OFF:
            return False
    return True


@inner
def next_cell(along, across, length, rise, columns, rows):
    """Return the offset to the next cell on the line, and the counts of column and row edges crossed so far.

    The line reaches the edge after column k at the fraction (2k + 1) / (2 * length) of the distance, and the edge
    after row k at (2k + 1) / (2 * rise). The line crosses the nearer edge next, or both edges at once at a corner.
    """
    to_column, to_row = (2 * columns + 1) * rise, (2 * rows + 1) * length
    if to_column < to_row:
        return along, columns + 1, rows
    if to_row < to_column:
        return across, columns, rows + 1
    return along + across, columns + 1, rows + 1


@inner
def passes_finish(cells, cols, row, col, to_row, to_col):
    """Return whether the line crosses the interior of a finish cell or ends on one, ignoring its first cell."""
    right, down = 1 if to_col > col else -1, cols if to_row > row else -cols
    width, height = abs(to_col - col), abs(to_row - row)
    here, columns, rows = row * cols + col, 0, 0
    while columns < width or rows < height:
        step, columns, rows = next_cell(right, down, width, height, columns, rows)
        here += step
        if cells[here] == FINISH:
            return True
    return False
