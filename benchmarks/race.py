"""Measure the race planner and the race environments: `python benchmarks/race.py [--seconds S] [TRACK ...]`.

1. The planner and the plain breadth-first search in tests/oracles/race_bfs.py find the fewest moves on each track. The
   script stops if the answers differ. The default tracks are the bundled ones and those in ../shared/data/race,
   relative to the repository.
2. The planner solves tracks of 500 x 500 cells, each in a separate process. The script reports the time for the best
   start, the time for every start, and the peak memory.
3. The script measures the steps per second of batched environments on one thread.
"""

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

DATA = Path(__file__).parents[2] / "shared" / "data" / "race"
SIDE = 500
GAMES = 8192  # number of games in a batch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tracks", nargs="*", help="names of bundled tracks, or files")
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="seconds per measurement of the batched environments"
    )
    parser.add_argument("--large", help=argparse.SUPPRESS)  # used by the child process that solves one large track
    options = parser.parse_args()
    if options.large:
        print(json.dumps(solve_large(options.large)))
        return
    console = Console(width=100)
    beside_python(console, options.tracks)
    large_tracks(console)
    batched_steps(console, options.seconds)


def best_of(times: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the shortest time over several runs, and the result."""
    seconds, answer = math.inf, None
    for _ in range(times):
        began = time.perf_counter()
        answer = work()
        seconds = min(seconds, time.perf_counter() - began)
    return seconds, answer


# ---------------------------------------------------------------- compared with plain Python


def beside_python(console: Console, names: list[str]) -> None:
    from shoverworld.games.race.planner import fewest, solve
    from shoverworld.games.race.tracks import Track, bundled_names
    from tests.oracles.race_bfs import fewest_moves

    places = names or [*bundled_names(), *(str(path) for path in sorted(DATA.glob("*.txt")))]
    table = Table("track", title="The fewest moves, from the best start (valid_line)", title_justify="left")
    for heading in ("moves", "states", "plain Python, ms", "planner, ms", "ratio", "every start, ms"):
        table.add_column(heading, justify="right")
    whole = [0.0, 0.0]
    for place in shown(places, "solving", console=Console(stderr=True), transient=True):
        track = Track.read(place)
        solve(track)  # compiled
        slow, moves = best_of(2, lambda track=track: fewest_moves(track.cells.tolist()))
        quick, plan = best_of(10, lambda track=track: solve(track))
        every, answers = best_of(10, lambda track=track: fewest(track))
        if not (moves == plan.steps == min(answers.values())):
            raise SystemExit(f"{place}: plain Python found {moves} moves, the planner {plan.steps}")
        whole[0], whole[1] = whole[0] + slow, whole[1] + quick
        cells = (f"{1000 * slow:,.0f}", f"{1000 * quick:.2f}", f"{slow / quick:.0f}", f"{1000 * every:.2f}")
        table.add_row(Path(place).stem, str(moves), f"{plan.expanded:,}", *cells)
    table.add_row("all", "", "", f"{1000 * whole[0]:,.0f}", f"{1000 * whole[1]:.2f}", f"{whole[0] / whole[1]:.0f}", "")
    console.print(table)


# ---------------------------------------------------------------- large tracks


def open_field() -> np.ndarray:
    """Return a grid that consists only of track cells, which gives the largest number of states."""
    return np.zeros((SIDE, SIDE), int)


def pillars() -> np.ndarray:
    return np.where(np.random.default_rng(1).random((SIDE, SIDE)) < 0.03, -1, 0)


def snake(width: int) -> np.ndarray:
    """Return a serpentine track: parallel lanes that are connected at alternating ends."""
    cells = np.full((SIDE, SIDE), -1)
    for number, top in enumerate(range(0, SIDE - width + 1, width + 1)):
        cells[top : top + width] = 0
        if top:
            cells[top - 1, slice(-width, None) if number % 2 else slice(width)] = 0
    return cells


def circuit() -> np.ndarray:
    """Return a random circuit with wide bends."""
    from shoverworld.games.race.generate import random_track

    return random_track(1, closed=True, rows=SIDE, cols=SIDE, width=12, twist=0.6).cells


LARGE = {
    "open field": open_field, "pillars": pillars, "snake, 60 wide": lambda: snake(60), "snake, 20 wide": lambda: snake(20),
    "snake, 1 wide": lambda: snake(1), "circuit": circuit,
}  # fmt: skip


def large_track(name: str) -> Any:
    from shoverworld.games.race.tracks import FINISH, START, Track

    cells = LARGE[name]()
    if not (cells == FINISH).any():
        rows, cols = np.nonzero(cells == 0)
        cells[rows[0], cols[0]] = START
        last = rows[-1]
        lanes = np.flatnonzero(
            (cells[:last] == 0).sum(axis=1) < SIDE // 2
        )  # the connections between lanes, if there are any
        turn_right = len(lanes) > 0 and cells[lanes[-1], -1] == 0
        cells[last, 0 if turn_right else -1] = FINISH
    return Track(cells, name)


def solve_large(name: str) -> dict[str, Any]:
    from shoverworld.games.race.planner import fewest, solve
    from shoverworld.games.race.tracks import Track

    solve(Track(np.array([[1, 0, 100]])))  # compiled
    track = large_track(name)
    plan = solve(track)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, answers = best_of(1, lambda: fewest(track))
    assert min(answers.values()) == plan.steps
    return {
        "cells": int((track.cells != -1).sum()), "moves": plan.steps, "states": plan.expanded, "seconds": plan.seconds,
        "every": seconds, "memory": memory / 1024,
    }  # fmt: skip


def large_tracks(console: Console) -> None:
    table = Table("track", title=f"{SIDE} x {SIDE}: targets 20 s and 4 GB", title_justify="left")
    for heading in ("cells", "moves", "states", "seconds", "memory, MB", "every start, s"):
        table.add_column(heading, justify="right")
    for name in shown(list(LARGE), "large tracks", console=Console(stderr=True), transient=True):
        child = subprocess.run(
            [sys.executable, __file__, "--large", name], capture_output=True, text=True, check=True
        ).stdout
        result = json.loads(child)
        table.add_row(
            name, f"{result['cells']:,}", str(result["moves"]), f"{result['states']:,}", f"{result['seconds']:.2f}",
            f"{result['memory']:,.0f}", f"{result['every']:.2f}",
        )  # fmt: skip
    console.print(table)


# ---------------------------------------------------------------- stepping


def batched_steps(console: Console, seconds: float) -> None:
    from shoverworld.games.race import bench as race

    table = Table("batched, one thread", title="Steps per second: target 10 million", title_justify="left")
    table.add_column("steps per second", justify="right")
    kinds: dict[str, dict[str, Any]] = {
        "1 car, all bundled tracks, velocity": {"observation": "velocity"},
        "1 car, all bundled tracks, view and velocity": {},
        "4 cars, 15-grand-prix, velocity": {"track": "15-grand-prix", "cars": 4, "observation": "velocity"},
    }
    for name, keywords in shown(list(kinds.items()), "stepping", console=Console(stderr=True), transient=True):
        with race.batches(**keywords).speed(GAMES) as speed:
            table.add_row(name, f"{speed(seconds):,.0f}")
    console.print(table)


if __name__ == "__main__":
    main()
