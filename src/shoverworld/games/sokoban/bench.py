"""The benchmarks of Sokoban, and the functions that `shover warmup` calls to compile Sokoban's kernels.

The benchmarks choose actions uniformly at random. By default, the rooms are those of `Sokoban-v0`.
"""

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from shoverworld.core.measuring import Measurement, call_everything, steps_per_second

from .env import SokobanEnv
from .levels import Level
from .rooms import generate_room
from .solver import solve
from .vector import SokobanVectorEnv

ROOMS = 256  # number of rooms generated in advance


@cache
def levels() -> tuple[Level, ...]:
    return tuple(generate_room(seed).level for seed in range(ROOMS))


def single(seconds: float, **keywords: Any) -> float:
    """Measure the steps per second through `SokobanEnv.step`. The time includes resets."""
    env = SokobanEnv(**{"levels": levels(), **keywords})
    actions = np.random.default_rng(0).integers(0, env.rules.action_count, 2000).tolist()
    return steps_per_second(env, actions, seconds)


def _batch(games: int, threads: int, copy: bool, **keywords: Any) -> SokobanVectorEnv:
    """Return a batch of games in progress, with different step counts so that some games end at every step."""
    envs = SokobanVectorEnv(num_envs=games, copy=copy, num_threads=threads, **{"levels": levels(), **keywords})
    envs.reset(seed=0)
    state = envs.get_state()
    state.game["steps"] = np.arange(games) % envs.rules.max_steps
    envs.set_state(state)
    return envs


def batched(seconds: float, games: int, threads: int, copy: bool, **keywords: Any) -> float:
    """Measure game steps per second through `VectorEnv.step`. A call that resets a game does not count as a step."""
    envs = _batch(games, threads, copy, **keywords)
    actions = np.random.default_rng(0).integers(0, envs.rules.action_count, (16, games))
    envs.step(actions[0])
    steps, ended, began = 0, 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for chosen in actions:
            _, _, terminated, truncated, _ = envs.step(chosen)
            steps += games - ended
            ended = np.count_nonzero(terminated) + np.count_nonzero(truncated)
    spent = time.perf_counter() - began
    envs.close()
    return steps / spent


def resets(seconds: float, games: int, threads: int = 1, **keywords: Any) -> float:
    """Measure resets per second through `VectorEnv.reset`, with stored levels or generated rooms (`levels=None`)."""
    envs = _batch(games, threads, False, **keywords)
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        envs.reset()
        done += games
    spent = time.perf_counter() - began
    envs.close()
    return done / spent


def solved(seconds: float) -> float:
    """Measure how many rooms per second the solver solves with a provably minimal number of pushes."""
    solve(levels()[0], time_limit=0)  # compile the solver
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        solve(levels()[done % ROOMS])
        done += 1
    return done / (time.perf_counter() - began)


def figures(seconds: float, games: int, threads: int) -> Iterator[Measurement]:
    """Yield all measurements."""
    room = "Sokoban 10x10, 3 boxes"
    stored = f"{room}, {ROOMS} stored rooms, planes, auto-reset"
    yield Measurement(f"single env, step(): {stored}", single(seconds), "steps/s", "250 k")
    yield Measurement(
        f"batch of {games}, 1 thread, copy=False: {stored}", batched(seconds, games, 1, False), "steps/s", "25 M"
    )
    yield Measurement(
        f"batch of {games}, 1 thread, copy=True: {stored}", batched(seconds, games, 1, True), "steps/s", ""
    )
    if threads > 1:
        many = batched(seconds, 4 * games, threads, False)
        yield Measurement(f"batch of {4 * games}, {threads} threads, copy=False: {stored}", many, "steps/s", "")
    drawn = batched(seconds, games, 1, False, levels=None)
    yield Measurement(f"batch of {games}, 1 thread, copy=False: {room}, a new room for each game", drawn, "steps/s", "")
    yield Measurement(f"resets in a batch of {games}, 1 thread: {stored}", resets(seconds, games), "resets/s", "1 M")
    for size, boxes, name in (((7, 7), 2, "small-v0"), ((10, 10), 3, "v0"), ((13, 13), 5, "huge-v0")):
        made = resets(seconds, min(games, 32), levels=None, dim_room=size, num_boxes=boxes)
        yield Measurement(
            f"rooms generated, 1 thread: Sokoban-{name}, {size[0]}x{size[1]}, {boxes} boxes", made, "rooms/s", ""
        )
    yield Measurement(f"rooms solved optimally (fewest pushes): {room}", solved(seconds), "rooms/s", "")


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
