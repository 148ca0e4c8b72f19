"""Read, check and write maps in two text formats, Format A (numbers) and Format B (symbols). See rule 1.8.

    0 0 10        . . B     The same map in both formats. Format B also marks the start cell of the shover (A).
    0 0 -100      . A L

Both formats are lossless. Information that the cells of a format cannot express is stored in lines that start with
`//!`. The title, the description and the rules are stored in lines that start with `//` (core/header.py). Other
programs treat all these lines as comments.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib import resources
from operator import index

import numpy as np

from shoverworld.core.cells import numbered_lines, without_margins
from shoverworld.core.errors import ConfigError, MapError, MapNotFound
from shoverworld.core.files import NotText, checked_text, decoded, read_file, write_safely
from shoverworld.core.header import Header, HeaderError, checked_header, parse_header
from shoverworld.core.notebook import LARGEST_CELL, Pictured

from . import problems as say
from .config import LARGEST_SIDE, PRESETS
from .problems import PROBLEMS
from .state import BARRIER, BOX, EMPTY, LAVA

NUMBERS = {str(code): code for code in (LAVA, EMPTY, *range(1, 11), BARRIER)}
SYMBOLS = {".": EMPTY, "B": BOX, "#": BARRIER, "L": LAVA, "A": EMPTY}
LARGEST_FILE = 4 * 2**20  # size limit in bytes; the largest map in Format A takes up a tenth of this
_CODES = np.array(sorted(NUMBERS.values()))
_FOLDER = resources.files("shoverworld.games.shover") / "maps"
_DIRECTIVE = re.compile(r"//!\s*(start|strength)((?:\s+\d+)+)\s*", re.ASCII)


@dataclass(frozen=True, eq=False)
class Map(Pictured):
    """The cells of a map (int8, coded as in the observation), the start cell of the shover and the header.

    Two maps are equal if their cells and their starts are equal.
    """

    _sized_by = "grid"
    grid: np.ndarray
    agent: tuple[int, int] | None = None  # None means a random empty cell
    name: str = "map"
    title: str = ""
    about: str = ""  # the description, with one paragraph per line
    rules: str | None = None  # the rules that the map is made for, such as "phase2, initial_force=30", or None

    def __post_init__(self) -> None:
        try:
            given = np.asarray(self.grid)
            if given.dtype.kind not in "iuf":
                raise TypeError(f"the cells have type {given.dtype}")
        except (ValueError, TypeError, OverflowError) as reason:
            raise MapError.at(f"the grid is not a table of numbers ({reason})", self.name) from None
        if given.ndim != 2 or not all(1 <= side <= LARGEST_SIDE for side in given.shape):
            raise MapError.at(
                f"the size is {' x '.join(map(str, given.shape))}; expected rows x columns, each 1 to {LARGEST_SIDE}",
                self.name,
            )
        strange = np.argwhere(~np.isin(given, _CODES))
        if len(strange):
            row, col = strange[0].tolist()
            raise MapError.at(
                f"cell ({row}, {col}) contains {given[row, col]}; expected -100 lava, 0 empty, 1-10 box or 100 barrier",
                self.name,
            )
        grid = given.astype(np.int8)
        if not (grid == EMPTY).any():
            raise MapError.at(PROBLEMS.sentence(say.NO_EMPTY_CELL), self.name)
        grid.setflags(write=False)
        object.__setattr__(self, "grid", grid)
        if self.agent is not None:
            object.__setattr__(self, "agent", self._start(self.agent))
        self._check_header()

    def _check_header(self) -> None:
        try:
            header = checked_header(self.title, self.about, self.rules, PRESETS)
        except (ConfigError, AttributeError, TypeError) as reason:
            raise MapError.at(str(reason), self.name) from None
        for name, value in header._asdict().items():
            object.__setattr__(self, name, value)

    def _start(self, agent: Iterable[int]) -> tuple[int, int]:
        try:
            row, col = (index(x) for x in agent)
        except (TypeError, ValueError):
            raise MapError.at(f"the start cell {agent!r} is not a pair (row, col)", self.name) from None
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise MapError.at(PROBLEMS.sentence(say.START_OUTSIDE, row, col, self.rows, self.cols), self.name)
        if self.grid[row, col] != EMPTY:
            raise MapError.at(PROBLEMS.sentence(say.START_NOT_EMPTY, row, col), self.name)
        return row, col

    def with_start(self) -> "Map":
        """Return the map with a start cell. If the map does not have one, use its first empty cell."""
        if self.agent is not None:
            return self
        return replace(self, agent=tuple(np.argwhere(self.grid == EMPTY)[0].tolist()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self.agent == other.agent and np.array_equal(self.grid, other.grid)

    def __hash__(self) -> int:
        return hash((self.grid.shape, self.grid.tobytes(), self.agent))

    def __str__(self) -> str:
        return "\n".join(_symbol_rows(self))

    @classmethod
    def read(cls, path: "str | os.PathLike[str] | Map") -> "Map":
        """Read a map file in either format, or a packaged map by name. If `path` is a Map, return it unchanged."""
        if isinstance(path, Map):
            return path
        try:
            source = os.fsdecode(path)
        except TypeError:
            raise MapError(f"map_path={path!r}: must be a path or the name of a bundled map") from None
        try:
            data = read_file(source, MapError, LARGEST_FILE)
        except FileNotFoundError:
            if source in bundled_names():
                return bundled(source)
            missing = f"no map file or bundled map has this name{_near(source)}"
            raise MapNotFound.at(missing, source) from None
        return cls._decode(data, source)

    @classmethod
    def _decode(cls, data: bytes, source: str) -> "Map":
        try:
            text = decoded(data)
        except NotText as wrong:
            raise MapError.at(wrong.what, source, wrong.line, wrong.column) from None
        return cls.parse(text, source)

    @classmethod
    def parse(cls, text: str, name: str = "map") -> "Map":
        """Parse a map from a string; the format is detected from the content."""
        text = checked_text(text, MapError, name, LARGEST_FILE)
        lines = list(numbered_lines(text))
        rows, directives = _split(lines)
        header = _header_of(lines, name)
        if not rows:
            raise MapError.at(PROBLEMS.sentence(say.NO_ROWS), name)
        numeric = rows[0][1].lstrip()[:1] in tuple("-0123456789")
        grid: list[list[int]] = []
        start: tuple[int, int] | None = None
        for line, row in rows:
            cells = _number_row(name, line, row) if numeric else _symbol_row(name, line, row)
            if grid and len(cells) != len(grid[0]):
                raise MapError.at(PROBLEMS.sentence(say.ROW_LENGTH, len(cells), len(grid[0])), name, line)
            if len(cells) > LARGEST_SIDE or len(grid) == LARGEST_SIDE:
                raise MapError.at(PROBLEMS.sentence(say.TOO_LARGE, LARGEST_SIDE), name, line)
            for col, token in enumerate(cells):
                if token == "A":
                    if start:
                        raise MapError.at(PROBLEMS.sentence(say.SECOND_START), name, line, _column_of(row, col))
                    start = len(grid), col
            grid.append([(NUMBERS if numeric else SYMBOLS)[token] for token in cells])
        cells = np.array(grid, np.int8)
        start = _apply(cells, start, directives, name)
        return cls(cells, start, name, *header)

    def to_text(self, format: str = "B") -> str:
        """Return the map as a string in Format "A" or "B", with its header; parsing the string gives an equal map."""
        if format == "A":
            lines = [f"//! start {self.agent[0]} {self.agent[1]}"] if self.agent else []
            width = max(len(str(value)) for value in np.unique(self.grid))
            lines += [" ".join(f"{value:>{width}}" for value in row) for row in self.grid.tolist()]
        elif format == "B":
            boxes = self.grid[(self.grid > EMPTY) & (self.grid < BARRIER)].tolist()
            marks = boxes[:1] if len(set(boxes)) == 1 else boxes
            lines = ["//! strength " + " ".join(map(str, marks))] if any(mark != BOX for mark in marks) else []
            lines += _symbol_rows(self)
        else:
            raise MapError(f"format={format!r}: must be 'A' (numbers) or 'B' (symbols)")
        return "\n".join([*Header(self.title, self.about, self.rules).lines(), *lines]) + "\n"

    def write(self, path: str | os.PathLike[str], format: str = "B") -> None:
        """Write the map, with its header, to a file in Format "A" or "B"."""
        write_safely(path, self.to_text(format), make_folder=False)

    def picture(self, cell_size: int = LARGEST_CELL) -> np.ndarray:
        """Return a picture of the map as a uint8 array of shape (rows * cell_size, cols * cell_size, 3)."""
        from .draw import map_picture  # lazy, so that reading maps does not load the tiles

        return map_picture(self.grid, self.agent, cell_size)


def _split(lines: list[tuple[int, str]]) -> tuple[list[tuple[int, str]], list[tuple[int, str, list[int]]]]:
    """Split the lines of a map into rows and `//!` directives, both with line numbers.

    Drop the comments and any blank lines before and after the map.
    """
    rows: list[tuple[int, str]] = []
    directives: list[tuple[int, str, list[int]]] = []
    for line, row in lines:
        row = row.rstrip()
        if row.startswith("//"):
            if found := _DIRECTIVE.fullmatch(row):
                directives.append((line, found[1], [_small(number) for number in found[2].split()]))
        else:
            rows.append((line, row))
    return without_margins(rows), directives


def _header_of(lines: list[tuple[int, str]], name: str) -> Header:
    try:
        return parse_header(lines, PRESETS)
    except HeaderError as reason:
        raise MapError.at(str(reason), name, reason.line) from None


def _small(number: str) -> int:
    """Parse a number. Very long numbers, which are invalid anyway, become 10**9."""
    return int(number) if len(number) < 9 else 10**9


def _column_of(row: str, place: int) -> int:
    """Return the column of a symbol in a row, counted from 1. `place` is the symbol's index, not counting spaces."""
    return [column for column, symbol in enumerate(row, 1) if not symbol.isspace()][place]


