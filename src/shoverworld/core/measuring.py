"""Functions that the benchmarks of all games (games/NAME/bench.py) share."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from .env import GridEnv


class Measurement(NamedTuple):
    """A measurement: what was measured, its value and unit, and the target value."""

    what: str
    value: float
    unit: str
    aim: str = ""


def steps_per_second(env: GridEnv, actions: Sequence[Any], seconds: float) -> float:
    """Measure how many times per second `env.step` can be called. The time includes resets."""
    env.reset(seed=0)
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        steps += len(actions)
    return steps / (time.perf_counter() - began)


def call_everything(env: GridEnv) -> None:
    """Call each part of an environment once so that everything is compiled, then close the environment."""
    env.reset(seed=0)
    env.action_mask()
    env.step(env.action_space.sample())
    env.render()
    env.state_hash()
    env.close()
