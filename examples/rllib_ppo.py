"""PPO from RLlib on batched environments, on this machine or on a Ray cluster.

    python examples/rllib_ppo.py --iterations 160
    python examples/rllib_ppo.py --address auto --runners 8

Needs `ray[rllib]` and torch. RLlib makes the batch itself from the plain id (`gym_env_vectorize_mode`). Its own bookkeeping
of episodes takes most of the time, so use ppo.py or Stable-Baselines3 for speed and RLlib for clusters. Every tenth
iteration, `evaluate` plays 1000 other levels to the end with the current policy and writes a row of NAME.csv.
"""

import argparse
import csv
import time
from pathlib import Path

import gymnasium as gym
import numpy as np
import ray
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.connectors.env_to_module import FlattenObservations
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig

ENV = "shoverworld/Sokoban-4a-v0"
SETTINGS = {
    "dim_room": (6, 6),
    "num_boxes": 1,
    "max_steps": 25,
    "reward": {"step": -0.01, "on_target": 0.1, "off_target": -0.1, "solved": 1.0},
}
EVALUATE_EVERY = 10  # iterations between two rows of the CSV file
EVALUATION_SEED = 1_000_000  # the seeds of the levels for evaluation start here


def register(_config=None) -> None:
    """Register the ids. Every process of a cluster must do this before it makes an environment."""
    import shoverworld  # noqa: F401


def config(runners: int, envs: int, batch: int, seed: int) -> PPOConfig:
    return (
        PPOConfig()
        .environment(ENV, env_config=SETTINGS)
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=envs,
            gym_env_vectorize_mode=gym.VectorizeMode.VECTOR_ENTRY_POINT,
            env_to_module_connector=lambda env, spaces, device: FlattenObservations(),
        )
        .training(
            train_batch_size_per_learner=batch,
            minibatch_size=min(batch, 256),
            num_epochs=4,
            lr=7e-4,
            gamma=0.95,
            lambda_=0.9,
            entropy_coeff=0.01,
            vf_loss_coeff=0.5,
            grad_clip=0.5,
            use_kl_loss=False,
        )
        .rl_module(model_config=DefaultModelConfig(fcnet_hiddens=[256, 256], fcnet_activation="relu"))
        .learners(num_learners=0)
        .debugging(seed=seed)
    )


@torch.no_grad()
def evaluate(algorithm: Algorithm, games: int = 1000) -> float:
    """Return the share of levels that the policy solves. Each level is played once."""
    envs = gym.make_vec(ENV, games, "vector_entry_point", autoreset_mode="SameStep", **SETTINGS)
    observations, _ = envs.reset(seed=EVALUATION_SEED)
    module, generator = algorithm.get_module(), torch.Generator().manual_seed(0)
    solved, over = np.zeros(games, bool), np.zeros(games, bool)
    while not over.all():
        flat = torch.from_numpy(observations.reshape(games, -1).astype(np.float32))
        logits = module.forward_inference({"obs": flat})["action_dist_inputs"]
        actions = torch.multinomial(logits.softmax(1), 1, generator=generator).squeeze(1)
        observations, _, terminated, truncated, info = envs.step(actions.numpy())
        ended = terminated | truncated
        if ended.any():
            solved |= ended & ~over & (info["final_info"]["outcome"] == "solved")
            over |= ended
    envs.close()
    return float(solved.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=160)
    parser.add_argument("--runners", type=int, default=0, help="processes that play; 0: in this process (default)")
    parser.add_argument("--envs", type=int, default=64, help="games in each process (default: 64)")
    parser.add_argument("--batch", type=int, default=4096, help="steps in an iteration (default: 4096)")
    parser.add_argument("--address", help='a Ray cluster, such as "auto" (default: start Ray on this machine)')
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out"), help="the folder for the results (default: out)")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    register()
    torch.set_num_threads(1)  # such a small network is not faster with several threads
    ray.init(address=given.address, runtime_env={"worker_process_setup_hook": register}, include_dashboard=False)
    algorithm = config(given.runners, given.envs, given.batch, given.seed).build_algo()
    rows, steps, start, cpu_start = [], 0, time.monotonic(), time.process_time()
    for iteration in range(given.iterations + 1):
        if iteration > 0:
            played = algorithm.train()["env_runners"]
            steps = int(played["num_env_steps_sampled_lifetime"])
            print(f"iteration {iteration}  steps {steps}  return {played['episode_return_mean']:.2f}", flush=True)
        if iteration % EVALUATE_EVERY == 0 or iteration == given.iterations:
            minutes, cpu_minutes = (time.monotonic() - start) / 60, (time.process_time() - cpu_start) / 60
            row = {"steps": steps, "minutes": minutes, "cpu_minutes": cpu_minutes, "solved": evaluate(algorithm)}
            rows.append(row)
            print("  ".join(f"{key} {value:.3f}" if value % 1 else f"{key} {value:.0f}" for key, value in row.items()))
            with (given.out / f"rllib_ppo-sokoban-{given.seed}.csv").open("w", newline="", encoding="utf-8") as file:
                table = csv.DictWriter(file, row)
                table.writeheader()
                table.writerows(rows)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
