"""The notation for moves of Shover-World.

u r d l     a direction; an upper-case letter pushes. If the shover does not walk, the cell comes first: `2,5R`
B H         the special actions
.           a no-op
@2,5        the shover is put on a cell without a step
"""

import re
from typing import Any

from shoverworld.core.cells import beside
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError
from shoverworld.core.ui import Act, Place

from ..boards import rules_of
from ..config import FIRST_SPECIAL, SPECIALS
from ..state import State
from .position import is_direction, is_special, kind_of, on_map, push_preview, shover_of, special_of

LETTERS = "urdl"  # the letter for each direction
separator = " "
about = (
    "letters for directions (upper case pushes), B and H for the special actions, 2,5R for the box at row 2, column 5"
)
_SPECIALS = {special.key.upper(): kind for kind, special in enumerate(SPECIALS, FIRST_SPECIAL)}
_SYMBOL = re.compile(
    rf"(?:([0-9]{{1,6}}),([0-9]{{1,6}}))?([{LETTERS}{LETTERS.upper()}])|@([0-9]{{1,6}}),([0-9]{{1,6}})"
)


def symbol(env: GridEnv, state: State, intent: Act | Place) -> str:
    if isinstance(intent, Place):
        return f"@{intent.cell[0]},{intent.cell[1]}"
    action: Any = intent.action
    rules, (row, col, z) = rules_of(env), (int(x) for x in action)
    kind = kind_of(rules, z)
    if is_special(kind):
        return special_of(kind).key.upper()
    if not is_direction(kind):
        return "."
    letter = LETTERS[kind].upper() if push_preview(rules, state, (row, col), kind).chain else LETTERS[kind]
    return letter if rules.actor == "walk" else f"{row},{col}{letter}"


def split(text: str) -> list[str] | None:
    symbols = text.split()
    known = all(one == "." or one in _SPECIALS or _SYMBOL.fullmatch(one) for one in symbols)
    moves = any(one[-1:].lower() in LETTERS for one in symbols) or set(symbols) <= _SPECIALS.keys()
    return symbols if symbols and known and moves else None


def intent(env: GridEnv, state: State, symbol: str) -> Act | Place:
    rules, here = rules_of(env), shover_of(state)
    if symbol == ".":
        return Act((*here, rules.z_base - 1))
    if symbol in _SPECIALS:
        return Act((*here, rules.z_base + _SPECIALS[symbol]))
    row, col, letter, to_row, to_col = _SYMBOL.fullmatch(symbol).groups()  # type: ignore[union-attr]
    if to_row is not None:
        return Place((int(to_row), int(to_col)))
    direction = LETTERS.index(letter.lower())
    ahead = beside(here, direction)
    cell = (int(row), int(col)) if row is not None else ahead if on_map(state, ahead) else here
    if not on_map(state, cell):
        raise ConfigError(f"row {cell[0]}, column {cell[1]} is not on the map")
    return Act((*cell, rules.z_base + direction))
