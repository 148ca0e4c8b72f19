"""A move tried out on a copy of the game: what is told before it is done is what the rules do."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.grid import LEFT, UP
from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Cell

from .. import engine
from ..config import FIRST_SPECIAL, Rules
from ..setup import reached
from ..state import EMPTY, PLAYING, State


class Square(NamedTuple):
    """A perfect square of a game."""

    n: int
    row: int
    col: int
    age: int


def squares_of(state: State) -> list[Square]:
    """Oldest first, as the game keeps them."""
    game = game_numbers(state)
    found = state.squares[0, : game["squares"]].tolist()
    return [Square(n, row, col, game["timestep"] - born) for n, row, col, _, born in found]


def kind_of(rules: Rules, z: int) -> int:
    """-1 a no-op, 0 to 3 a direction, from 4 on a special."""
    return z - rules.z_base


def is_direction(kind: int) -> bool:
    return UP <= kind <= LEFT


def is_special(kind: int) -> bool:
    return kind >= FIRST_SPECIAL


def foresee(rules: Rules, state: State, cell: Cell, direction: int) -> engine.PushPreview:
    """What a direction would do when this cell is selected (a walker has the next one)."""
    return engine.preview_push(state, rules.numbers(), *cell, direction)


def foresee_from(rules: Rules, state: State, stand: Cell, direction: int) -> engine.PushPreview:
    """The same for a walker who stands elsewhere."""
    moved = state.copy()
    moved.game["row"], moved.game["col"] = stand
    return foresee(rules, moved, stand, direction)


def in_reach(state: State, cell: Cell) -> bool:
    """Can the shover walk to this cell over empty ones? Asked anew at every move of the pointer, so it is remembered."""
    game: Any = state.game[0]
    return cell in _reached(state.board.tobytes(), state.width, (int(game.row), int(game.col)))


@lru_cache(maxsize=2)
def _reached(board: bytes, width: int, start: Cell) -> set[Cell]:
    return reached(np.frombuffer(board, np.int8).reshape(-1, width)[1:-1, 1:-1], start)


def after(rules: Rules, state: State, action: Any) -> State:
    """The game after an action; the same game when it is over already."""
    tried = state.copy()
    if tried.game["outcome"][0] == PLAYING:
        row, col, z = (int(x) for x in action)
        engine.play(tried, 0, rules.numbers(), rules.reward_numbers(), row, col, z)
    return tried


def taken_square(rules: Rules, state: State, action: Any) -> Square | None:
    """The perfect square that a special would act on."""
    kind = kind_of(rules, int(action[2]))
    tried = after(rules, state, action)
    if not is_special(kind) or not tried.game["valid"][0]:
        return None
    return used_square(state, tried)


def used_square(before: State, done: State) -> Square | None:
    """The perfect square that a valid special acted on. One that dissolved in the same step is all empty now."""
    left = {square[:3] for square in squares_of(done)}
    grid = done.grid()[0]
    for square in squares_of(before):
        n, row, col, _ = square
        if square[:3] not in left and (grid[row : row + n, col : col + n] != EMPTY).any():
            return square
    return None
