"""PPO with action masks on batched environments, in one file.

    python examples/ppo.py --env sokoban --seed 1 --minutes 10

Needs torch, and matplotlib for the curve. Every episode plays a new random level. `evaluate` plays 1000 other levels to
the end with the current policy. Writes NAME.csv and NAME.png into the folder `--out`, and TensorBoard events if
tensorboard is installed. The same seed gives the same rows of the CSV file, except for the times.
"""

import argparse
import csv
import time
from pathlib import Path

import gymnasium as gym
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import shoverworld

# The id, its settings, the outcome that counts as solved, a factor for the rewards and the steps of the training.
TASKS = {
    "sokoban": (
        "shoverworld/Sokoban-4a-v0",
        {"dim_room": (6, 6), "num_boxes": 1, "max_steps": 25},
        "solved",
        0.1,
        491_520,
    ),
    "select": (
        "shoverworld/ShoverSelect-v0",
        {
            "n_rows": 6, "n_cols": 6, "number_of_boxes": 6, "number_of_barriers": 4, "number_of_lavas": 1,
            "max_timestep": 12, "reward": {"lava": 1.0, "barrier": 1.0, "hellify": 1.0, "push_cost": 0.002},
        },
        "cleared",
        1.0,
        122_880,
    ),
}  # fmt: skip

ENVS, STEPS = 128, 32  # games, and steps of each game between two updates
EPOCHS, MINIBATCH = 4, 256
RATE, CLIP, ENTROPY, VALUE_WEIGHT, MAX_NORM = 7e-4, 0.2, 0.01, 0.5, 0.5
GAMMA, LAMBDA = 0.95, 0.9  # RATE and ENTROPY fall to zero, in proportion to the steps that are left
EVALUATE_EVERY = 10  # updates between two rows of the CSV file
EVALUATION_SEED = 1_000_000  # the seeds of the levels for evaluation start here
TARGETS = 1  # the plane of a Sokoban room that shows its target


def make(task: str, games: int):
    env_id, settings, *_ = TASKS[task]
    envs = gym.make_vec(
        env_id, games, "vector_entry_point", observation="planes", autoreset_mode="SameStep", **settings
    )
    return shoverworld.FlatVectorActions(envs)


def turn(planes: torch.Tensor) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
    """Mirror each room until its target lies in the upper left quarter, not below the diagonal. Return also how.

    Rooms that look the same after this need to be learned only once instead of eight times.
    """
    size = planes.shape[-1]
    place = planes[:, TARGETS].flatten(1).argmax(1)
    row, col = place // size, place % size
    down, right = 2 * row >= size, 2 * col >= size
    swap = torch.where(down, size - 1 - row, row) > torch.where(right, size - 1 - col, col)
    down, right, swap = (one[:, None, None, None] for one in (down, right, swap))
    planes = torch.where(down, planes.flip(2), planes)
    planes = torch.where(right, planes.flip(3), planes)
    planes = torch.where(swap, planes.transpose(2, 3), planes)
    return planes, (down[:, 0, 0], right[:, 0, 0], swap[:, 0, 0])


def turn_back(values: torch.Tensor, how: tuple[torch.Tensor, ...]) -> torch.Tensor:
    """Assign the values of up, down, left and right in the turned room to the directions in the real room."""
    down, right, swap = how
    values = torch.where(swap, values[:, [2, 3, 0, 1]], values)
    values = torch.where(right, values[:, [0, 1, 3, 2]], values)
    return torch.where(down, values[:, [1, 0, 2, 3]], values)


