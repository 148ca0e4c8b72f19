"""Cells and how they are called."""

from shoverworld.core.grid import DIRECTIONS
from shoverworld.core.ui import Cell

from ..state import BARRIER, EMPTY, State

STEP = ((-1, 0), (0, 1), (1, 0), (0, -1))  # (rows, columns) of up, right, down, left
SIDES = ("above", "right of", "below", "left of")
OPPOSITE = (2, 3, 0, 1)


def is_box(content: int) -> bool:
    return EMPTY < content < BARRIER


def beside(cell: Cell, direction: int, steps: int = 1) -> Cell:
    """The cell so many steps away."""
    return cell[0] + steps * STEP[direction][0], cell[1] + steps * STEP[direction][1]


def on_map(state: State, cell: Cell) -> bool:
    rows, cols = state.grid().shape[1:]
    return 0 <= cell[0] < rows and 0 <= cell[1] < cols


def content_of(state: State, cell: Cell) -> int:
    return int(state.grid()[0][cell])


def shover_of(state: State) -> Cell:
    return int(state.game["row"][0]), int(state.game["col"][0])


def direction_between(start: Cell, goal: Cell) -> int | None:
    """The direction from a cell to one next to it; None when it is not next to it."""
    return next((way for way in range(4) if beside(start, way) == goal), None)


def place_name(cell: Cell) -> str:
    return f"row {cell[0]}, column {cell[1]}"


def boxes_name(count: int) -> str:
    return "1 box" if count == 1 else f"{count} boxes"


def way_name(direction: int) -> str:
    return DIRECTIONS[direction]