def _number_row(name: str, line: int, row: str) -> list[str]:
    for found in re.finditer(r"\S+", row):
        if found[0] not in NUMBERS:
            what = PROBLEMS.sentence(say.UNKNOWN_CODE, repr(found[0][: say.LONGEST_CODE]))
            raise MapError.at(what, name, line, found.start() + 1)
    return row.split()


def _symbol_row(name: str, line: int, row: str) -> list[str]:
    for column, symbol in enumerate(row, 1):
        if symbol not in SYMBOLS and not symbol.isspace():
            raise MapError.at(PROBLEMS.sentence(say.UNKNOWN_SYMBOL, repr(symbol)), name, line, column)
    return [symbol for symbol in row if not symbol.isspace()]


def _apply(
    grid: np.ndarray, start: tuple[int, int] | None, directives: list[tuple[int, str, list[int]]], name: str
) -> tuple[int, int] | None:
    """Apply the `//!` directives: set the strengths of the boxes in the grid, and return the start."""
    boxes = (grid > EMPTY) & (grid < BARRIER)
    count, strengths = int(boxes.sum()), None
    for line, what, numbers in directives:
        if what == "start":
            if len(numbers) != 2:
                raise MapError.at(PROBLEMS.sentence(say.START_EXPECTED), name, line)
            start = start or (numbers[0], numbers[1])
        else:
            if len(numbers) not in (1, count) or not all(1 <= number <= 10 for number in numbers):
                raise MapError.at(PROBLEMS.sentence(say.STRENGTH_EXPECTED, count), name, line)
            strengths = numbers
    if strengths is not None:
        grid[boxes] = strengths
    return start


