"""The state of Shover-World games: arrays with one row for each game.

A single environment is a batch of one game, so the rules are written only once. The kernels read the stamina of
one game as `game.stamina`, whereas NumPy code reads the stamina of all games as `state.game["stamina"]`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import RNG, copy_arrays, copy_of, record_type

from .config import Rules

EMPTY, LAVA, BARRIER = 0, -100, 100  # the code of a box is its strength mark, from 1 to 10
BOX = 10  # the strength of a box in Format B and on random maps


# The record of one game. A cell is an index into the framed board (core/grid.py).
GAME_RECORD = record_type(
    [
        ("stamina", np.float64),
        ("row", np.int64),  # the cell of the shover
        ("col", np.int64),
        ("direction", np.int64),  # the direction that the shover faces
        ("previous_row", np.int64),  # the position and the code of the last action, as the caller gave them
        ("previous_col", np.int64),
        ("previous_action", np.int64),
        ("cost", np.float64),  # the stamina cost of the last step's push
        ("timestep", np.int32),
        ("boxes", np.int32),  # boxes left
        ("destroyed", np.int32),  # boxes burnt or hellified so far
        ("blocks", np.int32),  # number of 2 x 2 blocks of boxes; without a block there is no square
        ("moving_cell", np.int32),  # the cell of the rear box in motion
        ("target", np.int32),  # the cell that the last direction acted on
        ("corner", np.int32),  # this field, `cost` and `chain` to `charged` store the last ShoverEvent
        ("dissolved", np.int32),  # boxes that dissolved in the last step
        ("map", np.int32),  # index of the map in the list of maps, or -1
        ("squares", np.int16),  # number of used entries in the list of squares
        ("moving", np.int16),  # number of boxes in motion; 0 if all are at rest
        ("chain", np.int16),
        ("barrier", np.int16),
        ("hellified", np.int16),
        ("blocked", np.int16),
        ("burnt", np.int8),
        ("reason", np.int8),
        ("valid", np.bool_),
        ("charged", np.bool_),
        ("kind", np.int8),  # the last action relative to `z_base`: -1 no-op, 0 to 3 directions, 4 and above specials
        ("moving_direction", np.int8),
        ("last_push", np.int8),  # direction of the last successful push, or -1
        ("outcome", np.int8),  # index into OUTCOMES
        ("shover", np.bool_),  # whether the map shows a shover; with `actor="select"`, there is none
        *RNG,
    ]
)  # 144 bytes

# The record of one perfect square. The squares of a game are sorted by age (oldest first), then in row-major order.
SQUARE = record_type([("n", np.int16), ("row", np.int16), ("col", np.int16), ("corner", np.int32), ("born", np.int32)])

OUTCOMES = (None, "cleared", "exhausted", "timeout")
PLAYING, CLEARED, EXHAUSTED, TIMEOUT = range(4)


class State(NamedTuple):
    """The state of N games on maps of the same size."""

    board: np.ndarray  # int8 (N, cells): the framed boards
    game: np.ndarray  # GAME_RECORD (N,)
    squares: np.ndarray  # SQUARE (N, maximum number of squares on a map of this size)
    width: int  # width of the framed boards

    def grid(self) -> np.ndarray:
        """Return a view (N, rows, cols) of the maps without their frames."""
        return self.board.reshape(len(self.board), -1, self.width)[:, 1:-1, 1:-1]

    def row(self, i: int) -> "State":
        """Return a view of game i alone."""
        return State(self.board[i : i + 1], self.game[i : i + 1], self.squares[i : i + 1], self.width)

    def pair(self, first: str) -> np.ndarray:
        """Return a view (N, 2) of two adjacent integer fields of every game, such as row and col."""
        return _neighbours(self.game, first, np.int64, 2)

    def squares_found(self) -> np.ndarray:
        """Return a view (N, most, 3) of the fields n, row and col of every entry in the lists of squares."""
        return _neighbours(self.squares, "n", np.int16, 3)

    def copy_to(self, other: "State") -> None:
        copy_arrays(self[:3], other[:3])

    def copy(self) -> "State":
        return State(copy_of(self.board), copy_of(self.game), copy_of(self.squares), self.width)


def _neighbours(records: np.ndarray, first: str, kind: type, count: int) -> np.ndarray:
    """Return a view of adjacent record fields of the same type, which form a new last axis."""
    size = np.dtype(kind).itemsize
    start = records.dtype.fields[first][1] // size  # type: ignore[index]
    flat = records.view(kind).reshape(*records.shape, records.itemsize // size)
    return flat[..., start : start + count]


class ShoverEvent(NamedTuple):
    """The effects of one step. The record of the game stores these effects for viewers and agents."""

    valid: bool
    chain: int  # the number of boxes pushed
    charged: bool  # whether the cost of the push included the initial force
    cost: float  # the stamina cost of the push
    burnt: int  # boxes that fell into lava
    barrier: int  # n of the square that the barrier maker converted
    hellified: int  # n of the square that hellify converted
    corner: int  # top-left cell of the square that a special action used
    reason: int  # why the action is invalid, as an index into the table in reasons.py
    blocked: int  # boxes in the chain that could not be pushed


class ShoverStep(NamedTuple):
    """The reward and the effects of a step, and the main fields of the game after the step."""

    reward: float
    timestep: int
    stamina: float
    boxes: int
    destroyed: int
    valid: bool
    chain: int
    charged: bool
    burnt: int
    squares: int
    reason: int
    map: int
    outcome: int


class ShoverStart(NamedTuple):
    """The start of a game: one of the given boards, drawn at random, or counts for a random board."""

    boards: np.ndarray  # int8 (boards, cells): framed boards; if the map is random, one board whose cells are empty
    starts: np.ndarray  # int64 (boards, 2): the start cell (row, col) of the shover, or (-1, -1) for a random one
    first: int  # the index of the first board in the list of maps, or -1 if the boards are not from the list
    boxes: int  # the number of boxes, or -1 to use the board unchanged
    barriers: int
    lavas: int


def start_on(boards: Sequence[np.ndarray], starts: Sequence[tuple[int, int] | None], first: int = -1) -> ShoverStart:
    """Return the start of a game on one of these framed boards. A start cell may be None, which means a random cell."""
    return ShoverStart(np.stack(boards), np.array([start or (-1, -1) for start in starts], np.int64), first, -1, 0, 0)


def new_state(games: int, rows: int, cols: int) -> State:
    """Allocate a state for this many games on maps of this size."""
    width = cols + 2
    return State(
        np.zeros((games, (rows + 2) * width), np.int8),
        np.zeros(games, GAME_RECORD),
        np.zeros((games, most_squares(rows, cols)), SQUARE),
        width,
    )


def most_squares(rows: int, cols: int) -> int:
    """Return the maximum number of perfect squares on a map of this size. Squares are at least one cell apart."""
    return max(1, ((rows + 1) // 3) * ((cols + 1) // 3))


def frame_of(edge: str) -> int:
    """Return the content of the frame (1.2), which lies beyond the edge of the map."""
    return LAVA if edge == "lava" else BARRIER


def set_frame(state: State, edge: str) -> None:
    """Give every game the frame for this edge."""
    boards = state.board.reshape(len(state.board), -1, state.width)
    boards[:, 0] = boards[:, -1] = boards[:, :, 0] = boards[:, :, -1] = frame_of(edge)


def adopt_rules(state: State, rules: Rules) -> None:
    """Set the frame of every game, and whether the game has a shover, as these rules require.

    The state may have been created under other rules.
    """
    state.game["shover"] = rules.actor != "select"
    set_frame(state, rules.edge)
