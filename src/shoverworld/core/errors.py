"""One class for each thing that can go wrong.

Every message says what was wrong, where, and what would be right. Each class also derives from the
built-in (or Gymnasium) error that people would expect to catch.
"""

import gymnasium


class ShoverWorldError(Exception):
    """The base of every error this package raises on purpose."""


class ConfigError(ShoverWorldError, ValueError):
    """A keyword, a rule or a size that makes no sense."""


class MapError(ShoverWorldError, ValueError):
    """A map that cannot be read; `source`, `line` and `column` (from 1) say where, when that is known."""

    source: str | None = None
    line: int | None = None
    column: int | None = None

    @classmethod
    def at(cls, what: str, source: str, line: int | None = None, column: int | None = None):
        place = source + (f", line {line}" if line else "") + (f", column {column}" if column else "")
        error = cls(f"{place}: {what}")
        error.source, error.line, error.column = source, line, column
        return error


class MapNotFound(MapError, FileNotFoundError):
    """There is no map file at that path."""

    __str__ = Exception.__str__


class LevelError(ShoverWorldError, ValueError):
    """A Sokoban level that cannot be read, or makes no sense; `source`, `number` and `line` (from 1) say where.

    `what` is the message without the place; `cell` is the (row, col) it is about, when there is one.
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
    ):
        place = source + (f", level {number}" if number is not None else "") + (f", line {line}" if line else "")
        error = cls(f"{place}: {what}")
        error.what, error.source, error.number, error.line, error.cell = what, source, number, line, cell
        return error


class LevelNotFound(LevelError, FileNotFoundError):
    """There is no level file, nor a folder of them, at that path."""

    __str__ = Exception.__str__


class TrackError(ShoverWorldError, ValueError):
    """A race track that cannot be read, or makes no sense.

    `source` says which; of a text, `line` and `column` (from 1) say where; `cell` is the (x, y) it is about (from 0),
    which in a picture is the pixel. `what` is the message without the place.
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
    ):
        place = source + (f", line {line}" if line else "") + (f", column {column}" if column else "")
        place += f", cell x={cell[0]} y={cell[1]}" if cell else ""
        place += f", pixel x={pixel[0]} y={pixel[1]}" if pixel else ""
        error = cls(f"{place}: {what}")
        error.what, error.source, error.line, error.column, error.cell = what, source, line, column, cell or pixel
        return error


class TrackNotFound(TrackError, FileNotFoundError):
    """There is no track file at that path, nor a bundled track of that name."""

    __str__ = Exception.__str__


class ActionError(ShoverWorldError, ValueError):
    """An action outside the action space. The game is left as it was."""


class ResetNeeded(ShoverWorldError, gymnasium.error.ResetNeeded):
    """The game is over, or has not begun: call `reset()` first."""


class UnsolvableError(ShoverWorldError, ValueError):
    """Asked for a map that can be cleared, and none was found with these settings."""


class MissingExtra(ShoverWorldError, ImportError):
    """An optional part is not installed; the message names the extra to install."""

    @classmethod
    def of(cls, what: str, package: str, extra: str):
        return cls(f'{what} needs {package}, which is not installed: pip install "shoverworld[{extra}]"')


class AgentError(ShoverWorldError):
    """An agent that cannot be loaded or made, or that breaks down in a game."""


class SaveError(ShoverWorldError, OSError):
    """A file that cannot be written."""

    __str__ = Exception.__str__


class ReplayError(ShoverWorldError, ValueError):
    """A replay that cannot be read, or that the rules do not confirm; `source`, `line` and `step` say where."""

    source: str | None = None
    line: int | None = None
    step: int | None = None  # 0: the start

    @classmethod
    def at(cls, what: str, source: str, line: int | None = None, step: int | None = None):
        error = cls(f"{source}{f', line {line}' if line else ''}: {what}")
        error.source, error.line, error.step = source, line, step
        return error


class NotAReplay(ReplayError):
    """There is no replay in that file: it is missing, a folder, or something else."""
