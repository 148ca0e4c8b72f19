"""Cells of a board: their neighbours, the names of cells and directions, and the size of a table of cells.

A cell is (row, col), both from 0. Directions are those of core/grid.py.
"""

from typing import ClassVar

from .grid import DIRECTIONS

Cell = tuple[int, int]

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # (rows, columns) of up, right, down, left
SIDES = ("above", "right of", "below", "left of")
OPPOSITE = (2, 3, 0, 1)


def beside(cell: Cell, direction: int, steps: int = 1) -> Cell:
    """The cell that is `steps` away."""
    return cell[0] + steps * STEPS[direction][0], cell[1] + steps * STEPS[direction][1]


def direction_to_neighbour(start: Cell, goal: Cell) -> int | None:
    """The direction from a cell to its neighbour; None if they are not neighbours."""
    return next((way for way in range(4) if beside(start, way) == goal), None)


def place_name(cell: Cell) -> str:
    return f"row {cell[0]}, column {cell[1]}"


def way_name(direction: int) -> str:
    return DIRECTIONS[direction]


class Sized:
    """Adds `rows` and `cols` to a class with a table of cells."""

    _sized_by: ClassVar[str] = "cells"  # the attribute that holds the table

    @property
    def rows(self) -> int:
        return getattr(self, self._sized_by).shape[0]

    @property
    def cols(self) -> int:
        return getattr(self, self._sized_by).shape[1]
