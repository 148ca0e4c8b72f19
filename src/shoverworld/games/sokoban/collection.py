"""Split a level file into boards, and assign titles, notes and properties to them.

The file formats are not standardized. This module uses these rules:
- A line of board characters that contains a # is a board row. A line without # is a row only inside a board.
- `; text` and other plain lines are notes. If there is a note above the first board, each board's title is the last
  note above it. Otherwise each board's title is the first note below it. All other notes are comments on the board
  above them.
- Properties such as `Title:`, `Author:`, `Rules:`, `Comment:` and `Solution:` belong to the board above them. However,
  if there is exactly one title above each board and no title or author below the last board, properties belong to the
  board below them.
- Properties above the first board describe the whole file. An author given there is the default for every board.
"""

import re
from dataclasses import dataclass, field

from shoverworld.core.cells import numbered_lines
from shoverworld.core.errors import LevelError

from . import lurd
from .problems import INVALID_LETTER, NUMBERED, NUMBERS_EXPECTED, PROBLEMS, TOO_MANY_LEVELS

MOST_LEVELS = 500_000  # maximum number of levels per file; reading that many takes seconds
_NO_ROW = re.compile(r"[^#@+$*. \-_bBopP0-9|()]")
_INNER_ROW = re.compile(r"[@+$*. \-_]+")  # counts as a row only inside a board, where a missing wall must be reported
_PROPERTY = re.compile(r"([A-Za-z][A-Za-z0-9 /_-]{0,30}?)[ \t]*:[ ]?(.*)")
_SOLUTION = re.compile(r"solution(?:[^:]{0,29}[^:\s])?[ \t]*(?::(.*))?", re.IGNORECASE)
_LURD_LINE = re.compile(r"[ludrLUDR0-9() \t]+")
# Any other property becomes a comment that includes its key.
_KNOWN = ("title", "author", "comment", "rules", *NUMBERED)


@dataclass(slots=True)
class ParsedBoard:
    """A board in a file, with its metadata."""

    number: int
    line: int  # the line number of the first row, counting from 1
    rows: list[str] = field(default_factory=list)
    title: str = ""
    author: str = ""
    solution: str = ""
    rules: tuple[int, str] | None = None  # the line number, and the rules on that line
    error: LevelError | None = None  # the first error found while splitting the file
    comments: list[str] = field(default_factory=list)
    numbers: dict[str, tuple[int, list[int]]] = field(
        default_factory=dict
    )  # for "boxes", "targets" or "players": the line number, and the numbers on that line


@dataclass(slots=True)
class TextBlock:
    """The text between two boards."""

    notes: list[str] = field(default_factory=list)
    properties: list[tuple[int, str, str]] = field(default_factory=list)  # line number, lower-case key, value


def split_boards(text: str, source: str) -> list[ParsedBoard]:
    """Return the boards in `text`, in order, with their metadata."""
    if "#" not in text:
        return []
    boards, blocks = _split(text.replace("\r\n", "\n").replace("\r", "\n"), source)
    if not boards:
        return []
    titles = [sum(key == "title" for _, key, _ in block.properties) for block in blocks]
    below = any(key in ("title", "author") for _, key, _ in blocks[-1].properties)
    above = not below and all(count == 1 for count in titles[:-1])
    author = ""
    for place, block in enumerate(blocks):
        owner = place if above else place - 1
        for line, key, value in block.properties:
            if 0 <= owner < len(boards):
                _set_property(boards[owner], line, key, value, source)
            elif key == "author":
                author = value
    notes_above = bool(blocks[0].notes)
    for place, block in enumerate(blocks):
        _assign_notes(
            block.notes,
            boards[place - 1] if place else None,
            boards[place] if place < len(boards) else None,
            notes_above,
        )
    for board in boards:
        board.author = board.author or author
    return boards


