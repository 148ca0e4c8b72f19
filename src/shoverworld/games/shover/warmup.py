"""The calls that `shover warmup` makes to compile the kernels of Shover-World."""

from collections.abc import Callable, Iterator
from typing import Any

from .agents import Phase2Agent
from .env import ShoverWorldEnv
from .planner import solve
from .ui import controls, drawing, overlays
from .vector import ShoverWorldVectorEnv


def warmup() -> Iterator[Callable[[], Any]]:
    """Yield calls that compile all kernels."""
    yield _many_games
    for preset in ("phase2", "walker"):
        env = ShoverWorldEnv(rules=preset)
        env.reset(seed=0, options={"map": "A.B.L"})
        yield lambda env=env: solve(env.get_state(), env.rules)
        yield lambda env=env: _play(env, Phase2Agent(env))
    yield _view


def _many_games() -> None:
    envs = ShoverWorldVectorEnv(8, rules="phase2")
    envs.reset(seed=0)
    envs.step(envs.action_space.sample())
    envs.close()


def _play(env: ShoverWorldEnv, agent: Phase2Agent) -> None:
    while env.outcome is None:
        env.step(agent.act(*env.observe()))


def _view() -> None:
    """Show a game in which a walker can reach some cells and a box."""
    env = ShoverWorldEnv(rules="walker")
    env.reset(seed=0, options={"map": "A.B.L"})
    before = env.get_state()
    env.step((0, 0, 2))
    after, handler = env.get_state(), controls.handler(env)
    drawing.scene(after)
    drawing.motion(before, after)
    for col in range(5):
        handler.hover(after, (0, col), None)
    for overlay in overlays.overlays:
        overlays.marks(overlay.key, env, after, None)
