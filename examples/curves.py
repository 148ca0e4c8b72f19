"""Run the examples with several seeds and draw the learning curves: the mean and the range of the seeds.

    python examples/curves.py --seeds 5 --jobs 2 --out out/rl --picture docs/pictures/rl-curves.png

`make rl-curves` does this. Runs that are already in the folder are not repeated.
"""

import argparse
import csv
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

GOAL = 0.9


@dataclass(frozen=True)
class Panel:
    title: str
    steps: str  # the column that counts what was played
    solved: str  # the column that should grow
    unit: str


PANELS = {
    "sokoban": Panel("Sokoban: 6 x 6 rooms, one box", "steps", "solved", "% of 1000 new levels solved"),
    "select": Panel("ShoverSelect: 6 x 6 boards, six boxes", "steps", "solved", "% of 1000 new levels solved"),
    "02-bend": Panel("Race on 02-bend, self-play", "races", "random", "% won against random moves"),
}


@dataclass(frozen=True)
class Run:
    """How an example is run. The file of seed 1 has the name {name}-{panel}-1.csv."""

    label: str
    panel: str
    name: str
    steps: int  # in total, which take less than ten minutes on a core (PPO in RLlib: more)
    command: tuple[str, ...]  # the script and its options

    def rows(self, folder: Path, seed: int) -> list[dict[str, float]]:
        """Return the rows so far, or an empty list."""
        path = folder / f"{self.name}-{self.panel}-{seed}.csv"
        if not path.exists():
            return []
        with path.open(encoding="utf-8") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def play(self, folder: Path, seed: int, ray_python: str | None) -> None:
        rows = self.rows(folder, seed)
        if rows and rows[-1][PANELS[self.panel].steps] >= self.steps:
            return
        python = ray_python if self.name.startswith("rllib") else sys.executable
        if python is None:
            return
        script = str(Path(__file__).with_name(self.command[0]))
        command = [python, script, *self.command[1:], "--seed", str(seed), "--out", str(folder)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        print(f"{self.label}, {self.panel}, seed {seed}: done", flush=True)


def own(name: str, label: str, panel: str, steps: int) -> Run:
    """A run of ppo.py or dqn.py."""
    return Run(label, panel, name, steps, (f"{name}.py", "--env", panel, "--steps", str(steps), "--minutes", "600"))


def sb3(panel: str, steps: int) -> Run:
    return Run("MaskablePPO (SB3)", panel, "sb3_maskable", steps, ("sb3_ppo.py", "--env", panel, "--steps", str(steps)))


RUNS = (
    own("ppo", "PPO", "sokoban", 491_520),
    own("dqn", "DQN", "sokoban", 245_760),
    sb3("sokoban", 983_040),
    Run("PPO (RLlib)", "sokoban", "rllib_ppo", 655_360, ("rllib_ppo.py", "--iterations", "160")),
    own("ppo", "PPO", "select", 122_880),
    own("dqn", "DQN", "select", 122_880),
    sb3("select", 122_880),
    Run(
        "PPO, self-play", "02-bend", "race_self_play", 960, ("race_self_play.py", "--races", "960", "--minutes", "600")
    ),
)


def describe(run: Run, found: list[list[dict[str, float]]]) -> str:
    """Return a row of the table: share solved at the start and at the end, and when the goal was reached."""
    steps, solved = PANELS[run.panel].steps, PANELS[run.panel].solved
    first, last = (100 * np.array([rows[place][solved] for rows in found]) for place in (0, -1))
    reached = [next((row for row in rows if row[solved] >= GOAL), None) for rows in found]
    hits = [row for row in reached if row is not None]
    when = " | ".join(
        f"{max(row[key] for row in hits):,.{digits}f}" for key, digits in ((steps, 0), ("cpu_minutes", 1)) if hits
    )
    length, spent = (np.mean([rows[-1][key] for rows in found]) for key in (steps, "cpu_minutes"))
    return (
        f"| {run.label}, {run.panel} | {len(found)} | {length:,.0f} | {spent:.1f} | {first.mean():.0f} | {last.mean():.1f} "
        f"| {last.min():.1f} to {last.max():.1f} | {len(hits)} of {len(found)} | {when or '- | -'} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds, from 1 (default: 5)")
    parser.add_argument("--jobs", type=int, default=2, help="runs at the same time, one core each (default: 2)")
    parser.add_argument("--out", type=Path, default=Path("out/rl"), help="the folder of the runs (default: out/rl)")
    parser.add_argument("--picture", type=Path, default=Path("out/rl/curves.png"), help="the picture to write")
    parser.add_argument("--ray-python", help="the Python of an environment with RLlib (default: leave out RLlib)")
    parser.add_argument("--only-draw", action="store_true", help="draw the runs in the folder, finished or not")
    given = parser.parse_args()
    seeds = range(1, given.seeds + 1)
    if not given.only_draw:
        with ThreadPoolExecutor(given.jobs) as pool:
            list(pool.map(lambda job: job[1].play(given.out, job[0], given.ray_python), product(seeds, RUNS)))

    figure = Figure(figsize=(13, 3.8), layout="constrained")
    panels = dict(zip(PANELS, figure.subplots(1, len(PANELS)), strict=True))
    print(
        "| run | seeds | steps | CPU minutes | solved at the start, % | at the end, % | range | reached 90 % "
        "| all after steps | all after CPU minutes |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for run in RUNS:
        found = [rows for rows in (run.rows(given.out, seed) for seed in seeds) if rows]
        if not found:
            continue
        print(describe(run, found))
        panel, length = PANELS[run.panel], min(map(len, found))
        solved = 100 * np.array([[row[panel.solved] for row in rows[:length]] for rows in found])
        steps = [row[panel.steps] for row in found[0][:length]]
        seeds_found = "1 seed" if len(found) == 1 else f"{len(found)} seeds"
        panels[run.panel].plot(steps, solved.mean(axis=0), label=f"{run.label}, {seeds_found}")
        panels[run.panel].fill_between(steps, solved.min(axis=0), solved.max(axis=0), alpha=0.25)
    for name, axes in panels.items():
        panel = PANELS[name]
        axes.axhline(100 * GOAL, color="grey", linewidth=0.8, linestyle=":")
        axes.set(title=panel.title, xlabel="races" if panel.steps == "races" else "environment steps", ylim=(0, 102))
        axes.set_ylabel(panel.unit)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.locator_params(axis="x", nbins=5)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="lower right")
    given.picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(given.picture, dpi=110)


if __name__ == "__main__":
    main()
