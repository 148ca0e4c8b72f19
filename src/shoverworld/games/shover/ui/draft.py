"""The drawing board: a map that is being drawn. Each change gives another draft, so undo is a list of them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoverworld.core.checks import known, whole, word
from shoverworld.core.errors import ConfigError, MapError
from shoverworld.core.ui import Board, Brush, Cell, Problem, Scene

from ..config import LARGEST_SIDE, PRESETS, Rules
from ..maps import Map
from ..state import BARRIER, BOX, EMPTY, LAVA, frame_of
from ..tiles import SHOVER_TILE
from .faults import faults
from .scene import still

BOX_KEYS = "123456789"
BRUSHES = (
    Brush("empty", ".", EMPTY, "floor; wipes what is there"),
    Brush("box", "b", BOX, "a box of strength 10"),
    Brush("barrier", "x", BARRIER, "nothing moves it, nothing goes through"),
    Brush("lava", "l", LAVA, "boxes burn in it"),
    Brush("shover", "a", SHOVER_TILE + 2, "where the shover starts; there is one"),
    Brush("square 2", "q", BOX, "a perfect square of 2 x 2 boxes, its ring free of boxes", 2),
    Brush("square 3", "w", BOX, "a perfect square of 3 x 3 boxes, its ring free of boxes", 3),
    Brush("square 4", "e", BOX, "a perfect square of 4 x 4 boxes, its ring free of boxes", 4),
    *(Brush(f"box {key}", key, int(key), f"a box of strength {key}") for key in BOX_KEYS),
)
_BRUSH = {brush.name: brush for brush in BRUSHES}
FORMATS = (
    ("B", "symbols, one a cell: . B # L A"),
    ("A", "numbers: 0 empty, 1-10 box, 100 barrier, -100 lava"),
)
_KEPT = ("rows", "cols", "cells", "start", "title", "about")


@dataclass(frozen=True, eq=False)
class ShoverDraft:
    """Cells, perhaps a start, and the comments of the file it came from."""

    cells: np.ndarray  # int8 (rows, cols), not to be changed
    start: Cell | None = None
    title: str = ""
    about: str = ""

    def __post_init__(self):
        self.cells.setflags(write=False)

    @property
    def rows(self) -> int:
        return self.cells.shape[0]

    @property
    def cols(self) -> int:
        return self.cells.shape[1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShoverDraft) and self.kept() == other.kept()

    __hash__ = None  # type: ignore[assignment]

    def scene(self, preset: str = "") -> Scene:
        frame = frame_of(Rules.preset(preset).edge) if preset else None
        return still(self.cells, self.start, frame=frame)

    # --- drawing

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
            start = None  # drawn over
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

    # --- what becomes of it

    def problems(self, preset: str) -> list[Problem]:
        return faults(self.cells, self.start, Rules.preset(preset))

    def board(self, preset: str, name: str) -> Board:
        word("preset", preset, PRESETS)
        return Board(name, preset, self._level(preset, name), self.title or name, self.about)

    def text(self, format: str, preset: str) -> str:
        word("preset", preset, PRESETS)
        said = [line for line in [self.title, *self.about.splitlines()] if line]
        head = [*(f"// {line}" for line in said), f"// rules: {preset}"]
        return "\n".join(head) + "\n" + self._level(preset, self.title or "the drawing").to_text(format)

    def _level(self, preset: str, name: str) -> Map:
        for problem in self.problems(preset):
            if problem.serious:
                raise MapError.at(problem.text, name)
        return Map(self.cells, self.start, name)

    def kept(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "cols": self.cols,
            "cells": self.cells.tolist(),
            "start": list(self.start) if self.start else None,
            "title": self.title,
            "about": self.about,
        }


def _plant(cells: np.ndarray, row: int, col: int, n: int) -> None:
    """n x n boxes, and no box in the ring around them; barriers and lava may stay there (rule 1.4)."""
    ring = cells[max(0, row - 1) : row + n + 1, max(0, col - 1) : col + n + 1]
    ring[(ring > EMPTY) & (ring < BARRIER)] = EMPTY
    cells[row : row + n, col : col + n] = BOX


def blank(preset: str) -> ShoverDraft:
    """An empty map of the usual size, with the shover in its middle."""
    rules = Rules.preset(preset)
    return ShoverDraft(np.zeros((rules.n_rows, rules.n_cols), np.int8), (rules.n_rows // 2, rules.n_cols // 2))


def draft_of(board: Board) -> ShoverDraft:
    """A random map has nothing to say of itself once it is changed."""
    title, about = (board.title, board.about) if board.seed is None else ("", "")
    title = "" if title == board.name else title
    return ShoverDraft(np.array(board.level.grid, np.int8), board.level.agent, title, about)


def restored(kept: dict[str, Any]) -> ShoverDraft:
    """What `ShoverDraft.kept` gave; anything else is a ConfigError."""
    known(kept, _KEPT, "part of a kept drawing")
    missing = [name for name in _KEPT if name not in kept]
    if missing:
        raise ConfigError(f"a kept drawing lacks {', '.join(missing)}")
    rows, cols = whole("rows", kept["rows"], 1, LARGEST_SIDE), whole("cols", kept["cols"], 1, LARGEST_SIDE)
    codes = (LAVA, EMPTY, *range(1, 11), BARRIER)
    cells = kept["cells"]
    if not (
        isinstance(cells, list)
        and len(cells) == rows
        and all(isinstance(row, list) and len(row) == cols for row in cells)
        and all(type(content) is int and content in codes for row in cells for content in row)
    ):
        raise ConfigError(f"the cells of a kept drawing must be {rows} rows of {cols} codes: -100, 0, 1 to 10 or 100")
    start = kept["start"]
    if start is not None:
        if not (isinstance(start, list) and len(start) == 2):
            raise ConfigError(f"start={start!r}: must be [row, col] or null")
        start = whole("start row", start[0], 0, rows - 1), whole("start column", start[1], 0, cols - 1)
    for name in ("title", "about"):
        if not isinstance(kept[name], str):
            raise ConfigError(f"{name}={kept[name]!r:.60}: must be text")
    return ShoverDraft(np.array(cells, np.int8), start, kept["title"], kept["about"])
