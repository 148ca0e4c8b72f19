"""Measure environment steps a second: `shoverworld.learn.sb3.VecEnv` against Stable-Baselines3's DummyVecEnv.

    .venv-rl/bin/python benchmarks/sb3.py

Both play the same environments with the same seeds and the same actions, in turns, in one run. The rounds alternate, and the
table shows the median of the rounds. "masks" also asks for the action masks before every step, as MaskablePPO does.
"""

import argparse
import time
from statistics import median
from timeit import repeat

import gymnasium as gym
import numpy as np
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import shoverworld
from shoverworld.learn.sb3 import VecEnv

CASES = {
    "Sokoban-4a-v0, planes": ("shoverworld/Sokoban-4a-v0", {}),
    "Sokoban-small-v0, planes": ("shoverworld/Sokoban-small-v0", {}),
    "ShoverWorld-v0, dict": ("shoverworld/ShoverWorld-v0", {}),
    "ShoverSelect-v0, planes": ("shoverworld/ShoverSelect-v0", {"observation": "planes"}),
    "Race-v0, dict": ("shoverworld/Race-v0", {}),
}


def dummy(env_id: str, games: int, keywords: dict) -> DummyVecEnv:
    return DummyVecEnv([lambda: Monitor(shoverworld.FlatActions(gym.make(env_id, **keywords)))] * games)


def seconds(envs, actions: np.ndarray, with_masks: bool) -> float:
    start = time.perf_counter()
    for row in actions:
        if with_masks:
            get_action_masks(envs)
        envs.step(row)
    return time.perf_counter() - start


def mask_times(envs: VecEnv) -> str:
    """Return the time for the masks of all games, and for what sb3-contrib does with the rows."""
    batch, rows = envs.unwrapped_batch, envs.env_method("action_masks")
    calls = {"the kernel": batch.action_masks, "np.stack": lambda: np.stack(rows)}
    times = {name: 1e6 * min(repeat(call, number=50, repeat=7)) / 50 for name, call in calls.items()}
    return ", ".join(f"{name} {microseconds:.0f} us" for name, microseconds in times.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=256, help="games in a batch (default: 256)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the median counts (default: 5)")
    parser.add_argument("--steps", type=int, default=20, help="steps of DummyVecEnv in a round (default: 20)")
    given = parser.parse_args()
    rng = np.random.default_rng(1)
    print(f"{given.games} games; environment steps a second")
    print(f"{'':26} {'masks':5} {'DummyVecEnv':>12} {'VecEnv':>12} {'ratio':>6} {'all infos':>12} {'ratio':>6}")
    for name, (env_id, keywords) in CASES.items():
        batches = [
            dummy(env_id, given.games, keywords),
            VecEnv(env_id, given.games, **keywords),
            VecEnv(env_id, given.games, infos="all", **keywords),
        ]
        for envs in batches:
            envs.seed(1)
            envs.reset()
        for with_masks in (False, True):
            rates = [[], [], []]
            for _ in range(given.rounds):
                for envs, factor, found in zip(batches, (1, 10, 5), rates, strict=True):
                    shape = given.steps * factor, given.games
                    actions = rng.integers(0, envs.action_space.n, shape)
                    found.append(actions.size / seconds(envs, actions, with_masks))
            theirs, ours, full = map(median, rates)
            masks = "yes" if with_masks else "no"
            print(
                f"{name:26} {masks:5} {theirs:12,.0f} {ours:12,.0f} {ours / theirs:6.1f} {full:12,.0f} {full / theirs:6.1f}"
            )
        print(f"{'':26} masks of all games: {mask_times(batches[1])}")


if __name__ == "__main__":
    main()
