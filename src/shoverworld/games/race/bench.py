"""The benchmarks of the grid race and their target values.

Unless a line says otherwise, one car drives on one of the bundled tracks with random actions (many of them illegal),
the observation is the velocity and an 11x11 view, and batches run on one thread with autoreset and copy=False.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import gymnasium as gym
import numpy as np

import shoverworld
from shoverworld.core.measuring import Aim, Batches, Choose, Figure, Group, Measure, random_actions, repeated, single

ID = "shoverworld/Race-v0"
LIGHT: Any = {"observation": ("velocity", "position")}
BURN_IN = 500  # the number of steps in a game


@cache
def tracks() -> tuple[Any, ...]:
    return tuple(map(shoverworld.race.packaged, shoverworld.race.packaged_names()))


def legal_moves(envs: Any, obs: Any, rng: np.random.Generator) -> np.ndarray:
    """Choose only legal actions. Cars then drive fast, so each of their moves crosses many cells."""
    mask = envs.action_mask()
    return (mask * rng.random(mask.shape)).argmax(axis=1)


def make(games: int, **settings: Any) -> Any:
    chosen: dict[str, Any] = {"track": tracks(), **settings}
    return gym.make_vec(ID, num_envs=games, vectorization_mode="vector_entry_point", **chosen)


def batches(choose: Choose = random_actions, **settings: Any) -> Batches:
    return Batches(partial(make, **settings), choose, BURN_IN)


def one_env(**keywords: Any) -> Any:
    settings: dict[str, Any] = {"track": tracks(), **keywords}
    env: Any = gym.make(ID, disable_env_checker=True, **settings).unwrapped
    return single(env, lambda obs, rng: int(rng.integers(0, env.action_space.n)))


@contextmanager
def solved() -> Generator[Measure, None, None]:
    """Measure for how many bundled tracks per second the planner finds a plan and proves that it is optimal."""

    def work() -> int:
        for track in tracks():
            shoverworld.race.solve(track)
        return len(tracks())

    yield repeated(work)


def groups() -> Iterator[Group]:
    """Yield the lines for `shover bench`."""
    yield Group([Figure("one env", "steps/s", one_env, Aim(500e3))])
    view, light, legal = batches(), batches(**LIGHT), batches(legal_moves, **LIGHT)
    yield view.group("batch of 64", 64)
    yield view.group("batch of 1024", 1024)
    yield view.group("batch of 4096", 4096, threads=Aim(1.5))
    yield view.group("batch of 8192", 8192, Aim(18e6), copies=Aim(0.8), threads=Aim(1.7))
    yield view.group("batch of 16384", 16384, threads=Aim(1.8))
    yield view.group("batch of 32768", 32768, threads=Aim(1.9))
    yield light.group("batch of 8192, velocity and position", 8192, Aim(25e6), copies=Aim(0.8))
    yield Group(
        [
            Figure(
                "batch of 8192, velocity and position, legal moves only",
                "steps/s",
                lambda: legal.speed(8192),
                Aim(10e6),
            )
        ]
    )
    yield Group([Figure("bundled tracks solved with the fewest moves", "tracks/s", solved)])
