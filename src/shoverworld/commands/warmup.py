"""`shover warmup`: compile everything now."""

import argparse
from typing import Any


def add(commands: Any) -> None:
    warmup = commands.add_parser("warmup", help="compile everything now, so that later starts are quick")
    warmup.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    import time

    from shoverworld import bench
    from shoverworld.core.jit import cache_folder
    from shoverworld.games.shover.maps import Map
    from shoverworld.games.shover.planner import solve

    began = time.perf_counter()
    bench.batched(0.01, 8, 1, True)
    bench.single(0.01)
    solve(Map.parse("A.B."), rules="phase2", time_limit=0.1)
    print(f"compiled in {time.perf_counter() - began:.1f} s; kept in {cache_folder()}")
