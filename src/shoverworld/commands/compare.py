"""`shover compare`: several agents over the same maps; tables and a plot."""

import argparse
import sys
from pathlib import Path
from typing import Any

AGENTS = "random,greedy,phase2-astar,phase2-rbfs,planner"


def add(commands: Any) -> None:
    compare = commands.add_parser(
        "compare",
        help="several agents over a folder of maps, or over random ones: tables and a plot",
        description="Writes compare.md, compare.csv and compare.png into --out.",
    )
    compare.add_argument("maps", nargs="*", metavar="MAP", help="map files, folders of them, or names of bundled maps")
    compare.add_argument("--agents", default=AGENTS, help="names or file.py:Class, with commas (default: %(default)s)")
    compare.add_argument(
        "--rules", help="preset: milestone1, walker, phase2 (default: what the map says, or milestone1)"
    )
    compare.add_argument("--time", type=float, default=2.0, help="seconds the planner thinks (default: %(default)s)")
    compare.add_argument(
        "--patience",
        type=float,
        default=60.0,
        help="seconds a game after which others are stopped (default: %(default)s)",
    )
    compare.add_argument("--objective", choices=("steps", "stamina"), default="steps", help="default: %(default)s")
    compare.add_argument("--random", type=int, default=0, metavar="N", help="play N random maps as well")
    compare.add_argument("--boxes", type=int, help="on a random map (default: 15 %% of the cells)")
    compare.add_argument("--barriers", type=int, help="on a random map (default: 8 %% of the cells)")
    compare.add_argument("--lavas", type=int, help="on a random map (default: 5 %% of the cells)")
    compare.add_argument("--seed", type=int, default=0, help="of the first random map and of the agents' dice")
    compare.add_argument("--out", type=Path, default=Path("out/compare"), help="default: %(default)s")
    compare.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from shoverworld.agents import load, match, report
    from shoverworld.core.checks import number, whole
    from shoverworld.core.errors import ConfigError, MissingExtra, ShoverWorldError

    number("time", chosen.time, at_least=0)
    whole("random", chosen.random, 0, 10**6)
    agents = list(dict.fromkeys(agent.strip() for agent in chosen.agents.split(",") if agent.strip()))
    if not agents:
        raise ConfigError(f"--agents {chosen.agents!r}: names no agent; expected something like {AGENTS}")
    for agent in agents:
        load.check(agent)  # a name that is none should not be noticed after an hour
    tasks = [*match.tasks_of(chosen.maps, chosen.rules), *_random_tasks(chosen)]
    for task in tasks:
        if isinstance(task, ShoverWorldError):
            raise task
    if not tasks:
        raise ConfigError("no maps: name map files or folders, or ask for random ones with --random N")
    chosen.out.mkdir(parents=True, exist_ok=True)  # before the work, not after it
    rows = _games(tasks, agents, chosen)
    (chosen.out / "compare.md").write_text(report.markdown(rows), encoding="utf-8")
    (chosen.out / "compare.csv").write_text(report.table(rows), encoding="utf-8")
    console = Console()
    shown = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in report.SHORT_HEADINGS:
        shown.add_column(heading, no_wrap=heading == "agent", justify="left" if heading == "agent" else "right")
    for summary in report.summaries(rows):
        shown.add_row(*report.cells_of(summary))
    console.print(shown)
    for error in dict.fromkeys(f"{row.agent}: {row.error}" for row in rows if row.error):
        console.print(error, style="red", markup=False)
    written = "compare.md, compare.csv"
    try:
        report.plot(rows, chosen.out / "compare.png")
        written += ", compare.png"
    except MissingExtra as error:
        print(f"shover compare: {error}", file=sys.stderr)
    console.print(f"{written} in {chosen.out}")
    return 0


def _games(tasks: list[Any], agents: list[str], chosen: argparse.Namespace) -> list[Any]:
    """Every agent on every map, with progress."""
    from rich.console import Console
    from rich.progress import track

    from shoverworld.agents import match

    pairs = [(task, agent) for task in tasks for agent in agents]
    shown = track(pairs, "playing", console=Console(stderr=True), disable=not sys.stderr.isatty())
    rows = []
    for task, agent in shown:
        time_limit = chosen.time if agent == "planner" else chosen.patience
        row = match.run(task, agent, chosen.objective, time_limit, chosen.seed)
        if row.interrupted:
            raise KeyboardInterrupt  # half a search is no result
        rows.append(row)
    return rows


def _random_tasks(chosen: argparse.Namespace) -> list[Any]:
    from shoverworld.agents.match import Task
    from shoverworld.games.shover.config import resolve_rules
    from shoverworld.games.shover.generate import random_map

    rules = resolve_rules(chosen.rules or "milestone1")
    counts = {"number_of_boxes": chosen.boxes, "number_of_barriers": chosen.barriers, "number_of_lavas": chosen.lavas}
    seeds = range(chosen.seed, chosen.seed + chosen.random)
    return [Task(f"random-{seed}", random_map(seed, rules=rules, **counts), rules) for seed in seeds]
