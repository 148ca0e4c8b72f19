"""Self-play in the race: two cars drive with the same network and learn from both seats (PettingZoo, PPO, one file).

    python examples/race_self_play.py --track 02-bend --seed 1 --minutes 5

Needs torch and pettingzoo, and matplotlib for the curve. A car earns -1/20 for each step, 1 for winning and -1 for losing.
`evaluate` plays races against the network of five evaluations ago and against random legal moves, from both seats.
"""

import argparse
import csv
import time
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from shoverworld.race import aec

PARTS = ("view", "distances", "velocity", "landing")  # what a car observes
FACTORS = {"view": 0.01, "distances": 0.05, "velocity": 0.2, "landing": 0.05}
RACES, MAX_ROUNDS = 32, 60  # races that are played at the same time, and rounds until a race is stopped
EPOCHS, MINIBATCH, RATE, CLIP, ENTROPY, GAMMA, LAMBDA = 4, 512, 1e-3, 0.2, 0.01, 0.98, 0.95
EVALUATE_EVERY = 5  # updates between two rows of the CSV file


class Policy(nn.Module):
    """The logits of the nine actions and the value of the position, from the flat observation of a car."""

    def __init__(self, inputs: int, width: int = 128):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.actor, self.critic = nn.Linear(width, 9), nn.Linear(width, 1)

    def forward(self, cars: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        hidden = self.body(cars)
        logits = self.actor(hidden).masked_fill(~masks, -1e9)
        return Categorical(logits=logits, validate_args=False), self.critic(hidden).squeeze(1)


def random_policy(cars: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
    """Legal actions with equal probabilities."""
    return Categorical(logits=torch.zeros(len(cars), 9).masked_fill(~masks, -1e9)), torch.zeros(len(cars))


def seen(observation: dict, info: dict) -> tuple[np.ndarray, np.ndarray]:
    """Return the observation as one flat array, and the action mask. A car without a legal move may do anything."""
    flat = np.concatenate([FACTORS[part] * observation[part].ravel() for part in PARTS])
    mask = info["action_mask"].astype(bool)
    return flat.astype(np.float32), mask if mask.any() else ~mask


@torch.no_grad()
def race_all(track: str, seed: int, policies: dict) -> tuple[dict, list[dict]]:
    """Play RACES races. `policies` maps each car to its policy.

    Return the steps of all cars, keyed by (race, car), and the final infos of the cars in each race.
    """
    envs = [aec.parallel_env(track, cars=2, observation=PARTS, max_rounds=MAX_ROUNDS) for _ in range(RACES)]
    current = [env.reset(seed=seed + i) for i, env in enumerate(envs)]
    steps, ends = {}, [{} for _ in envs]
    while any(env.agents for env in envs):
        actions = [{} for _ in envs]
        for car, policy in policies.items():
            moving = [i for i, env in enumerate(envs) if car in env.agents and current[i][1][car]["moves_this_round"]]
            if not moving:
                continue
            cars, masks = map(
                np.stack, zip(*(seen(current[i][0][car], current[i][1][car]) for i in moving), strict=True)
            )
            choices, values = policy(torch.from_numpy(cars), torch.from_numpy(masks))
            chosen = choices.sample()
            for k, i in enumerate(moving):
                actions[i][car] = int(chosen[k])
                step = [cars[k], masks[k], int(chosen[k]), float(choices.log_prob(chosen)[k]), float(values[k]), 0.0]
                steps.setdefault((i, car), []).append(step)
        for i, env in enumerate(envs):
            if not env.agents:
                continue
            observations, rewards, terminated, truncated, infos = env.step(actions[i])
            current[i] = observations, infos
            for car, reward in rewards.items():
                steps[i, car][-1][-1] += reward / 20
                if terminated[car] or truncated[car]:
                    ends[i][car] = infos[car]
                    steps[i, car][-1][-1] += 1 if infos[car]["place"] == 1 else -1
    return steps, ends


def advantages(rewards: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the generalised advantage estimates of one car, whose race has ended."""
    result, carried, following = np.zeros_like(rewards), 0.0, 0.0
    for t in reversed(range(len(rewards))):
        error = rewards[t] + GAMMA * following - values[t]
        result[t] = carried = error + GAMMA * LAMBDA * carried
        following = values[t]
    return result


def update(policy: Policy, optimizer: torch.optim.Optimizer, steps: dict) -> None:
    columns, gains = [], []
    for car in steps.values():
        columns += car
        gains.append(advantages(np.array([step[5] for step in car]), np.array([step[4] for step in car])))
    cars, masks, actions, log_probs, values, _ = (torch.from_numpy(np.stack(c)) for c in zip(*columns, strict=True))
    gains = torch.from_numpy(np.concatenate(gains)).float()
    returns = gains + values.float()
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(gains)).split(MINIBATCH):
            choices, value = policy(cars[rows], masks[rows])
            ratio = (choices.log_prob(actions[rows]) - log_probs[rows].float()).exp()
            policy_loss = -torch.min(ratio * gains[rows], ratio.clamp(1 - CLIP, 1 + CLIP) * gains[rows]).mean()
            loss = policy_loss + 0.5 * (value - returns[rows]).square().mean() - ENTROPY * choices.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()


def evaluate(track: str, policy: Policy, rival) -> tuple[float, float]:
    """Return the share of races that the policy wins from both seats, and its mean number of steps."""
    wins, lengths = [], []
    for car, other in (("car_0", "car_1"), ("car_1", "car_0")):
        _, ends = race_all(track, 10**6, {car: policy, other: rival})
        wins += [end[car]["place"] == 1 for end in ends]
        lengths += [end[car]["steps"] for end in ends]
    return float(np.mean(wins)), float(np.mean(lengths))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--track", default="02-bend", help="a bundled track or a file (default: 02-bend)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=5.0, help="stop after this time (default: 5)")
    parser.add_argument("--races", type=int, help="stop after this many races (default: no limit)")
    parser.add_argument("--out", type=Path, default=Path("out"), help="the folder for the results (default: out)")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    given.out.mkdir(parents=True, exist_ok=True)

    env = aec.parallel_env(given.track, cars=2, observation=PARTS)
    observations, infos = env.reset(seed=0)
    policy = Policy(len(seen(observations["car_0"], infos["car_0"])[0]))
    optimizer = torch.optim.Adam(policy.parameters(), RATE)
    start, cpu_start, races, rows, earlier = time.monotonic(), time.process_time(), 0, [], [deepcopy(policy)]
    while True:
        against_random, steps = evaluate(given.track, policy, random_policy)
        against_earlier, _ = evaluate(given.track, policy, earlier[max(0, len(earlier) - 5)])
        minutes, cpu_minutes = (time.monotonic() - start) / 60, (time.process_time() - cpu_start) / 60
        row = {"races": races, "minutes": minutes, "cpu_minutes": cpu_minutes, "steps": steps}
        rows.append(row | {"random": against_random, "earlier": against_earlier})
        print("  ".join(f"{key} {value:.2f}" for key, value in rows[-1].items()), flush=True)
        if minutes >= given.minutes or (given.races is not None and races >= given.races):
            break
        for _ in range(EVALUATE_EVERY):
            played, _ = race_all(given.track, given.seed * 10**7 + races, {"car_0": policy, "car_1": policy})
            update(policy, optimizer, played)
            races += RACES
        earlier.append(deepcopy(policy))
    write(given.out / f"race_self_play-{Path(given.track).stem}-{given.seed}", rows)


def write(path: Path, rows: list[dict]) -> None:
    """Write the rows as a CSV file and as a picture."""
    with path.with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    try:
        from matplotlib.figure import Figure  # optional
    except ImportError:
        return
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot([row["races"] for row in rows], [row["steps"] for row in rows])
    axes.set(title="Self-play in the race", xlabel="races", ylabel="steps to the finish", ylim=(0, None))
    figure.savefig(path.with_suffix(".png"), dpi=120)


if __name__ == "__main__":
    main()
