"""The drawing board: a track that is being drawn. Each change gives another draft, so undo is a list of them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoverworld.core.checks import known, whole, word
from shoverworld.core.errors import ConfigError, TrackError
from shoverworld.core.ui import Board, Brush, Cell, Problem, Scene

from .. import tiles
from ..codes import FINISH, FREE, LARGEST_SIDE, OFF, START, SYMBOLS
from ..draw import tiles_of
from ..symbols import number_text, symbol_text
from ..tracks import Track
from .grid import Grid
from .presets import RULES

# The first wipes. Keys that the editor has for itself (c f p q r t v) are left to it.
BRUSHES = (
    Brush("grass", ".", tiles.GRASS, "off the track; wipes what is there"),
    Brush("road", "x", tiles.ROAD, "the track"),
    Brush("start", "a", tiles.START_CELL, "a cell where a car can start; as many can race as there are of them"),
    Brush("finish", "h", tiles.FINISH_CELL, "a cell where the race ends"),
)
CODES = {"grass": OFF, "road": FREE, "start": START, "finish": FINISH}
FORMATS = (
    ("numbers", "as in the report: -1 off the track, 0 track, 1 start, 100 finish"),
    ("symbols", "to be read at a glance: # off the track, . track, S start, F finish"),
)
SMALLEST, USUAL = 3, (20, 30)
_LETTERS = {code: letter for letter, code in SYMBOLS.items()}


@dataclass(frozen=True, eq=False)
class RaceDraft:
    cells: np.ndarray  # int8 (rows, cols); nobody changes it
    title: str = ""

    @property
    def rows(self) -> int:
        return self.cells.shape[0]

    @property
    def cols(self) -> int:
        return self.cells.shape[1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RaceDraft) and self.title == other.title and np.array_equal(self.cells, other.cells)

    __hash__ = None  # type: ignore[assignment]

    def scene(self, preset: str = "") -> Scene:
        return Scene(tiles_of(self.cells), ())

    def painted(self, cell: Cell, brush: str) -> "RaceDraft":
        code = CODES[word("brush", brush, CODES)]
        row, col = cell
        if not (0 <= row < self.rows and 0 <= col < self.cols) or self.cells[cell] == code:
            return self
        cells = self.cells.copy()
        cells[cell] = code
        return replace(self, cells=cells)

    def resized(self, rows: int, cols: int) -> "RaceDraft":
        rows, cols = whole("rows", rows, SMALLEST, LARGEST_SIDE), whole("columns", cols, SMALLEST, LARGEST_SIDE)
        if (rows, cols) == self.cells.shape:
            return self
        cells = np.full((rows, cols), OFF, np.int8)
        kept = self.cells[:rows, :cols]
        cells[: kept.shape[0], : kept.shape[1]] = kept
        return replace(self, cells=cells)

    def flipped(self) -> "RaceDraft":
        return replace(self, cells=np.ascontiguousarray(np.fliplr(self.cells)))

    def rotated(self) -> "RaceDraft":
        return replace(self, cells=np.ascontiguousarray(np.rot90(self.cells, -1)))

    # --- what becomes of it

    def problems(self, preset: str) -> list[Problem]:
        word("preset", preset, RULES)
        try:
            Track(self.cells, "the drawing")
        except TrackError as reason:
            return [Problem(str(reason).removeprefix("the drawing").lstrip(":, "))]
        return []

    def board(self, preset: str, name: str) -> Board:
        track = Track(self.cells, name, self.title)
        return Board(name, word("preset", preset, RULES), Grid(track), self.title or name)

    def text(self, format: str, preset: str) -> str:
        track = Track(self.cells, self.title or "the drawing", self.title)
        if word("format", format, [name for name, _ in FORMATS]) == "numbers":
            return number_text(track.cells)
        return symbol_text(track.cells, track.title)

    def kept(self) -> dict[str, Any]:
        return {"rows": ["".join(_LETTERS[code] for code in row) for row in self.cells.tolist()], "title": self.title}


def blank(preset: str) -> RaceDraft:
    """A meadow."""
    word("preset", preset, RULES)
    return RaceDraft(np.full(USUAL, OFF, np.int8))


def draft_of(board: Board) -> RaceDraft:
    track: Track = board.level.track
    return RaceDraft(track.cells, "" if board.seed is not None else track.title)


def restored(kept: dict[str, Any]) -> RaceDraft:
    """What `RaceDraft.kept` gave; anything else is a ConfigError."""
    known(kept, ("rows", "title"), "part of a kept drawing")
    rows, title = kept.get("rows"), kept.get("title")
    if not (
        isinstance(rows, list)
        and 1 <= len(rows) <= LARGEST_SIDE
        and all(isinstance(row, str) and len(row) == len(rows[0]) and set(row) <= set(SYMBOLS) for row in rows)
        and 1 <= len(rows[0]) <= LARGEST_SIDE
    ):
        raise ConfigError(f"the rows of a kept drawing must be texts of one length made of {''.join(SYMBOLS)!r}")
    if not isinstance(title, str):
        raise ConfigError(f"title={title!r:.60}: must be text")
    return RaceDraft(np.array([[SYMBOLS[letter] for letter in row] for row in rows], np.int8), title)
