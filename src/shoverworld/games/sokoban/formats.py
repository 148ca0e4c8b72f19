"""Read and write level files: XSB and SOK collections, and Boxoban's text files. See docs/sokoban-levels.md.

; title
#######
#.@-$_#       - and _ are floor, as is a space; 5#|#@$.#|5# is a board in run-length encoding
#######
Author: name
Rules: pull, max_steps=100
Comment: text
Solution: lurd
"""

import gc
import os
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from shoverworld.core.errors import LevelError, LevelNotFound
from shoverworld.core.files import NotText, checked_text, decoded, read_file, write_safely

from . import lurd
from . import problems as say
from .bulk import sound_boards
from .collection import ParsedBoard, split_boards
from .levels import LARGEST_SIDE, SMALLEST_SIDE, WALL, Level, SoundBoard
from .problems import PROBLEMS
from .rle import RLEError, expand, shorten

LONGEST_LINE = 4 * LARGEST_SIDE * LARGEST_SIDE  # a whole board in run-length encoding
MOST_MALFORMED = 40  # a file with more malformed levels than this is not read, unless most of its levels are valid
SUFFIXES = (".sok", ".txt", ".xsb")  # the types of files that are read from a folder
_LETTERS = str.maketrans("-_bBopP", "  $*.@+")
_ENCODED = re.compile("[0-9()]")
_CODED = re.compile("[-_bBopP0-9()|]")
_COMMENT_LINE = re.compile(r"\s*comment", re.IGNORECASE)


# --- Reading


