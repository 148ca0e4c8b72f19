"""`shover`: the command line. Every command is a function below; `shover COMMAND --help` tells its options."""

import argparse
import sys
from pathlib import Path

from .core.errors import ShoverWorldError


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="shover", description="Grid worlds for people, search agents and learning agents."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_demo(commands)
    _add_envs(commands)
    _add_generate(commands)
    _add_bench(commands)
    warmup = commands.add_parser("warmup", help="compile everything now, so that later starts are quick")
    warmup.set_defaults(run=run_warmup)
    chosen = parser.parse_args(arguments)
    try:
        return chosen.run(chosen) or 0
    except ShoverWorldError as error:
        print(f"shover {chosen.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
        return 0


def _add_demo(commands) -> None:
    demo = commands.add_parser("demo", help="watch the solver play bundled maps; saves an animated GIF")
    demo.add_argument("maps", nargs="*", help="bundled maps or map files (default: a selection)")
    demo.add_argument(
        "--out", type=Path, default=Path("out/demo.gif"), help="where the GIF goes (default: %(default)s)"
    )
    demo.add_argument("--speed", type=float, default=0.12, help="seconds a step (default: %(default)s)")
    demo.add_argument("--think", type=float, default=2.0, help="seconds of planning a map (default: %(default)s)")
    demo.set_defaults(run=run_demo)


def run_demo(chosen: argparse.Namespace) -> None:
    from rich.console import Console

    from .terminal import demo

    demo.run(chosen.maps, chosen.out, chosen.speed, chosen.think, Console())


def _add_envs(commands) -> None:
    envs = commands.add_parser("envs", help="list the environment ids with their settings")
    envs.set_defaults(run=run_envs)


def run_envs(chosen: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.table import Table

    from .games.shover.config import Rules
    from .registry import ENTRIES

    table = Table(
        "id",
        "rules",
        "actor",
        "edge",
        "size",
        "steps",
        "stamina",
        "forces",
        "stationary",
        "pick",
        "order",
        "what it is",
    )
    for entry in ENTRIES:
        r = Rules.preset(entry.settings["rules"])
        table.add_row(
            entry.id, entry.settings["rules"], r.actor, r.edge, f"{r.n_rows}x{r.n_cols}", str(r.max_timestep),
            f"{r.initial_stamina:g}", f"{r.initial_force:g}/{r.unit_force:g}", r.stationary, r.pick, r.order, entry.about,
        )  # fmt: skip
    Console(width=None if sys.stdout.isatty() else 170).print(table)


def _add_generate(commands) -> None:
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
    generate.set_defaults(run=run_generate)


def run_generate(chosen: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.progress import track

    from .core.checks import whole
    from .games.shover.generate import random_map

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


def _add_bench(commands) -> None:
    bench = commands.add_parser("bench", help="measure how fast it is here")
    bench.add_argument("--seconds", type=float, default=2.0, help="for each figure (default: %(default)s)")
    bench.add_argument("--games", type=int, default=8192, help="in a batch (default: %(default)s)")
    bench.add_argument("--threads", type=int, default=2, help="for the threaded figure (default: %(default)s)")
    bench.set_defaults(run=run_bench)


def run_bench(chosen: argparse.Namespace) -> None:
    from rich.console import Console

    from . import bench
    from .core.checks import number, whole

    number("seconds", chosen.seconds, at_least=0.01)
    whole("games", chosen.games, 1, 10**7)
    console = Console(highlight=False, soft_wrap=True)
    status = Console(stderr=True).status("measuring …") if sys.stderr.isatty() else None
    if status:
        status.start()
    for figure in bench.figures(chosen.seconds, chosen.games, chosen.threads):
        value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.2f}"
        aim = f"   (aim: {figure.aim})" if figure.aim else ""
        console.print(f"[bold]{value:>12}[/bold] {figure.unit:<14} {figure.what}{aim}")
    if status:
        status.stop()


def run_warmup(chosen: argparse.Namespace) -> None:
    import time

    from . import bench
    from .core.jit import cache_folder
    from .games.shover.maps import Map
    from .games.shover.planner import solve

    began = time.perf_counter()
    bench.batched(0.01, 8, 1, True)
    bench.single(0.01)
    solve(Map.parse("A.B."), rules="phase2", time_limit=0.1)
    print(f"compiled in {time.perf_counter() - began:.1f} s; kept in {cache_folder()}")


if __name__ == "__main__":
    sys.exit(main())
