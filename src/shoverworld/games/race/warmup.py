"""The functions that `shover warmup` calls to compile the kernels of the grid race."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shoverworld.core.measuring import call_everything

from .agents import RaceGreedyAgent, RaceOptimalAgent, RaceRacerAgent, RaceTacticianAgent
from .engine import find_faults
from .env import RaceEnv
from .generate import random_track
from .planner import solve
from .rules import ACTIONS
from .tracks import Track, bundled, bundled_names
from .vector import RaceVectorEnv


def warmup() -> Iterator[Callable[[], Any]]:
    """Yield functions that compile all kernels if every one of them is called."""
    tracks = [bundled(name) for name in bundled_names()]
    yield lambda: _many_games(tracks)
    yield lambda: call_everything(RaceEnv(render_mode="rgb_array", observation="view"))
    yield lambda: solve(tracks[0])
    yield lambda: random_track(0)
    yield _one_preview
    for agent in (RaceGreedyAgent, RaceOptimalAgent, RaceRacerAgent, RaceTacticianAgent):
        yield lambda agent=agent: _one_move(agent)


def _many_games(tracks: list[Track]) -> None:
    envs = RaceVectorEnv(num_envs=8, track=tracks)
    envs.reset(seed=0)
    envs.step(envs.action_space.sample())
    envs.close()


def _one_preview() -> None:
    env = RaceEnv()
    env.reset(seed=0)
    find_faults(env.get_state(), env.rules.numbers(), np.zeros(ACTIONS, np.int64))


def _one_move(agent: Callable[[RaceEnv], Any]) -> None:
    env = RaceEnv(cars=2, max_rounds=5)
    obs, info = env.reset(seed=0)
    player = agent(env)
    player.reset(info)
    player.act(obs, info)
