"""Read tracks from text and images, validate them, and write them as text or images.

There are four kinds of cells: off the track, track, start and finish. Positions are (x, y): x is the column and y the
row, both counted from 0.

    #######
    #S...F#      starts at (1, 1) and (1, 2), finish at (5, 1)
    #S...##
    #######
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import resources
from pathlib import PurePath
from typing import Any

import numpy as np

from shoverworld.core.checks import whole
from shoverworld.core.errors import ConfigError, SaveError, TrackError, TrackNotFound
from shoverworld.core.files import LARGEST_FILE, read_file, target_name, write_safely
from shoverworld.core.header import Header, checked_header
from shoverworld.core.notebook import LARGEST_CELL, Pictured

from . import images, symbols
from .codes import CODES, FINISH, FREE, LARGEST_SIDE, OFF, START
from .colours import Colours, scheme
from .config import RULES
from .problems import NO_FINISH, NO_START, PROBLEMS, UNREACHABLE
from .zombie import steps_from, zombie_array

__all__ = ["FINISH", "FREE", "LARGEST_SIDE", "OFF", "START", "Track", "bundled", "bundled_names", "bundled_title"]

STYLES = ("numbers", "symbols")
_FOLDER = resources.files("shoverworld.games.race") / "tracks"
_WRITTEN = (".txt", *images.SUFFIXES)


@dataclass(frozen=True, eq=False, repr=False)
class Track(Pictured):
    """A track. Two tracks are equal if their cells are equal; names and headers do not matter."""

    cells: np.ndarray  # int8 (rows, cols): OFF -1, FREE 0, START 1, FINISH 100; read-only
    name: str = "track"
    title: str = ""
    about: str = ""  # the description, with one paragraph per line
    rules: str | None = None  # the rules that the track is made for, such as "cross, penalty=3", or None

    def __post_init__(self):
        cells = _table(self.cells, self.name)
        cells.setflags(write=False)
        object.__setattr__(self, "cells", cells)
        self._check_header()
        _check(cells, self.name)

    def _check_header(self) -> None:
        try:
            header = checked_header(self.title, self.about, self.rules, RULES)
        except (ConfigError, AttributeError, TypeError) as reason:
            raise TrackError.at(str(reason), self.name) from None
        for name, value in header._asdict().items():
            object.__setattr__(self, name, value)

    @cached_property
    def starts(self) -> tuple[tuple[int, int], ...]:
        """The start cells as (x, y), row by row."""
        return _places(self.cells == START)

    @cached_property
    def finishes(self) -> tuple[tuple[int, int], ...]:
        """The finish cells as (x, y), row by row."""
        return _places(self.cells == FINISH)

    @cached_property
    def distance(self) -> np.ndarray:
        """The zombie array, int32 (rows, cols), read-only; see zombie.py."""
        distance = zombie_array(self.cells)
        distance.setflags(write=False)
        return distance

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Track) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.cells.shape, self.cells.tobytes()))

    def __reduce__(self) -> Any:  # ensures that the arrays of a copy are read-only too
        return Track, (self.cells, self.name, self.title, self.about, self.rules)

    def __deepcopy__(self, memo: dict) -> "Track":
        return self

    def __repr__(self) -> str:
        return (
            f"<Track {self.name}: {self.rows} x {self.cols}, {len(self.starts)} start{'s' * (len(self.starts) != 1)}>"
        )

    def __str__(self) -> str:
        return self.to_text("symbols").rstrip("\n")

    # --- Reading

    @classmethod
    def read(cls, path: str | os.PathLike[str], colours: Colours | None = None) -> "Track":
        """Read a track from a text or image file, or load a bundled track by name.

        The format is detected from the contents of the file. `colours`: the meanings of the colours in an image, if
        they differ from those in the race report, as a string ("start=green,finish=blue,track=white,off=red") or as a
        dict.
        """
        try:
            source = os.fsdecode(path)
        except TypeError:
            source = ""
        if not source:
            raise TrackError(f"track={path!r:.60}: must be a path or the name of a bundled track")
        try:
            data = read_file(source, TrackError)
        except FileNotFoundError:
            if source in bundled_names():
                return bundled(source)
            missing = f"neither a track file nor the name of a bundled track{_suggestion(source)}"
            raise TrackNotFound.at(missing, source) from None
        return cls.decode(data, source, colours)

    @classmethod
    def decode(cls, data: bytes, source: str = "track", colours: Colours | None = None) -> "Track":
        """Decode the contents of a text or image file. `colours`: see `read`."""
        if not isinstance(data, bytes):
            raise TrackError.at(f"expected the bytes of a file, not {type(data).__name__}", source)
        if images.is_picture(data):
            return cls.from_image(images.decode(data, source), source, colours)
        if len(data) > LARGEST_FILE:
            raise TrackError.at(f"the file is too large; expected at most {LARGEST_FILE // 2**20} MiB", source)
        return cls.parse(symbols.decode(data, source), source)

    @classmethod
    def parse(cls, text: str, source: str = "track") -> "Track":
        """Parse a track from a string. The first row determines whether the string uses numbers or symbols."""
        cells, header = symbols.parse(text, source)
        return cls(cells, source, *header)

    @classmethod
    def from_image(cls, pixels: Any, source: str = "track", colours: Colours | None = None) -> "Track":
        """Build a track from an array of pixels, uint8 (rows, cols, 3). `colours`: see `read`."""
        cells = images.from_pixels(pixels, source, colours)
        try:
            return cls(cells, source)
        except TrackError as error:  # the meanings of the colours may be wrong
            what = f"{error.what}; {images.described(pixels, scheme(colours))}"
            raise TrackError.at(what, source, cell=error.cell) from None

    # --- Writing

    def to_text(self, style: str = "numbers") -> str:
        """Return the track as a string, in the style "numbers" (as in the race report) or "symbols" (with its header).

        The programs from the race report cannot read comments, so the style "numbers" includes a header only if the
        track specifies rules.
        """
        if style not in STYLES:
            raise ConfigError(f"style={style!r}: must be one of {', '.join(map(repr, STYLES))}")
        header = Header(self.title, self.about, self.rules) if style == "symbols" or self.rules else Header()
        rows = symbols.symbol_text(self.cells) if style == "symbols" else symbols.number_text(self.cells)
        return "".join(f"{line}\n" for line in header.lines()) + rows

    def to_image(self, scale: int = 1) -> np.ndarray:
        """Return an image of the track in the colours of the race report, uint8 (rows * scale, cols * scale, 3).

        Only an image with scale 1 can be read back as a track.
        """
        return images.to_pixels(self.cells, whole("scale", scale, 1, 100))

    def picture(self, cell_size: int = LARGEST_CELL) -> np.ndarray:
        """Return a picture of the track, drawn as in the window: uint8 (rows * cell_size, cols * cell_size, 3)."""
        from .draw import track_picture  # lazy, so that reading tracks does not load the tiles

        return track_picture(self.cells, cell_size=cell_size)

    def write(self, path: str | os.PathLike[str], style: str = "numbers") -> None:
        """Write the track to NAME.txt, or to NAME.png, NAME.bmp or NAME.ppm with one pixel per cell."""
        name = target_name(path)
        suffix = PurePath(name).suffix.lower()
        if suffix not in _WRITTEN:
            raise SaveError(f"{name}: the file name must end in {' or '.join(_WRITTEN)}")
        if suffix != ".txt" and (sign := images.sign_of_another_scheme(self.cells)):
            raise SaveError(f"{name}: {sign}, so the picture could not be read; write a .txt file")
        text = self.to_text(style)
        data = text.encode("utf-8") if suffix == ".txt" else images.encode(self.cells, suffix)
        write_safely(name, data, make_folder=False)


def _places(there: np.ndarray) -> tuple[tuple[int, int], ...]:
    return tuple((x, y) for y, x in np.argwhere(there).tolist())


# --- Validation


def _table(given: Any, source: str) -> np.ndarray:
    """Return a copy of the cells, int8 (rows, cols). Raise TrackError unless every cell has a valid code."""
    try:
        table = np.asarray(given)
        if table.dtype.kind not in "iuf":
            raise TypeError(f"the cells are of type {table.dtype}")
    except (ValueError, TypeError, OverflowError) as reason:
        raise TrackError.at(f"the track is not an array of numbers ({reason})", source) from None
    if table.ndim != 2 or not all(1 <= side <= LARGEST_SIDE for side in table.shape):
        size = " x ".join(map(str, table.shape))
        raise TrackError.at(f"the size is {size}; expected 1 to {LARGEST_SIDE} rows and columns", source)
    invalid = np.argwhere(~np.isin(table, CODES))
    if len(invalid):
        y, x = invalid[0].tolist()
        what = f"{table[y, x]}; expected -1 off the track, 0 track, 1 start or 100 finish"
        raise TrackError.at(what, source, cell=(x, y))
    return table.astype(np.int8)


def _check(cells: np.ndarray, source: str) -> None:
    """Raise TrackError unless there is a start, a finish, and a path between them."""
    for code, message in ((START, NO_START), (FINISH, NO_FINISH)):
        if not (cells == code).any():
            raise TrackError.at(PROBLEMS.sentence(message), source)
    # Cars can also move diagonally, so the path may lead from a cell to any of its eight neighbours.
    reached = steps_from(cells, cells == START, diagonal=True)
    if (reached[cells == FINISH] >= 0).any():
        return
    nearest = steps_from(np.zeros_like(cells), cells == FINISH, diagonal=True)
    nearest[reached < 0] = cells.size
    y, x = divmod(int(nearest.argmin()), cells.shape[1])
    finish_y, finish_x = min(
        np.argwhere(cells == FINISH).tolist(), key=lambda place: max(abs(place[0] - y), abs(place[1] - x))
    )
    raise TrackError.at(PROBLEMS.sentence(UNREACHABLE, finish_x, finish_y), source, cell=(x, y))


# --- Bundled tracks


@cache
def bundled_names() -> tuple[str, ...]:
    """Return the names of the bundled tracks, easiest first."""
    return tuple(sorted(entry.name.removesuffix(".txt") for entry in _FOLDER.iterdir() if entry.name.endswith(".txt")))


def bundled(name: str) -> Track:
    """Return a bundled track. Raise TrackNotFound, which lists the available tracks, if no track has this name."""
    if name not in bundled_names():
        raise TrackNotFound.at(f"not the name of a bundled track{_suggestion(str(name))}", str(name))
    return _read_bundled(name)


@cache
def _read_bundled(name: str) -> Track:
    return Track.decode((_FOLDER / f"{name}.txt").read_bytes(), name)


def bundled_title(name: str) -> str:
    return bundled(name).title


def _suggestion(name: str) -> str:
    """Suggest bundled tracks with a similar name, or list all bundled tracks if no name is similar."""
    names = bundled_names()
    near = [other for other in names if name and name.lower() in other] or _similar(name, names)
    return f"; did you mean {' or '.join(near[:3])}?" if near else f"; the bundled tracks are {', '.join(names)}"


def _similar(name: str, names: Iterable[str]) -> list[str]:
    """Return the names that are similar to this name, with or without their leading numbers."""
    bare = {other.split("-", 1)[-1]: other for other in names}
    return get_close_matches(name, names, 3) or [bare[near] for near in get_close_matches(name.lower(), bare, 3)]
