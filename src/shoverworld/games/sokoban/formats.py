"""Files of levels: XSB and SOK collections, and Boxoban's text. One reader for all; see docs/sokoban-levels.md.

; a title
#######
#.@-$_#       - and _ are floor as well as a space; 5#|#@$.#|5# is a board in runs
#######
Author: who
Comment: what they said
Solution: lurd
"""

import codecs
import os
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from shoverworld.core.errors import LevelError, LevelNotFound, SaveError

from . import lurd
from .collection import Found, sort_out
from .levels import LARGEST_SIDE, SMALLEST_SIDE, Level
from .rle import BrokenRuns, expand, shorten

LARGEST_FILE = 32 * 2**20
LONGEST_LINE = 4 * LARGEST_SIDE * LARGEST_SIDE  # a whole board in runs
SUFFIXES = (".sok", ".txt", ".xsb")  # what is read of a folder
_LETTERS = str.maketrans("-_bBopP", "  $*.@+")
_COMMENT_LINE = re.compile(r"\s*comment", re.IGNORECASE)


# --- Reading


def read_levels(path: str | os.PathLike[str], players: int | None = 1) -> list[Level]:
    """All levels of a file, or of all .txt, .xsb and .sok files in a folder and the folders in it, by name.

    `players`: how many a level must have; None for one or two.
    """
    try:
        source = os.fsdecode(path)
        folder = Path(source).is_dir()
        if not source:  # which Path takes for the present folder
            raise FileNotFoundError
        if not folder:
            return decode_levels(_bytes_of(source), source, players)
        files = sorted(file for file in Path(source).rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    except TypeError:
        raise LevelError(f"{path!r}: must be a path of a file or a folder of levels") from None
    except FileNotFoundError:
        raise LevelNotFound.at("there is no such file or folder of levels", os.fsdecode(path)) from None
    except (OSError, ValueError) as reason:
        if isinstance(reason, LevelError):
            raise
        raise LevelError.at(f"it cannot be read ({reason})", os.fsdecode(path)) from None
    levels = []
    for file in files:
        try:
            levels += read_levels(file, players)
        except NoLevels:  # a note beside the levels
            continue
    if not levels:
        raise NoLevels.at("there is no level in this folder; expected files that end in .txt, .xsb or .sok", source)
    return levels


class NoLevels(LevelError):
    """Readable text without any board in it."""


def _bytes_of(source: str) -> bytes:
    if Path(source).exists() and not Path(source).is_file():  # a pipe would never end
        raise LevelError.at("it is not a file", source)
    with open(source, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise LevelError.at(f"the file is larger than {LARGEST_FILE // 2**20} MiB", source)
    return data


def decode_levels(data: bytes, source: str, players: int | None = 1) -> list[Level]:
    """All levels of a file that has been read."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if (nul := data.find(b"\0")) >= 0:
        raise LevelError.at("the file is not text", source, line=data.count(b"\n", 0, nul) + 1)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as reason:
        line = data.count(b"\n", 0, reason.start) + 1
        raise LevelError.at("the file is not UTF-8 text", source, line=line) from None
    return parse_levels(text, source, players)


def parse_levels(text: str, source: str = "text", players: int | None = 1) -> list[Level]:
    """All levels of a text; LevelError names the level and the line of the first thing that is wrong."""
    if players not in (None, 1, 2):
        raise LevelError(f"players={players!r}: must be 1, 2, or None for either")
    levels = [_level(found, source, players) for found in sort_out(text, source)]
    if not levels:
        raise NoLevels.at("there is no level in it; expected a board drawn with # $ . @", source)
    return levels


def _level(found: Found, source: str, players: int | None) -> Level:
    rows, lines = _rows(found, source)
    try:
        level = Level.from_rows(
            rows,
            title=found.title,
            author=found.author,
            comment="\n".join(found.comments),
            number=found.number,
            source=source,
            solution=found.solution,
        )
        if players is not None and len(level.players) != players:
            words = {1: "one player @", 2: "two players @"}
            raise LevelError.at(
                f"expected {words[players]}; there {'are two' if players == 1 else 'is one'}",
                source,
                found.number,
                cell=level.players[-1],
            )
    except LevelError as error:
        if error.cell is None:
            line = lines[0] if lines else found.rows[0][0]
        else:
            line = lines[error.cell[0]]
        raise type(error).at(error.what, source, found.number, line, error.cell) from None
    return _numbered(level, found, source) if found.numbers else level


def _rows(found: Found, source: str) -> tuple[list[str], list[int]]:
    """The rows of the board, runs written out, without empty ground around them; and the line each is from."""
    rows: list[tuple[int, str]] = []
    for line, text in found.rows:
        if len(text) > LONGEST_LINE:
            what = f"this line of {len(text)} characters is too long for a board"
            raise LevelError.at(what, source, found.number, line)
        try:
            for row in _written_out(text).split("|"):
                rows.append((line, row.translate(_LETTERS).rstrip()))
        except BrokenRuns as reason:
            what = f"broken runs in column {reason.place + 1}: {reason}"
            raise LevelError.at(what, source, found.number, line) from None
        if len(rows) > 2 * LARGEST_SIDE + 2:
            raise LevelError.at(
                f"the board has more than {LARGEST_SIDE} rows; expected {SMALLEST_SIDE} to {LARGEST_SIDE}",
                source,
                found.number,
                line,
            )
    while rows and not rows[0][1]:
        rows.pop(0)
    while rows and not rows[-1][1]:
        rows.pop()
    indent = min((len(row) - len(row.lstrip(" ")) for _, row in rows if row), default=0)
    return [row[indent:] for _, row in rows], [line for line, _ in rows]


def _written_out(text: str) -> str:
    if not any(letter in text for letter in "0123456789()"):
        return text
    return expand(text, limit=(LARGEST_SIDE + 2) * (LARGEST_SIDE + 2) * 2)


def _numbered(level: Level, found: Found, source: str) -> Level:
    """The same level with the numbers of its boxes and targets (both fixed), and its players in this order."""
    changes = {}
    line = 0
    for name, (line, numbers) in found.numbers.items():
        count = len(level.players) if name == "players" else level.box_count
        if sorted(numbers) != list(range(1, count + 1)):
            what = f"the numbers of the {name} are not 1 to {count}, each once"
            raise LevelError.at(what, source, found.number, line)
        if name == "players":
            changes[name] = tuple(level.players[number - 1] for number in numbers)
        else:
            changes[name] = getattr(level, name).copy()
            changes[name][changes[name] != 0] = numbers
    try:
        return replace(level, **changes)
    except LevelError as error:  # numbers for boxes only
        raise LevelError.at(error.what, source, found.number, line) from None


# --- Writing


def write_levels(path: str | os.PathLike[str], levels: Iterable[Level], rle: bool = False) -> None:
    """Write levels to a file that `read_levels` reads back to the same ones."""
    text = levels_text(levels, rle)
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as reason:
        raise SaveError(f"{os.fsdecode(path)}: the levels cannot be written ({reason.strerror or reason})") from None


def levels_text(levels: Iterable[Level], rle: bool = False) -> str:
    """Levels as the text of a file; `rle` writes boards and solutions in runs."""
    levels = list(levels)
    # Titles go above the boards, as in most files; but if one has none, the next one's would be taken for it.
    above = all(level.title for level in levels)
    return "\n".join(_level_text(level, rle, above) for level in levels)


def _level_text(level: Level, rle: bool, above: bool) -> str:
    lines = [f"; {level.title}"] if above else []
    board = level.lines()
    lines += [shorten_board(board)] if rle else board
    if level.title and not above:
        lines.append(f"Title: {level.title}")
    if level.author:
        lines.append(f"Author: {level.author}")
    if level.fixed:
        for name, table in (("Box", level.boxes), ("Target", level.targets)):
            lines.append(f"{name} numbers: " + " ".join(map(str, table[table != 0].tolist())))
    if level.players != tuple(sorted(level.players)):
        lines.append("Player order: 2 1")
    comment = level.comment.split("\n") if level.comment else []
    if len(comment) == 1 or any(_COMMENT_LINE.match(line) for line in comment):
        lines += [f"Comment: {line}".rstrip() for line in comment]
    elif comment:
        lines += ["Comment:", *comment, "Comment-End:"]
    if level.solution:
        lines.append(f"Solution: {lurd.write_lurd(level.solution, rle)}")
    return "\n".join(lines) + "\n"


def shorten_board(rows: Iterable[str]) -> str:
    """A board in runs, on one line: `5#|#@$.#|5#`."""
    return "|".join(shorten(row.replace(" ", "-")) for row in rows)
