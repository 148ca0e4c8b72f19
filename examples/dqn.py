"""Double DQN with action masks on batched environments, in one file.

    python examples/dqn.py --env sokoban --seed 1 --minutes 10

Needs torch, and matplotlib for the curve. Every episode plays a new random level. `evaluate` plays 1000 other levels to
the end with the best known actions. Writes NAME.csv and NAME.png into the folder `--out`, and TensorBoard events if
tensorboard is installed. The same seed gives the same rows of the CSV file, except for the times.
"""

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from torch import nn

import shoverworld

# The id, its settings, the outcome that counts as solved, a factor for the rewards and the discount. With a discount of 0.95,
# the policy for ShoverSelect got worse again after 60,000 steps.
TASKS = {
    "sokoban": (
        "shoverworld/Sokoban-4a-v0",
        {"dim_room": (6, 6), "num_boxes": 1, "max_steps": 25},
        "solved",
        0.1,
        0.95,
    ),
    "select": (
        "shoverworld/ShoverSelect-v0",
        {
            "n_rows": 6, "n_cols": 6, "number_of_boxes": 6, "number_of_barriers": 4, "number_of_lavas": 1,
            "max_timestep": 12, "reward": {"lava": 1.0, "barrier": 1.0, "hellify": 1.0, "push_cost": 0.002},
        },
        "cleared",
        1.0,
        0.9,
    ),
}  # fmt: skip

ENVS, BATCH = 64, 512  # games, and transitions for the update after each step of all games
MEMORY, FIRST = 200_000, 10_000  # transitions in the replay memory, and transitions before the first update
RATE, MAX_NORM = 5e-4, 10.0
TARGET_SHARE = 0.005  # how far the target network moves towards the network with each update
EPSILON, EXPLORATION = 0.05, 100_000  # the final share of random actions, and the steps until then
EVALUATE_EVERY = 320  # steps of all games between two rows of the CSV file
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


