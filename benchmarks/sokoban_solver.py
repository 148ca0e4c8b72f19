"""Measure the Sokoban solver on known levels, on one core: `python benchmarks/sokoban_solver.py [FILE ...]`.

The default files are Boxoban unfiltered/valid/000 and medium/valid/000 and Microban, in ../shared/data, relative to
the repository. For each file, the script prints how many levels were solved, how many results are proved, the total
time, and the levels without a proved solution.
"""

import argparse
import time
from pathlib import Path

DATA = Path(__file__).parents[2] / "shared" / "data" / "sokoban"
FILES = ("boxoban/unfiltered/valid/000.txt", "boxoban/medium/valid/000.txt", "microban_1.txt")


def measure(path: Path, objective: str, seconds: float) -> None:
    from shoverworld.games.sokoban.formats import read_levels
    from shoverworld.games.sokoban.solver import solve

    levels = list(read_levels(path))
    solve(levels[0], objective)  # compiled
    began = time.perf_counter()
    plans = [solve(level, objective, seconds) for level in levels]
    spent = time.perf_counter() - began
    solved = sum(plan.status == "solved" for plan in plans)
    proved = sum(plan.proved_optimal for plan in plans)
    positions = sum(plan.expanded for plan in plans)
    slowest = max(plan.seconds for plan in plans)
    print(f"{path.parent.parent.name}/{path.parent.name}/{path.name}, fewest {objective}, {seconds:g} s per level")
    print(f"  solved {solved} of {len(plans)}, proved optimal {proved}")
    print(
        f"  {spent:.1f} s in total, {slowest:.2f} s for the slowest; {positions:,} positions, {positions / spent:,.0f} per second"
    )
    for number, plan in enumerate(plans, 1):
        if plan.status != "solved" or (not plan.proved_optimal and objective != "any"):
            found = f", {plan.pushes} pushes and {plan.moves} moves found" if plan.status == "solved" else ""
            print(f"  level {number}: {plan.status}, stopped by {plan.stopped_by}, at least {plan.lower_bound}{found}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=[DATA / name for name in FILES])
    parser.add_argument("--objective", default="pushes", choices=["pushes", "moves", "any"])
    parser.add_argument("--seconds", type=float, default=10.0, help="time limit for each level")
    options = parser.parse_args()
    for path in options.files:
        if path.exists():
            measure(path, options.objective, options.seconds)
        else:
            print(f"{path}: not found, skipped")


if __name__ == "__main__":
    main()
