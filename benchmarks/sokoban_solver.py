"""Measure the Sokoban solver on a set of levels, level by level, and compare versions of it in one run.

    python benchmarks/sokoban_solver.py FILE... --objective any --seconds 10 --out results.csv
    python benchmarks/sokoban_solver.py FILE... --version old=../main/src --version new=src
    python benchmarks/sokoban_solver.py FILE... --version all=src --version plain=src,without=pi_corral+pairs
    python benchmarks/sokoban_solver.py FILE... --objective any --seconds 8 --sample 20 --switch-off freeze stuck plan

Each version runs in its own process on one core. The versions take turns level by level, so that a change in the load
of the machine affects all of them alike. The script writes one row per level and version (status, pushes, moves,
nodes, wall seconds, processor seconds, the largest resident size of the process so far) and prints a summary per version. A version is NAME=SOURCE_FOLDER followed by keyword
arguments of `solve`. `--switch-off` adds a version without each of the techniques ("each" for all), which are listed in
src/shoverworld/games/sokoban/solver/techniques.py. The default files are Boxoban unfiltered and medium, Microban and XSokoban, in ../shared/data
relative to the repository.
"""

import argparse
import ast
import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[1]
DATA = REPOSITORY.parent / "shared" / "data" / "sokoban"
FILES = ("boxoban/unfiltered/valid/000.txt", "boxoban/medium/valid/000.txt", "microban_1.txt", "microban_2.txt",
         "xsokoban_odd.txt")  # fmt: skip
COLUMNS: tuple[str, ...] = ("file", "level", "version", "status", "stopped_by", "proved", "bound", "pushes", "moves", "nodes", "seconds", "cpu", "resident")  # fmt: skip
TRIVIAL = "#####\n#@$.#\n#####"


class Version:
    """A version of the solver in a process of its own."""

    def __init__(self, text: str, clock: str):
        self.name, _, rest = text.partition("=")
        self.resident = 0.0  # the largest resident size before the first level
        folder, *options = rest.split(",")
        pairs = (option.partition("=") for option in options)
        self.options = {
            name: value.split("+") if name == "without" else ast.literal_eval(value) for name, _, value in pairs
        }
        environment = {**os.environ, "PYTHONPATH": str(Path(folder).resolve()), "NUMBA_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work", "--clock", clock], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )  # fmt: skip

    def ask(self, **request: Any) -> Any:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def work(clock: str) -> None:
    """Solve the levels that are requested on standard input, one JSON object per line."""
    if clock == "cpu":
        time.perf_counter = time.process_time
    from shoverworld.games.sokoban.formats import read_levels
    from shoverworld.games.sokoban.levels import Level
    from shoverworld.games.sokoban.solver import solve

    levels: dict[str, list[Level]] = {}
    for line in sys.stdin:
        request = json.loads(line)
        if "count" in request:
            path = request["count"]
            levels[path] = list(read_levels(Path(path)))
            solve(Level.parse(TRIVIAL), request["objective"], **request["options"])  # compiled
            print(json.dumps([len(levels[path]), resident_size()]), flush=True)
            continue
        level = levels[request["file"]][request["number"]]
        began = time.process_time()
        plan = solve(level, request["objective"], request["seconds"], **request["options"])
        row = {
            "status": plan.status, "stopped_by": plan.stopped_by, "proved": plan.proved_optimal, "bound": plan.lower_bound,
            "pushes": plan.pushes, "moves": plan.moves, "nodes": plan.expanded,
            "seconds": round(plan.seconds, 6), "cpu": round(time.process_time() - began, 6),
            "resident": resident_size(),
        }  # fmt: skip
        print(json.dumps(row), flush=True)


def resident_size() -> float:
    """Return the largest resident size of this process so far, in MiB."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def measure(path: Path, versions: list[Version], options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield one row per level and version."""
    count = 0
    for version in versions:
        count, version.resident = version.ask(count=str(path), objective=options.objective, options=version.options)
    for number in range(count):
        if options.levels and number + 1 not in options.levels:
            continue
        if options.sample and number * options.sample // count == (number - 1) * options.sample // count:
            continue
        for version in versions:
            row = version.ask(
                file=str(path), number=number, objective=options.objective, seconds=options.seconds, options=version.options
            )  # fmt: skip
            yield {"file": path.name, "level": number + 1, "version": version.name, **row}


