"""The benchmarks of the Shover-World engine, and the calls that `shover warmup` makes to compile the engine."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shoverworld.core.grid import col_of, roll, row_of
from shoverworld.core.jit import kernel
from shoverworld.core.measuring import Measurement

from .agents import Phase2Agent
from .env import ShoverWorldEnv
from .planner import solve
from .rules import is_box
from .state import GAME_RECORD
from .vector import ShoverWorldVectorEnv

BOARD = {"number_of_boxes": 20, "number_of_barriers": 12, "number_of_lavas": 6}


@kernel
def aim_at_boxes(state, rng, first_z, actions):
    """Choose a push for each game: a random direction, and the first box found in a scan from a random cell."""
    size = state.board.shape[1]
    for i in range(len(actions)):
        cell = roll(rng[0], size)
        for _ in range(size):
            if is_box(state.board[i, cell]):
                break
            cell = cell + 1 if cell + 1 < size else 0
        if is_box(state.board[i, cell]):
            actions[i, 0] = row_of(cell, state.width)
            actions[i, 1] = col_of(cell, state.width)
        actions[i, 2] = first_z + roll(rng[0], 4)


def new_rng() -> np.ndarray:
    rng = np.zeros(1, GAME_RECORD)  # a full record, so that Numba does not confuse it with another game's record
    for name, value in zip(("a", "b", "c", "rolls"), (1, 2, 3, 1), strict=True):
        rng[name] = value
    return rng


def batched(seconds: float, games: int, threads: int, copy: bool, **keywords: Any) -> float:
    """Return how many game steps `ShoverWorldVectorEnv.step` plays per second.

    The time includes resets but not the choice of actions.
    """
    envs = ShoverWorldVectorEnv(games, copy=copy, num_threads=threads, rules="phase2", **keywords)
    envs.reset(seed=0)
    actions, rng = np.zeros((games, 3), np.int64), new_rng()
    steps, spent, rounds = 0, 0.0, 0
    done = np.zeros(games, np.bool_)
    while spent < seconds:
        aim_at_boxes(envs._state, rng, envs.rules.first_z, actions)
        playing = games - int(done.sum())  # the finished games are reset in this call
        began = time.perf_counter()
        _, _, terminated, truncated, _ = envs.step(actions)
        elapsed = time.perf_counter() - began
        done = terminated | truncated
        rounds += 1
        if rounds > 5:
            steps, spent = steps + playing, spent + elapsed
    envs.close()
    return steps / spent


def single(seconds: float, **keywords: Any) -> float:
    """Return how many random pushes `ShoverWorldEnv.step` plays per second. The time includes resets."""
    env = ShoverWorldEnv(rules="phase2", **keywords)
    env.reset(seed=0)
    actions, rng = np.zeros((1, 3), np.int64), new_rng()
    steps, spent = 0, 0.0
    while spent < seconds:
        chosen = []
        state = env.get_state()
        for _ in range(200):
            aim_at_boxes(state, rng, env.rules.first_z, actions)
            chosen.append(tuple(actions[0].tolist()))
        began = time.perf_counter()
        for action in chosen:
            _, _, terminated, truncated, _ = env.step(action)
            steps += 1
            if terminated or truncated:
                env.reset()
        spent += time.perf_counter() - began
    return steps / spent


def batched_in_processes(seconds: float, games: int, processes: int) -> float:
    """Return the total steps per second when several processes run `batched` concurrently, with one thread each."""
    code = (
        f"from shoverworld.games.shover import bench; print(bench.batched({seconds}, {games}, 1, False, **bench.BOARD))"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(processes)
    ]
    return sum(float(process.communicate()[0]) for process in running)


def first_step(cache: str) -> float:
    """Return the seconds from the start of a Python process, including imports, to the end of the first game step.

    As in an installed package, the bytecode of the modules is kept.
    """
    code = "import gymnasium, shoverworld; e = gymnasium.make('shoverworld/ShoverSelect-v0'); e.reset(seed=0); e.step((0, 0, 0))"
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env={**variables, "SHOVERWORLD_CACHE": cache})
    return time.perf_counter() - began


def figures(seconds: float, games: int, threads: int) -> Iterator[Measurement]:
    """Run all benchmarks and yield their results."""
    size = "9x13, 20 boxes, phase2, pushes of boxes, squares on, auto-reset"
    yield Measurement(f"single env, step(): {size}", single(seconds, **BOARD), "steps/s", "200 k")
    one = batched(seconds, games, 1, False, **BOARD)
    yield Measurement(f"batch of {games}, 1 thread, copy=False: {size}", one, "steps/s", "10 M")
    yield Measurement(
        f"batch of {games}, 1 thread, copy=True: {size}", batched(seconds, games, 1, True, **BOARD), "steps/s", ""
    )
    if threads > 1:
        many = batched(seconds, 4 * games, threads, False, **BOARD)
        yield Measurement(f"batch of {4 * games}, {threads} threads, copy=False: {size}", many, "steps/s", "20 M")
        apart = batched_in_processes(seconds, games, threads)
        yield Measurement(
            f"batch of {games} in each of {threads} processes at once, copy=False: {size}", apart, "steps/s", ""
        )
    endless = {"initial_stamina": 1e12, "max_timestep": 10**9}
    small = batched(seconds, 256, 1, False, **BOARD, **endless)
    large = batched(seconds, 256, 1, False, n_rows=64, n_cols=64, number_of_boxes=700, number_of_barriers=420, number_of_lavas=210, **endless)  # fmt: skip
    yield Measurement(
        "cost of a step on 64x64 relative to 9x13 (batch of 256, endless games)", small / large, "times the cost", "2"
    )
    with tempfile.TemporaryDirectory() as cache:
        yield Measurement("process start to first step, nothing compiled", first_step(cache), "s", "10")
        yield Measurement(
            "process start to first step, already compiled", min(first_step(cache) for _ in range(3)), "s", "1.5"
        )


def warmup() -> Iterator[Callable[[], Any]]:
    """Yield calls that compile all kernels."""
    yield lambda: batched(0.01, 8, 1, True)
    yield lambda: single(0.01)
    for preset in ("phase2", "walker"):
        env = ShoverWorldEnv(rules=preset)
        env.reset(seed=0, options={"map": "A.B.L"})
        yield lambda env=env: solve(env.get_state(), env.rules)
        yield lambda env=env: _play(env, Phase2Agent(env))


def _play(env: ShoverWorldEnv, agent: Phase2Agent) -> None:
    while env.outcome is None:
        env.step(agent.act(*env.observe()))