def read_levels(path: str | os.PathLike[str], players: int | None = 1) -> list[Level]:
    """Read all levels in a file, or in all .txt, .xsb and .sok files in a folder and its subfolders, sorted by path.

    `players` is the required number of players per level. If it is None, a level may have one or two players.
    """
    with _reported_errors(path):
        source = os.fsdecode(path)
        folder = Path(source).is_dir()
        if not source:  # Path("") is the current folder
            raise FileNotFoundError
        if not folder:
            return decode_levels(read_file(source, LevelError), source, players)
        files = sorted(file for file in Path(source).rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    levels = []
    for file in files:
        try:
            levels += read_levels(file, players)
        except NoLevels:  # a text file without levels, such as a readme
            continue
    if not levels:
        raise NoLevels.at("this folder contains no levels; expected files that end in .txt, .xsb or .sok", source)
    return levels


@contextmanager
def _reported_errors(path: str | os.PathLike[str]) -> Generator[None, None, None]:
    """Report every error that occurs while a file or folder is read as a LevelError."""
    try:
        yield
    except TypeError:
        raise LevelError(f"{path!r}: must be the path of a level file or a folder of level files") from None
    except FileNotFoundError:
        raise LevelNotFound.at("the level file or folder does not exist", os.fsdecode(path)) from None
    except (OSError, ValueError) as reason:
        if isinstance(reason, LevelError):
            raise
        raise LevelError.at(f"cannot be read ({reason})", os.fsdecode(path)) from None


class NoLevels(LevelError):
    """The file or folder is readable but contains no levels."""


def read_each_level(path: str | os.PathLike[str], players: int | None = 1) -> list[Level | LevelError]:
    """Return each level of a file in order or, in its place, the error if the level is malformed.

    If the path is a folder, any malformed level raises an error. Raise the first error if no level can be read, or if
    there are many levels and most of them are malformed.
    """
    with _reported_errors(path):
        source = os.fsdecode(path)
        if not source or Path(source).is_dir():
            return [*read_levels(source, players)]
        text = _decoded(read_file(source, LevelError), source)
    levels: list[Level | LevelError] = []
    errors: list[LevelError] = []
    with _without_garbage_collection():
        for level in _parsed(text, source, players):
            levels.append(level)
            if isinstance(level, LevelError):
                errors.append(level)
                if len(errors) > max(MOST_MALFORMED, len(levels) - len(errors)):
                    raise errors[0]
    if len(errors) == len(levels):
        raise errors[0]
    return levels


def decode_levels(data: bytes, source: str, players: int | None = 1) -> list[Level]:
    """Decode the contents of a level file."""
    return parse_levels(_decoded(data, source), source, players)


def _decoded(data: bytes, source: str) -> str:
    try:
        return decoded(data)
    except NotText as wrong:
        raise LevelError.at(wrong.what, source, line=wrong.line) from None


def parse_levels(text: str, source: str = "text", players: int | None = 1) -> list[Level]:
    """Parse all levels in `text`. Raise LevelError with the level number and the line number of the first mistake."""
    levels: list[Level] = []
    with _without_garbage_collection():
        for level in _parsed(text, source, players):
            if isinstance(level, LevelError):
                raise level
            levels.append(level)
    return levels


def _parsed(text: str, source: str, players: int | None) -> Iterator[Level | LevelError]:
    """Yield each level in `text` or, in its place, the error if the level is malformed."""
    if players not in (None, 1, 2):
        raise LevelError(f"players={players!r}: must be 1, 2, or None for either")
    text = checked_text(text, LevelError, source)
    boards = split_boards(text, source)
    if not boards:
        raise NoLevels.at(PROBLEMS.sentence(say.NO_LEVELS), source)
    sound = sound_boards([_rows_or_none(board, source) for board in boards])
    for board, arrays in zip(boards, sound, strict=True):
        try:
            yield _level(board, arrays, source, players)
        except LevelError as error:
            yield error


@contextmanager
def _without_garbage_collection() -> Generator[None, None, None]:
    """Pause garbage collection. It would take half of the running time while a large file is parsed into millions of objects."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _level(board: ParsedBoard, sound: SoundBoard | None, source: str, players: int | None) -> Level:
    """Return the level for a board. Raise LevelError if the board is not valid."""
    if board.error is not None:
        raise board.error
    if sound is None or (players is not None and len(sound.players) != players):
        level = _checked_level(board, source, players)
    else:
        comment = "\n".join(board.comments)
        names = {"number": board.number, "source": source, "solution": board.solution}
        level = Level.of_sound_board(sound, board.title, board.author, comment, **names)
    level = _with_rules(level, board, source) if board.rules else level
    return _numbered(level, board, source) if board.numbers else level


def _checked_level(board: ParsedBoard, source: str, players: int | None) -> Level:
    rows, lines = _rows(board, source)
    try:
        level = Level.from_rows(
            rows,
            title=board.title,
            author=board.author,
            comment="\n".join(board.comments),
            number=board.number,
            source=source,
            solution=board.solution,
        )
        if players is not None and len(level.players) != players:
            raise LevelError.at(
                "there are two players (@); expected one" if players == 1 else "there is one player (@); expected two",
                source,
                board.number,
                cell=level.players[-1],
            )
    except LevelError as error:
        if error.cell is None:
            line = lines[0] if lines else board.line
        else:
            line = lines[error.cell[0]]
        raise type(error).at(error.what, source, board.number, line, error.cell) from None
    return level


def _with_rules(level: Level, board: ParsedBoard, source: str) -> Level:
    line, text = board.rules or (0, "")
    try:
        return replace(level, rules=text)
    except LevelError as error:
        raise LevelError.at(error.what, source, board.number, line) from None


def _rows_or_none(board: ParsedBoard, source: str) -> list[str] | None:
    try:
        return _rows(board, source)[0]
    except LevelError:  # `_checked_level` raises the error again, in file order
        return None


def _rows(board: ParsedBoard, source: str) -> tuple[list[str], Sequence[int]]:
    """Return the decoded rows of the board, without empty margins, and the line number of each row."""
    text = "\n".join(board.rows)
    if len(board.rows) > LARGEST_SIDE or len(text) > LONGEST_LINE or _CODED.search(text):
        rows, lines = _decoded_rows(board, source)
    else:
        rows, lines = [row.rstrip() for row in board.rows], range(board.line, board.line + len(board.rows))
    if not any(row.startswith(WALL) for row in rows):
        indent = min((len(row) - len(row.lstrip(" ")) for row in rows if row), default=0)
        rows = [row[indent:] for row in rows]
    return rows, lines


def _decoded_rows(board: ParsedBoard, source: str) -> tuple[list[str], list[int]]:
    """Decode a board that uses alternative characters or run-length encoding, and remove the empty rows around it."""
    rows: list[tuple[int, str]] = []
    for line, text in enumerate(board.rows, board.line):
        if len(text) > LONGEST_LINE:
            what = PROBLEMS.sentence(say.LONG_LINE, len(text), LONGEST_LINE)
            raise LevelError.at(what, source, board.number, line)
        try:
            if _ENCODED.search(text):
                text = expand(text, limit=(LARGEST_SIDE + 2) * (LARGEST_SIDE + 2) * 2)
        except RLEError as reason:
            what = PROBLEMS.sentence(say.RLE_COLUMN, reason.place + 1) + str(reason)
            raise LevelError.at(what, source, board.number, line) from None
        rows += [(line, row.rstrip()) for row in text.translate(_LETTERS).split("|")]
        if len(rows) > 2 * LARGEST_SIDE + 2:
            what = PROBLEMS.sentence(say.TOO_MANY_ROWS, SMALLEST_SIDE, LARGEST_SIDE)
            raise LevelError.at(what, source, board.number, line)
    filled = [place for place, (_, row) in enumerate(rows) if row]
    rows = rows[filled[0] : filled[-1] + 1] if filled else []
    return [row for _, row in rows], [line for line, _ in rows]


def _numbered(level: Level, board: ParsedBoard, source: str) -> Level:
    """Return the level with numbered boxes and targets, and with its players in the order given in the file."""
    changes = {}
    line = 0
    for name, (line, numbers) in board.numbers.items():
        count = len(level.players) if name == "players" else level.box_count
        if sorted(numbers) != list(range(1, count + 1)):
            what = PROBLEMS.sentence(say.WRONG_NUMBERS[name], count)
            raise LevelError.at(what, source, board.number, line)
        if name == "players":
            changes[name] = tuple(level.players[number - 1] for number in numbers)
        else:
            changes[name] = getattr(level, name).copy()
            changes[name][changes[name] != 0] = numbers
    if ("boxes" in changes) == ("targets" in changes):
        return level.renumbered(**changes)
    try:
        return replace(level, **changes)
    except LevelError as error:  # only boxes or only targets are numbered
        raise LevelError.at(error.what, source, board.number, line) from None


# --- Writing


def write_levels(path: str | os.PathLike[str], levels: Iterable[Level], rle: bool = False) -> None:
    """Write levels to a file. `read_levels` reads the same levels back."""
    write_safely(path, levels_text(levels, rle), make_folder=False)


def levels_text(levels: Iterable[Level], rle: bool = False) -> str:
    """Return the content of a file with these levels. With `rle`, boards and solutions are run-length encoded."""
    levels = list(levels)
    # Titles go above the boards, as in most files, but only if all levels have titles. Otherwise the reader would give
    # a level without a title the title of another level.
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
    if level.rules:
        lines.append(f"Rules: {level.rules}")
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
    """Return a board in run-length encoding, on one line: `5#|#@$.#|5#`."""
    return "|".join(shorten(row.replace(" ", "-")) for row in rows)
