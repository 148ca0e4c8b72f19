# pyright: basic
# Numba infers the types of the functions that are compiled.
"""A sheet: what a view of a game shows, as rows of numbers.

The functions that decide what people see (scenes, motions, marks, figures, messages, the effect of a key or a click) are
`@shared`: the window and the terminal run them as plain Python, and a browser runs them compiled to WebAssembly. They
write rows to a sheet. A view reads the rows: core/sheet_reader.py in Python, player/sheet.js in a browser.

The first number of a row is its kind. The numbers after it are:

    TEXT     phrase, up to 10 numbers          a phrase (core/phrases.py); consecutive phrases form one text, which belongs
                                               to the row before them
    SPRITE   tile, start row, start col, end row, end col, opacity at start, at end, scale at start, at end
    TILE     row, col, tile                    the tile of a cell during a motion
    MOTION   seconds                           starts a motion: the tiles and sprites after it
    MARK     kind, row, col, colour, rows, cols, direction, strength, style, phrase or -1, number
                                               a mark, and its text if that is a single phrase with one number
    FIGURE   share or -1, tone, colour or -1, large, idle
                                               a line of the panel; the texts of its label and its value follow
    VALUE                                      separates the label of a figure from its value
    MOVE     kind                              what a move did: an index into MOVE_KINDS and the text that follows
    ACT      up to 3 numbers                   the player wants to play this action
    PLACE    row, col                          the player wants to be moved to this cell
    WALK     up to 3 numbers                   one of several actions that a single click plays
    SAY                                        the player gets an answer: the text that follows
    BUTTON   key, row, col, legal              a button that makes a move: the index of its key and its place
    SPECIAL  key                               a special move that is possible now, and the text of its effect
    SCORE    up to 4 numbers                   a score; lower numbers are better, and the first counts most
    PROBLEM  line, column, level, x, y         an error in a text (core/problems.py), with 0 for an unknown line, column
                                               or level and -1 for an unknown cell; the texts of its place and its
                                               message follow, with a VALUE between them
    LETTERS  index, up to 10 code points       a part of the quotation with this index in the phrase before it: it takes
                                               the place of `{0:quote}` if the number of the placeholder is this index

Colours are numbers: 65536 * red + 256 * green + blue.
"""

from typing import Any, NamedTuple

import numpy as np

from .jit import both, shared

COLUMNS = 12  # numbers per row
MOST_ROWS = 512  # rows besides those for the cells of a board

(
    TEXT, SPRITE, TILE, MOTION, MARK, FIGURE, VALUE, MOVE, ACT, PLACE, WALK, SAY, BUTTON, SPECIAL, SCORE,
    PROBLEM, LETTERS,
) = range(17)  # fmt: skip
KINDS = (
    "text", "sprite", "tile", "motion", "mark", "figure", "value", "move", "act", "place", "walk", "say", "button",
    "special", "score", "problem", "letters",
)  # fmt: skip

# The words for the numbers in a row, as in core/ui.py
MARK_KINDS = ("frame", "shade", "arrow", "line", "dot")
FRAME, SHADE, ARROW, LINE, DOT = range(len(MARK_KINDS))
MARK_STYLES = ("", "double", "corner", "small", "ring", "cross")
PLAIN, DOUBLE, CORNER, SMALL, RING, CROSS = range(len(MARK_STYLES))
TONES = ("", "good", "bad", "warn")
NEUTRAL, GOOD, BAD, WARN = range(len(TONES))
MOVE_KINDS = ("", "walk", "push", "drive", "place", "goal", "loss", "finish", "burn", "special", "dissolve", "invalid")
(
    NOTHING, WALKED, PUSHED, DROVE, PLACED, GOAL, LOSS, FINISH, BURN, SPECIAL_MOVE, DISSOLVE, INVALID,
) = range(len(MOVE_KINDS))  # fmt: skip

NO_TEXT = -1
NO_RIM = -1000  # what a scene returns if there is no rim around the board


class Sheet(NamedTuple):
    """Rows of numbers, float64 (rows, COLUMNS), and the number of rows in use, int64 (1,)."""

    rows: Any
    used: Any


def new_sheet(rows: int) -> Sheet:
    """Return an empty sheet with room for this many rows."""
    return Sheet(np.zeros((rows, COLUMNS)), np.zeros(1, np.int64))


@both
def sheet_rows(rows, cols):
    """Return how many rows a sheet needs for a board of this size."""
    return 3 * rows * cols + MOST_ROWS


@shared
def clear(sheet):
    sheet.used[0] = 0


@shared
def write_row(sheet, kind, a, b, c, d, e, f, g, h, i, j, k):
    """Add a row. A full sheet ignores it.

    The functions below convert their numbers to floats, so that this function is compiled only once.
    """
    n = sheet.used[0]
    if n < len(sheet.rows):
        row = sheet.rows[n]
        row[0], row[1], row[2], row[3], row[4], row[5] = kind, a, b, c, d, e
        row[6], row[7], row[8], row[9], row[10], row[11] = f, g, h, i, j, k
        sheet.used[0] = n + 1


@shared
def text(sheet, phrase, a=0.0, b=0.0, c=0.0, d=0.0, e=0.0, f=0.0):
    """Add a phrase with the numbers for its placeholders."""
    write_row(sheet, TEXT, 1.0 * phrase, 1.0 * a, 1.0 * b, 1.0 * c, 1.0 * d, 1.0 * e, 1.0 * f, 0.0, 0.0, 0.0, 0.0)


@shared
def sprite(sheet, tile, row, col, end_row, end_col, opacity=1.0, end_opacity=1.0, scale=1.0, end_scale=1.0):
    """Add a sprite that moves from one cell to another. Rows and columns may be fractions."""
    write_row(
        sheet, SPRITE, 1.0 * tile, 1.0 * row, 1.0 * col, 1.0 * end_row, 1.0 * end_col,
        1.0 * opacity, 1.0 * end_opacity, 1.0 * scale, 1.0 * end_scale, 0.0, 0.0,
    )  # fmt: skip


@shared
def mark(
    sheet, kind, row, col, colour, rows=1, cols=1, direction=0, strength=0.4, style=PLAIN, phrase=NO_TEXT, number=0.0
):
    """Add a mark. `phrase` is a short text with one number; longer texts follow as rows of their own."""
    write_row(
        sheet, MARK, 1.0 * kind, 1.0 * row, 1.0 * col, 1.0 * colour, 1.0 * rows, 1.0 * cols,
        1.0 * direction, 1.0 * strength, 1.0 * style, 1.0 * phrase, 1.0 * number,
    )  # fmt: skip


@shared
def figure(sheet, label, tone=NEUTRAL, share=-1.0, large=False, idle=False, colour=-1, a=0.0, b=0.0, c=0.0, d=0.0):
    """Add a line of the panel whose label is this phrase with the numbers a to d. The text of its value must follow."""
    write_row(
        sheet, FIGURE, 1.0 * share, 1.0 * tone, 1.0 * colour, 1.0 * large, 1.0 * idle, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    )
    text(sheet, label, a, b, c, d)
    row(sheet, VALUE)


@shared
def row(sheet, kind, a=0.0, b=0.0, c=0.0, d=0.0):
    """Add a row of another kind."""
    write_row(sheet, kind, 1.0 * a, 1.0 * b, 1.0 * c, 1.0 * d, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def rgb(red: int, green: int, blue: int) -> int:
    """Return a colour as a number."""
    return red << 16 | green << 8 | blue
