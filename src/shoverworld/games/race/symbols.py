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

from .codes import LARGEST_SIDE, NUMBERS, SYMBOLS
from .config import RULES

_LETTERS = {code: symbol for symbol, code in SYMBOLS.items()}
_EMPTY = "the track is empty; expected rows of numbers (-1 0 1 100) or of symbols (# . S F)"
_NUMBERS_EXPECTED = "expected -1 off the track, 0 track, 1 start or 100 finish"
_SYMBOLS_EXPECTED = "expected # off the track, . track, S start or F finish"


def decode(data: bytes, source: str) -> str:
    """Decode the contents of a text file. Raise TrackError if the file is not UTF-8 text."""
    try:
        return files.decoded(data)
    except files.NotText as wrong:
        expected = "expected a track as UTF-8 text or as an image (PNG, BMP, GIF, PPM, JPEG or WebP)"
        raise TrackError.at(f"{wrong.what}; {expected}", source, wrong.line, wrong.column) from None


def parse(text: str, source: str) -> tuple[np.ndarray, Header]:
    """Parse a track. Return its cells, int8 (rows, cols), and its header."""
    rows, header = _split(files.checked_text(text, TrackError, source), source)
    if not rows:
        raise TrackError.at(_EMPTY, source)
    numeric = rows[0][1].lstrip()[:1] in tuple("+-0123456789")
    cells: list[list[int]] = []
    for line, row in rows:
        if len(cells) == LARGEST_SIDE:
            raise TrackError.at(f"the track has too many rows; expected at most {LARGEST_SIDE}", source, line)
        cells.append(_number_row(row, source, line) if numeric else _symbol_row(row, source, line))
        if len(cells[-1]) != len(cells[0]):
            what = f"this row has {len(cells[-1])} cells; expected {len(cells[0])} as in the first row"
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
        raise TrackError.at(f"{invalid[0][:20]!r}; {_NUMBERS_EXPECTED}", source, line, invalid.start() + 1)
    return [NUMBERS[number] for number in found]


def _symbol_row(row: str, source: str, line: int) -> list[int]:
    symbols = "".join(row.split())
    _check_length(symbols, source, line)
    if not set(symbols) <= SYMBOLS.keys():
        column, invalid = next(
            (place, letter) for place, letter in enumerate(row, 1) if letter not in SYMBOLS and not letter.isspace()
        )
        raise TrackError.at(f"{invalid!r}; {_SYMBOLS_EXPECTED}", source, line, column)
    return [SYMBOLS[symbol] for symbol in symbols]


def _check_length(found, source: str, line: int) -> None:
    if len(found) > LARGEST_SIDE:
        raise TrackError.at(f"this row has too many cells; expected at most {LARGEST_SIDE}", source, line)


def number_text(cells: np.ndarray) -> str:
    return "".join(" ".join(map(str, row)) + "\n" for row in cells.tolist())


def symbol_text(cells: np.ndarray) -> str:
    return "".join("".join(_LETTERS[code] for code in row) + "\n" for row in cells.tolist())
