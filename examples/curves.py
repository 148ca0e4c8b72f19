"""Run ppo.py and dqn.py with several seeds and draw the learning curves: the mean and the range of the seeds.

    python examples/curves.py --seeds 5 --jobs 2 --out out/rl --picture docs/pictures/rl-curves.png

`make rl-curves` does this. Runs that are already in the folder are not repeated.
"""

import argparse
import csv
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

# The environment steps of each run, which take less than ten minutes on a core.
STEPS = {
    ("ppo", "sokoban"): 491_520,
    ("dqn", "sokoban"): 245_760,
    ("ppo", "select"): 122_880,
    ("dqn", "select"): 122_880,
}
TITLES = {
    "sokoban": "Sokoban: 6 x 6 rooms with one box, 25 steps",
    "select": "ShoverSelect: 6 x 6 boards with six boxes, 12 steps",
}
GOAL = 0.9


def rows_of(folder: Path, algorithm: str, task: str, seed: int) -> list[dict[str, float]]:
    """Return the rows of a run so far, or an empty list."""
    path = folder / f"{algorithm}-{task}-{seed}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def run(folder: Path, algorithm: str, task: str, seed: int) -> None:
    rows = rows_of(folder, algorithm, task, seed)
    if rows and rows[-1]["steps"] >= STEPS[algorithm, task]:
        return
    script = Path(__file__).with_name(f"{algorithm}.py")
    limits = ["--steps", str(STEPS[algorithm, task]), "--minutes", "600"]
    command = [sys.executable, str(script), "--env", task, "--seed", str(seed), *limits, "--out", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(f"{algorithm} {task} seed {seed}: done", flush=True)


def count(runs: list) -> str:
    return f"{len(runs)} seed{'s' if len(runs) > 1 else ''}"


def describe(name: str, runs: list[list[dict[str, float]]]) -> str:
    """Return a row of the table: share solved at the start and at the end, and when the goal was reached."""
    first, last = (100 * np.array([rows[place]["solved"] for rows in runs]) for place in (0, -1))
    reached = [next((row for row in rows if row["solved"] >= GOAL), None) for rows in runs]
    hits = [row for row in reached if row is not None]
    steps, minutes = (max((row[key] for row in hits), default=0) for key in ("steps", "cpu_minutes"))
    length, spent = (np.mean([rows[-1][key] for rows in runs]) for key in ("steps", "cpu_minutes"))
    return (
        f"| {name} | {len(runs)} | {length:,.0f} | {spent:.1f} | {first.mean():.0f} | {last.mean():.1f} "
        f"| {last.min():.1f} to {last.max():.1f} | {len(hits)} of {len(runs)} | {steps:,.0f} | {minutes:.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds, from 1 (default: 5)")
    parser.add_argument("--jobs", type=int, default=2, help="runs at the same time, one core each (default: 2)")
    parser.add_argument("--out", type=Path, default=Path("out/rl"), help="the folder of the runs (default: out/rl)")
    parser.add_argument("--picture", type=Path, default=Path("out/rl/curves.png"), help="the picture to write")
    parser.add_argument("--only-draw", action="store_true", help="draw the runs in the folder, finished or not")
    given = parser.parse_args()
    seeds = range(1, given.seeds + 1)
    if not given.only_draw:
        with ThreadPoolExecutor(given.jobs) as pool:
            list(
                pool.map(lambda job: run(given.out, *job[0], job[1]), [(key, seed) for seed in seeds for key in STEPS])
            )

    figure = Figure(figsize=(10, 3.8), layout="constrained")
    panels = dict(zip(TITLES, figure.subplots(1, 2, sharey=True), strict=True))
    print(
        "| run | seeds | steps | CPU minutes | solved at the start, % | at the end, % | range | reached 90 % "
        "| all after steps | all after CPU minutes |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for algorithm, task in STEPS:
        runs = [rows for rows in (rows_of(given.out, algorithm, task, seed) for seed in seeds) if rows]
        if not runs:
            continue
        print(describe(f"{algorithm.upper()}, {task}", runs))
        length = min(map(len, runs))
        solved = 100 * np.array([[row["solved"] for row in rows[:length]] for rows in runs])
        steps = [row["steps"] / 1000 for row in runs[0][:length]]
        panels[task].plot(steps, solved.mean(axis=0), label=f"{algorithm.upper()}, {count(runs)}")
        panels[task].fill_between(steps, solved.min(axis=0), solved.max(axis=0), alpha=0.25)
    for task, axes in panels.items():
        axes.axhline(100 * GOAL, color="grey", linewidth=0.8, linestyle=":")
        axes.set(title=TITLES[task], xlabel="thousand environment steps", ylim=(0, 100))
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="lower right")
    panels["sokoban"].set_ylabel("% of 1000 new levels solved")
    given.picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.picture, dpi=110)


if __name__ == "__main__":
    main()
