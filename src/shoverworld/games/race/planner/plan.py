"""RacePlan: what `solve` hands out, after it was driven by the rules."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.jit import kernel
from shoverworld.core.plan import Plan, PlanError, Playable

from ..codes import FINISH
from ..config import LINES
from ..lines import clear_line, is_track, passes_finish
from ..tracks import Track


class OutOfTime(ShoverWorldError, TimeoutError):
    """A search that was to find out everything, and was stopped before."""

    __str__ = Exception.__str__


class OutOfMemory(ShoverWorldError, MemoryError):
    """The same, because it would have taken more memory than it may."""


@dataclass(frozen=True)
class RacePlan(Plan):
    """The way of one car to the finish; see Plan for what all plans have (stamina is not used).

    positions: the cells (x, y) from the start on; there is one more of them than of `actions`, which are 0 to 8.
    lower_bound: no car gets there in fewer legal moves. expanded: how many states, a cell and a velocity each, were met.
    stopped_by: also "memory" (no more room).
    """

    actions: list[int] = field(default_factory=list)  # type: ignore[assignment]
    positions: list[tuple[int, int]] = field(default_factory=list)

    @property
    def start(self) -> tuple[int, int] | None:
        return self.positions[0] if self.positions else None

    def check(
        self, track: Track, line: str = "valid_line", finish: str = "land", velocity: tuple[int, int] = (0, 0)
    ) -> None:
        """Drive the plan on a track, each move by the rule of the line; a PlanError if it does not finish."""
        way, actions = np.array(self.positions, np.int64).reshape(-1, 2), np.array(self.actions, np.int64)
        if len(actions) == 0 or len(way) != len(actions) + 1:
            raise PlanError(
                f"the plan has {len(actions)} moves and {len(way)} positions; expected one more of them than moves"
            )
        cells = np.ascontiguousarray(track.cells).reshape(-1)
        rules = LINES.index(line), finish == "cross"
        wrong = first_wrong(cells, track.rows, track.cols, *rules, *velocity, way, actions)
        if wrong >= 0:
            raise PlanError(
                f"move {wrong + 1} of the plan is illegal, leads elsewhere, finishes too soon, or is the last and does not finish"
            )

    def verify(self, env: Playable) -> None:
        """Drive the plan in an environment of one car that was just reset with this start; a PlanError if it does not finish."""
        info: dict[str, Any] = {}
        for number, action in enumerate(self.actions, 1):
            _, _, terminated, truncated, info = env.step(action)
            if (terminated or truncated) and number < self.steps:
                raise PlanError(f"the race is over ({info['outcome']}) after move {number} of {self.steps}")
        if self.actions and info["outcome"] != "finished":
            raise PlanError(f"the plan ends with {info['outcome']}; it promised finished")


@kernel
def first_wrong(cells, rows, cols, line, cross, dx, dy, way, actions):
    """The first move of a way that is illegal, not that of its action, or finishes too soon or, if it is the last, not at
    all; -1: none."""
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
