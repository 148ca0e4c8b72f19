"""Cells and how they are called. Rows and columns are counted from 0."""

import numpy as np

from shoverworld.core.grid import DIRECTIONS
from shoverworld.core.ui import Cell

from ..state import BOX, TARGET, WALL, SokobanState

STEP = ((-1, 0), (0, 1), (1, 0), (0, -1))  # (rows, columns) of up, right, down, left
SIDES = ("above", "right of", "below", "left of")
OPPOSITE = (2, 3, 0, 1)
TOWARD = ("up", "to the right", "down", "to the left")
NAMES = ("player", "second player")


def beside(cell: Cell, direction: int, steps: int = 1) -> Cell:
    """The cell so many steps away."""
    return cell[0] + steps * STEP[direction][0], cell[1] + steps * STEP[direction][1]


def on_board(state: SokobanState, cell: Cell) -> bool:
    rows, cols = state.size
    return 0 <= cell[0] < rows and 0 <= cell[1] < cols


def player_of(state: SokobanState, who: int = 0) -> Cell:
    return divmod(int(state.game["second" if who else "player"][0]), state.width)


def players_of(state: SokobanState) -> list[Cell]:
    return [player_of(state, who) for who in range(state.players)]


def at(state: SokobanState, plane: int, cell: Cell) -> int:
    return int(state.planes[0, plane, cell[0] * state.width + cell[1]])


def is_wall(state: SokobanState, cell: Cell) -> bool:
    return not on_board(state, cell) or at(state, WALL, cell) != 0


def box_at(state: SokobanState, cell: Cell) -> int:
    """The number of the box there (1 when boxes have none); 0: no box."""
    return at(state, BOX, cell) if on_board(state, cell) else 0


def target_at(state: SokobanState, cell: Cell) -> int:
    return at(state, TARGET, cell) if on_board(state, cell) else 0


def is_free(state: SokobanState, cell: Cell) -> bool:
    """No wall, no box, and nobody there."""
    return not is_wall(state, cell) and not box_at(state, cell) and cell not in players_of(state)


def is_numbered(state: SokobanState) -> bool:
    return int(state.planes[0, TARGET : BOX + 1].max()) > 1


def boxes_of(state: SokobanState) -> list[Cell]:
    width = state.width
    return [divmod(cell, width) for cell in np.flatnonzero(state.planes[0, BOX]).tolist()]


def direction_between(start: Cell, goal: Cell) -> int | None:
    """The direction from a cell to one next to it; None when it is not next to it."""
    return next((way for way in range(4) if beside(start, way) == goal), None)


def place_name(cell: Cell) -> str:
    return f"row {cell[0]}, column {cell[1]}"


def way_name(direction: int) -> str:
    return DIRECTIONS[direction]


def box_name(state: SokobanState, cell: Cell) -> str:
    """ "box", or "box 3"."""
    return f"box {box_at(state, cell)}" if is_numbered(state) else "box"


def target_name(state: SokobanState, cell: Cell) -> str:
    return f"target {target_at(state, cell)}" if is_numbered(state) else "target"


def count(number: int, name: str) -> str:
    """ "1 push", "2 pushes"."""
    return f"{number:,} {name if number == 1 else name + ('es' if name.endswith(('sh', 'x')) else 's')}"
