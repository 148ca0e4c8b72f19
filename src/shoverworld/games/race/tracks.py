"""Tracks: the ground cars race on, read from text and from pictures, checked, and written back to both.

A cell is off the track, track, start or finish. Positions are (x, y): x is the column, y the row, both from 0.

    #######
    #S...F#      a start at (1, 1) and one at (1, 2); the finish is (5, 1)
    #S...##
    #######
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import resources
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from shoverworld.core.checks import whole
from shoverworld.core.errors import ConfigError, SaveError, TrackError, TrackNotFound

from . import images, symbols
from .codes import CODES, FINISH, FREE, LARGEST_SIDE, NUMBERS, OFF, START, SYMBOLS
from .zombie import steps_from, zombie_array

__all__ = ["FINISH", "FREE", "LARGEST_SIDE", "OFF", "START", "Track", "bundled", "bundled_names", "bundled_title"]

LARGEST_FILE = 32 * 2**20
STYLES = ("numbers", "symbols")
_FOLDER = resources.files("shoverworld.games.race") / "tracks"
_WRITTEN = (".txt", *images.SUFFIXES)


@dataclass(frozen=True, eq=False, repr=False)
class Track:
    """A track. Two are equal when their cells are; names and titles do not count."""

    cells: np.ndarray  # int8 (rows, cols): OFF -1, FREE 0, START 1, FINISH 100; read-only
    name: str = "track"
    title: str = ""

    def __post_init__(self):
        cells = _table(self.cells, self.name)
        cells.setflags(write=False)
        object.__setattr__(self, "cells", cells)
        words = "".join(letter if letter.isprintable() else " " for letter in str(self.title)).split()
        object.__setattr__(self, "title", " ".join(words))
        _check(cells, self.name)

    @property
    def rows(self) -> int:
        return self.cells.shape[0]

    @property
    def cols(self) -> int:
        return self.cells.shape[1]

    @cached_property
    def starts(self) -> tuple[tuple[int, int], ...]:
        """The start cells (x, y), row by row."""
        return _places(self.cells == START)

    @cached_property
    def finishes(self) -> tuple[tuple[int, int], ...]:
        """The finish cells (x, y), row by row."""
        return _places(self.cells == FINISH)

    @cached_property
    def distance(self) -> np.ndarray:
        """The zombie array, int32 (rows, cols), read-only: see zombie.py."""
        distance = zombie_array(self.cells)
        distance.setflags(write=False)
        return distance

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Track) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.cells.shape, self.cells.tobytes()))

    def __reduce__(self) -> Any:  # the arrays of a copy are read-only too
        return Track, (self.cells, self.name, self.title)

    def __deepcopy__(self, memo: dict) -> "Track":
        return self

    def __repr__(self) -> str:
        return f"<Track {self.name}: {self.rows} x {self.cols}, {len(self.starts)} starts>"

    def __str__(self) -> str:
        return self.to_text("symbols").rstrip("\n")

    # --- Reading

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Track":
        """Read a file, text or picture: what it is, its content tells. A bundled track can be read by its name."""
        try:
            source = os.fsdecode(path)
        except TypeError:
            source = ""
        if not source:
            raise TrackError(f"track={path!r:.60}: must be a path or the name of a bundled track")
        try:
            data = _bytes_of(source)
        except FileNotFoundError:
            if source in bundled_names():
                return bundled(source)
            missing = f"there is no such track file, nor a bundled track of that name{_near(source)}"
            raise TrackNotFound.at(missing, source) from None
        except TrackError:
            raise
        except (OSError, ValueError) as reason:
            raise TrackError.at(f"the track file cannot be read ({reason})", source) from None
        return cls.decode(data, source)

    @classmethod
    def decode(cls, data: bytes, source: str = "track") -> "Track":
        """A track from what stands in a file."""
        if images.is_picture(data):
            return cls(images.decode(data, source), source)
        if len(data) > LARGEST_FILE:
            raise TrackError.at(f"the file is larger than {LARGEST_FILE // 2**20} MiB, and no track is", source)
        return cls.parse(symbols.decode(data, source), source)

    @classmethod
    def parse(cls, text: str, source: str = "track") -> "Track":
        """A track from text, in numbers or symbols; the first row tells which."""
        cells, title = symbols.parse(text, source)
        return cls(cells, source, title)

    @classmethod
    def from_image(cls, pixels: Any, source: str = "track") -> "Track":
        """A track from an array of colours, uint8 (rows, cols, 3)."""
        return cls(images.from_pixels(pixels, source), source)

    # --- Writing

    def to_text(self, style: str = "numbers") -> str:
        """The track in "numbers", which the report's programs can read, or in "symbols", with its title."""
        if style == "numbers":
            return symbols.number_text(self.cells)
        if style == "symbols":
            return symbols.symbol_text(self.cells, self.title)
        raise ConfigError(f"style={style!r}: must be one of {', '.join(map(repr, STYLES))}")

    def to_image(self, scale: int = 1) -> np.ndarray:
        """uint8 (rows * scale, cols * scale, 3) in the report's colours. Only scale 1 can be read back."""
        return images.to_pixels(self.cells, whole("scale", scale, 1, 100))

    def write(self, path: str | os.PathLike[str], style: str = "numbers") -> None:
        """Write a file: text to NAME.txt, a picture of one pixel a cell to NAME.png (.bmp and .ppm too)."""
        suffix = PurePath(os.fsdecode(path)).suffix.lower()
        if suffix not in _WRITTEN:
            raise SaveError(f"{os.fsdecode(path)}: expected a name that ends in {' or '.join(_WRITTEN)}")
        text = self.to_text(style)
        data = text.encode("utf-8") if suffix == ".txt" else images.encode(self.cells, suffix)
        try:
            Path(path).write_bytes(data)
        except OSError as reason:
            raise SaveError(f"{os.fsdecode(path)} cannot be written: {reason.strerror or reason}") from None


