"""Benchmarks of the grid race engine, and the calls that `shover warmup` makes to compile the engine.

Each game has one car and uses one of the bundled tracks. Actions are random, with all nine equally likely.
"""

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from shoverworld.core.measuring import Measurement, call_everything, steps_per_second

from .agents import RaceGreedyAgent, RaceOptimalAgent, RaceRacerAgent
from .env import RaceEnv
from .planner import solve
from .rules import ACTIONS
from .tracks import Track, bundled, bundled_names
from .vector import RaceVectorEnv


@cache
def tracks() -> tuple[Track, ...]:
    return tuple(bundled(name) for name in bundled_names())


def single(seconds: float, **keywords: Any) -> float:
    """Measure the steps per second of `RaceEnv.step`. The measured time includes resets."""
    env = RaceEnv(**{"track": tracks(), **keywords})
    return steps_per_second(env, np.random.default_rng(0).integers(0, ACTIONS, 2000).tolist(), seconds)


def batched(seconds: float, games: int, threads: int, copy: bool, by_mask: bool = False, **keywords: Any) -> float:
    """Measure the game steps per second of `RaceVectorEnv.step`. A call that resets a game does not count as a step.

    Many of the random actions are illegal. With `by_mask`, only legal actions are played, and the time for choosing
    them is not counted. Cars then drive fast, so each of their moves crosses many cells.
    """
    envs = RaceVectorEnv(num_envs=games, copy=copy, num_threads=threads, **{"track": tracks(), **keywords})
    envs.reset(seed=0)
    state = envs.get_state()
    state.game["rounds"] = 1 + np.arange(games) % envs.rules.max_rounds  # so that some games end at every step
    envs.set_state(state)
    rng = np.random.default_rng(0)
    actions = rng.integers(0, ACTIONS, (16, games))
    envs.step(actions[0])
    steps = ended = 0
    spent = 0.0
    while spent < seconds:
        for chosen in actions:
            if by_mask:
                chosen = (envs.action_mask() * rng.random((games, ACTIONS))).argmax(axis=1)
            began = time.perf_counter()
            _, _, terminated, truncated, _ = envs.step(chosen)
            spent += time.perf_counter() - began
            steps += games - ended
            ended = np.count_nonzero(terminated) + np.count_nonzero(truncated)
    envs.close()
    return steps / spent


def solved(seconds: float) -> float:
    """Measure how many bundled tracks per second the planner solves with a proof of optimality."""
    solve(tracks()[0])  # compiles the planner
    done, began = 0, time.perf_counter()
    while done == 0 or time.perf_counter() - began < seconds:
        for track in tracks():
            solve(track)
        done += len(tracks())
    return done / (time.perf_counter() - began)


def figures(seconds: float, games: int, threads: int) -> Iterator[Measurement]:
    """Yield all measurements."""
    what = f"race, one car, {len(tracks())} tracks, auto-reset"
    view = f"{what}, 11x11 view and velocity"
    light: Any = {"observation": ("velocity", "position")}
    yield Measurement(f"single env, step(): {view}", single(seconds), "steps/s", "250 k")
    yield Measurement(
        f"batch of {games}, 1 thread, copy=False: {view}", batched(seconds, games, 1, False), "steps/s", "10 M"
    )
    yield Measurement(f"batch of {games}, 1 thread, copy=True: {view}", batched(seconds, games, 1, True), "steps/s", "")
    yield Measurement(
        f"batch of {games}, 1 thread, copy=False: {what}, velocity and position",
        batched(seconds, games, 1, False, False, **light), "steps/s", "10 M",
    )  # fmt: skip
    yield Measurement(
        f"batch of {games}, 1 thread, copy=False, legal moves only: {what}, velocity and position",
        batched(seconds, games, 1, False, by_mask=True, **light), "steps/s", "10 M",
    )  # fmt: skip
    if threads > 1:
        many = batched(seconds, 4 * games, threads, False)
        yield Measurement(f"batch of {4 * games}, {threads} threads, copy=False: {view}", many, "steps/s", "")
    yield Measurement(
        f"tracks solved in the fewest moves, with proof: the {len(tracks())} bundled tracks",
        solved(seconds),
        "tracks/s",
        "",
    )


def warmup() -> Iterator[Callable[[], Any]]:
    """Yield functions. Calling all of them compiles everything."""
    yield lambda: batched(0.01, 8, 1, True)
    yield lambda: single(0.01)
    yield lambda: call_everything(RaceEnv(render_mode="rgb_array", observation="view"))
    yield lambda: solve(tracks()[0])
    for agent in (RaceGreedyAgent, RaceOptimalAgent, RaceRacerAgent):
        yield lambda agent=agent: _one_move(agent)


def _one_move(agent: Callable[[RaceEnv], Any]) -> None:
    env = RaceEnv(cars=2, max_rounds=5)
    obs, info = env.reset(seed=0)
    player = agent(env)
    player.reset(info)
    player.act(obs, info)
