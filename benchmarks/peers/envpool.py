"""Measure the stepping speed of EnvPool's Sokoban (C++, a pool of threads behind NumPy arrays).

The environment is `Sokoban-v0`, EnvPool's C++ version of Jumanji's game: a 10x10 level with 4 boxes
(the installed version uses the same level at every reset, whatever the seed), 120-step episodes,
EnvPool's autoreset, and random actions that are drawn before the clock starts.

- `single`: `step` on a pool with one environment, with the faster of the two interfaces (Gymnasium, dm).
- `batched`: the best of several pools: synchronous (every call steps every environment) and
  asynchronous (`recv` and `send` for the environments that are ready), with one and two threads and
  the dm interface, which is much faster. `batched_how` describes the best pool.
- `resets`: `reset` on a whole pool, with one or two threads, whichever is faster.

Run it inside an environment with requirements-envpool.txt installed, or through run.py.
"""

import argparse
import json
import sys
import time
from importlib.metadata import version

sys.path.pop(0)  # remove this folder: this file has the same name as the package that it imports

import envpool
import numpy as np

NAME = "Sokoban-v0"
DRAWN = 64  # number of prepared action arrays


def make(kind, games, threads=1, batch=None):
    return envpool.make(
        NAME, env_type=kind, num_envs=games, batch_size=batch or games, num_threads=threads
    )


def rate(call, count, seconds):
    """Return the number of items processed per second if each `call()` processes `count` items."""
    for _ in range(20):
        call()  # warm up
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        call()
        done += count
    return round(done / (time.perf_counter() - begin), 1)


def actions(games):
    """Return an endless stream of actions for `games` games."""
    drawn = np.random.default_rng(0).integers(0, 4, (DRAWN, games), dtype=np.int32)
    while True:
        yield from drawn


def in_step(kind, games, threads, seconds):
    env, chosen = make(kind, games, threads), actions(games)
    env.reset()
    return rate(lambda: env.step(next(chosen)), games, seconds)


def asynchronous(games, batch, threads, seconds):
    env, chosen = make("dm", games, threads, batch), actions(batch)
    env.async_reset()

    def call():
        ready = env.recv().observation.env_id
        env.send(next(chosen), ready)

    return rate(call, batch, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of stepping")
    seconds = parser.parse_args().seconds
    pools = {
        f"{how}, {threads} thread(s)": measured(threads)
        for threads in (1, 2)
        for how, measured in (
            ("256 in step", lambda threads: in_step("dm", 256, threads, seconds)),
            ("1024 in step", lambda threads: in_step("dm", 1024, threads, seconds)),
            ("256 of 1024 environments at a time", lambda threads: asynchronous(1024, 256, threads, seconds)),
        )
    }
    best = max(pools, key=pools.get)
    resets = [rate(make("dm", 256, threads).reset, 256, seconds) for threads in (1, 2)]
    print(
        json.dumps(
            {
                "peer": "envpool",
                "version": version("envpool"),
                "single": max(in_step(kind, 1, 1, seconds) for kind in ("gymnasium", "dm")),
                "batched": pools[best],
                "batched_how": best,
                "resets": max(resets),
                "what": f"Sokoban, one level, grid, autoreset; the best pool: {best}",
            }
        )
    )


if __name__ == "__main__":
    main()
