"""Sokoban beside the peers in one run: `python benchmarks/sokoban.py [griddly envpool jumanji gym_sokoban]`.

What a step does, in each of them (the time of choosing the actions is in none of the figures):

    shoverworld   1000 rooms of its own, 10x10, 4 boxes, all nine actions by the dice, 120 steps a game. The rules, reward
                  and ends; one env: a copy of the planes, an info dict, resets timed; batched: `VectorEnv.step` with
                  copy=False, planes written in place, info arrays, games that are over begin anew within the step
    griddly       C++ behind the old Gym interface: one room of another size, five actions; resets are not timed
    envpool       C++ version of Jumanji's game: 1000 rooms, 10x10, 4 boxes, four moves, 120 steps, auto-reset
    jumanji       JAX: two rooms, 10x10, 4 boxes, four moves, 120 steps, auto-reset; the batch is one scan of 128 steps that
                  never leaves JAX, its best way; its second figure has the same one room for all and is the better one
    gym_sokoban   Python: 10x10, 4 boxes, nine actions, 120 steps; not rendered, resets are not timed

Aims: one env 250 k, batched 25 M on one thread, 1 M resets from stored levels, ahead of all of them.
"""

import sys
import time
from functools import cache
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import beside
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.rooms import generate_room
from shoverworld.games.sokoban.vector import SokobanVectorEnv

ROOMS, MAX_STEPS, GAMES = 1000, 120, 8192
KINDS = {"single": "one env", "batched": "batched", "resets": "resets"}


@cache
def levels() -> tuple[Level, ...]:
    return tuple(generate_room(seed, dim_room=(10, 10), num_boxes=4).level for seed in range(ROOMS))


def single(seconds: float) -> float:
    """Steps a second through `SokobanEnv.step`, resets timed too."""
    env = SokobanEnv(levels(), max_steps=MAX_STEPS)
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, env.action_space.n, 10_000).tolist()
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        steps += len(actions)
    return steps / (time.perf_counter() - began)


def batch(games: int, threads: int = 1) -> SokobanVectorEnv:
    """A batch in the middle of its games, so that some of them end at every step."""
    envs = SokobanVectorEnv(levels(), games, copy=False, num_threads=threads, max_steps=MAX_STEPS)
    envs.reset(seed=0)
    state = envs.get_state()
    state.game["steps"] = np.arange(games) % MAX_STEPS
    envs.set_state(state)
    return envs


def batched(seconds: float, games: int = GAMES, threads: int = 1) -> float:
    """Game steps a second through `VectorEnv.step`. Games that begin anew in a call have not stepped in it."""
    envs = batch(games, threads)
    actions = np.random.default_rng(0).integers(0, 9, (64, games))
    steps = ended = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        for chosen in actions:
            _, _, terminated, truncated, _ = envs.step(chosen)
            steps += games - ended
            ended = np.count_nonzero(terminated) + np.count_nonzero(truncated)
    spent = time.perf_counter() - began
    envs.close()
    return steps / spent


def resets(seconds: float) -> float:
    """Games a second that `VectorEnv.reset` begins from stored levels."""
    envs = batch(GAMES)
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        envs.reset()
        done += GAMES
    return done / (time.perf_counter() - began)


def main() -> None:
    chosen = beside.options("Measure Sokoban here and in the peers in one run.")
    for warm_up in (single, batched, resets):
        warm_up(0.1)
    ours = {
        "single": single,
        "batched": batched,
        "threads": lambda seconds: batched(seconds, 4 * GAMES, 2),
        "resets": resets,
    }
    lines = beside.run(chosen, ours, f"{ROOMS} rooms, planes, auto-reset; batch of {GAMES}, one thread, in place")
    beside.table(lines, KINDS)
    print(f"shoverworld, batch of {4 * GAMES} on two threads: {lines[0].figure('threads'):,.0f}")


if __name__ == "__main__":
    main()
