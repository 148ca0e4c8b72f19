"""PPO from Stable-Baselines3 on batched environments, with action masks (MaskablePPO) or without.

    python examples/sb3_ppo.py --env sokoban --seed 1
    python examples/sb3_ppo.py --env select --no-masks

Needs stable-baselines3 and sb3-contrib. Every episode plays a new random level. `evaluate` plays 1000 other levels to the
end with the current policy and writes a row of NAME.csv.
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback

from shoverworld.learn.sb3 import VecEnv

# The id, its settings, the outcome that counts as solved, and the steps of the training.
TASKS = {
    "sokoban": (
        "shoverworld/Sokoban-4a-v0",
        {
            "dim_room": (6, 6), "num_boxes": 1, "max_steps": 25,
            "reward": {"step": -0.01, "on_target": 0.1, "off_target": -0.1, "solved": 1.0},
        },
        "solved",
        983_040,
    ),
    "select": (
        "shoverworld/ShoverSelect-v0",
        {
            "n_rows": 6, "n_cols": 6, "number_of_boxes": 6, "number_of_barriers": 4, "number_of_lavas": 1,
            "max_timestep": 12, "reward": {"lava": 1.0, "barrier": 1.0, "hellify": 1.0, "push_cost": 0.002},
        },
        "cleared",
        122_880,
    ),
}  # fmt: skip
ENVS, STEPS = 128, 32  # games, and steps of each game between two updates
EVALUATE_EVERY = 10  # updates between two rows of the CSV file
EVALUATION_SEED = 1_000_000  # the seeds of the levels for evaluation start here


def make(task: str, games: int, seed: int) -> VecEnv:
    env_id, settings, *_ = TASKS[task]
    return VecEnv(env_id, games, seed=seed, observation="planes", **settings)


def evaluate(model: PPO | MaskablePPO, task: str, games: int = 1000) -> float:
    """Return the share of levels that the policy solves. Each level is played once."""
    envs, won = make(task, games, EVALUATION_SEED), TASKS[task][2]
    observations = envs.reset()
    solved, over = np.zeros(games, bool), np.zeros(games, bool)
    while not over.all():
        masks = {"action_masks": get_action_masks(envs)} if isinstance(model, MaskablePPO) else {}
        actions, _ = model.predict(observations, **masks)
        observations, _, ended, infos = envs.step(actions)
        for game in np.flatnonzero(ended & ~over):
            solved[game] = infos[game]["outcome"] == won
        over |= ended
    envs.close()
    return float(solved.mean())


class Evaluation(BaseCallback):
    """Writes a row before the training and after every tenth update."""

    def __init__(self, path: Path, task: str):
        super().__init__()
        self.path, self.task, self.rows, self.rollouts = path, task, [], 0
        self.start, self.cpu_start = time.monotonic(), time.process_time()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.rollouts % EVALUATE_EVERY == 0:
            self.add()
        self.rollouts += 1

    def _on_training_end(self) -> None:
        self.add()

    def add(self) -> None:
        minutes, cpu_minutes = (time.monotonic() - self.start) / 60, (time.process_time() - self.cpu_start) / 60
        # The evaluation draws actions too. It must not change the training.
        state = torch.get_rng_state()
        solved = evaluate(self.model, self.task)
        torch.set_rng_state(state)
        row = {"steps": self.num_timesteps, "minutes": minutes, "cpu_minutes": cpu_minutes, "solved": solved}
        self.rows.append(row)
        print("  ".join(f"{key} {value:.3f}" if value % 1 else f"{key} {value:.0f}" for key, value in row.items()))
        with self.path.open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, row)
            table.writeheader()
            table.writerows(self.rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--env", choices=TASKS, default="sokoban")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, help="stop after this many steps of the environments (default: see TASKS)")
    parser.add_argument("--no-masks", action="store_true", help="use PPO without action masks")
    parser.add_argument("--out", type=Path, default=Path("out"), help="the folder for the results (default: out)")
    given = parser.parse_args()
    torch.set_num_threads(1)  # such a small network is not faster with several threads
    given.out.mkdir(parents=True, exist_ok=True)
    algorithm, name = (PPO, "sb3_ppo") if given.no_masks else (MaskablePPO, "sb3_maskable")
    model = algorithm(
        "MlpPolicy",
        make(given.env, ENVS, given.seed * 10_000),
        learning_rate=lambda left: 7e-4 * left,  # the share of the training that is left
        n_steps=STEPS, batch_size=256, n_epochs=4, gamma=0.95, gae_lambda=0.9, ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256], "activation_fn": torch.nn.ReLU},
        seed=given.seed, device="cpu",
    )  # fmt: skip
    steps = given.steps or TASKS[given.env][3]
    model.learn(steps, Evaluation(given.out / f"{name}-{given.env}-{given.seed}.csv", given.env))


if __name__ == "__main__":
    main()