class Policy(nn.Module):
    """A network with two hidden layers that returns the logits of the actions and the value of the position.

    turns: whether it sees each room turned (`turn`).
    """

    def __init__(self, inputs: int, actions: int, turns: bool, width: int = 256):
        super().__init__()
        self.turns = turns
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.actor, self.critic = nn.Linear(width, actions), nn.Linear(width, 1)
        for layer, gain in ((self.body[1], 2**0.5), (self.body[3], 2**0.5), (self.actor, 0.01), (self.critic, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, planes: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        how = None
        if self.turns:
            planes, how = turn(planes)
        hidden = self.body(planes.float())
        logits = self.actor(hidden)
        if how is not None:
            logits = turn_back(logits, how)
        choices = Categorical(logits=logits.masked_fill(~masks, -1e9), validate_args=False)
        return choices, self.critic(hidden).squeeze(1)


@torch.no_grad()
def evaluate(policy: Policy, task: str, games: int = 1000) -> float:
    """Return the share of levels that the policy solves. Each level is played once."""
    envs, won = make(task, games), TASKS[task][2]
    planes, _ = envs.reset(seed=EVALUATION_SEED)
    generator = torch.Generator().manual_seed(0)
    solved, over = np.zeros(games, bool), np.zeros(games, bool)
    while not over.all():
        choices, _ = policy(torch.from_numpy(planes), torch.from_numpy(envs.action_masks()))
        actions = torch.multinomial(choices.probs, 1, generator=generator).squeeze(1)
        planes, _, terminated, truncated, info = envs.step(actions.numpy())
        ended = terminated | truncated
        if ended.any():
            solved |= ended & ~over & (info["final_info"]["outcome"] == won)
            over |= ended
    envs.close()
    return float(solved.mean())


class Rollout:
    """The last STEPS steps of all games, as tensors of shape (STEPS, ENVS, ...)."""

    def __init__(self, planes: tuple[int, ...], actions: int):
        def empty(*shape, dtype=torch.float32):
            return torch.zeros((STEPS, ENVS, *shape), dtype=dtype)

        self.planes, self.masks = empty(*planes, dtype=torch.uint8), empty(actions, dtype=torch.bool)
        self.actions, self.log_probs = empty(dtype=torch.int64), empty()
        self.values, self.rewards, self.over = empty(), empty(), empty()

    def advantages(self, last_value: torch.Tensor) -> torch.Tensor:
        """Return the generalised advantage estimates."""
        result, next_value, carried = torch.zeros_like(self.rewards), last_value, torch.zeros(ENVS)
        for t in reversed(range(STEPS)):
            running = 1 - self.over[t]
            error = self.rewards[t] + GAMMA * next_value * running - self.values[t]
            result[t] = carried = error + GAMMA * LAMBDA * running * carried
            next_value = self.values[t]
        return result


@torch.no_grad()
def collect(policy: Policy, envs, planes: np.ndarray, rollout: Rollout, scale: float):
    """Play STEPS steps and return the last observation and its value."""
    for t in range(STEPS):
        rollout.planes[t], rollout.masks[t] = torch.from_numpy(planes), torch.from_numpy(envs.action_masks())
        choices, rollout.values[t] = policy(rollout.planes[t], rollout.masks[t])
        actions = choices.sample()
        rollout.actions[t], rollout.log_probs[t] = actions, choices.log_prob(actions)
        planes, rewards, terminated, truncated, info = envs.step(actions.numpy())
        rewards = torch.from_numpy(scale * rewards).float()
        if truncated.any():  # a game that ran out of time would have gone on: add the value of its last position
            final = torch.from_numpy(np.stack(info["final_obs"][truncated]))
            rewards[truncated] += GAMMA * policy(final, torch.ones(len(final), rollout.masks.shape[2]) > 0)[1]
        rollout.rewards[t], rollout.over[t] = rewards, torch.from_numpy(terminated | truncated)
    _, value = policy(torch.from_numpy(planes), torch.from_numpy(envs.action_masks()))
    return planes, value


def update(
    policy: Policy, optimizer: torch.optim.Optimizer, rollout: Rollout, advantages: torch.Tensor, left: float
) -> None:
    """Make EPOCHS passes over the rollout. left: the share of the training that is left."""
    optimizer.param_groups[0]["lr"] = RATE * left
    names = ("planes", "masks", "actions", "log_probs", "values")
    planes, masks, actions, log_probs, values = (getattr(rollout, name).flatten(0, 1) for name in names)
    advantages = advantages.flatten()
    returns = advantages + values
    for _ in range(EPOCHS):
        for rows in torch.randperm(STEPS * ENVS).split(MINIBATCH):
            choices, value = policy(planes[rows], masks[rows])
            ratio = (choices.log_prob(actions[rows]) - log_probs[rows]).exp()
            gain = advantages[rows]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            value_loss = (value - returns[rows]).square().mean()
            loss = policy_loss + VALUE_WEIGHT * value_loss - ENTROPY * left * choices.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), MAX_NORM)
            optimizer.step()


