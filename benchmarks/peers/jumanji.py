"""Measure the stepping speed of Jumanji's Sokoban (JAX, on the CPU).

The benchmark uses 10x10 levels with 4 boxes, 120-step episodes, Jumanji's autoreset, and random
actions that are drawn before the clock starts:

- `single`: one environment, with the jitted step called from a Python loop. The loop does not wait
  for each observation (JAX runs ahead), which is the best case.
- `batched`: jit + vmap + scan, 4096 environments, 128 steps per call. Each reset selects one of two
  toy levels, which costs as much as the default selection from a data set (the data set needs a
  download, so it is not used here).
- `batched_one_level`: like `batched`, but with one fixed level. Under vmap, JAX computes a reset for every
  environment at every step, so a reset without a random choice is much cheaper.
- `resets`: jit + vmap, 4096 environments per call, each with one of the two toy levels.

Compilation is not timed. Run it inside an environment with requirements-jumanji.txt installed, or
through run.py.
"""

import argparse
import json
import os
import sys
import time
from importlib.metadata import version

sys.path.pop(0)  # remove this folder: this file has the same name as the package that it imports
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
from jumanji.environments.routing.sokoban.env import Sokoban
from jumanji.environments.routing.sokoban.generator import (
    SimpleSolveGenerator,
    ToyGenerator,
)
from jumanji.wrappers import AutoResetWrapper, VmapWrapper

BATCH, LENGTH = 4096, 128


def rate(call, steps, seconds):
    """Return the number of steps per second if each `call()` performs `steps` steps and waits for them."""
    call()  # compiles
    call()
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        call()
        done += steps
    return round(done / (time.perf_counter() - begin), 1)


def single(generator, seconds):
    env = AutoResetWrapper(Sokoban(generator=generator))
    step = jax.jit(env.step)
    actions = list(np.random.default_rng(0).integers(0, 4, 1000, dtype=np.int32))
    state = jax.jit(env.reset)(jax.random.PRNGKey(0))[0]

    def call():
        nonlocal state
        for action in actions:
            state, timestep = step(state, action)
        jax.block_until_ready(timestep)

    return rate(call, len(actions), seconds)


def batched(generator, seconds):
    env = VmapWrapper(AutoResetWrapper(Sokoban(generator=generator)))
    actions = jax.device_put(
        np.random.default_rng(0).integers(0, 4, (LENGTH, BATCH), dtype=np.int32)
    )
    # Carry the whole (state, timestep) pair, so that no part of a step can be optimised away.
    rollout = jax.jit(
        lambda carry, actions: jax.lax.scan(
            lambda carry, action: (env.step(carry[0], action), None), carry, actions
        )[0]
    )
    carry = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(0), BATCH))

    def call():
        nonlocal carry
        carry = jax.block_until_ready(rollout(carry, actions))

    return rate(call, BATCH * LENGTH, seconds)


def resets(generator, seconds):
    reset = jax.jit(VmapWrapper(Sokoban(generator=generator)).reset)
    keys = jax.random.split(jax.random.PRNGKey(0), BATCH)
    return rate(lambda: jax.block_until_ready(reset(keys)), BATCH, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of stepping")
    seconds = parser.parse_args().seconds
    print(
        json.dumps(
            {
                "peer": "jumanji",
                "version": version("jumanji"),
                "single": single(ToyGenerator(), seconds),
                "batched": batched(ToyGenerator(), seconds),
                "batched_one_level": batched(SimpleSolveGenerator(), seconds),
                "resets": resets(ToyGenerator(), seconds),
                "what": f"Sokoban, toy levels, autoreset, jit; batch {BATCH} with vmap + scan",
            }
        )
    )


if __name__ == "__main__":
    main()
