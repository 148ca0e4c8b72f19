"""The functions that `shover warmup` calls to compile Sokoban's kernels."""

from collections.abc import Callable, Iterator
from typing import Any

from shoverworld.core.measuring import call_everything
from shoverworld.core.plan import Plan

from .env import SokobanEnv
from .levels import Level
from .rooms import generate_room
from .solver import solve
from .solver.satisficing import compile_satisficing
from .ui import SOKOBAN_UI
from .vector import SokobanVectorEnv

LEVEL = Level.parse("#####\n#@$.#\n#####")


def warmup() -> Iterator[Callable[[], Any]]:
    """Yield functions that compile all kernels when called."""
    yield lambda: generate_room(0)
    for observation in ("planes", "grid", "rgb", "tiny_rgb"):
        yield lambda observation=observation: _one_game("Sokoban-v0", observation)
        yield lambda observation=observation: _many_games("Sokoban-v0", observation)
    for variant in ("FixedTarget-Sokoban-v0", "PushAndPull-Sokoban-v0", "TwoPlayer-Sokoban-v0", "Sokoban-4a-v0"):
        yield lambda variant=variant: _one_game(variant, "planes")
        yield lambda variant=variant: _many_games(variant, "planes")
    yield lambda: solve(LEVEL)
    yield compile_satisficing
    yield _look_at_a_game


def _one_game(rules: str, observation: str) -> None:
    call_everything(SokobanEnv(rules=rules, observation=observation, render_mode="rgb_array"))


def _many_games(rules: str, observation: str) -> None:
    envs: Any = SokobanVectorEnv(num_envs=8, rules=rules, observation=observation)
    envs.reset(seed=0)
    envs.step(envs.action_space.sample())
    envs.close()


def _look_at_a_game() -> None:
    """Show a game and select its box, as the window does."""
    env = SokobanEnv(levels=LEVEL)
    env.reset(seed=0)
    state, handler = env.get_state(), SOKOBAN_UI.controls.handler(env)
    for cell in ((1, 1), (1, 2), (1, 3)):
        handler.hover(state, cell, 1)
    handler.click(state, (1, 2))
    handler.marks(state)
    handler.click(state, (1, 3))
    SOKOBAN_UI.drawing.scene(state)
    plan = Plan("solved", (4,))
    for overlay in SOKOBAN_UI.overlays.overlays:
        SOKOBAN_UI.overlays.marks(overlay.key, env, state, plan)
    handler.press(state, "right")
    env.step(4)
    SOKOBAN_UI.drawing.motion(state, env.get_state())
