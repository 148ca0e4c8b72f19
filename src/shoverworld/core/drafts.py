# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# `check_rows` checks values that come from a file and may have any type.
"""Functions that the games' level editors share: checking saved drafts and reporting problems in many cells."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from .checks import known
from .errors import ConfigError
from .ui import Cell, DraftProblem, count

MOST_NAMED = 8  # maximum number of boxes that are reported individually


def check_saved(saved: dict[str, Any], fields: Sequence[str], texts: Iterable[str]) -> None:
    """Raise ConfigError unless a saved draft has exactly these fields and each field in `texts` is a string."""
    known(saved, fields, "draft field")
    missing = [name for name in fields if name not in saved]
    if missing:
        raise ConfigError(f"a saved draft lacks {', '.join(missing)}")
    for name in texts:
        if not isinstance(saved[name], str):
            raise ConfigError(f"{name}={saved[name]!r:.60}: must be a string")


def check_rows(rows: Any, letters: Iterable[str], least: int, most: int) -> None:
    """Raise ConfigError unless `rows` is a list of strings made of these letters.

    The number of rows and the number of columns must both be between `least` and `most`.
    """
    letters = "".join(letters)
    found: list[Any] = cast("list[Any]", rows) if isinstance(rows, list) else []
    if not (
        least <= len(found) <= most
        and all(isinstance(row, str) and len(row) == len(found[0]) and set(row) <= set(letters) for row in found)
        and least <= len(found[0]) <= most
    ):
        raise ConfigError(f"the rows of a saved draft must be strings of equal length made of {letters!r}")


def stuck_boxes(cells: Sequence[Cell], describe: Callable[[Cell], str]) -> list[DraftProblem]:
    """Return a problem for each of the first few boxes and one for all the others. None of the problems is serious."""
    found = [DraftProblem(describe(cell), cell, False) for cell in cells[:MOST_NAMED]]
    if len(cells) > MOST_NAMED:
        found.append(DraftProblem(f"the same applies to {count(len(cells) - MOST_NAMED, 'more box')}", serious=False))
    return found
