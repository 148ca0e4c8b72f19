"""Check whether the kernels can safely continue from a state that the caller supplied."""

from typing import Any

import numpy as np

from shoverworld.core.errors import ConfigError
from shoverworld.core.grid import col_of, row_of
from shoverworld.core.states import COUNT, FINITE, INVALID, RNG_LIMITS, check_fields, is_array

from . import engine
from .config import FIRST_SPECIAL, LARGEST_SIDE, NOOP, SPECIALS
from .reasons import CODES
from .state import BARRIER, EMPTY, GAME_RECORD, LAVA, OUTCOMES, SQUARE, State, most_squares, set_frame

_IS_CODE = np.zeros(256, np.bool_)  # indexed by the code of a cell as an unsigned byte
_IS_CODE[np.array([LAVA, EMPTY, *range(1, 11), BARRIER], np.int8).view(np.uint8)] = True
_DOWN, _RIGHT = np.array([-1, 0, 1, 0]), np.array([0, 1, 0, -1])  # one step in each direction


def checked_state(state: Any, like: State | None = None) -> None:
    """Raise ConfigError unless the kernels can safely continue from this state.

    The state must contain one game or, if `like` is given, as many games as `like`, on maps of the same size.
    """
    if not isinstance(state, State):
        raise ConfigError(f"set_state: expected a State from get_state, not {type(state).__name__}")
    if not _fits(state, like):
        wanted = "one game" if like is None else f"{len(like.game)} games on maps of this batch's size"
        raise ConfigError(f"{INVALID}: expected {wanted}, with arrays unchanged in type and shape")
    check_fields(state.game, limits(state))
    if not _IS_CODE[state.board.view(np.uint8)].all():
        raise ConfigError(f"{INVALID}: the board contains codes other than -100 lava, 0 empty, 1-10 box, 100 barrier")
    if state.grid()[np.arange(len(state.game)), state.game["row"], state.game["col"]].any():
        raise ConfigError(f"{INVALID}: the shover is not on an empty cell")
    _check_motion(state)
    _check_squares(state)


def _fits(state: State, like: State | None) -> bool:
    """Return whether the arrays have the types and shapes of a state."""
    try:
        games, cells = state.board.shape
        rows, cols = cells // state.width - 2, state.width - 2
    except (AttributeError, TypeError, ValueError, ZeroDivisionError):
        return False
    return (
        type(state.width) is int
        and 1 <= rows <= LARGEST_SIDE
        and 1 <= cols <= LARGEST_SIDE
        and (games == 1 if like is None else (state.board.shape, state.width) == (like.board.shape, like.width))
        and is_array(state.board, np.int8, (games, (rows + 2) * (cols + 2)))
        and is_array(state.game, GAME_RECORD, (games,))
        and is_array(state.squares, SQUARE, (games, most_squares(rows, cols)))
    )


def limits(state: State) -> dict[str, tuple[float, float]]:
    """Return the minimum and maximum value of each field in the record of a game."""
    cells, width = state.board.shape[1], state.width
    rows, cols = cells // width - 2, width - 2
    longest = max(rows, cols)
    return {
        "stamina": FINITE,
        "timestep": COUNT,
        "row": (0, rows - 1),
        "col": (0, cols - 1),
        "direction": (0, 3),
        "previous_row": (-1, rows - 1),
        "previous_col": (-1, cols - 1),
        "previous_action": (-1, COUNT[1]),
        "boxes": (0, rows * cols),
        "destroyed": COUNT,
        "outcome": (0, len(OUTCOMES) - 1),
        "map": (-1, COUNT[1]),
        "blocks": (0, rows * cols),
        "squares": (0, state.squares.shape[1]),
        "moving": (0, longest),
        "moving_cell": (0, cells - 1),
        "moving_direction": (0, 3),
        "last_push": (-1, 3),
        "cost": FINITE,
        "chain": (0, longest),
        "burnt": (0, 1),
        "valid": (0, 1),
        "charged": (0, 1),
        "barrier": (0, longest),
        "hellified": (0, longest),
        "kind": (NOOP, FIRST_SPECIAL + len(SPECIALS) - 1),
        "reason": (0, len(CODES) - 1),
        "blocked": (0, longest),
        "target": (0, cells - 1),
        "corner": (0, cells - 1),
        "dissolved": (0, rows * cols),
        "shover": (0, 1),
        **RNG_LIMITS,
    }


def _check_motion(state: State) -> None:
    """Check that the moving boxes are on the map."""
    game = state.game[state.game["moving"] > 0]
    if not len(game):
        return
    rows, cols = state.grid().shape[1:]
    rear, direction = game["moving_cell"], game["moving_direction"]
    for steps in (0, game["moving"] - 1):  # the rear box and the front box
        row = row_of(rear, state.width) + steps * _DOWN[direction]
        col = col_of(rear, state.width) + steps * _RIGHT[direction]
        if ((row < 0) | (row >= rows) | (col < 0) | (col >= cols)).any():
            raise ConfigError(f"{INVALID}: moving_cell is {rear.tolist()[:8]}, which puts the moving boxes off the map")


def _check_squares(state: State) -> None:
    """Check everything that follows from the boards: the counts of boxes and blocks, and the lists of squares."""
    fresh = state.copy()
    set_frame(fresh, "wall")
    engine.recount(fresh)
    for name in ("boxes", "blocks", "squares"):
        here, counted = state.game[name], fresh.game[name]
        if not np.array_equal(here, counted):
            raise ConfigError(f"{INVALID}: {name} is {here.tolist()[:8]}, but the board has {counted.tolist()[:8]}")
    if not state.squares.view(np.uint8).any():
        return
    used = np.arange(state.squares.shape[1]) < state.game["squares"][:, None]
    corners, born = state.squares["corner"], state.squares["born"]
    order = np.argsort(np.where(used, corners, state.board.shape[1]), axis=1, kind="stable")
    sorted_squares = np.take_along_axis(state.squares, order, axis=1)  # sorted in row-major order, like the new list
    if not all(np.array_equal(sorted_squares[name], fresh.squares[name]) for name in ("n", "row", "col", "corner")):
        raise ConfigError(f"{INVALID}: the list of squares does not match the board")
    older = (born[:, :-1] < born[:, 1:]) | ((born[:, :-1] == born[:, 1:]) & (corners[:, :-1] < corners[:, 1:]))
    if (born < 0).any() or (born > state.game["timestep"][:, None]).any() or not (older | ~used[:, 1:]).all():
        raise ConfigError(f"{INVALID}: the squares are not sorted by age, or they appeared after this timestep")
