"""The functions that `shover warmup` calls to compile Sokoban's kernels."""

from collections.abc import Callable, Iterator
from typing import Any

from shoverworld.core.measuring import call_everything

from .env import SokobanEnv
from .levels import Level
from .rooms import generate_room
from .solver import solve
from .vector import SokobanVectorEnv


def warmup() -> Iterator[Callable[[], Any]]:
    """Yield functions that compile all kernels when called."""
    yield lambda: generate_room(0)
    for observation in ("planes", "grid", "rgb", "tiny_rgb"):
        yield lambda observation=observation: _one_game("Sokoban-v0", observation)
        yield lambda observation=observation: _many_games("Sokoban-v0", observation)
    for variant in ("FixedTarget-Sokoban-v0", "PushAndPull-Sokoban-v0", "TwoPlayer-Sokoban-v0", "Sokoban-4a-v0"):
        yield lambda variant=variant: _one_game(variant, "planes")
        yield lambda variant=variant: _many_games(variant, "planes")
    yield lambda: solve(Level.parse("#####\n#@$.#\n#####"))


def _one_game(rules: str, observation: str) -> None:
    call_everything(SokobanEnv(rules=rules, observation=observation, render_mode="rgb_array"))


def _many_games(rules: str, observation: str) -> None:
    envs: Any = SokobanVectorEnv(num_envs=8, rules=rules, observation=observation)
    envs.reset(seed=0)
    envs.step(envs.action_space.sample())
    envs.close()
