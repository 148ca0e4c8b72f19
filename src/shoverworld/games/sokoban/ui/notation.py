"""Sokoban moves as LURD letters: l, u, r and d are walks, and L, U, R and D are pushes.

LURD has no letters for pulls or for a second player. Here, `<` before a letter marks a pull, and `+` marks a move by
the second player. Moves may be run-length encoded, for example `4r2(uL)`.
"""

import re
from typing import Any

from shoverworld.core.cells import beside, way_name
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError
from shoverworld.core.ui import Act, Place

from ..boards import rules_of
from ..lurd import expand_lurd
from ..rules import PULL, PUSH
from ..state import SokobanState
from .position import action_of, box_at, meaning_of, player_of, why_not

LETTERS = "urdl"  # the letter for each direction
PULLS, SECOND = "<", "+"
separator = ""
about = "LURD letters: lower-case letters walk, upper-case letters push"
_SYMBOL = re.compile(r"\+?<?[lurdLURD]")
_TEXT = re.compile(r"[lurdLURD0-9()<+\s]*[lurdLURD][lurdLURD0-9()<+\s]*")


def symbol(env: GridEnv, state: SokobanState, intent: Act | Place) -> str:
    """Return the letter for a move, or "" for a no-op or a blocked move."""
    action: Any = intent.action if isinstance(intent, Act) else None
    found = None if action is None else meaning_of(rules_of(env), action)
    if found is None or why_not(rules_of(env), state, *found):
        return ""
    who, kind, direction = found
    letter = LETTERS[direction]
    letter = letter.upper() if box_at(state, beside(player_of(state, who), direction)) else letter
    return f"{SECOND if who else ''}{PULLS if kind == PULL else ''}{letter}"


def split(text: str) -> list[str] | None:
    if not _TEXT.fullmatch(text):
        return None
    letters = expand_lurd(text, "the moves")
    symbols = _SYMBOL.findall(letters)
    return symbols if "".join(symbols) == letters else None


def intent(env: GridEnv, state: SokobanState, symbol: str) -> Act | Place:
    """Return the move for a letter. The case of the letter is ignored, because the board decides what a move does."""
    rules, who, direction = rules_of(env), int(SECOND in symbol), LETTERS.index(symbol[-1].lower())
    if who >= rules.players:
        raise ConfigError("these rules have only one player")
    if PULLS in symbol and not rules.pull:
        raise ConfigError("these rules do not allow pulling boxes")
    kind = PULL if PULLS in symbol else PUSH
    if why := why_not(rules, state, who, kind, direction):
        raise ConfigError(f"{way_name(direction)}: {why}")
    return Act(action_of(rules, who, kind, direction))
