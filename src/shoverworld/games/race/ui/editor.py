"""Drafts of tracks for the level editor of the race."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoverworld.core.cells import Sized
from shoverworld.core.checks import whole, word
from shoverworld.core.drafts import check_rows, check_saved
from shoverworld.core.errors import TrackError
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board, Brush, Cell, DraftProblem, Scene

from .. import tiles
from ..boards import Grid, formats
from ..codes import FINISH, FREE, LARGEST_SIDE, OFF, START, SYMBOLS
from ..config import RULES
from ..config import USUAL as RACE
from ..draw import tiles_of
from ..tracks import Track

# The first brush erases. The editor itself uses the keys c f p q r t v, so no brush uses any of these keys.
brushes = (
    Brush("grass", ".", tiles.GRASS, "off the track; erases what is there"),
    Brush("road", "x", tiles.ROAD, "the track"),
    Brush("start", "a", tiles.START_CELL, "a start cell; the number of start cells limits the number of cars"),
    Brush("finish", "h", tiles.FINISH_CELL, "a finish cell"),
)
CODES = {"grass": OFF, "road": FREE, "start": START, "finish": FINISH}
SMALLEST, USUAL = 3, (20, 30)
_LETTERS = {code: letter for letter, code in SYMBOLS.items()}


@dataclass(frozen=True, eq=False)
class RaceDraft(Sized):
    cells: np.ndarray  # int8 (rows, cols); never changed in place
    title: str = ""
    about: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RaceDraft) and self.to_json() == other.to_json()

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
        part = self.cells[:rows, :cols]
        cells[: part.shape[0], : part.shape[1]] = part
        return replace(self, cells=cells)

    def flipped(self) -> "RaceDraft":
        return replace(self, cells=np.ascontiguousarray(np.fliplr(self.cells)))

    def rotated(self) -> "RaceDraft":
        return replace(self, cells=np.ascontiguousarray(np.rot90(self.cells, -1)))

    # --- Results

    def problems(self, preset: str) -> list[DraftProblem]:
        parse_rules(preset, RULES)  # raises an error if there are no such rules
        try:
            Track(self.cells, "the draft")
        except TrackError as reason:
            return [DraftProblem(str(reason).removeprefix("the draft").lstrip(":, "))]
        return []

    def board(self, preset: str, name: str) -> Board:
        track = self._track(preset, name)
        return Board(name, preset, Grid(track), track.title or name, track.about)

    def text(self, format: str, preset: str) -> str:
        format = word("format", format, [name for name, _ in formats])
        return self._track(preset, self.title or "the draft").to_text(format)

    def _track(self, preset: str, name: str) -> Track:
        """Return the track. The header of the track states the rules only if they are not the default rules."""
        return Track(self.cells, name, self.title, self.about, None if preset == RACE else preset)

    def to_json(self) -> dict[str, Any]:
        rows = ["".join(_LETTERS[code] for code in row) for row in self.cells.tolist()]
        return {"rows": rows, "title": self.title, "about": self.about}


def blank(preset: str) -> RaceDraft:
    """Return an empty draft, which is all grass."""
    parse_rules(preset, RULES)  # raises an error if there are no such rules
    return RaceDraft(np.full(USUAL, OFF, np.int8))


def draft_of(board: Board) -> RaceDraft:
    track: Track = board.level.track
    title, about = ("", "") if board.seed is not None else (track.title, track.about)
    return RaceDraft(track.cells, title, about)


def restore(saved: dict[str, Any]) -> RaceDraft:
    """Return the draft that `RaceDraft.to_json` saved. Raise ConfigError if `saved` is invalid."""
    check_saved(saved, ("rows", "title", "about"), ("title", "about"))
    check_rows(rows := saved["rows"], SYMBOLS, 1, LARGEST_SIDE)
    return RaceDraft(
        np.array([[SYMBOLS[letter] for letter in row] for row in rows], np.int8), saved["title"], saved["about"]
    )
