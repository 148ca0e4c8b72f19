"""Percent of Sokoban levels that a learned policy solves: alone (greedy) and in a search with few expansions.

python benchmarks/learn_sokoban.py LEVELS ...                      the packaged model
python benchmarks/learn_sokoban.py LEVELS ... --model model.npz    another model
python benchmarks/learn_sokoban.py LEVELS ... --uniform            the same searches without a policy
python benchmarks/learn_sokoban.py LEVELS ... --solver             the solver's first solutions, without the policy
python benchmarks/learn_sokoban.py LEVELS ... --common --train TRAINING_LEVELS ...
    counts the training levels that equal one of the levels, perhaps turned or mirrored
python benchmarks/learn_sokoban.py LEVELS ... --curve --train TRAINING_LEVELS ...
    trains a policy and prints the table after every `--every` seconds of processor time spent on training;
    `--picture FILE` draws it, `--out FILE` saves the model, which equals that of `shover learn` with the same options

An expansion is one position whose pushes are listed, so a solution of p pushes takes at least p expansions.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from shoverworld import sokoban
from shoverworld.core.files import replacing
from shoverworld.core.learning import Teacher
from shoverworld.core.policy import GREEDY, LEVIN, PHS
from shoverworld.games import game_named
from shoverworld.learn import Model, Settings, Trainer, packaged_model
from shoverworld.learn.model import learning_of

GAME = "sokoban"
COLUMNS = [
    ("greedy", GREEDY, 500),
    ("PHS* 30", PHS, 30),
    ("PHS* 200", PHS, 200),
    ("PHS* 1000", PHS, 1000),
    ("LevinTS 1000", LEVIN, 1000),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="+", help="level files or folders; each gets a line of its own")
    parser.add_argument("--model", help="a model file (default: the packaged model)")
    parser.add_argument("--uniform", action="store_true", help="use a policy that prefers nothing")
    parser.add_argument("--expansions", type=int, help="add a column for PHS* with this many expansions")
    parser.add_argument("--most", type=int, help="use only the first levels of each file")
    parser.add_argument("--solver", action="store_true", help="compare PHS* with the Sokoban solver (5 s per level)")
    parser.add_argument("--curve", action="store_true", help="print the table during a training")
    parser.add_argument("--common", action="store_true", help="count the training levels among the levels")
    parser.add_argument("--train", nargs="+", default=[], help="the training levels for --curve and --common")
    parser.add_argument("--every", type=float, default=60.0, help="seconds of processor time (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=Settings.rounds)
    parser.add_argument("--passes", type=int, default=Settings.passes)
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--picture", type=Path, help="draw the curves into this PNG file")
    parser.add_argument("--out", type=Path, help="save the trained model")
    chosen = parser.parse_args()
    if chosen.expansions:
        COLUMNS.append((f"PHS* {chosen.expansions}", PHS, chosen.expansions))
    learning = learning_of(game_named(GAME))
    if chosen.common:
        known = {unturned(level) for name in chosen.levels for level in learning.read([name])}
        training = [unturned(level) for level in learning.read(chosen.train)]
        print(
            f"{sum(one in known for one in training)} of {len(training)} training levels are among {len(known)} levels"
        )
        return
    sets = {name: learning.teacher(learning.read([name])[: chosen.most]) for name in chosen.levels}
    if chosen.curve:
        settings = Settings(seed=chosen.seed, rounds=chosen.rounds, passes=chosen.passes)
        trainer = Trainer(GAME, learning.read(chosen.train), settings)
        points = curve(trainer, sets, chosen.every)
        if chosen.out:
            trainer.model.save(chosen.out)
        if chosen.picture:
            draw(points, sets, chosen.picture)
        return
    table = (Model.load(chosen.model, GAME) if chosen.model else packaged_model(GAME)).table
    if chosen.solver:
        compare(sets, {name: learning.read([name])[: chosen.most] for name in chosen.levels}, table)
        return
    heading("")
    lines(measured(sets, np.zeros_like(table) if chosen.uniform else table), sets, "")


def unturned(level: sokoban.Level) -> bytes:
    """Return the same bytes for a level and its rotations and mirror images."""
    board = level.walls + 2 * (level.targets != 0) + 4 * (level.boxes != 0).astype(np.int8)
    board[level.players[0]] += 8
    images = [np.rot90(one, turns) for one in (board, np.fliplr(board)) for turns in range(4)]
    return min(bytes(image.shape) + image.tobytes() for image in images)


def curve(trainer: Trainer, sets: dict[str, Teacher], every: float) -> list[tuple[float, np.ndarray]]:
    """Train, and print how many levels are solved after equal amounts of processor time.

    Return the seconds and the percents of each point, an array with a row for each set and a column for each search.
    """
    heading("training s | states")
    spent = shown = 0.0
    points = [(0.0, measured(sets, trainer.table))]
    lines(points[-1][1], sets, "0 | 0 |")
    for step in trainer.steps():
        began = time.process_time()
        trainer.take(step)
        spent += time.process_time() - began
        if spent - shown >= every:
            shown = spent
            points.append((spent, measured(sets, trainer.table)))
            lines(points[-1][1], sets, f"{spent:.0f} | {trainer.states} |")
    if spent > shown:
        points.append((spent, measured(sets, trainer.table)))
        lines(points[-1][1], sets, f"{spent:.0f} | {trainer.states} |")
    return points


def compare(sets: dict[str, Teacher], levels: dict[str, list[sokoban.Level]], table: np.ndarray) -> None:
    """Print how many levels PHS* and the solver solve, and the processor time of both."""
    name, method, most = COLUMNS[-1] if COLUMNS[-1][1] == PHS else COLUMNS[-2]
    print(f"| levels | {name}: solved | seconds | solver: solved | seconds |\n|---|---|---|---|---|")
    for path, teacher in sets.items():
        sokoban.solve(levels[path][0], objective="any")  # compile first
        teacher.solve(table, method, 1)
        began = time.process_time()
        learned = teacher.solve(table, method, most) >= 0
        middle = time.process_time()
        plans = [sokoban.solve(level, objective="any", time_limit=5.0) for level in levels[path]]
        solved = sum(plan.status == "solved" for plan in plans)
        seconds = f"{middle - began:.2f}", f"{time.process_time() - middle:.2f}"
        cells = f"{np.count_nonzero(learned)} | {seconds[0]} | {solved} | {seconds[1]}"
        print(f"| {path} ({teacher.count}) | {cells} |", flush=True)


def draw(points: list[tuple[float, np.ndarray]], sets: dict[str, Teacher], path: Path) -> None:
    """Draw the curves, one panel for each set."""
    from matplotlib.figure import Figure  # lazy: an optional extra

    figure = Figure(figsize=(5.5 * len(sets), 3.8), layout="constrained")
    panels = figure.subplots(1, len(sets), squeeze=False)[0]
    minutes = [seconds / 60 for seconds, _ in points]
    for place, (name, axes) in enumerate(zip(sets, panels, strict=True)):
        for column, (search, _, _) in enumerate(COLUMNS):
            axes.plot(minutes, [percents[place, column] for _, percents in points], marker=".", label=search)
        kind = "/".join(Path(name).parts[-3:-1])
        axes.set(title=f"{kind}, {sets[name].count} levels", xlabel="processor minutes of training", ylim=(0, 102))
    panels[0].set_ylabel("% solved")
    panels[-1].legend(loc="lower right")
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as picture:
        figure.savefig(picture, format="png", dpi=110)


def heading(first: str) -> None:
    names = [*([first] if first else []), "levels", *(f"{name} %" for name, _, _ in COLUMNS)]
    cells = " | ".join(names)
    print(f"| {cells} |\n|{'---|' * (cells.count('|') + 1)}")


def measured(sets: dict[str, Teacher], table: np.ndarray) -> np.ndarray:
    """Return the percents of solved levels, a row for each set and a column for each search."""
    return np.array(
        [
            [100.0 * (teacher.solve(table, method, most) >= 0).mean() for _, method, most in COLUMNS]
            for teacher in sets.values()
        ]
    )


def lines(percents: np.ndarray, sets: dict[str, Teacher], first: str) -> None:
    for row, (name, teacher) in zip(percents, sets.items(), strict=True):
        cells = " | ".join(f"{percent:.1f}" for percent in row)
        print(f"| {first} {name} ({teacher.count}) | {cells} |".replace("|  ", "| "), flush=True)


if __name__ == "__main__":
    main()
