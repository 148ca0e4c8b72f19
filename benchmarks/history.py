"""Compare the speed of two commits in one run: `python benchmarks/history.py A B [--only PATTERN] [--rounds 5]`.

A and B are commits, or "." for the working tree. The sources of both are copied into a temporary folder, which is
removed at the end, even after Ctrl-C. Both commits are measured with the benchmarks in *this* working tree
(games/NAME/bench.py, core/measuring.py), which use the public interface, so a commit does not need `shover bench`. A
line that cannot be measured for a commit is shown as "-".

Each commit has its own kernel cache, which is filled before the first round. A round measures every line once in a new
process for A and once in a new process for B; the order alternates. The table shows the medians over the rounds, the
median of the ratios B / A (one for each round), and an interval for this median: with five rounds, the lowest and the
highest ratio, between which the true median lies with a probability of 94%. A ratio is marked as "faster" or "slower"
if its interval excludes 1.
"""

import argparse
import importlib.util
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "shoverworld"
WORKING_TREE = "."
CONFIDENCE = 0.9
INTERRUPTED = 130


# ---------------------------------------------------------------- one commit in one round, in its own process


def load(name: str, path: Path) -> Any:
    """Import a file from this working tree under this module name, regardless of the import path."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def groups() -> Iterator[Any]:
    """Yield the lines of all benchmarks. The modules are loaded under names that no commit uses."""
    for path in sorted((PACKAGE / "games").glob("*/bench.py")):
        for group in load(f"bench_of_{path.parent.name}", path).groups():
            yield group.prefixed(f"{path.parent.name}: ")
    for group in load("bench_of_all_games", PACKAGE / "bench" / "startup.py").groups():
        yield group.prefixed("all games: ")


def measure_here(pattern: str, everything: bool, seconds: float) -> None:
    """Measure the package on the import path for one round, and print a JSON object for each line."""
    measuring = load("shoverworld.core.measuring", PACKAGE / "core" / "measuring.py")
    for group in groups():
        chosen, shown = group.select(pattern, everything)
        for result in measuring.measure(chosen, seconds, 1, Exception):
            if result.name in shown:
                values = {"value": result.median} if result.values else {"missing": result.missing}
                print(json.dumps({"name": result.name, "unit": result.unit, **values}), flush=True)


# ---------------------------------------------------------------- both commits


class Commit(NamedTuple):
    """The sources of a commit in a temporary folder."""

    name: str  # as given on the command line
    id: str  # its hash
    folder: Path

    def measure(self, chosen: argparse.Namespace, seconds: float) -> list[dict[str, Any]]:
        """Measure all lines once, in a new process."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder / "src"),
            "SHOVERWORLD_CACHE": str(self.folder / "cache"),
        }
        command = [sys.executable, __file__, self.name, self.name, "--here", "--only", chosen.only]
        command += ["--seconds", str(seconds), *(["--all"] if chosen.all else [])]
        child = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, cwd=self.folder, check=True)
        return [json.loads(line) for line in child.stdout.splitlines()]


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(ROOT), *arguments], stdout=subprocess.PIPE, check=True).stdout


def check_out(name: str, folder: Path) -> Commit:
    """Copy the sources of a commit into a folder."""
    folder.mkdir()
    if name == WORKING_TREE:
        shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
        return Commit(name, "working tree", folder)
    id = git("rev-list", "--max-count=1", "--abbrev-commit", name, "--").decode().strip()
    with tarfile.open(fileobj=BytesIO(git("archive", id, "src"))) as archive:
        archive.extractall(folder, filter="data")
    return Commit(name, id, folder)


@contextmanager
def checked_out(*names: str) -> Iterator[list[Commit]]:
    """Provide copies of the sources of these commits, and remove the copies at the end."""
    with tempfile.TemporaryDirectory(prefix="shoverworld-history-") as folder:
        yield [check_out(name, Path(folder) / str(place)) for place, name in enumerate(names)]


