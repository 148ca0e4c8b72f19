"""The state of Sokoban games: arrays with one row for each game. The planes are also the default observation.

    plane WALL   1 a wall                                          # # # #     wall     target   box      player
    plane TARGET 1 a target, or with fixed targets its number      # @ $ #     1 1 1 1  0 0 0 0  0 0 0 0  0 0 0 0
    plane BOX    1 a box, or with fixed targets its number         # . # #     1 0 0 1  0 0 0 0  0 0 1 0  0 1 0 0
    plane PLAYER 1 the player                                      # # # #     1 0 1 1  0 1 0 0  0 0 0 0  0 0 0 0
    plane SECOND 1 the second player, when there is one                        1 1 1 1  0 0 0 0  0 0 0 0  0 0 0 0

In every variant, a box is on its target if the target in the same cell has the same number. The border of a room
always consists of walls (store.py and checking.py ensure this), so the rules need no bounds checks.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import RNG, copy_arrays, copy_of, record_type

WALL, TARGET, BOX, PLAYER, SECOND = range(5)

# The fields of one game. The number of a cell is row * columns + column.
GAME_RECORD = record_type(
    [
        *RNG,
        ("steps", np.int32),
        ("moves", np.int32),  # number of steps in which a player moved
        ("pushes", np.int32),  # number of steps in which a player pushed a box
        ("pulls", np.int32),  # number of steps in which a player pulled a box
        ("level", np.int32),  # index of the stored level, or -1 if the room is not a stored level
        ("player", np.int16),  # the player's cell
        ("second", np.int16),  # the second player's cell, or -1 if there is no second player
        ("boxes", np.int16),
        ("on_target", np.int16),  # number of boxes on their targets
        ("all_on_target", np.bool_),
        ("last_action", np.int8),  # -1 before the first step
        ("outcome", np.int8),  # index into OUTCOMES
        ("change", np.int8),  # this field and the next four describe the last step; see SokobanEvent
        ("valid", np.bool_),
        ("pushed", np.bool_),
        ("pulled", np.bool_),
        ("reason", np.int8),
    ]
)  # 52 bytes: a game's record fits into one cache line

OUTCOMES = (None, "solved", "timeout")
PLAYING, SOLVED, TIMEOUT = range(3)


class SokobanState(NamedTuple):
    """The state of N games, whose rooms all have the same size."""

    planes: np.ndarray  # uint8 (N, 4 or 5, rows * cols)
    game: np.ndarray  # GAME_RECORD (N,)
    width: int  # columns

    @property
    def size(self) -> tuple[int, int]:
        return self.planes.shape[2] // self.width, self.width

    @property
    def players(self) -> int:
        return self.planes.shape[1] - PLAYER

    def rooms(self) -> np.ndarray:
        """Return a view of the planes with separate rows and columns: (N, planes, rows, cols)."""
        return self.planes.reshape(*self.planes.shape[:2], *self.size)

    def row(self, i: int) -> "SokobanState":
        """Return a view of game i alone."""
        return SokobanState(self.planes[i : i + 1], self.game[i : i + 1], self.width)

    def copy_to(self, other: "SokobanState") -> None:
        copy_arrays(self[:2], other[:2])

    def copy(self) -> "SokobanState":
        return SokobanState(copy_of(self.planes), copy_of(self.game), self.width)


class SokobanEvent(NamedTuple):
    """The effects of one step."""

    valid: bool
    moved: bool  # whether a player moved
    pushed: bool  # whether a box ahead of the player moved
    pulled: bool  # whether a box behind the player moved
    change: int  # the change in the number of boxes on their targets: 1, 0 or -1
    reason: int  # why the action is invalid, as an index into the table in reasons.py


class SokobanStep(NamedTuple):
    """The result of a step: the reward, whether the action was valid, and the counters of the game after the step."""

    reward: float
    steps: int
    moves: int
    pushes: int
    pulls: int
    boxes: int
    on_target: int
    valid: bool
    reason: int
    level: int
    outcome: int


def new_state(games: int, rows: int, cols: int, players: int = 1) -> SokobanState:
    """Allocate a state for the given number of games."""
    return SokobanState(np.zeros((games, PLAYER + players, rows * cols), np.uint8), np.zeros(games, GAME_RECORD), cols)


def border_is_wall(rooms: np.ndarray) -> np.ndarray:
    """Return, for each room, whether the whole border consists of walls. The shape of `rooms` is (..., rows, cols)."""
    sides = rooms[..., 0, :], rooms[..., -1, :], rooms[..., :, 0], rooms[..., :, -1]
    return np.logical_and.reduce([(side != 0).all(axis=-1) for side in sides])
