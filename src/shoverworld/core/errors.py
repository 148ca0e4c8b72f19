"""One exception class for each kind of failure.

Every message states what is wrong, where, and what is expected. Each class also derives from the built-in (or
Gymnasium) exception that callers would expect to catch.
"""

from typing import Self

import gymnasium

from .problems import CELL_PLACE, COLUMN_PLACE, LEVEL_PLACE, LINE_PLACE, PIXEL_PLACE, place_text


def _line_and_column(line: int | None, column: int | None) -> str:
    return (place_text(LINE_PLACE, line) if line else "") + (place_text(COLUMN_PLACE, column) if column else "")


class ShoverWorldError(Exception):
    """The base class of all errors that this package raises on purpose."""


class ConfigError(ShoverWorldError, ValueError):
    """A keyword argument, a rule or a size is invalid."""


class MapError(ShoverWorldError, ValueError):
    """A map is invalid or cannot be read.

    `source`, `line` and `column` give the position, if known. Lines and columns are counted from 1.
    """

    source: str | None = None
    line: int | None = None
    column: int | None = None

    @classmethod
    def at(cls, what: str, source: str, line: int | None = None, column: int | None = None) -> Self:
        place = source + _line_and_column(line, column)
        error = cls(f"{place}: {what}")
        error.source, error.line, error.column = source, line, column
        return error


class MapNotFound(MapError, FileNotFoundError):
    """No map file exists at the path."""

    __str__ = Exception.__str__


class LevelError(ShoverWorldError, ValueError):
    """A Sokoban level is invalid or cannot be read.

    `source`, `number` and `line` give the position. Levels and lines are counted from 1. `what` is the message without
    the position. `cell` is the (row, col) that the message refers to, if any.
    """

    source: str | None = None
    number: int | None = None
    line: int | None = None
    cell: tuple[int, int] | None = None
    what: str = ""

    @classmethod
    def at(
        cls,
        what: str,
        source: str,
        number: int | None = None,
        line: int | None = None,
        cell: tuple[int, int] | None = None,
    ) -> Self:
        level = "" if number is None else place_text(LEVEL_PLACE, number)
        place = source + level + _line_and_column(line, None)
        error = cls(f"{place}: {what}")
        error.what, error.source, error.number, error.line, error.cell = what, source, number, line, cell
        return error


class LevelNotFound(LevelError, FileNotFoundError):
    """There is neither a level file nor a folder of level files at the path."""

    __str__ = Exception.__str__


class TrackError(ShoverWorldError, ValueError):
    """A race track is invalid or cannot be read.

    `source` names the track. `line` and `column` (both counted from 1) give the position in the text file. `cell` is
    the (x, y) position, counted from 0, that the message refers to: a cell, or a pixel of an image. `what` is the
    message without the position.
    """

    source: str | None = None
    line: int | None = None
    column: int | None = None
    cell: tuple[int, int] | None = None
    what: str = ""

    @classmethod
    def at(
        cls,
        what: str,
        source: str,
        line: int | None = None,
        column: int | None = None,
        cell: tuple[int, int] | None = None,
        pixel: tuple[int, int] | None = None,
    ) -> Self:
        place = source + _line_and_column(line, column)
        place += place_text(CELL_PLACE, *cell) if cell else ""
        place += place_text(PIXEL_PLACE, *pixel) if pixel else ""
        error = cls(f"{place}: {what}")
        error.what, error.source, error.line, error.column, error.cell = what, source, line, column, cell or pixel
        return error


class TrackNotFound(TrackError, FileNotFoundError):
    """No track file exists at the path, and no packaged track has that name."""

    __str__ = Exception.__str__


class ActionError(ShoverWorldError, ValueError):
    """An action is outside the action space. The state of the game does not change."""


class ResetNeeded(ShoverWorldError, gymnasium.error.ResetNeeded):
    """The game is over or has not started; call `reset()` first."""


class UnsolvableError(ShoverWorldError, ValueError):
    """No solvable map was found with these settings, or the planner does not support the position."""


class MissingExtra(ShoverWorldError, ImportError):
    """An optional dependency is not installed; the message names the extra to install."""

    @classmethod
    def of(cls, what: str, package: str, extra: str) -> Self:
        return cls(f'{what} needs {package}, which is not installed: pip install "shoverworld[{extra}]"')


class AgentError(ShoverWorldError):
    """An agent cannot be loaded or created, or fails during a game. `code`: the kind of failure (agents/referee.py)."""

    def __init__(self, message: str = "", code: str = "error"):
        super().__init__(message)
        self.code = code


class SaveError(ShoverWorldError, OSError):
    """A file cannot be written."""

    __str__ = Exception.__str__


class ReplayError(ShoverWorldError, ValueError):
    """A replay cannot be read or does not match the rules. `source`, `line` and `step` give the position."""

    source: str | None = None
    line: int | None = None
    step: int | None = None  # 0 means the start of the game

    @classmethod
    def at(cls, what: str, source: str, line: int | None = None, step: int | None = None) -> Self:
        error = cls(f"{source}{_line_and_column(line, None)}: {what}")
        error.source, error.line, error.step = source, line, step
        return error


class NotAReplay(ReplayError):
    """There is no replay at the path: the file is missing or in a different format, or the path is a folder."""


class ModelError(ShoverWorldError, ValueError):
    """A model or checkpoint of a learned policy cannot be read, or is for another game or other features."""
