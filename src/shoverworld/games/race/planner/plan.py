"""RacePlan: the result of `solve`, checked by replaying it under the rules."""

from dataclasses import dataclass, field

import numpy as np

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.jit import kernel
from shoverworld.core.plan import Plan, PlanError

from ..codes import FINISH
from ..config import LINES
from ..lines import clear_line, is_track, passes_finish
from ..tracks import Track


class OutOfTime(ShoverWorldError, TimeoutError):
    """Raised when a search that must run to completion is stopped early."""

    __str__ = Exception.__str__


class OutOfMemory(ShoverWorldError, MemoryError):
    """Raised when a search that must run to completion reaches its memory limit."""


@dataclass(frozen=True)
class RacePlan(Plan):
    """A plan that takes one car to the finish. The other fields are described in `Plan`.

    actions: the number of the action for each move. positions: the cells (x, y) of the car, beginning with the start.
    status: "unsolvable" means that no sequence of legal moves leads from any of the starts to the finish.
    """

    actions: list[int] = field(default_factory=list[int])
    positions: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    @property
    def start(self) -> tuple[int, int] | None:
        return self.positions[0] if self.positions else None

    def check(
        self, track: Track, line: str = "valid_line", finish: str = "land", velocity: tuple[int, int] = (0, 0)
    ) -> None:
        """Replay the plan on a track under these rules. Raise PlanError unless the car finishes with the last move."""
        way, actions = np.array(self.positions, np.int64).reshape(-1, 2), np.array(self.actions, np.int64)
        if len(actions) == 0 or len(way) != len(actions) + 1:
            raise PlanError(
                f"moves: {len(actions)}, positions: {len(way)}; a plan needs at least one move, "
                "and one more position than moves"
            )
        cells = np.ascontiguousarray(track.cells).reshape(-1)
        rules = LINES.index(line), finish == "cross"
        wrong = first_wrong(cells, track.rows, track.cols, *rules, *velocity, way, actions)
        if wrong >= 0:
            raise PlanError(
                f"move {wrong + 1} of the plan is illegal, leads elsewhere, finishes too soon, "
                "or is the last move and does not finish"
            )


@kernel
def first_wrong(cells, rows, cols, line, cross, dx, dy, way, actions):
    """Return the index of the first wrong move, or -1 if there is none.

    A move is wrong if it is illegal, differs from its action, finishes too soon, or is the last move and does not
    finish.
    """
    for move in range(len(actions)):
        col, row, to_col, to_row = way[move, 0], way[move, 1], way[move + 1, 0], way[move + 1, 1]
        dx, dy = dx + actions[move] % 3 - 1, dy + actions[move] // 3 - 1
        if to_col != col + dx or to_row != row + dy or not is_track(cells, rows, cols, to_row, to_col):
            return move
        if not clear_line(cells, cols, row, col, to_row, to_col, line):
            return move
        home = cells[to_row * cols + to_col] == FINISH
        if cross:
            home = passes_finish(cells, cols, row, col, to_row, to_col)
        if home != (move == len(actions) - 1):
            return move
    return -1