def _bytes_of(source: str) -> bytes:
    if Path(source).exists() and not Path(source).is_file():  # a pipe would never end
        raise TrackError.at("it is not a file; expected a track in text or a picture", source)
    with open(source, "rb") as file:
        return file.read(LARGEST_FILE + 1)


def _places(there: np.ndarray) -> tuple[tuple[int, int], ...]:
    return tuple((x, y) for y, x in np.argwhere(there).tolist())


# --- The checks


def _table(given: Any, source: str) -> np.ndarray:
    """A copy of these cells, int8 (rows, cols), of which every one is a code."""
    try:
        table = np.asarray(given)
        if table.dtype.kind not in "iuf":
            raise TypeError(f"its cells are of type {table.dtype}")
    except (ValueError, TypeError, OverflowError) as reason:
        raise TrackError.at(f"the track is not a table of numbers ({reason})", source) from None
    if table.ndim != 2 or not all(1 <= side <= LARGEST_SIDE for side in table.shape):
        size = " x ".join(map(str, table.shape))
        raise TrackError.at(f"the size is {size}; expected rows x columns, 1 to {LARGEST_SIDE} each", source)
    strange = np.argwhere(~np.isin(table, CODES))
    if len(strange):
        y, x = strange[0].tolist()
        what = f"{table[y, x]}; expected -1 off the track, 0 track, 1 start or 100 finish"
        raise TrackError.at(what, source, cell=(x, y))
    return table.astype(np.int8)


def _check(cells: np.ndarray, source: str) -> None:
    """There is a start, a finish, and a way from one to the other."""
    _one_of(cells == START, "start", source)
    _one_of(cells == FINISH, "finish", source)
    # A car can also drive from corner to corner, so a way over all eight neighbours will do.
    reached = steps_from(cells, cells == START, diagonal=True)
    if (reached[cells == FINISH] >= 0).any():
        return
    nearest = steps_from(np.zeros_like(cells), cells == FINISH, diagonal=True)
    nearest[reached < 0] = cells.size
    y, x = divmod(int(nearest.argmin()), cells.shape[1])
    finish_y, finish_x = min(
        np.argwhere(cells == FINISH).tolist(), key=lambda place: max(abs(place[0] - y), abs(place[1] - x))
    )
    what = (
        f"no finish can be reached from any start; cars get as far as this cell, and the nearest finish is at "
        f"x={finish_x} y={finish_y}: join them with track"
    )
    raise TrackError.at(what, source, cell=(x, y))


def _one_of(there: np.ndarray, what: str, source: str) -> None:
    if not there.any():
        code = {"start": START, "finish": FINISH}[what]
        number, symbol = (next(w for w, c in words.items() if c == code) for words in (NUMBERS, SYMBOLS))
        colour = {"start": "blue", "finish": "white"}[what]
        message = (
            f"there is no {what}; expected at least one cell {number} ({symbol} in symbols, {colour} in a picture)"
        )
        raise TrackError.at(message, source)


# --- The tracks that come with the package.


@cache
def bundled_names() -> tuple[str, ...]:
    """The names of the bundled tracks, from the easiest on."""
    return tuple(sorted(entry.name.removesuffix(".txt") for entry in _FOLDER.iterdir() if entry.name.endswith(".txt")))


def bundled(name: str) -> Track:
    """A bundled track by its name."""
    if name not in bundled_names():
        there = ", ".join(bundled_names())
        raise TrackNotFound.at(f"there is no such bundled track; there are {there}", str(name))
    return _read_bundled(name)


@cache
def _read_bundled(name: str) -> Track:
    return Track.decode((_FOLDER / f"{name}.txt").read_bytes(), name)


def bundled_title(name: str) -> str:
    return bundled(name).title


def _near(name: str) -> str:
    """A question after bundled tracks whose names are like this one; what there is, when there are none."""
    names = bundled_names()
    near = [other for other in names if name and name.lower() in other] or _alike(name, names)
    return f"; did you mean {' or '.join(near[:3])}?" if near else f"; there are {', '.join(names)}"


def _alike(name: str, names: Iterable[str]) -> list[str]:
    """Names like this one, with their number or without."""
    bare = {other.split("-", 1)[-1]: other for other in names}
    return get_close_matches(name, names, 3) or [bare[near] for near in get_close_matches(name.lower(), bare, 3)]
