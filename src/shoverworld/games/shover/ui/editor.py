"""The level editor of Shover-World: map drafts and the problems found in them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoverworld.core.cells import Sized, place_name
from shoverworld.core.checks import whole, word
from shoverworld.core.drafts import check_saved, stuck_boxes
from shoverworld.core.errors import ConfigError, MapError
from shoverworld.core.grid import framed
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board, Brush, Cell, DraftProblem, Scene

from .. import rules as rulebook
from ..config import LARGEST_SIDE, PRESETS, Rules
from ..maps import Map
from ..measure import NO_WAY, boxes_on, pushes_to_lava
from ..state import BARRIER, BOX, EMPTY, LAVA, State, frame_of, new_state, start_on
from ..tiles import PLAIN_BOX, SHOVER_TILE
from .drawing import still
from .position import squares_of

STRENGTHS = tuple(
    Brush(f"box {strength}", str(strength % 10), strength, f"a box of strength {strength}")
    for strength in range(1, BOX + 1)
)
brushes = (
    Brush("empty", ".", EMPTY, "floor; erases what is there"),
    Brush("box", "b", BOX, f"a box of strength {BOX}", numbers="Strength", variants=STRENGTHS),
    Brush("barrier", "x", BARRIER, "an obstacle that cannot be moved"),
    Brush("lava", "l", LAVA, "boxes burn in it"),
    Brush("shover", "a", SHOVER_TILE + 2, "where the shover starts"),
    Brush("square 2", "q", PLAIN_BOX, "a perfect square of 2 x 2 boxes, with no box around it", 2),
    Brush("square 3", "w", PLAIN_BOX, "a perfect square of 3 x 3 boxes, with no box around it", 3),
    Brush("square 4", "e", PLAIN_BOX, "a perfect square of 4 x 4 boxes, with no box around it", 4),
)
_BRUSH = {brush.name: brush for brush in (*brushes, *STRENGTHS)}
FIELDS = ("rows", "cols", "cells", "start", "title", "about")


@dataclass(frozen=True, eq=False)
class ShoverDraft(Sized):
    """A map being edited: its cells, an optional start, and the title and description from its file."""

    cells: np.ndarray  # int8 (rows, cols), read-only
    start: Cell | None = None
    title: str = ""
    about: str = ""

    def __post_init__(self):
        self.cells.setflags(write=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShoverDraft) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def scene(self, preset: str = "") -> Scene:
        frame = frame_of(parse_rules(preset, PRESETS).edge) if preset else None
        return still(self.cells, self.start, frame=frame)

    # --- Changes

    def painted(self, cell: Cell, brush: str) -> "ShoverDraft":
        used = _BRUSH[word("brush", brush, _BRUSH)]
        row, col = cell
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            return self
        cells, start = self.cells.copy(), self.start
        if brush == "shover":
            cells[cell], start = EMPTY, cell
        elif used.size > 1:
            _plant(cells, row, col, used.size)
        else:
            cells[cell] = used.tile
        if start is not None and cells[start] != EMPTY:
            start = None  # the start was painted over
        same = start == self.start and np.array_equal(cells, self.cells)
        return self if same else replace(self, cells=cells, start=start)

    def resized(self, rows: int, cols: int) -> "ShoverDraft":
        rows, cols = whole("rows", rows, 1, LARGEST_SIDE), whole("columns", cols, 1, LARGEST_SIDE)
        if (rows, cols) == self.cells.shape:
            return self
        cells = np.zeros((rows, cols), np.int8)
        height, width = min(rows, self.rows), min(cols, self.cols)
        cells[:height, :width] = self.cells[:height, :width]
        start = self.start if self.start and self.start[0] < rows and self.start[1] < cols else None
        return replace(self, cells=cells, start=start)

    def flipped(self) -> "ShoverDraft":
        start = (self.start[0], self.cols - 1 - self.start[1]) if self.start else None
        return replace(self, cells=np.fliplr(self.cells).copy(), start=start)

    def rotated(self) -> "ShoverDraft":
        start = (self.start[1], self.rows - 1 - self.start[0]) if self.start else None
        return replace(self, cells=np.rot90(self.cells, -1).copy(), start=start)

    # --- Results

    def problems(self, preset: str) -> list[DraftProblem]:
        return faults(self.cells, self.start, parse_rules(preset, PRESETS))

    def board(self, preset: str, name: str) -> Board:
        level = self._level(preset, name)
        return Board(name, preset, level, level.title or name, level.about)

    def text(self, format: str, preset: str) -> str:
        return self._level(preset, self.title or "the draft").to_text(format)

    def _level(self, preset: str, name: str) -> Map:
        for problem in self.problems(preset):
            if problem.serious:
                raise MapError.at(problem.text, name)
        return Map(self.cells, self.start, name, self.title, self.about, preset)

    def to_json(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "cols": self.cols,
            "cells": self.cells.tolist(),
            "start": list(self.start) if self.start else None,
            "title": self.title,
            "about": self.about,
        }


def _plant(cells: np.ndarray, row: int, col: int, n: int) -> None:
    """Place a square of n x n boxes and remove all boxes from the ring around it. Keep barriers and lava (rule 1.4)."""
    ring = cells[max(0, row - 1) : row + n + 1, max(0, col - 1) : col + n + 1]
    ring[(ring > EMPTY) & (ring < BARRIER)] = EMPTY
    cells[row : row + n, col : col + n] = BOX


def blank(preset: str) -> ShoverDraft:
    """Return an empty map of the default size with the shover in the middle."""
    rules = parse_rules(preset, PRESETS)
    return ShoverDraft(np.zeros((rules.n_rows, rules.n_cols), np.int8), (rules.n_rows // 2, rules.n_cols // 2))


def draft_of(board: Board) -> ShoverDraft:
    """Return a draft made from a board. The draft of a random map has no title or description."""
    level: Map = board.level
    title, about = (level.title, level.about) if board.seed is None else ("", "")
    return ShoverDraft(np.array(level.grid, np.int8), level.agent, title, about)


def restore(saved: dict[str, Any]) -> ShoverDraft:
    """Return the draft that `ShoverDraft.to_json` saved. Raise ConfigError if `saved` is invalid."""
    check_saved(saved, FIELDS, ("title", "about"))
    rows, cols = whole("rows", saved["rows"], 1, LARGEST_SIDE), whole("cols", saved["cols"], 1, LARGEST_SIDE)
    codes = (LAVA, EMPTY, *range(1, 11), BARRIER)
    cells = saved["cells"]
    if not (
        isinstance(cells, list)
        and len(cells) == rows
        and all(isinstance(row, list) and len(row) == cols for row in cells)
        and all(type(content) is int and content in codes for row in cells for content in row)
    ):
        raise ConfigError(f"the cells of a saved draft must be {rows} rows of {cols} codes: -100, 0, 1 to 10 or 100")
    start = saved["start"]
    if start is not None:
        if not (isinstance(start, list) and len(start) == 2):
            raise ConfigError(f"start={start!r}: must be [row, col] or null")
        start = whole("start row", start[0], 0, rows - 1), whole("start column", start[1], 0, cols - 1)
    return ShoverDraft(np.array(cells, np.int8), start, saved["title"], saved["about"])


# --- Problems


def faults(cells: np.ndarray, start: Cell | None, rules: Rules) -> list[DraftProblem]:
    if not (cells == EMPTY).any():
        return [DraftProblem("the map has no empty cell for the shover")]
    if start is not None and cells[start] != EMPTY:
        return [DraftProblem(f"the shover starts at {place_name(start)}, which is not empty", start)]
    found = []
    if start is None:
        found.append(DraftProblem("the shover has no start cell and will start on a random empty cell", serious=False))
    if not boxes_on(cells).any():
        found.append(DraftProblem("there are no boxes, so the game is won at once; paint at least one", serious=False))
        return found
    return found + _hard_to_clear(cells, start, rules)


def _hard_to_clear(cells: np.ndarray, start: Cell | None, rules: Rules) -> list[DraftProblem]:
    """Report boxes that cannot be pushed into lava and so can be destroyed only as part of a perfect square."""
    game = _new_game(cells, start, rules)
    squares = squares_of(game)
    if rules.edge == "wall" and not (cells == LAVA).any():
        if squares:
            return []  # hellify may create lava
        text = "there is no lava and no perfect square, and the edge is a wall, so the boxes cannot be destroyed"
        return [DraftProblem(text, serious=False)]
    pushes = pushes_to_lava(game, rules.numbers()).reshape(-1, game.width)[1:-1, 1:-1]
    alone = boxes_on(cells)
    for n, row, col, _ in squares:
        alone[row : row + n, col : col + n] = False
    stuck = [(int(row), int(col)) for row, col in np.argwhere(alone & (pushes >= NO_WAY))]
    return stuck_boxes(
        stuck, lambda cell: f"no push can burn the box at {place_name(cell)}; only a perfect square can destroy it"
    )


def _new_game(cells: np.ndarray, start: Cell | None, rules: Rules) -> State:
    """Return a new game on the draft."""
    state = new_state(1, *cells.shape)
    row, col = start or (int(x) for x in np.argwhere(cells == EMPTY)[0])
    setup = start_on([framed(cells, frame_of(rules.edge))], [(row, col)])
    rulebook.reset(state, 0, rules.numbers(), setup)
    return state
