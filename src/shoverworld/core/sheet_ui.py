"""The connection between the functions that write sheets (sheet.py) and the protocols of a user interface (ui.py).

A game's `@shared` functions take a sheet first. The modules of `games/NAME/ui/` call them on a new sheet and read it.
"""

from collections.abc import Callable
from typing import Any

from .phrases import PhraseTable, Words
from .sheet import MOST_ROWS, new_sheet
from .sheet_reader import SheetReader


def written(
    phrases: PhraseTable, write: Callable[..., Any], *arguments: Any, rows: int = MOST_ROWS, words: Words | None = None
) -> SheetReader:
    """Call `write(sheet, *arguments)` with a new sheet and return a reader of the sheet."""
    sheet = new_sheet(rows)
    write(sheet, *arguments)
    return SheetReader(sheet, phrases, words)
