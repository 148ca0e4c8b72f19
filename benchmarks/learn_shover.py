"""The learned policy of Shover-World on random boards that it was not trained on.

python benchmarks/learn_shover.py                             all presets, the packaged model, the planner beside it
python benchmarks/learn_shover.py phase2 --boards 50 --model model.npz --seconds 0.3 2
python benchmarks/learn_shover.py phase2 --boards 200 --seconds --expansions 30 200    PHS* and LevinTS, which stop at
    the first plan
python benchmarks/learn_shover.py --train model.npz --maps 8000 2000 4000 --rounds 1
    trains a model on this number of random maps of each preset and writes it; these numbers, which are the default,
    give the packaged model

Boards that at least one player of the table has cleared count as clearable.
All searches run in this process, one board after the other. Time is processor time, so that other work on the machine
changes the results less; on an idle machine it is the time on the clock. The boards have the seeds 0 to BOARDS - 1;
the training maps have the seeds from 1,000,000.
"""

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from shoverworld.core.policy import LEVIN, PHS
from shoverworld.games.shover.generate import random_map
from shoverworld.games.shover.planner import solver
from shoverworld.games.shover.planner.expansion import STEPS
from shoverworld.games.shover.planner.heuristic import FOR_STEPS
from shoverworld.games.shover.policy import portfolio
from shoverworld.games.shover.policy.best_first import BestFirstSearcher
from shoverworld.games.shover.policy.guided import GuidedSearcher
from shoverworld.games.shover.policy.learning import level_of
from shoverworld.games.shover.policy.teacher import LONGEST_WALK, ShoverLevel
from shoverworld.games.shover.state import CLEARED
from shoverworld.learn import Model, Progress, Settings, packaged_model, train

BOARDS = {
    "phase2": {"number_of_boxes": 20, "number_of_barriers": 12, "number_of_lavas": 6},  # 9 x 13
    "milestone1": {},  # 6 x 9, 8 boxes
    "walker": {},  # 10 x 10, 15 boxes
}
FIRST_SEED = 1_000_000
# The training maps of a walker have these numbers of boxes in turn, because few maps with 15 boxes can be cleared.
WALKER_BOXES = range(4, 16)
MEMORY = 256 << 20
ENDS = ("cleared", "without stamina for a push from rest", "at the time limit", "without a move to a new board")


class ProcessorClock:
    """Stands in for the module `time`, so that time limits count processor time."""

    perf_counter = staticmethod(time.process_time)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("presets", nargs="*", default=list(BOARDS), help="default: all")
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--boxes", type=int, help="boxes on each board (default: those of the training maps)")
    parser.add_argument("--model", help="a model file (default: the packaged model)")
    parser.add_argument("--seconds", type=float, nargs="*", default=[0.3, 1.5], help="time limits per board")
    parser.add_argument("--expansions", type=int, nargs="*", default=[], help="limits of PHS* and LevinTS per board")
    parser.add_argument("--train", type=Path, metavar="FILE", help="train a model and write it to this file")
    parser.add_argument(
        "--maps", type=int, nargs=len(BOARDS), default=[8000, 2000, 4000], help="training maps per preset"
    )
    parser.add_argument("--rounds", type=int, default=1, help="rounds of the training (default: %(default)s)")
    chosen = parser.parse_args()
    if chosen.train:
        train_model(chosen.train, chosen.maps, chosen.rounds)
        return
    solver.time = portfolio.time = ProcessorClock  # type: ignore[assignment]
    table = (Model.load(chosen.model, "shover") if chosen.model else packaged_model("shover")).table
    print("| rules | player | cleared % | of clearable % | mean steps | ms | fewer steps than the planner % | more % |")
    print("|---|---|---|---|---|---|---|---|")
    ends = []
    for preset in chosen.presets:
        numbers = BOARDS[preset] | ({} if chosen.boxes is None else {"number_of_boxes": chosen.boxes})
        levels = [level_of(random_map(seed, rules=preset, **numbers)) for seed in range(chosen.boards)]
        ends.append(compare(preset, levels, table, chosen.seconds, chosen.expansions))
    print("", *ends, sep="\n")


def train_model(out: Path, counts: list[int], rounds: int) -> None:
    """Train a policy on random maps of all presets and write it. Equal arguments give equal files."""
    levels = [training_level(preset, i) for preset, count in zip(BOARDS, counts, strict=True) for i in range(count)]
    settings = Settings(rounds=rounds, passes=4, chunk=40)

    def show(step: Progress) -> None:
        print(f"{step.stage}: {step.states} states, accuracy {step.accuracy:.3f}, {step.seconds:.0f} s", flush=True)

    train("shover", levels, settings=settings, checkpoint=f"{out}.checkpoint", progress=show).save(out)