def _symbol_rows(m: Map) -> list[str]:
    symbols = {LAVA: "L", EMPTY: ".", BARRIER: "#"}
    rows = [[symbols.get(value, "B") for value in row] for row in m.grid.tolist()]
    if m.agent:
        rows[m.agent[0]][m.agent[1]] = "A"
    return ["".join(row) for row in rows]


# --- Bundled maps


@cache
def bundled_names() -> tuple[str, ...]:
    """Return the names of the bundled maps, in teaching order."""
    return tuple(sorted(entry.name.removesuffix(".txt") for entry in _FOLDER.iterdir() if entry.name.endswith(".txt")))


def bundled(name: str) -> Map:
    """Return the bundled map with this name."""
    if name not in bundled_names():
        hint = _near(str(name)) or f"; expected one of {', '.join(bundled_names())}"
        raise MapNotFound.at(f"no bundled map has this name{hint}", str(name))
    return Map._decode((_FOLDER / f"{name}.txt").read_bytes(), name)


def _near(name: str) -> str:
    """Return a suggestion that lists bundled maps with similar names, or "" if there are none."""
    names = bundled_names()
    near = [other for other in names if name and name.lower() in other] or get_close_matches(name, names, 3)
    return f"; did you mean {' or '.join(near[:3])}?" if near else ""
