"""Store many levels in little memory: one byte per cell, converted to a `Level` on access.

A file in the Boxoban format (for each level a title, rows of equal length enclosed by walls, and an empty line) is read
as a table, which takes about 2 ms for a thousand levels. formats.py reads all other files and reports all errors.
"""

import os
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from shoverworld.core.files import Unreadable, read_bounded

from .formats import SUFFIXES, NoLevels, read_levels
from .levels import LARGEST_SIDE, SMALLEST_SIDE, Level
from .state import BOX, PLAYER, TARGET, WALL, border_is_wall

# Each cell is a byte with one bit for each plane of state.py.
LETTERS = {"#": 1 << WALL, " ": 0, ".": 1 << TARGET, "$": 1 << BOX, "@": 1 << PLAYER}
LETTERS |= {"*": LETTERS["$"] | LETTERS["."], "+": LETTERS["@"] | LETTERS["."]}
_STRANGE = 255
_CODES = np.full(256, _STRANGE, np.uint8)
_CODES[[ord(letter) for letter in LETTERS]] = list(LETTERS.values())
_LETTER_OF = {code: letter for letter, code in LETTERS.items()}


@dataclass(frozen=True)
class PackedLevels(Sequence[Level]):
    """The levels of one file, all of the same size and with one player."""

    cells: np.ndarray  # uint8 (levels, rows, cols)
    titles: tuple[str, ...] | None  # the titles, or None if they are "0", "1", "2", ...
    source: str

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, place: int) -> Level:  # type: ignore[override]
        rows = ["".join(_LETTER_OF[code] for code in row) for row in self.cells[place].tolist()]
        title = str(place) if self.titles is None else self.titles[place]
        return Level.from_rows(rows, title=title, number=place + 1, source=self.source)


class LevelSequence(Sequence[Level]):
    """The levels of several files, one file after another."""

    def __init__(self, parts: Sequence[Sequence[Level]]):
        self.parts = tuple(part for part in parts if len(part))
        self.banks: dict[tuple, Any] = {}  # level banks, which store.py creates once for all environments
        self._ends = list(accumulate(len(part) for part in self.parts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        place = range(len(self))[place]  # negative indices count from the end; an index out of range raises IndexError
        part = bisect_right(self._ends, place)
        return self.parts[part][place - (self._ends[part - 1] if part else 0)]

    def solution(self, place: int) -> str:
        """Return the solution to a level from its file. Boxoban files contain no solutions, so nothing is unpacked."""
        part = bisect_right(self._ends, place)
        return "" if isinstance(self.parts[part], PackedLevels) else self[place].solution

    def __repr__(self) -> str:
        return f"<LevelSequence of {len(self)} levels>"


def read_level_sequence(path: str | os.PathLike, players: int | None = 1) -> LevelSequence:
    """Return the levels of a file, or of all files in a folder and its subfolders, like `read_levels`."""
    try:
        source = Path(os.fsdecode(path))
        folder = os.fsdecode(path) != "" and source.is_dir()
        files = sorted(f for f in source.rglob("*") if f.suffix.lower() in SUFFIXES and f.is_file())
        files = files if folder else [source]
        state = tuple((str(f), f.stat().st_mtime_ns, f.stat().st_size) for f in files)
    except (OSError, ValueError, TypeError):
        return LevelSequence([read_levels(path, players)])  # the general reader, which reports the error
    if not folder and not source.is_file():
        return LevelSequence([read_levels(path, players)])
    levels = _read_files(state, players, folder)
    if not len(levels):
        raise NoLevels.at("this folder contains no levels; expected files that end in .txt, .xsb or .sok", str(source))
    return levels


@lru_cache(maxsize=4)  # the environments of a process share the levels they read
def _read_files(files: tuple[tuple[str, int, int], ...], players: int | None, folder: bool) -> LevelSequence:
    parts: list[Sequence[Level]] = []
    for file, _, _ in files:
        packed = read_packed(file) if players == 1 else None
        if packed is not None:
            parts.append(packed)
            continue
        try:
            parts.append(read_levels(file, players))
        except NoLevels:
            if not folder:
                raise
    return LevelSequence(parts)


def read_packed(file: str) -> PackedLevels | None:
    """Return the levels of a file, or None if the file is not in the Boxoban format or contains an error."""
    try:
        data = read_bounded(file)
    except (OSError, Unreadable):
        return None
    if not data.startswith(b";"):
        return None
    found = _table(np.frombuffer(data.rstrip(b"\n") + b"\n\n", np.uint8))
    if found is None:
        return None
    letters, titles = found
    cells = _CODES[letters]
    return PackedLevels(cells, titles, file) if _are_sound(cells) else None


def _table(data: np.ndarray) -> tuple[np.ndarray, tuple[str, ...] | None] | None:
    """Return the letters (levels, rows, cols) and titles in a file, or None if the levels differ in size or format."""
    ends = np.flatnonzero(data == ord("\n"))
    starts = np.concatenate(([0], ends[:-1] + 1))
    lengths = ends - starts
    blank = np.flatnonzero(lengths == 0)
    rows = int(blank[0]) - 1
    if not SMALLEST_SIDE <= rows <= LARGEST_SIDE or len(ends) % (rows + 2):
        return None
    starts, lengths = starts.reshape(-1, rows + 2), lengths.reshape(-1, rows + 2)
    cols = int(lengths[0, 1])
    if not SMALLEST_SIDE <= cols <= LARGEST_SIDE:
        return None
    if (lengths[:, 1:-1] != cols).any() or lengths[:, -1].any() or (data[starts[:, 0]] != ord(";")).any():
        return None
    letters = data[starts[:, 1:-1, None] + np.arange(cols)]
    text = data.tobytes()
    try:
        titles = tuple(
            text[start + 1 : start + length].decode("ascii").strip()
            for start, length in zip(starts[:, 0].tolist(), lengths[:, 0].tolist(), strict=True)
        )
    except UnicodeDecodeError:
        return None
    if titles == tuple(map(str, range(len(titles)))):
        return letters, None
    return (letters, titles) if all(title and title.isprintable() for title in titles) else None


def _are_sound(cells: np.ndarray) -> bool:
    """Return whether all levels meet the conditions of `Level`.

    Each level must have one player, at least one box, as many targets as boxes, and walls around the board.
    """
    if (cells == _STRANGE).any() or not border_is_wall(cells & (1 << WALL)).all():
        return False
    players, boxes, targets = (np.count_nonzero(cells & (1 << thing), axis=(1, 2)) for thing in (PLAYER, BOX, TARGET))
    return bool((players == 1).all() and (boxes > 0).all() and (boxes == targets).all())
