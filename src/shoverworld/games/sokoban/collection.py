"""What is what in a file of levels: which lines are boards, and to which board titles and notes belong.

Nobody ever agreed on that, so:
- A line of board characters with a # in it is a row of a board; rows without # count between such rows.
- `; text` and other plain text are notes. If there is a note above the first board, the last note above each board is
  its title; if there is none, the first note below each board is. All other notes are comments of the board above.
- `Title:`, `Author:`, `Comment:`, `Solution:` and the like belong to the board above them, unless each board has a
  title of that kind above it and the last has none below. Above the first board they are about the whole file; its author is everybody's.
"""

import re
from dataclasses import dataclass, field

from shoverworld.core.errors import LevelError

from . import lurd

_NO_ROW = re.compile(r"[^#@+$*. \-_bBopP0-9|()]")
_INNER_ROW = re.compile(r"[@+$*. \-_]+")  # between other rows only: a mistake somebody should hear of
_PROPERTY = re.compile(r"([A-Za-z][A-Za-z0-9 /_-]{0,30}?)[ \t]*:[ ]?(.*)")
_SOLUTION = re.compile(r"solution(?:[^:]{0,29}[^:\s])?[ \t]*(?::(.*))?", re.IGNORECASE)
_LURD_LINE = re.compile(r"[ludrLUDR0-9() \t]+")
_NUMBERS = {"box numbers": "boxes", "target numbers": "targets", "player order": "players"}
_KNOWN = ("title", "author", "comment", *_NUMBERS)  # any other is kept as a comment, whole


@dataclass
class Found:
    """A board in a file, and what the file says about it."""

    number: int
    rows: list[tuple[int, str]]  # line number (from 1) and text
    title: str = ""
    author: str = ""
    solution: str = ""
    comments: list[str] = field(default_factory=list)
    numbers: dict[str, tuple[int, list[int]]] = field(
        default_factory=dict
    )  # of boxes, targets and players: the line, and them


@dataclass
class Gap:
    """The text between two boards."""

    notes: list[str] = field(default_factory=list)
    properties: list[tuple[int, str, str]] = field(default_factory=list)  # line, key in small letters, value


def sort_out(text: str, source: str) -> list[Found]:
    """The boards of a text, in order, with their names and notes."""
    boards, gaps = _split(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), source)
    if not boards:
        return []
    titles = [sum(key == "title" for _, key, _ in gap.properties) for gap in gaps]
    below = any(key in ("title", "author") for _, key, _ in gaps[-1].properties)
    above = not below and all(count == 1 for count in titles[:-1])
    author = ""
    for place, gap in enumerate(gaps):
        owner = place if above else place - 1
        for line, key, value in gap.properties:
            if 0 <= owner < len(boards):
                _tell(boards[owner], line, key, value, source)
            elif key == "author":
                author = value
    notes_above = bool(gaps[0].notes)
    for place, gap in enumerate(gaps):
        _give_notes(
            gap.notes,
            boards[place - 1] if place else None,
            boards[place] if place < len(boards) else None,
            notes_above,
        )
    for board in boards:
        board.author = board.author or author
    return boards


def _split(lines: list[str], source: str) -> tuple[list[Found], list[Gap]]:
    """The boards, and the gaps before, between and after them."""
    boards: list[Found] = []
    gaps = [Gap()]
    inside = False  # whether the line above is a row of the last board
    place = 0
    while place < len(lines):
        text, line = lines[place], place + 1
        place += 1
        if _is_row(text) or (inside and text.strip() and _INNER_ROW.fullmatch(text)):
            if not inside:
                boards.append(Found(len(boards) + 1, []))
                gaps.append(Gap())
            boards[-1].rows.append((line, text))
            inside = True
            continue
        if inside and text.lstrip().startswith("#") and text.rstrip().endswith("#"):
            raise _strange_row(text, source, len(boards), line)
        inside = False
        if text.lstrip().startswith(";"):
            if note := text.lstrip()[1:].strip():
                gaps[-1].notes.append(note)
        elif found := _SOLUTION.fullmatch(text.strip()):
            letters = [found[1] or ""]
            while place < len(lines) and lines[place].strip() and _LURD_LINE.fullmatch(lines[place]):
                letters.append(lines[place])
                place += 1
            if "".join(letters).strip():
                gaps[-1].properties.append((line, "solution", " ".join(letters)))
            else:
                gaps[-1].notes.append(text.strip())
        elif found := _PROPERTY.fullmatch(text.strip()):
            key, value = " ".join(found[1].lower().split()), found[2]
            if key == "comment" and not value and (end := _end_of_comment(lines, place)):
                value, place = "\n".join(lines[place:end]), end + 1
            gaps[-1].properties.append((line, key, value if key in _KNOWN else text.strip()))
        elif text.strip():
            gaps[-1].notes.append(text.strip())
    return boards, gaps


def _is_row(text: str) -> bool:
    return "#" in text and not _NO_ROW.search(text)


def _strange_row(text: str, source: str, number: int, line: int) -> LevelError:
    """A row of a board with something in it that is no board character."""
    column, strange = next((place, letter) for place, letter in enumerate(text, 1) if _NO_ROW.match(letter))
    what = f"{strange!r} in column {column}; expected one of # $ * . + @ and a space, - or _"
    return LevelError.at(what, source, number, line)


def _end_of_comment(lines: list[str], place: int) -> int:
    """The line that ends a comment of several lines; 0 if it is not one."""
    for end in range(place, len(lines)):
        word = lines[end].lstrip()[:12].lower()
        if word.startswith("comment-end"):
            return end
        if word.startswith("comment"):
            return 0
    return 0


def _tell(board: Found, line: int, key: str, value: str, source: str) -> None:
    """A board hears a property."""
    if key == "title":
        board.title = value
    elif key == "author":
        board.author = value
    elif key == "comment":
        board.comments.append(value)
    elif key == "solution":
        try:
            board.solution = board.solution or lurd.read_lurd(value)
        except LevelError:  # some other writing: not ours to judge
            board.comments.append(f"Solution: {value.strip()}")
    elif key in _NUMBERS:
        if not re.fullmatch(r"\s*[0-9]{1,3}(\s+[0-9]{1,3})*\s*", value):
            raise LevelError.at(f"expected `{key}:` and numbers from 1", source, board.number, line)
        board.numbers[_NUMBERS[key]] = line, [int(number) for number in value.split()]
    elif key != "comment-end":
        board.comments.append(value)


def _give_notes(notes: list[str], before: Found | None, after: Found | None, titles_above: bool) -> None:
    """The notes of a gap go to the boards around it."""
    if titles_above and after and notes:
        *notes, title = notes
        after.title = after.title or title
    elif not titles_above and before and notes:
        title, *notes = notes
        before.title = before.title or title
    if before:
        before.comments += notes
