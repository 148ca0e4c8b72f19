"""`shover warmup`: compile everything now."""

import argparse
from typing import Any


def add(commands: Any) -> None:
    warmup = commands.add_parser("warmup", help="compile everything now, so that later starts are quick")
    warmup.set_defaults(run=warm_up)


def warm_up(chosen: argparse.Namespace) -> None:
    import time

    from shoverworld import bench
    from shoverworld.agents.match import Task, run
    from shoverworld.core.jit import cache_folder
    from shoverworld.games.shover.config import Rules
    from shoverworld.games.shover.maps import Map

    began = time.perf_counter()
    bench.batched(0.01, 8, 1, True)
    bench.single(0.01)
    for preset in ("phase2", "walker"):
        for agent in ("planner", "phase2-astar"):
            run(Task("", Map.parse("A.B.L"), Rules.preset(preset)), agent, time_limit=60)
    print(f"compiled in {time.perf_counter() - began:.1f} s; kept in {cache_folder().parent}")