def summarize(rows: list[dict[str, Any]], versions: list[Version], path: Path, options: argparse.Namespace) -> None:
    place = "/".join(path.parts[-3:])
    print(f"{place}, objective {options.objective}, {options.seconds:g} s per level")
    for version in versions:
        mine = [row for row in rows if row["version"] == version.name]
        solved = [row for row in mine if row["status"] == "solved"]
        spent, nodes = sum(row["cpu"] for row in mine), sum(row["nodes"] for row in mine)
        median = statistics.median([row["seconds"] for row in solved]) if solved else 0.0
        print(f"  {version.name}: solved {len(solved)} of {len(mine)}, proved optimal {sum(row['proved'] for row in mine)}, "
              f"unsolvable {sum(row['status'] == 'unsolvable' for row in mine)}")  # fmt: skip
        print(f"    {spent:.2f} s of processor time, median of the solved {median:.2g} s, {nodes:,} nodes, {nodes / max(spent, 1e-9):,.0f} per second; "
              f"{sum(row['pushes'] for row in solved)} pushes, {sum(row['moves'] for row in solved)} moves")  # fmt: skip
        most = max((row["resident"] for row in mine), default=0.0)
        print(
            f"    resident size at most {most:.0f} MiB, {most - version.resident:.0f} MiB more than before the first level"
        )
        failed = [row for row in mine if row["status"] != "solved"]
        if failed:
            print("    not solved: " + ", ".join(f"{row['level']} ({row['stopped_by']})" for row in failed))


def switched_off(names: list[str]) -> list[str]:
    """Return the names of techniques, with "each" replaced by all of them."""
    if names != ["each"]:
        return names
    from shoverworld.games.sokoban.solver.techniques import TECHNIQUES

    return list(TECHNIQUES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=[DATA / name for name in FILES])
    parser.add_argument("--objective", default="pushes", choices=["pushes", "moves", "any"])
    parser.add_argument("--seconds", type=float, default=10.0, help="time limit for each level")
    parser.add_argument("--levels", type=int, nargs="+", help="run only the levels with these numbers")
    parser.add_argument("--sample", type=int, help="run only this many levels of each file, evenly distributed")
    parser.add_argument(
        "--switch-off", nargs="+", default=[], metavar="TECHNIQUE", help="compare with each technique off"
    )
    parser.add_argument("--version", action="append", metavar="NAME=SRC[,option=value]", help="may be repeated")
    parser.add_argument("--out", type=Path, help="write one row per level and version to this CSV file")
    parser.add_argument("--verbose", action="store_true", help="print one row per level and version")
    parser.add_argument(
        "--clock", default="wall", choices=["wall", "cpu"], help="what the time limit counts; use cpu on a busy machine"
    )
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options.clock)
    source = REPOSITORY / "src"
    texts = options.version or [f"{'all' if options.switch_off else 'new'}={source}"]
    texts += [f"no {name}={source},without={name}" for name in switched_off(options.switch_off)]
    versions = [Version(text, options.clock) for text in texts]
    rows: list[dict[str, Any]] = []
    file = options.out.open("w", newline="") if options.out else None
    writer = csv.DictWriter(file, COLUMNS) if file else None
    if writer:
        writer.writeheader()
    for path in options.files:
        if not path.exists():
            print(f"{path}: not found, skipped")
            continue
        here = len(rows)
        for row in measure(path, versions, options):
            rows.append(row)
            if file and writer:
                writer.writerow(row)
                file.flush()  # a long run can be watched, and its rows are not lost if it is interrupted
            if options.verbose:
                print("  " + " ".join(f"{column} {row[column]}" for column in COLUMNS[1:]), flush=True)
        summarize(rows[here:], versions, path, options)
    for version in versions:
        version.close()
    if file:
        file.close()


if __name__ == "__main__":
    main()