def training_level(preset: str, i: int) -> ShoverLevel:
    numbers = BOARDS[preset]
    if preset == "walker":
        numbers = numbers | {"number_of_boxes": WALKER_BOXES[i % len(WALKER_BOXES)]}
    return level_of(random_map(FIRST_SEED + i, rules=preset, **numbers))


def compare(
    preset: str, levels: list[ShoverLevel], table: np.ndarray, seconds: list[float], expansions: list[int]
) -> str:
    """Print a line for the policy alone, for the search and the planner with each time limit, and for PHS* and LevinTS.

    Return a text that reports how the policy's walks end.
    """
    walk(levels[0], table, 1)  # compiles
    began = time.process_time()
    walks = np.array([walk(level, table, LONGEST_WALK) for level in levels])
    ends = [f"{end} {np.sum(walks[:, 2] == k)}" for k, end in enumerate(ENDS)]
    per_move = (time.process_time() - began) / max(1, walks[:, 1].sum())
    lines = [Line("learned", walks[:, 0], f"{1e3 * per_move:.2f} a move")]
    for limit in seconds:
        plain, searched = np.array(
            [(planner_steps(level, limit), searched_steps(level, table, limit)) for level in levels]
        ).T
        lines.append(Line(f"planner, {limit:g} s", plain, f"{1e3 * limit:.0f} a board"))
        lines.append(Line(f"learned-search, {limit:g} s", searched, f"{1e3 * limit:.0f} a board", plain))
    for name, method in (("PHS*", PHS), ("LevinTS", LEVIN)):
        for most in expansions:
            first_steps(levels[0], table, method, 1)  # compiles
            began = time.process_time()
            found = np.array([first_steps(level, table, method, most) for level in levels])
            each = 1e3 * (time.process_time() - began) / len(levels)
            lines.append(Line(f"{name}, {most} expansions", found, f"{each:.0f} a board"))
    known = np.any([line.steps > 0 for line in lines], axis=0)
    for line in lines:
        line.show(preset, known)
    return f"{preset}: the ends of the policy's walks: {', '.join(ends)}"


class Line(NamedTuple):
    """The result of one player."""

    name: str
    steps: np.ndarray  # on each board, or -1
    spent: str
    other: np.ndarray | None = None  # the steps of the planner

    def show(self, preset: str, known: np.ndarray) -> None:
        """Print the line. known: the boards that any of the players has cleared."""
        cleared = self.steps > 0
        mean = f"{self.steps[cleared].mean():.2f}" if cleared.any() else "-"
        of_known = f"{100 * cleared.sum() / known.sum():.1f}" if known.any() else "-"
        cells = [preset, self.name, f"{100 * cleared.mean():.1f}", of_known, mean, self.spent, "", ""]
        if self.other is not None:
            ours, theirs = (np.where(steps > 0, steps, 10**6) for steps in (self.steps, self.other))
            cells[6:] = [f"{100 * (ours < theirs).mean():.0f}", f"{100 * (ours > theirs).mean():.0f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


def walk(level: ShoverLevel, table: np.ndarray, most: int) -> tuple[int, int, int]:
    """Return the steps in which the policy clears a board, or -1, the number of its moves, and how its walk ends."""
    searcher = GuidedSearcher(level.start, level.rules.numbers(), MEMORY, table)
    moves = searcher.walk(most)
    game, rules = searcher.after(moves).game[0], level.rules
    if game["outcome"] == CLEARED:
        return int(game["timestep"]), len(moves), 0
    rows, cols = level.start.grid().shape[1:]
    tired = game["stamina"] <= rules.initial_force + rules.unit_force
    late = game["timestep"] > rules.max_timestep - rows - cols
    return -1, len(moves), 1 if tired else 2 if late else 3


def planner_steps(level: ShoverLevel, limit: float) -> int:
    one = solver.ShoverSolver(level.start, level.rules.numbers(), STEPS, MEMORY)
    one.run(limit)
    return -1 if one.best is None else one.best.steps


def searched_steps(level: ShoverLevel, table: np.ndarray, limit: float) -> int:
    searcher = GuidedSearcher(level.start, level.rules.numbers(), MEMORY, table)
    searcher.guided(level.start, 1, 1, lambda: False)  # compiles, as does the next line
    searcher.search(level.start, 1, STEPS, 1, -np.inf, FOR_STEPS[0], False, lambda: False)
    searcher.expanded = 0
    found = portfolio.best_plan(searcher, level.rules.max_timestep, 1 << 30, limit)
    return -1 if found is None else found.steps


def first_steps(level: ShoverLevel, table: np.ndarray, method: int, expansions: int) -> int:
    searcher = BestFirstSearcher(level.start, level.rules.numbers(), MEMORY, table)
    found = searcher.best_first(level.start, method, expansions, lambda: False)
    return -1 if found is None else found.steps


if __name__ == "__main__":
    main()
