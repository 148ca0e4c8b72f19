"""Measure the stepping speed of Griddly's Sokoban (a C++ engine behind a Gym wrapper).

The benchmark times `GymWrapper.step` on level 0 of the bundled GVGAI Sokoban with the vector
observer, one environment, and random actions that are drawn before the clock starts. Griddly's
Sokoban has no step limit, and random play can get stuck, so an episode ends after 120 steps, the
limit in the other packages. Only stepping is timed: a reset takes about 0.3 ms and would account
for a quarter of the time. `resets` counts resets of the same level. Griddly cannot step in batches.

Run it inside an environment with requirements-griddly.txt installed, or through run.py.
"""

import argparse
import json
import random
import sys
import time
from importlib.metadata import version

sys.path.pop(0)  # remove this folder: this file has the same name as the package that it imports

from griddly import GymWrapper, gd

LIMIT = 120


def steps_per_second(env, seconds):
    """Step with random actions for `seconds`, not counting resets."""
    rng = random.Random(0)
    steps, spent = 0, 0.0
    while spent < seconds:
        env.reset()
        actions = [rng.randrange(env.action_space.n) for _ in range(LIMIT)]
        begin = time.perf_counter()
        for action in actions:
            steps += 1
            if env.step(action)[2]:  # done
                break
        spent += time.perf_counter() - begin
    return steps / spent


def resets_per_second(env, seconds):
    resets, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        env.reset()
        resets += 1
    return resets / (time.perf_counter() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of stepping")
    seconds = parser.parse_args().seconds
    env = GymWrapper(
        "Single-Player/GVGAI/sokoban.yaml",
        level=0,
        max_steps=LIMIT,
        player_observer_type=gd.ObserverType.VECTOR,
        global_observer_type=gd.ObserverType.VECTOR,
    )
    steps_per_second(env, min(0.5, seconds))  # warm up
    print(
        json.dumps(
            {
                "peer": "griddly",
                "version": version("griddly"),
                "single": round(steps_per_second(env, seconds), 1),
                "batched": None,
                "resets": round(resets_per_second(env, seconds), 1),
                "what": "Sokoban level 0, vector observer, 1 env, resets not timed",
            }
        )
    )


if __name__ == "__main__":
    main()
