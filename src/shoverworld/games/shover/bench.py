"""The benchmarks of Shover-World and their target values.

Unless a line says otherwise, the rules are `phase2`, the map is 9x13 with 20 boxes, 12 barriers and 6 lava cells, the
actions push random boxes in random directions, and batches run on one thread with autoreset and copy=False.
"""

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np

import shoverworld
from shoverworld.core.measuring import (
    Aim,
    Batches,
    Choose,
    Figure,
    Group,
    Measure,
    Ratio,
    new_processes,
    random_actions,
    single,
)

ID = "shoverworld/ShoverSelect-v0"
BOARD: dict[str, Any] = {"number_of_boxes": 20, "number_of_barriers": 12, "number_of_lavas": 6}
# 64x64 with the same density. These games are endless, because the cost of a reset grows with the size of the map.
LARGE = {"n_rows": 64, "n_cols": 64, "number_of_boxes": 700, "number_of_barriers": 420, "number_of_lavas": 210}
ENDLESS = {"initial_stamina": 1e12, "max_timestep": 10**9}
BARRIER = 100  # in the observation's grid, the numbers between 0 and BARRIER are boxes

FIRST_STEP = f"import gymnasium, shoverworld; e = gymnasium.make('{ID}'); e.reset(seed=0); e.step((0, 0, 0))"
FIRST_PLAN = "import shoverworld; shoverworld.solve(shoverworld.Map.parse('A.B.L'), rules='phase2')"


def push_boxes(envs: Any, obs: dict[str, np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Choose a push for each game: a random box and a random direction. If a game has no boxes, use the first cell."""
    grid = obs["grid"]
    games, _, cols = grid.shape
    cells = grid.reshape(games, -1)
    owners, boxes = np.nonzero((cells > 0) & (cells < BARRIER))
    counts = np.bincount(owners, minlength=games)
    firsts = np.cumsum(counts) - counts
    places = np.append(boxes, 0)[np.where(counts > 0, firsts + (rng.random(games) * counts).astype(int), len(boxes))]
    return np.stack([places // cols, places % cols, rng.integers(0, 4, games)], axis=1)


def push_box(obs: dict[str, np.ndarray], rng: np.random.Generator) -> tuple[int, ...]:
    """Choose a push for a single game."""
    return tuple(push_boxes(None, {"grid": obs["grid"][np.newaxis]}, rng)[0].tolist())


def make(games: int, **settings: Any) -> Any:
    chosen: dict[str, Any] = {**BOARD, **settings}
    return gym.make_vec(ID, num_envs=games, vectorization_mode="vector_entry_point", **chosen)


def batches(choose: Choose = push_boxes, **settings: Any) -> Batches:
    return Batches(partial(make, **settings), choose)


def one_env(**keywords: Any) -> Any:
    settings: dict[str, Any] = {**BOARD, **keywords}
    return single(gym.make(ID, disable_env_checker=True, **settings).unwrapped, push_box)


@contextmanager
def successors() -> Generator[Measure, None, None]:
    """Measure how many successors per second the planner generates, hashes, looks up and evaluates.

    This count is not public, so this benchmark imports the planner itself.
    """
    from shoverworld.games.shover.planner.expansion import STEPS
    from shoverworld.games.shover.planner.heuristic import FOR_STEPS
    from shoverworld.games.shover.planner.searcher import Searcher

    env: Any = gym.make(ID, disable_env_checker=True, **BOARD).unwrapped
    searchers: list[tuple[Searcher, Any]] = []
    for seed in range(3):
        env.reset(seed=seed)
        start = env.get_state()
        searchers.append((Searcher(start, env.rules.numbers(), 64 << 20), start))

    def search(searcher: Searcher, start: Any, width: int, until: float) -> None:
        expired = lambda: time.perf_counter() > until  # noqa: E731
        searcher.search(start, width, STEPS, 400, -np.inf, FOR_STEPS[0], False, expired)

    def measured(seconds: float) -> float:
        tried, began = sum(searcher.tried for searcher, _ in searchers), time.perf_counter()
        for searcher, start in searchers:
            until = time.perf_counter() + seconds / len(searchers)
            while time.perf_counter() < until:
                search(searcher, start, 256, until)
        return (sum(searcher.tried for searcher, _ in searchers) - tried) / (time.perf_counter() - began)

    for searcher, start in searchers:
        search(searcher, start, 1, time.perf_counter() + 0.01)  # warms up
    yield measured


@contextmanager
def expansions() -> Generator[Measure, None, None]:
    """Measure how many states per second `solve` expands."""
    board = shoverworld.shover.generate(0, rules="phase2", rows=9, cols=13, boxes=20, barriers=12, lavas=6)
    shoverworld.solve(board, rules="phase2", time_limit=0)  # compiles the planner

    def measured(seconds: float) -> float:
        plan = shoverworld.solve(board, rules="phase2", time_limit=seconds)
        return plan.expanded / plan.seconds

    yield measured


def groups() -> Iterator[Group]:
    """Yield the lines for `shover bench`."""
    yield Group([Figure("one env", "steps/s", one_env, Aim(500e3))])
    pushes = batches()
    yield pushes.group("batch of 64", 64)
    yield pushes.group("batch of 1024", 1024)
    yield pushes.group("batch of 4096", 4096, threads=Aim(1.5))
    yield pushes.group("batch of 8192", 8192, Aim(20e6), copies=Aim(0.8), threads=Aim(1.7))
    yield pushes.group("batch of 16384", 16384, threads=Aim(1.8))
    yield pushes.group("batch of 32768", 32768, threads=Aim(1.9))
    anything = batches(random_actions)
    yield Group([Figure("batch of 8192, random actions", "steps/s", lambda: anything.speed(8192))])
    small, large = batches(**ENDLESS), batches(**LARGE, **ENDLESS)
    yield Group(
        [
            Figure("batch of 256, 9x13, endless games", "steps/s", lambda: small.speed(256)),
            Figure("batch of 256, 64x64, endless games", "steps/s", lambda: large.speed(256)),
        ],
        [
            Ratio(
                "cost of a step, 64x64 / 9x13",
                "batch of 256, 9x13, endless games",
                "batch of 256, 64x64, endless games",
                Aim(1.3, at_most=True),
            )
        ],
    )
    yield Group(
        [
            Figure(
                "process start to first step, nothing compiled",
                "s",
                lambda: new_processes("-c", FIRST_STEP, compiled=False),
                Aim(3, at_most=True),
            ),
            Figure(
                "process start to first step, compiled",
                "s",
                lambda: new_processes("-c", FIRST_STEP, compiled=True),
                Aim(0.5, at_most=True),
            ),
        ]
    )
    yield Group([Figure("planner, successors", "states/s", successors, Aim(2e6))])
    yield Group([Figure("planner, states expanded by solve", "states/s", expansions)])
    yield Group(
        [
            Figure(
                "process start to first plan, nothing compiled",
                "s",
                lambda: new_processes("-c", FIRST_PLAN, compiled=False),
                Aim(15, at_most=True),
                slow=True,
            )
        ]
    )