class Line(NamedTuple):
    """The measurements of A and B for one line, one per round.

    A list is empty if the line cannot be measured for that commit.
    """

    name: str
    unit: str
    a: list[float]
    b: list[float]

    @property
    def ratios(self) -> list[float]:
        return [b / a for a, b in zip(self.a, self.b, strict=False)]

    def to_json(self) -> dict[str, Any]:
        low, high = interval(self.ratios) if self.ratios else (None, None)
        ratio = (
            {"median": median(self.ratios), "low": low, "high": high, "rounds": self.ratios} if self.ratios else None
        )
        sides = {side: {"median": median(own), "rounds": own} if own else None for side, own in (("a", self.a), ("b", self.b))}  # fmt: skip
        return {"name": self.name, "unit": self.unit, **sides, "ratio": ratio}

    def cells(self) -> tuple[str, ...]:
        a, b = (f"{number(median(own))} {self.unit}" if own else "-" for own in (self.a, self.b))
        if not self.ratios:
            return self.name, a, b, "-", "", ""
        low, high = interval(self.ratios)
        verdict = "" if low <= 1 <= high else "faster" if (low > 1) != (self.unit == "s") else "slower"
        return self.name, a, b, f"{median(self.ratios):.3f}", f"{low:.3f} to {high:.3f}", verdict


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the narrowest interval between two values that contains the true median with a probability of CONFIDENCE.

    The probability that the median lies below the (k + 1)-th lowest of n values is the probability of at most k heads
    in n coin tosses. With fewer than five values, the interval between the lowest and the highest is the best
    available.
    """
    ordered, count, outside, left_out = sorted(values), len(values), 0.0, 0
    for k in range(count // 2):
        outside += 2 * math.comb(count, k) / 2**count
        if outside > 1 - CONFIDENCE:
            break
        left_out = k
    return ordered[left_out], ordered[-1 - left_out]


def number(value: float) -> str:
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def compare(a: Commit, b: Commit, chosen: argparse.Namespace) -> tuple[list[Line], dict[str, str]]:
    """Measure both commits in all rounds. Return the lines that were measured, and the reasons for missing values."""
    lines: dict[str, Line] = {}
    missing: dict[str, str] = {}
    for commit in (a, b):
        say(f"{commit.name} ({commit.id}): compiling …")
        commit.measure(chosen, 0)
    for turn in range(chosen.rounds):
        for commit in (a, b) if turn % 2 == 0 else (b, a):
            say(f"round {turn + 1} of {chosen.rounds}: {commit.name} …")
            for found in commit.measure(chosen, chosen.seconds):
                line = lines.setdefault(found["name"], Line(found["name"], found["unit"], [], []))
                if "value" in found:
                    (line.a if commit is a else line.b).append(found["value"])
                else:
                    missing[f"{commit.name}, {line.name}"] = found["missing"]
    return [line for line in lines.values() if line.a or line.b], missing


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        numbers = "".join(f"  {cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        print(f"{first:<{widths[0]}}{numbers}".rstrip())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a", metavar="A", help="the first commit, or . for the working tree")
    parser.add_argument("b", metavar="B", help="the second commit, or . for the working tree")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="only lines whose names contain PATTERN")
    parser.add_argument("--all", action="store_true", help="include slow lines, which compile everything again")
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds (default: %(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=0.3, help="seconds for each line of a round (default: %(default)s)"
    )
    parser.add_argument("--json", metavar="FILE", help="also write the results to a file")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # for the processes of a round
    chosen = parser.parse_args()
    if chosen.here:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the first process reports Ctrl-C
        measure_here(chosen.only, chosen.all, chosen.seconds)
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # removes the temporary folder
    try:
        with checked_out(chosen.a, chosen.b) as (a, b):
            lines, missing = compare(a, b, chosen)
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except subprocess.CalledProcessError as error:  # git or the measuring process has printed the reason
        say(f"failed: {' '.join(map(str, error.cmd))}")
        return 1
    if not lines:
        raise SystemExit(f"--only {chosen.only!r} selects no line that can be measured")
    print(f"A = {chosen.a} ({a.id}), B = {chosen.b} ({b.id}), {chosen.rounds} rounds")
    print_table([("", "A", "B", "B / A", "interval", ""), *(line.cells() for line in lines)])
    for where, reason in missing.items():
        say(f"not measured: {where}: {reason}")
    if chosen.json:
        report = {"a": a.id, "b": b.id, "rounds": chosen.rounds, "seconds": chosen.seconds}
        write(chosen.json, {**report, "machine": machine(), "results": [line.to_json() for line in lines]})
    return 0


def machine() -> dict[str, Any]:
    from shoverworld.bench import machine  # lazy: the processes of a round import another version of the package

    return machine()


def write(path: str, report: dict[str, Any]) -> None:
    from shoverworld.core.files import write_safely  # lazy: see `machine`

    write_safely(path, json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