def _split(text: str, source: str) -> tuple[list[ParsedBoard], list[TextBlock]]:
    """Return the boards, and the text blocks before, between and after them."""
    boards: list[ParsedBoard] = []
    blocks = [TextBlock()]
    inside = False  # whether the previous line is a row of the last board
    every_line = text.split("\n")
    lines = list(numbered_lines(text))
    place = 0
    while place < len(lines):
        line, text = lines[place]
        place += 1
        if not text:
            inside = False
            continue
        if _is_row(text) or (inside and text.strip() and _INNER_ROW.fullmatch(text)):
            if not inside:
                if len(boards) == MOST_LEVELS:
                    raise LevelError.at(PROBLEMS.sentence(TOO_MANY_LEVELS, MOST_LEVELS), source, line=line)
                boards.append(ParsedBoard(len(boards) + 1, line))
                blocks.append(TextBlock())
            boards[-1].rows.append(text)
            inside = True
            continue
        if inside and text.lstrip().startswith("#") and text.rstrip().endswith("#"):
            boards[-1].error = boards[-1].error or _invalid_row(text, source, len(boards), line)
            continue
        inside = False
        if text.lstrip().startswith(";"):
            if note := text.lstrip()[1:].strip():
                blocks[-1].notes.append(note)
        elif found := _SOLUTION.fullmatch(text.strip()):
            letters = [found[1] or ""]
            while place < len(lines) and lines[place][1] and _LURD_LINE.fullmatch(lines[place][1]):
                letters.append(lines[place][1])
                place += 1
            if "".join(letters).strip():
                blocks[-1].properties.append((line, "solution", " ".join(letters)))
            else:
                blocks[-1].notes.append(text.strip())
        elif found := _PROPERTY.fullmatch(text.strip()):
            key, value = " ".join(found[1].lower().split()), found[2]
            if key == "comment" and not value and (end := _end_of_comment(lines, place)):
                value, place = "\n".join(every_line[line : lines[end][0] - 1]), end + 1
            blocks[-1].properties.append((line, key, value if key in _KNOWN else text.strip()))
        elif text.strip():
            blocks[-1].notes.append(text.strip())
    return boards, blocks


def _is_row(text: str) -> bool:
    return "#" in text and not _NO_ROW.search(text)


def _invalid_row(text: str, source: str, number: int, line: int) -> LevelError:
    """Return the error for a board row that contains an invalid character."""
    column, invalid = next((place, letter) for place, letter in enumerate(text, 1) if _NO_ROW.match(letter))
    return LevelError.at(PROBLEMS.sentence(INVALID_LETTER, repr(invalid), column), source, number, line)


def _end_of_comment(lines: list[tuple[int, str]], place: int) -> int:
    """Return the index of the line that ends a multi-line comment, or 0 if there is no such line."""
    for end in range(place, len(lines)):
        word = lines[end][1].lstrip()[:12].lower()
        if word.startswith("comment-end"):
            return end
        if word.startswith("comment"):
            return 0
    return 0


def _set_property(board: ParsedBoard, line: int, key: str, value: str, source: str) -> None:
    """Store one property of a board."""
    if key == "title":
        board.title = value
    elif key == "author":
        board.author = value
    elif key == "comment":
        board.comments.append(value)
    elif key == "solution":
        try:
            board.solution = board.solution or lurd.read_lurd(value)
        except LevelError:  # not LURD: keep the value as a comment
            board.comments.append(f"Solution: {value.strip()}")
    elif key == "rules":
        board.rules = line, value
    elif key in NUMBERED:
        if not re.fullmatch(r"\s*[0-9]{1,3}(\s+[0-9]{1,3})*\s*", value):
            what = PROBLEMS.sentence(NUMBERS_EXPECTED[key])
            board.error = board.error or LevelError.at(what, source, board.number, line)
        else:
            board.numbers[NUMBERED[key]] = line, [int(number) for number in value.split()]
    elif key != "comment-end":
        board.comments.append(value)


def _assign_notes(notes: list[str], before: ParsedBoard | None, after: ParsedBoard | None, titles_above: bool) -> None:
    """Assign the notes of a text block to the boards before and after it."""
    if titles_above and after and notes:
        *notes, title = notes
        after.title = after.title or title
    elif not titles_above and before and notes:
        title, *notes = notes
        before.title = before.title or title
    if before:
        before.comments += notes
