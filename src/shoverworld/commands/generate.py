"""`shover generate`: random maps."""

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    generate = commands.add_parser("generate", help="make random maps")
    generate.add_argument("count", nargs="?", type=int, default=1, help="how many (default: %(default)s)")
    generate.add_argument(
        "--rules", default="milestone1", help="preset: milestone1, walker, phase2 (default: %(default)s)"
    )
    generate.add_argument("--rows", type=int, help="default: of the preset")
    generate.add_argument("--cols", type=int, help="default: of the preset")
    generate.add_argument("--boxes", type=int, help="default: 15 %% of the cells")
    generate.add_argument("--barriers", type=int, help="default: 8 %% of the cells")
    generate.add_argument("--lavas", type=int, help="default: 5 %% of the cells")
    generate.add_argument("--solvable", action="store_true", help="only maps that the solver has cleared")
    generate.add_argument(
        "--seed", type=int, default=0, help="the first map's seed, the next has one more (default: 0)"
    )
    generate.add_argument("--format", choices=("A", "B"), default="B", help="A numbers, B symbols (default: B)")
    generate.add_argument("--out", type=Path, help="a folder for map-SEED.txt files (default: print them)")
    generate.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.progress import track

    from shoverworld.core.checks import whole
    from shoverworld.games.shover.generate import random_map

    whole("count", chosen.count, 1, 10**9)
    settings = {
        "rules": chosen.rules,
        "n_rows": chosen.rows,
        "n_cols": chosen.cols,
        "number_of_boxes": chosen.boxes,
        "number_of_barriers": chosen.barriers,
        "number_of_lavas": chosen.lavas,
        "solvable": chosen.solvable,
    }
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    if chosen.out:
        chosen.out.mkdir(parents=True, exist_ok=True)
        seeds = track(seeds, "making maps", console=Console(stderr=True))
    for seed in seeds:
        text = f"// shover generate: rules {chosen.rules}, seed {seed}\n" + random_map(seed, **settings).to_text(
            chosen.format
        )
        if chosen.out:
            (chosen.out / f"map-{seed}.txt").write_text(text, encoding="utf-8")
        else:
            print(text)
    if chosen.out:
        print(f"{chosen.count} maps in {chosen.out}")
