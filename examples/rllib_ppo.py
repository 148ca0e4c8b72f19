"""PPO from RLlib on batched environments, on this machine or on a Ray cluster.

    python examples/rllib_ppo.py --iterations 20
    python examples/rllib_ppo.py --address auto --runners 8

Needs `ray[rllib]` and torch. RLlib makes the batch itself from the plain id (`gym_env_vectorize_mode`). Its own bookkeeping
of episodes takes most of the time, so use ppo.py or Stable-Baselines3 for speed and RLlib for clusters.
"""

import argparse

import gymnasium as gym
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.connectors.env_to_module import FlattenObservations

ENV = "shoverworld/Sokoban-4a-v0"
SETTINGS = {"dim_room": (6, 6), "num_boxes": 1, "max_steps": 25}


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
        .training(train_batch_size_per_learner=batch, minibatch_size=min(batch, 256), num_epochs=4, lr=1e-3, gamma=0.95)
        .learners(num_learners=0)
        .debugging(seed=seed)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--runners", type=int, default=0, help="processes that play; 0: in this process (default)")
    parser.add_argument("--envs", type=int, default=32, help="games in each process (default: 32)")
    parser.add_argument("--batch", type=int, default=2048, help="steps in an iteration (default: 2048)")
    parser.add_argument("--address", help='a Ray cluster, such as "auto" (default: start Ray on this machine)')
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    register()
    ray.init(address=given.address, runtime_env={"worker_process_setup_hook": register}, include_dashboard=False)
    algorithm = config(given.runners, given.envs, given.batch, given.seed).build_algo()
    for iteration in range(1, given.iterations + 1):
        result = algorithm.train()
        played, seconds = result["env_runners"], result["time_this_iter_s"]
        print(
            f"iteration {iteration}  steps {played['num_env_steps_sampled_lifetime']:.0f}"
            f"  return {played['episode_return_mean']:.2f}  seconds {seconds:.1f}",
            flush=True,
        )
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
