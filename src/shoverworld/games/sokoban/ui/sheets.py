"""Sheets for Sokoban: what the functions write that also run in a browser (core/sheet.py)."""

from shoverworld.core.sheet import Sheet, new_sheet, sheet_rows
from shoverworld.core.sheet_reader import SheetReader

from ..phrases import phrases
from ..state import SokobanState


def sheet_for(state: SokobanState) -> Sheet:
    """Return an empty sheet with enough rows for a board of this size."""
    return new_sheet(sheet_rows(*state.size))


def reader_for(sheet: Sheet) -> SheetReader:
    return SheetReader(sheet, phrases)
