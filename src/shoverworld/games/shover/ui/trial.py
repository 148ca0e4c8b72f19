# pyright: basic
"""Trying an action on a copy of a game.

Both functions have two versions. Python copies and plays with the kernel that environments use, because a kernel that
contained the rules a second time would take seconds to compile. The WebAssembly module calls the rules directly.
"""

from numba.extending import overload

from shoverworld.core.jit import INLINED

from .. import engine
from ..config import ShoverRewardNumbers
from ..state import PLAYING

_NO_REWARD = ShoverRewardNumbers(0.0, 0.0, 0.0, 0.0, 0.0)


def copy_game(state, target):
    """Copy a game to another state with a map of the same size."""
    state.copy_to(target)


@overload(copy_game, jit_options=INLINED)
def _compile_copy_game(state, target):
    return lambda state, target: engine.copy_game(state, 0, target, 0)


def play_unless_over(state, rules, row, col, z):
    """Play an action. If the game is over, do nothing."""
    if state.game[0].outcome == PLAYING:
        engine.play(state, 0, rules, _NO_REWARD, row, col, z)


@overload(play_unless_over, jit_options=INLINED)
def _compile_play_unless_over(state, rules, row, col, z):
    return lambda state, rules, row, col, z: engine.step_unless_over(state, rules, row, col, z)