class Network(nn.Module):
    """A dueling network: the value of the position plus the advantage of each action. Invalid actions get -inf.

    turns: whether it sees each room turned (`turn`).
    """

    def __init__(self, inputs: int, actions: int, turns: bool, width: int = 256):
        super().__init__()
        self.turns = turns
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.value, self.advantage = nn.Linear(width, 1), nn.Linear(width, actions)

    def forward(self, planes: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        how = None
        if self.turns:
            planes, how = turn(planes)
        hidden = self.body(planes.float())
        advantage = self.advantage(hidden)
        if how is not None:
            advantage = turn_back(advantage, how)
        mean = (advantage * masks).sum(1, keepdim=True) / masks.sum(1, keepdim=True).clamp(min=1)
        return (self.value(hidden) + advantage - mean).masked_fill(~masks, -torch.inf)


def masks_of(envs: Any) -> torch.Tensor:
    """Return the action masks of all games. If no action is valid in a game, any may be tried until its time is up."""
    masks = torch.from_numpy(envs.action_masks())
    return masks | ~masks.any(1, keepdim=True)


class Memory:
    """The last MEMORY transitions."""

    def __init__(self, planes: tuple[int, ...], actions: int):
        self.planes, self.next_planes = (torch.zeros((MEMORY, *planes), dtype=torch.uint8) for _ in range(2))
        self.masks, self.next_masks = (torch.zeros((MEMORY, actions), dtype=torch.bool) for _ in range(2))
        self.actions, self.rewards = torch.zeros(MEMORY, dtype=torch.int64), torch.zeros(MEMORY)
        self.over = torch.zeros(MEMORY)
        self.added = 0

    def add(self, **transitions: torch.Tensor) -> None:
        count = len(transitions["actions"])
        rows = (self.added + torch.arange(count)) % MEMORY
        for name, values in transitions.items():
            getattr(self, name)[rows] = values
        self.added += count

    def sample(self) -> tuple[torch.Tensor, ...]:
        rows = torch.randint(min(self.added, MEMORY), (BATCH,))
        names = ("planes", "masks", "actions", "rewards", "next_planes", "next_masks", "over")
        return tuple(getattr(self, name)[rows] for name in names)


@torch.no_grad()
def evaluate(network: Network, task: str, games: int = 1000) -> float:
    """Return the share of levels that the network solves. Each level is played once."""
    envs, won = make(task, games), TASKS[task][2]
    planes, _ = envs.reset(seed=EVALUATION_SEED)
    solved, over = np.zeros(games, bool), np.zeros(games, bool)
    while not over.all():
        values = network(torch.from_numpy(planes), masks_of(envs))
        planes, _, terminated, truncated, info = envs.step(values.argmax(1).numpy())
        ended = terminated | truncated
        if ended.any():
            solved |= ended & ~over & (info["final_info"]["outcome"] == won)
            over |= ended
    envs.close()
    return float(solved.mean())


class Player:
    """Plays the games with some random actions and fills the memory."""

    def __init__(self, task: str, seed: int):
        self.envs, self.scale, self.steps = make(task, ENVS), TASKS[task][3], 0
        planes, _ = self.envs.reset(seed=seed)
        self.planes, self.masks = torch.from_numpy(planes), masks_of(self.envs)

    @torch.no_grad()
    def step(self, network: Network, memory: Memory) -> None:
        epsilon = max(EPSILON, 1 - (1 - EPSILON) * self.steps / EXPLORATION)
        at_random = torch.multinomial(self.masks.float(), 1).squeeze(1)
        best = network(self.planes, self.masks).argmax(1)
        actions = torch.where(torch.rand(ENVS) < epsilon, at_random, best)
        planes, rewards, terminated, truncated, _ = self.envs.step(actions.numpy())
        planes, masks = torch.from_numpy(planes), masks_of(self.envs)
        # A transition that ends with a timeout is left out: the action mask of its last position is not known.
        kept = torch.from_numpy(~truncated)
        memory.add(
            planes=self.planes[kept], masks=self.masks[kept], actions=actions[kept],
            rewards=torch.from_numpy(self.scale * rewards).float()[kept],
            next_planes=planes[kept], next_masks=masks[kept], over=torch.from_numpy(terminated).float()[kept],
        )  # fmt: skip
        self.planes, self.masks = planes, masks
        self.steps += ENVS


def update(network: Network, target: Network, optimizer: torch.optim.Optimizer, memory: Memory, gamma: float) -> None:
    planes, masks, actions, rewards, next_planes, next_masks, over = memory.sample()
    with torch.no_grad():  # the network chooses the next action, and the target network rates it
        choice = network(next_planes, next_masks).argmax(1, keepdim=True)
        following = target(next_planes, next_masks).gather(1, choice).squeeze(1)
        wanted = rewards + gamma * torch.where(over > 0, 0.0, following)
    found = network(planes, masks).gather(1, actions[:, None]).squeeze(1)
    optimizer.zero_grad()
    nn.functional.smooth_l1_loss(found, wanted).backward()
    nn.utils.clip_grad_norm_(network.parameters(), MAX_NORM)
    optimizer.step()
    with torch.no_grad():
        for old, new in zip(target.parameters(), network.parameters(), strict=True):
            old.lerp_(new, TARGET_SHARE)


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
    parser.add_argument("--steps", type=float, default=np.inf, help="stop after this many steps of the environments")
    parser.add_argument("--out", type=Path, default=Path("out"), help="the folder for the results (default: out)")
    given = parser.parse_args()
    torch.set_num_threads(1)  # such a small network is not faster with several threads
    torch.manual_seed(given.seed)

    player = Player(given.env, given.seed * 10_000)
    shape, actions = player.envs.single_observation_space.shape, int(player.envs.single_action_space.n)
    turns = given.env == "sokoban"
    network, target = (Network(int(np.prod(shape)), actions, turns) for _ in range(2))
    target.load_state_dict(network.state_dict())
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    memory, log = Memory(shape, actions), Log(given.out, f"dqn-{given.env}-{given.seed}")
    log.add(steps=0, minutes=0.0, cpu_minutes=0.0, solved=evaluate(network, given.env))
    start, cpu_start = time.monotonic(), time.process_time()
    while log.rows[-1]["minutes"] < given.minutes and log.rows[-1]["steps"] < given.steps:
        for _ in range(EVALUATE_EVERY):
            player.step(network, memory)
            if memory.added >= FIRST:
                update(network, target, optimizer, memory, TASKS[given.env][4])
        minutes, cpu_minutes = (time.monotonic() - start) / 60, (time.process_time() - cpu_start) / 60
        log.add(steps=player.steps, minutes=minutes, cpu_minutes=cpu_minutes, solved=evaluate(network, given.env))
    log.draw(f"DQN on {given.env}, seed {given.seed}")


if __name__ == "__main__":
    main()
