"""Facts about a position: the contents of cells, the effect of a push, and the effect of an action on a copy.

`@both` and `@shared` functions also run in the WebAssembly module, so they pass cells as two numbers and return -1
instead of None.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP, cell_at, col_of, record_type, row_of
from shoverworld.core.hashing import game_numbers
from shoverworld.core.jit import both, shared
from shoverworld.core.sheet import COLUMNS, Sheet
from shoverworld.core.ui import Cell

from .. import engine
from ..config import BARRIER_MAKER, FIRST_SPECIAL
from ..scan import mark_reach
from ..state import BARRIER, EMPTY, State, new_state
from .trial import copy_game, play_unless_over

MOST_STEPS = 12  # the maximum number of plan steps that are shown

# What is selected. All fields are 0 if nothing is selected.
INPUT = record_type(
    [
        ("box", np.bool_),  # whether a box is selected, on this cell
        ("row", np.int32),
        ("col", np.int32),
        ("pushed", np.bool_),  # whether the selected box is being pushed, from this cell in this direction
        ("pushed_row", np.int32),
        ("pushed_col", np.int32),
        ("direction", np.int32),
    ]
)
NOTHING_CHOSEN = np.zeros(1, INPUT)[0]


class Scratch(NamedTuple):
    """Memory for the functions of the user interface."""

    tried: State  # a game in which actions are tried
    reach: np.ndarray  # bool (cells of the map,)
    queue: np.ndarray  # int64 (cells of the framed board,)
    pushes: np.ndarray  # int64 (cells of the framed board,)
    plan: Sheet  # one row for each step of a plan


def scratch_for(state: State) -> Scratch:
    rows, cols = state.grid().shape[1:]
    cells = state.board.shape[1]
    return Scratch(
        new_state(1, rows, cols),
        np.empty(rows * cols, np.bool_),
        np.empty(cells, np.int64),
        np.empty(cells, np.int64),
        Sheet(np.zeros((MOST_STEPS, COLUMNS)), np.zeros(1, np.int64)),
    )


def shover_of(state: State) -> Cell:
    return int(state.game["row"][0]), int(state.game["col"][0])


class SquareView(NamedTuple):
    """The size, the top-left cell and the age of a perfect square."""

    n: int
    row: int
    col: int
    age: int


def squares_of(state: State) -> list[SquareView]:
    """Return the perfect squares, oldest first."""
    game = game_numbers(state)
    found = state.squares[0, : game["squares"]].tolist()
    return [SquareView(n, row, col, game["timestep"] - born) for n, row, col, _, born in found]


# --- Cells


@both
def is_box(content):
    return EMPTY < content < BARRIER


@both
def on_map(state, row, col):
    return 0 <= row < state.board.shape[1] // state.width - 2 and 0 <= col < state.width - 2


@both
def content_of(state, row, col):
    return int(state.board[0, cell_at(row, col, state.width)])


@both
def beside(row, col, direction, steps=1):
    """Return the cell that is `steps` cells away in a direction."""
    down = int(direction == DOWN) - int(direction == UP)
    right = int(direction == RIGHT) - int(direction == LEFT)
    return row + steps * down, col + steps * right


@both
def opposite(direction):
    return (direction + 2) % 4


@shared
def direction_to(row, col, to_row, to_col):
    """Return the direction from a cell to its neighbour, or -1 if the cells are not neighbours."""
    for direction in range(4):
        near_row, near_col = beside(row, col, direction)
        if near_row == to_row and near_col == to_col:
            return direction
    return -1


@shared
def in_reach(state, scratch, row, col):
    """Return whether the shover can walk to this cell."""
    mark_reach(state, scratch.reach, scratch.queue)
    return bool(scratch.reach[row * (state.width - 2) + col])


# --- Actions


@both
def is_direction(kind):
    """Return whether this kind of action (the code of an action minus `z_base`) is a direction."""
    return UP <= kind <= LEFT


@both
def is_special(kind):
    return kind >= FIRST_SPECIAL


@shared
def push_preview(state, rules, row, col, direction):
    """Preview an action in this direction on the given cell. (A walker acts on the next cell in that direction.)"""
    return engine.PushPreview(*engine.preview_row(state, 0, rules, row, col, direction))


@shared
def push_preview_from(state, rules, scratch, row, col, direction):
    """Preview an action in this direction as if the walker stood on this cell."""
    copy_game(state, scratch.tried)
    game = scratch.tried.game[0]
    game.row, game.col = row, col
    return push_preview(scratch.tried, rules, row, col, direction)


@shared
def try_action(state, rules, scratch, row, col, z):
    """Play an action on a copy of the game, `scratch.tried`. If the game is over, the copy does not change."""
    copy_game(state, scratch.tried)
    play_unless_over(scratch.tried, rules, row, col, z)


@shared
def used_square(state):
    """Return the size and the top-left cell of the square that the last step used. The size is 0 if it used none."""
    game = state.game[0]
    if not is_special(game.kind) or not game.valid:
        return 0, 0, 0
    size = int(game.barrier) if game.kind == BARRIER_MAKER else int(game.hellified)
    corner = int(game.corner)
    return size, row_of(corner, state.width), col_of(corner, state.width)
