"""How fast the race's engine is: one car a game on the bundled tracks, any of the nine actions by the dice; every figure
says what was run."""

import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.planner import solve
from shoverworld.games.race.rules import ACTIONS
from shoverworld.games.race.tracks import Track, bundled, bundled_names
from shoverworld.games.race.vector import RaceVectorEnv

from .figure import Figure


@cache
def tracks() -> tuple[Track, ...]:
    return tuple(bundled(name) for name in bundled_names())


def single(seconds: float, **keywords: Any) -> float:
    """Steps a second through `RaceEnv.step`, resets timed too."""
    env = RaceEnv(**{"track": tracks(), **keywords})
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, ACTIONS, 2000).tolist()
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        steps += len(actions)
    return steps / (time.perf_counter() - began)


def batched(seconds: float, games: int, threads: int, copy: bool, by_mask: bool = False, **keywords: Any) -> float:
    """Game steps a second through `VectorEnv.step`. Games that begin anew in a call have not stepped in it.

    The actions are any of the nine, so many are illegal. `by_mask`: legal ones only, chosen out of the time measured; then
    cars are fast, and lines long.
    """
    envs = RaceVectorEnv(num_envs=games, copy=copy, num_threads=threads, **{"track": tracks(), **keywords})
    envs.reset(seed=0)
    state = envs.get_state()
    state.game["rounds"] = (
        1 + np.arange(games) % envs.rules.max_rounds
    )  # in the middle of its games: some end at every step
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
    """Tracks a second on which the planner finds the fewest moves, proved: the bundled ones, in turn and all equally often."""
    solve(tracks()[0])  # compiled
    done, began = 0, time.perf_counter()
    while done == 0 or time.perf_counter() - began < seconds:
        for track in tracks():
            solve(track)
        done += len(tracks())
    return done / (time.perf_counter() - began)


def figures(seconds: float, games: int, threads: int) -> Iterator[Figure]:
    """Everything, one figure at a time."""
    what = f"race, one car, {len(tracks())} tracks, auto-reset"
    view = f"{what}, view of 11x11 and velocity"
    light: Any = {"observation": ("velocity", "position")}
    yield Figure(f"single env, step(): {view}", single(seconds), "steps/s", "250 k")
    yield Figure(
        f"batch of {games}, 1 thread, copy=False: {view}", batched(seconds, games, 1, False), "steps/s", "10 M"
    )
    yield Figure(f"batch of {games}, 1 thread, copy=True: {view}", batched(seconds, games, 1, True), "steps/s", "")
    yield Figure(
        f"batch of {games}, 1 thread, copy=False: {what}, velocity and position",
        batched(seconds, games, 1, False, False, **light), "steps/s", "10 M",
    )  # fmt: skip
    yield Figure(
        f"batch of {games}, 1 thread, copy=False, legal moves only: {what}, velocity and position",
        batched(seconds, games, 1, False, by_mask=True, **light), "steps/s", "10 M",
    )  # fmt: skip
    if threads > 1:
        many = batched(seconds, 4 * games, threads, False)
        yield Figure(f"batch of {4 * games}, {threads} threads, copy=False: {view}", many, "steps/s", "")
    yield Figure(
        f"tracks solved with the fewest moves, proved: the {len(tracks())} of the package",
        solved(seconds),
        "tracks/s",
        "",
    )
