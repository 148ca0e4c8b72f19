"""Percent of Sokoban levels that a learned policy solves: alone (greedy) and in a search with few expansions.

python benchmarks/learn_sokoban.py LEVELS ...                      the packaged model
python benchmarks/learn_sokoban.py LEVELS ... --model model.npz    another model
python benchmarks/learn_sokoban.py LEVELS ... --uniform            the same searches without a policy
python benchmarks/learn_sokoban.py LEVELS ... --curve --train TRAINING_LEVELS ...
    trains a policy and prints the table after every `--every` seconds of processor time spent on training

An expansion is one position whose pushes are listed, so a solution of p pushes takes at least p expansions.
"""

import argparse
import time

import numpy as np

from shoverworld.core.learning import Teacher
from shoverworld.core.policy import GREEDY, LEVIN, PHS
from shoverworld.games import game_named
from shoverworld.learn import Model, Settings, Trainer, packaged_model
from shoverworld.learn.model import learning_of

GAME = "sokoban"
COLUMNS = (
    ("greedy", GREEDY, 500),
    ("PHS* 30", PHS, 30),
    ("PHS* 200", PHS, 200),
    ("PHS* 1000", PHS, 1000),
    ("LevinTS 1000", LEVIN, 1000),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="+", help="level files or folders; each gets a line of its own")
    parser.add_argument("--model", help="a model file (default: the packaged model)")
    parser.add_argument("--uniform", action="store_true", help="use a policy that prefers nothing")
    parser.add_argument("--most", type=int, help="use only the first levels of each file")
    parser.add_argument("--curve", action="store_true", help="print the table during a training")
    parser.add_argument("--train", nargs="+", default=[], help="the training levels for --curve")
    parser.add_argument("--every", type=float, default=60.0, help="seconds of processor time (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=Settings.rounds)
    parser.add_argument("--passes", type=int, default=Settings.passes)
    parser.add_argument("--seed", type=int, default=Settings.seed)
    chosen = parser.parse_args()
    learning = learning_of(game_named(GAME))
    sets = {name: learning.teacher(learning.read([name])[: chosen.most]) for name in chosen.levels}
    if chosen.curve:
        settings = Settings(seed=chosen.seed, rounds=chosen.rounds, passes=chosen.passes)
        curve(Trainer(GAME, learning.read(chosen.train), settings), sets, chosen.every)
        return
    table = (Model.load(chosen.model, GAME) if chosen.model else packaged_model(GAME)).table
    heading("")
    lines(sets, np.zeros_like(table) if chosen.uniform else table, "")


def curve(trainer: Trainer, sets: dict[str, Teacher], every: float) -> None:
    """Train, and print how many levels are solved after equal amounts of processor time."""
    heading("training s | states")
    spent = shown = 0.0
    for step in trainer.steps():
        began = time.process_time()
        trainer.take(step)
        spent += time.process_time() - began
        if spent - shown >= every:
            shown = spent
            lines(sets, trainer.table, f"{spent:.0f} | {trainer.states} |")
    lines(sets, trainer.table, f"{spent:.0f} | {trainer.states} |")


def heading(first: str) -> None:
    names = [*([first] if first else []), "levels", *(f"{name} %" for name, _, _ in COLUMNS)]
    cells = " | ".join(names)
    print(f"| {cells} |\n|{'---|' * (cells.count('|') + 1)}")


def lines(sets: dict[str, Teacher], table: np.ndarray, first: str) -> None:
    for name, teacher in sets.items():
        percents: list[str] = []
        for _, method, expansions in COLUMNS:
            solved = teacher.solve(table, method, expansions) >= 0
            percents.append(f"{100.0 * solved.mean():.1f}")
        print(f"| {first} {name} ({teacher.count}) | {' | '.join(percents)} |".replace("|  ", "| "), flush=True)


if __name__ == "__main__":
    main()
