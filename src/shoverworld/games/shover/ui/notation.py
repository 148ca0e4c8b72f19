"""The notation for moves of Shover-World.

u r d l     a direction; an upper-case letter pushes. If the shover does not walk, the cell comes first: `2,5R`
B H         the special actions
.           a no-op
@2,5        the shover is put on a cell without a step
"""

import re
from typing import Any

from shoverworld.core import sheet as sheets
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError
from shoverworld.core.jit import shared
from shoverworld.core.sheet_ui import written
from shoverworld.core.ui import Act, Place

from ..boards import rules_of
from ..config import FIRST_SPECIAL, SPECIALS, WALK
from ..phrases import LETTERS, PHRASES
from ..state import State
from . import phrases as say
from .position import beside, is_direction, is_special, on_map, push_preview, shover_of

separator = " "
about = (
    "letters for directions (upper case pushes), B and H for the special actions, 2,5R for the box at row 2, column 5"
)
_SPECIALS = {special.key.upper(): kind for kind, special in enumerate(SPECIALS, FIRST_SPECIAL)}
_SYMBOL = re.compile(
    rf"(?:([0-9]{{1,6}}),([0-9]{{1,6}}))?([{LETTERS}{LETTERS.upper()}])|@([0-9]{{1,6}}),([0-9]{{1,6}})"
)


@shared
def write_symbol(sheet, state, rules, row, col, z):
    """Write an action in this notation."""
    kind = z - rules.z_base
    if is_special(kind):
        sheets.text(sheet, say.SPECIAL_LETTER, kind - FIRST_SPECIAL)
    elif not is_direction(kind):
        sheets.text(sheet, say.WAIT_LETTER)
    else:
        letter = kind + 4 if push_preview(state, rules, row, col, kind).chain > 0 else kind
        if rules.actor == WALK:
            sheets.text(sheet, say.LETTER, letter)
        else:
            sheets.text(sheet, say.CELL_LETTER, row, col, letter)


@shared
def write_place_symbol(sheet, row, col):
    sheets.text(sheet, say.PLACE_SYMBOL, row, col)


def symbol(env: GridEnv, state: State, intent: Act | Place) -> str:
    if isinstance(intent, Place):
        return written(PHRASES, write_place_symbol, *intent.cell).text()
    action: Any = intent.action
    return written(PHRASES, write_symbol, state, rules_of(env).numbers(), *(int(number) for number in action)).text()


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
    ahead = beside(*here, direction)
    cell = (int(row), int(col)) if row is not None else ahead if on_map(state, *ahead) else here
    if not on_map(state, *cell):
        raise ConfigError(f"row {cell[0]}, column {cell[1]} is not on the map")
    return Act((*cell, rules.z_base + direction))
