"""Read and write tracks as text, using numbers (the format of the race report) or symbols.

    -1 -1 -1 -1  -1       #####       the same track in both styles
    -1  1  0  0 100       #S..F
    -1 -1 -1 -1  -1       #####

A line that starts with // is a comment. The comments above the rows are the header: the title, the description and the
rules of the track (core/header.py).
"""

import re

import numpy as np

from shoverworld.core import files
from shoverworld.core.cells import numbered_lines, without_margins
from shoverworld.core.errors import TrackError
from shoverworld.core.header import Header, HeaderError, parse_header

from . import problems as say
from .codes import LARGEST_SIDE, NUMBERS, SYMBOLS
from .config import RULES
from .problems import PROBLEMS

_LETTERS = np.zeros(256, np.uint8)  # indexed by code; negative codes count from the end
_LETTERS[list(SYMBOLS.values())] = [ord(symbol) for symbol in SYMBOLS]


def decode(data: bytes, source: str) -> str:
    """Decode the contents of a text file. Raise TrackError if the file is not UTF-8 text."""
    try:
        return files.decoded(data)
    except files.NotText as wrong:
        what = PROBLEMS.sentence(say.TEXT_PROBLEMS[wrong.what])
        raise TrackError.at(what, source, wrong.line, wrong.column) from None


def parse(text: str, source: str) -> tuple[np.ndarray, Header]:
    """Parse a track. Return its cells, int8 (rows, cols), and its header."""
    rows, header = _split(files.checked_text(text, TrackError, source), source)
    if not rows:
        raise TrackError.at(PROBLEMS.sentence(say.NO_ROWS), source)
    numeric = rows[0][1].lstrip()[:1] in tuple("+-0123456789")
    cells: list[list[int]] = []
    for line, row in rows:
        if len(cells) == LARGEST_SIDE:
            raise TrackError.at(PROBLEMS.sentence(say.TOO_MANY_ROWS, LARGEST_SIDE), source, line)
        cells.append(_number_row(row, source, line) if numeric else _symbol_row(row, source, line))
        if len(cells[-1]) != len(cells[0]):
            what = PROBLEMS.sentence(say.ROW_LENGTH, len(cells[-1]), len(cells[0]))
            raise TrackError.at(what, source, line)
    return np.array(cells, np.int8), header


def _split(text: str, source: str) -> tuple[list[tuple[int, str]], Header]:
    """Return the rows with their line numbers, and the header.

    Comments are removed, and so are blank lines before the first row and after the last row.
    """
    lines = list(numbered_lines(text.replace("\r\n", "\n").replace("\r", "\n")))
    header = _header(lines, source)
    rows = without_margins((line, row.rstrip()) for line, row in lines if not row.startswith("//"))
    return rows, header


def _header(lines: list[tuple[int, str]], source: str) -> Header:
    try:
        return parse_header(lines, RULES)
    except HeaderError as reason:
        raise TrackError.at(str(reason), source, reason.line) from None


def _number_row(row: str, source: str, line: int) -> list[int]:
    found = row.split(maxsplit=LARGEST_SIDE)
    _check_length(found, source, line)
    if not set(found) <= NUMBERS.keys():
        invalid = next(match for match in re.finditer(r"\S+", row) if match[0] not in NUMBERS)
        what = PROBLEMS.sentence(say.UNKNOWN_CODE, repr(invalid[0][: say.LONGEST_CODE]))
        raise TrackError.at(what, source, line, invalid.start() + 1)
    return [NUMBERS[number] for number in found]


def _symbol_row(row: str, source: str, line: int) -> list[int]:
    symbols = "".join(row.split())
    _check_length(symbols, source, line)
    if not set(symbols) <= SYMBOLS.keys():
        column, invalid = next(
            (place, letter) for place, letter in enumerate(row, 1) if letter not in SYMBOLS and not letter.isspace()
        )
        raise TrackError.at(PROBLEMS.sentence(say.UNKNOWN_SYMBOL, repr(invalid)), source, line, column)
    return [SYMBOLS[symbol] for symbol in symbols]


def _check_length(found, source: str, line: int) -> None:
    if len(found) > LARGEST_SIDE:
        raise TrackError.at(PROBLEMS.sentence(say.TOO_MANY_CELLS, LARGEST_SIDE), source, line)


def number_text(cells: np.ndarray) -> str:
    return "".join(" ".join(map(str, row)) + "\n" for row in cells.tolist())


def symbol_text(cells: np.ndarray) -> str:
    return np.pad(_LETTERS[cells], ((0, 0), (0, 1)), constant_values=ord("\n")).tobytes().decode("ascii")
