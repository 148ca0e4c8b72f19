"""Functions that return facts about a position, such as its perfect squares and the effect of a move.

Moves are tried on a copy of the game, so a preview always matches the rules.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.grid import LEFT, UP, col_of, row_of
from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Cell

from .. import engine
from ..config import FIRST_SPECIAL, SPECIALS, Rules, Special
from ..setup import reached
from ..state import BARRIER, EMPTY, PLAYING, State


def is_box(content: int) -> bool:
    return EMPTY < content < BARRIER


def on_map(state: State, cell: Cell) -> bool:
    rows, cols = state.grid().shape[1:]
    return 0 <= cell[0] < rows and 0 <= cell[1] < cols


def content_of(state: State, cell: Cell) -> int:
    return int(state.grid()[0][cell])


def shover_of(state: State) -> Cell:
    return int(state.game["row"][0]), int(state.game["col"][0])


# --- Squares and moves


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


def kind_of(rules: Rules, z: int) -> int:
    """Return the kind of an action: -1 for the no-op, 0 to 3 for a direction, 4 or higher for a special action."""
    return z - rules.z_base


def is_direction(kind: int) -> bool:
    return UP <= kind <= LEFT


def is_special(kind: int) -> bool:
    return kind >= FIRST_SPECIAL


def special_of(kind: int) -> Special:
    return SPECIALS[kind - FIRST_SPECIAL]


def push_preview(rules: Rules, state: State, cell: Cell, direction: int) -> engine.PushPreview:
    """Preview an action in this direction on the given cell. (A walker acts on the next cell in that direction.)"""
    return engine.preview_push(state, rules.numbers(), *cell, direction)


def push_preview_from(rules: Rules, state: State, stand: Cell, direction: int) -> engine.PushPreview:
    """Preview an action in this direction as if the walker stood on the cell `stand`."""
    moved = state.copy()
    moved.game["row"], moved.game["col"] = stand
    return push_preview(rules, moved, stand, direction)


def in_reach(state: State, cell: Cell) -> bool:
    """Return whether the shover can walk to this cell. The reachable cells are cached for later calls."""
    game: Any = state.game[0]
    return cell in _reached(state.board.tobytes(), state.width, (int(game.row), int(game.col)))


@lru_cache(maxsize=2)
def _reached(board: bytes, width: int, start: Cell) -> set[Cell]:
    return reached(np.frombuffer(board, np.int8).reshape(-1, width)[1:-1, 1:-1], start)


def after(rules: Rules, state: State, action: Any) -> State:
    """Return the state after an action, or an unchanged copy if the game is already over."""
    tried = state.copy()
    if tried.game["outcome"][0] == PLAYING:
        row, col, z = (int(x) for x in action)
        engine.play(tried, 0, rules.numbers(), rules.reward_numbers(), row, col, z)
    return tried


def taken_square(rules: Rules, state: State, action: Any) -> SquareView | None:
    """Return the perfect square that a special action would use, if any."""
    return used_square(after(rules, state, action))


def used_square(state: State) -> SquareView | None:
    """Return the perfect square that the last step used, if that step was a valid special action."""
    game = game_numbers(state)
    if not is_special(game["kind"]) or not game["valid"]:
        return None
    corner = game["corner"]
    return SquareView(game[special_of(game["kind"]).event], row_of(corner, state.width), col_of(corner, state.width), 0)
