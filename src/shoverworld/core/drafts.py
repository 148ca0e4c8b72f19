"""What the level editors of the games share: reading a saved draft, and problems that many cells have."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .checks import known
from .errors import ConfigError
from .ui import Cell, DraftProblem, count

MOST_NAMED = 8  # cells with their own line


def check_saved(saved: dict[str, Any], fields: Sequence[str], texts: Iterable[str]) -> None:
    """Raise ConfigError unless a saved draft has exactly these fields, and text in the fields `texts`."""
    known(saved, fields, "part of a saved draft")
    missing = [name for name in fields if name not in saved]
    if missing:
        raise ConfigError(f"a saved draft lacks {', '.join(missing)}")
    for name in texts:
        if not isinstance(saved[name], str):
            raise ConfigError(f"{name}={saved[name]!r:.60}: must be text")


def check_rows(rows: Any, letters: Iterable[str], least: int, most: int) -> None:
    """Raise ConfigError unless `rows` are strings of these letters: `least` to `most` rows and columns."""
    letters = "".join(letters)
    if not (
        isinstance(rows, list)
        and least <= len(rows) <= most
        and all(isinstance(row, str) and len(row) == len(rows[0]) and set(row) <= set(letters) for row in rows)
        and least <= len(rows[0]) <= most
    ):
        raise ConfigError(f"the rows of a saved draft must be strings of equal length made of {letters!r}")


def stuck_boxes(cells: Sequence[Cell], describe: Callable[[Cell], str]) -> list[DraftProblem]:
    """A problem for each of the first few boxes, and one for the others. None of them is serious."""
    found = [DraftProblem(describe(cell), cell, False) for cell in cells[:MOST_NAMED]]
    if len(cells) > MOST_NAMED:
        found.append(DraftProblem(f"the same holds for {count(len(cells) - MOST_NAMED, 'more box')}", serious=False))
    return found