class Log:
    """Rows of figures: on the screen, in a CSV file, in TensorBoard if it is installed, and as a picture at the end."""

    def __init__(self, folder: Path, name: str):
        folder.mkdir(parents=True, exist_ok=True)
        self.path, self.rows = folder / f"{name}.csv", []
        try:
            from torch.utils.tensorboard import SummaryWriter  # optional

            self.board = SummaryWriter(str(folder / name))
        except ImportError:
            self.board = None

    def add(self, **figures: float) -> None:
        self.rows.append(figures)
        print("  ".join(f"{key} {value:.3f}" if value % 1 else f"{key} {value:.0f}" for key, value in figures.items()))
        with self.path.open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, self.rows[0])
            table.writeheader()
            table.writerows(self.rows)
        if self.board:
            for key, value in figures.items():
                self.board.add_scalar(key, value, int(figures["steps"]))

    def draw(self, title: str) -> None:
        try:
            from matplotlib.figure import Figure  # optional
        except ImportError:
            return
        figure = Figure(figsize=(6, 3.5), layout="constrained")
        axes = figure.subplots()
        axes.plot([row["minutes"] for row in self.rows], [100 * row["solved"] for row in self.rows])
        axes.set(title=title, xlabel="minutes", ylabel="% of new levels solved", ylim=(0, 100))
        figure.savefig(self.path.with_suffix(".png"), dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--env", choices=TASKS, default="sokoban")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10.0, help="stop after this time (default: 10)")
    parser.add_argument("--steps", type=int, help="stop after this many steps of the environments (default: see TASKS)")
    parser.add_argument("--out", type=Path, default=Path("out"), help="the folder for the results (default: out)")
    given = parser.parse_args()
    torch.set_num_threads(1)  # such a small network is not faster with several threads
    torch.manual_seed(given.seed)

    envs, scale, total = make(given.env, ENVS), TASKS[given.env][3], given.steps or TASKS[given.env][4]
    shape, actions = envs.single_observation_space.shape, int(envs.single_action_space.n)
    policy = Policy(int(np.prod(shape)), actions, turns=given.env == "sokoban")
    optimizer = torch.optim.Adam(policy.parameters(), RATE, eps=1e-5)
    rollout, log = Rollout(shape, actions), Log(given.out, f"ppo-{given.env}-{given.seed}")
    planes, _ = envs.reset(seed=given.seed * 10_000)
    log.add(steps=0, minutes=0.0, cpu_minutes=0.0, solved=evaluate(policy, given.env))
    start, cpu_start, updates = time.monotonic(), time.process_time(), 0
    while log.rows[-1]["minutes"] < given.minutes and log.rows[-1]["steps"] < total:
        for _ in range(EVALUATE_EVERY):
            planes, value = collect(policy, envs, planes, rollout, scale)
            left = max(0.0, 1 - updates * STEPS * ENVS / total)
            update(policy, optimizer, rollout, rollout.advantages(value), left)
            updates += 1
        minutes, cpu_minutes = (time.monotonic() - start) / 60, (time.process_time() - cpu_start) / 60
        solved = evaluate(policy, given.env)
        log.add(steps=updates * STEPS * ENVS, minutes=minutes, cpu_minutes=cpu_minutes, solved=solved)
    log.draw(f"PPO on {given.env}, seed {given.seed}")


if __name__ == "__main__":
    main()
