"""Let a shared function write a sheet (core/sheet.py), and read the sheet for the window and the terminal."""

from collections.abc import Callable, Sequence
from typing import Any

from shoverworld.core.sheet import MOST_ROWS, new_sheet
from shoverworld.core.sheet_reader import SheetReader

from ..phrases import PHRASES


def read(write: Callable[..., Any], *arguments: Any, rows: int = MOST_ROWS, names: Sequence[str] = ()) -> SheetReader:
    """Call `write` with these arguments and an empty sheet with room for `rows` rows. Return a reader for the sheet.

    `names`: the names of the players.
    """
    sheet = new_sheet(rows)
    write(*arguments, sheet)
    return SheetReader(sheet, PHRASES, {"name": names})
