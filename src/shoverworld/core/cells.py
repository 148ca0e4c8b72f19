"""Helpers for the cells of a board: neighbours, names, rows of text, and table sizes.

A cell is (row, col), with both numbers counted from 0. The directions are defined in core/grid.py.
"""

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from .grid import DIRECTIONS

Cell = tuple[int, int]

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # the change in (row, col) for a step up, right, down or left
SIDES = ("above", "right of", "below", "left of")
OPPOSITE = (2, 3, 0, 1)
_WRITTEN = re.compile(r"\S[^\n]*")


def beside(cell: Cell, direction: int, steps: int = 1) -> Cell:
    """Return the cell that is `steps` cells away from another cell in a direction."""
    return cell[0] + steps * STEPS[direction][0], cell[1] + steps * STEPS[direction][1]


def direction_to_neighbour(start: Cell, goal: Cell) -> int | None:
    """Return the direction from a cell to its neighbour, or None if the cells are not neighbours."""
    return next((way for way in range(4) if beside(start, way) == goal), None)


def place_name(cell: Cell) -> str:
    return f"row {cell[0]}, column {cell[1]}"


def way_name(direction: int) -> str:
    return DIRECTIONS[direction]


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line of a string with its number, counted from 1, but skip repeated blank lines.

    Blank lines are skipped without a loop in Python, because a file may contain millions of them.
    """
    number, end = 1, 0  # the number and the end of the last line that is not blank
    for found in _WRITTEN.finditer(text):
        ends = text.count("\n", end, found.start())
        if ends > (end > 0):
            yield number + (end > 0), ""
        number += ends
        start = text.rfind("\n", end, found.start()) + 1
        end = found.end()
        yield number, text[start:end]


def without_margins(lines: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the numbered rows of a board without the blank lines before and after the board.

    Several consecutive blank lines inside the board become one, because the first one already causes an error.
    """
    rows: list[tuple[int, str]] = []
    blank: tuple[int, str] | None = None  # the first blank line after the most recent row
    for line, row in lines:
        if not row or row.isspace():
            blank = blank or (line, "")
            continue
        if blank and rows:
            rows.append(blank)
        blank = None
        rows.append((line, row))
    return rows


class Sized:
    """A mixin that adds `rows` and `cols` to a class with a table of cells."""

    _sized_by: ClassVar[str] = "cells"  # the attribute that holds the table

    @property
    def rows(self) -> int:
        return getattr(self, self._sized_by).shape[0]

    @property
    def cols(self) -> int:
        return getattr(self, self._sized_by).shape[1]
