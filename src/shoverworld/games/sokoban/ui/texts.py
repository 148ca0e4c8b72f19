"""The on-screen text of Sokoban: panel lines and descriptions of moves. text_rows.py writes it."""

from typing import Any

from shoverworld.core.cells import place_name as place_name
from shoverworld.core.env import GridEnv
from shoverworld.core.ui import Figure, InputHandler, MoveText

from ..boards import rules_of
from ..state import SokobanState
from . import text_rows
from .controls import SokobanInput
from .sheets import reader_for, sheet_for


def figures(env: GridEnv, state: SokobanState, handler: InputHandler | None) -> list[Figure]:
    sheet, rules = sheet_for(state), rules_of(env).numbers()
    text_rows.figures(state, rules, sheet)
    if isinstance(handler, SokobanInput):
        text_rows.input_figures(rules, handler.record, sheet)
    return reader_for(sheet).figures()


def ending(env: GridEnv, state: SokobanState) -> list[Figure]:
    sheet = sheet_for(state)
    text_rows.ending(state, rules_of(env).numbers(), sheet)
    return reader_for(sheet).figures()


def describe(env: GridEnv, state: SokobanState, action: Any) -> str:
    sheet = sheet_for(state)
    text_rows.describe(state, rules_of(env).numbers(), int(action), sheet)
    return reader_for(sheet).text()


def move(env: GridEnv, before: SokobanState, after: SokobanState) -> MoveText:
    sheet = sheet_for(after)
    text_rows.move(before, after, rules_of(env).numbers(), sheet)
    return reader_for(sheet).move()
