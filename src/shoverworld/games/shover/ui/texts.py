"""The on-screen text of Shover-World: panel lines, and descriptions of moves and actions. messages.py writes them."""

from typing import Any

from shoverworld.core.cells import place_name as place_name
from shoverworld.core.env import GridEnv
from shoverworld.core.sheet_ui import written
from shoverworld.core.ui import Figure, InputHandler, MoveText

from ..boards import rules_of
from ..phrases import PHRASES
from ..state import State
from . import messages
from .position import NOTHING_CHOSEN, scratch_for


def figures(env: GridEnv, state: State, handler: InputHandler | None) -> list[Figure]:
    chosen = NOTHING_CHOSEN if handler is None else handler.chosen  # type: ignore[attr-defined]
    return written(PHRASES, messages.write_figures, state, rules_of(env).numbers(), chosen).figures()


def ending(env: GridEnv, state: State) -> list[Figure]:
    return written(PHRASES, messages.write_ending, state).figures()


def move(env: GridEnv, before: State, after: State) -> MoveText:
    return written(PHRASES, messages.write_move, before, after, rules_of(env).numbers()).move()


def describe(env: GridEnv, state: State, action: Any) -> str:
    numbers = (int(number) for number in action)
    return written(
        PHRASES, messages.write_instruction, state, rules_of(env).numbers(), scratch_for(state), *numbers
    ).text()
