"""Measure the stepping speed of gym-sokoban (pure Python and NumPy).

The benchmark times `SokobanEnv.step` with one environment, a 10x10 level with 4 boxes (the size of
`Sokoban-v0`), random actions that are drawn before the clock starts, and episodes of at most 120
steps. It instantiates the class directly, because `gym.make` wraps it in checks for a newer Gym API.

`single` is the best case: rendering is off, and the observation is the environment's `room_state` array.
`single_tiny_rgb` is the cheapest observation that the package offers (one pixel per cell). Generating a level takes
about a second, so a few levels are generated before the clock starts, and every episode starts from a copy of one of
them. Only stepping is timed. gym-sokoban cannot step in batches.

Run it inside an environment with requirements-gym_sokoban.txt installed, or through run.py.
"""

import argparse
import json
import random
import sys
import time
from importlib.metadata import version
from itertools import cycle

sys.path.pop(0)  # remove this folder: this file has the same name as the package that it imports

import numpy as np
from gym_sokoban.envs.sokoban_env import SokobanEnv

ROOMS = 3


class Unrendered(SokobanEnv):
    """An environment whose observation is the array of cells instead of a picture."""

    def render(self, *args, **kwargs):
        return self.room_state


def make_rooms():
    """Generate a few levels. The generator uses the global random states."""
    random.seed(0)
    np.random.seed(0)
    env = Unrendered(reset=False)
    for _ in range(ROOMS):
        env.reset()
        yield env.room_fixed.copy(), env.room_state.copy()


def start(env, room):
    """Do what `reset` does, but with a level that has already been generated."""
    env.room_fixed, state = room
    env.room_state = state.copy()
    env.player_position = np.argwhere(state == 5)[0]
    env.num_env_steps = env.reward_last = env.boxes_on_target = 0


def steps_per_second(env, rooms, seconds):
    """Step with random actions for `seconds`, not counting resets."""
    rng = random.Random(0)
    steps, spent = 0, 0.0
    rooms = cycle(rooms)
    while spent < seconds:
        start(env, next(rooms))
        actions = [rng.randrange(9) for _ in range(env.max_steps)]
        begin = time.perf_counter()
        for action in actions:
            steps += 1
            if env.step(action, "tiny_rgb_array")[2]:  # done
                break
        spent += time.perf_counter() - begin
    return steps / spent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of stepping")
    seconds = parser.parse_args().seconds
    rooms = list(make_rooms())
    speed = {}
    for name, cls in (("single", Unrendered), ("single_tiny_rgb", SokobanEnv)):
        env = cls(reset=False)
        steps_per_second(env, rooms, min(0.5, seconds))  # warm up
        speed[name] = round(steps_per_second(env, rooms, seconds), 1)
    print(
        json.dumps(
            {
                "peer": "gym_sokoban",
                "version": version("gym-sokoban"),
                "single": speed["single"],
                "batched": None,
                "single_tiny_rgb": speed["single_tiny_rgb"],
                "what": "10x10, 4 boxes, no rendering, 1 env, level generation not timed",
            }
        )
    )


if __name__ == "__main__":
    main()
