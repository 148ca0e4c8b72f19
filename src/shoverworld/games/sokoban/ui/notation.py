"""Sokoban moves as LURD letters: l, u, r and d are walks, and L, U, R and D are pushes.

LURD has no letters for pulls or for a second player. Here, `<` before a letter marks a pull, and `+` marks a move by
the second player. Moves may be run-length encoded, for example `4r2(uL)`.
"""

import re
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError
from shoverworld.core.ui import Act, Place, Say

from ..boards import rules_of
from ..lurd import expand_lurd
from ..phrases import LETTERS
from ..state import SokobanState
from . import notation_rows
from .sheets import reader_for, sheet_for

PULLS, SECOND = "<", "+"
separator = ""
about = "LURD letters: lower-case letters walk, upper-case letters push"
_SYMBOL = re.compile(r"\+?<?[lurdLURD]")
_TEXT = re.compile(r"[lurdLURD0-9()<+\s]*[lurdLURD][lurdLURD0-9()<+\s]*")


def symbol(env: GridEnv, state: SokobanState, intent: Act | Place) -> str:
    """Return the letter for a move, or "" for a no-op or a blocked move."""
    action: Any = intent.action if isinstance(intent, Act) else None
    if action is None:
        return ""
    sheet = sheet_for(state)
    notation_rows.symbol(state, rules_of(env).numbers(), int(action), sheet)
    return reader_for(sheet).text()


def split(text: str) -> list[str] | None:
    if not _TEXT.fullmatch(text):
        return None
    letters = expand_lurd(text, "the moves")
    symbols = _SYMBOL.findall(letters)
    return symbols if "".join(symbols) == letters else None


def intent(env: GridEnv, state: SokobanState, symbol: str) -> Act | Place:
    """Return the move for a letter. The case of the letter is ignored, because the board decides what a move does."""
    sheet, direction = sheet_for(state), LETTERS.index(symbol[-1].lower())
    notation_rows.step(state, rules_of(env).numbers(), int(SECOND in symbol), PULLS in symbol, direction, sheet)
    found: Any = reader_for(sheet).intent(1)
    if isinstance(found, Say):
        raise ConfigError(found.text)
    return found
