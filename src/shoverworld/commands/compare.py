"""`shover compare`: several agents over the same maps or levels; tables and a plot."""

import argparse
import sys
from pathlib import Path
from typing import Any

EXAMPLE = "random,planner,mine.py:Mine"


def add(commands: Any) -> None:
    compare = commands.add_parser(
        "compare",
        help="several agents over a folder of maps or a file of Sokoban levels, or over random ones: tables and a plot",
        description="Writes compare.md, compare.csv and compare.png into --out.",
    )
    compare.add_argument(
        "maps",
        nargs="*",
        metavar="MAP",
        help="map files, files of Sokoban levels, folders of either, or names of those in the package",
    )
    compare.add_argument(
        "--agents", help=f"names or file.py:Class, with commas, such as {EXAMPLE} (default: all that play the game)"
    )
    compare.add_argument("--level", type=int, metavar="N", help="of a file of Sokoban levels only this one, from 1")
    compare.add_argument("--game", help="shover or sokoban (default: what the files look like)")
    compare.add_argument(
        "--rules",
        help="preset: milestone1, walker, phase2; sokoban, pull, fixed, two (default: what the map asks for)",
    )
    compare.add_argument("--time", type=float, default=2.0, help="seconds the planner thinks (default: %(default)s)")
    compare.add_argument(
        "--patience",
        type=float,
        default=60.0,
        help="seconds a game after which others are stopped (default: %(default)s)",
    )
    compare.add_argument(
        "--objective",
        choices=("steps", "stamina", "pushes", "moves", "any"),
        help="of the planner: steps or stamina in Shover-World (default: steps); pushes, moves or any in Sokoban (default: pushes)",
    )
    compare.add_argument("--random", type=int, default=0, metavar="N", help="play N random maps or rooms as well")
    compare.add_argument("--boxes", type=int, help="on a random map (default: 15 %% of the cells; Sokoban: 3)")
    compare.add_argument("--barriers", type=int, help="on a random map (default: 8 %% of the cells)")
    compare.add_argument("--lavas", type=int, help="on a random map (default: 5 %% of the cells)")
    compare.add_argument("--rows", type=int, help="of a random Sokoban room (default: 10)")
    compare.add_argument("--cols", type=int, help="of a random Sokoban room (default: 10)")
    compare.add_argument("--seed", type=int, default=0, help="of the first random map and of the agents' dice")
    compare.add_argument("--out", type=Path, default=Path("out/compare"), help="default: %(default)s")
    compare.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from shoverworld.agents import load, report, tasks
    from shoverworld.core.checks import number, seed_number, whole, word
    from shoverworld.core.errors import ConfigError, MissingExtra, ShoverWorldError

    from . import solve_levels, solve_maps
    from .files import game_at

    number("time", chosen.time, at_least=0)
    number("patience", chosen.patience, at_least=0)
    seed_number(chosen.seed)
    whole("random", chosen.random, 0, 10**6)
    game = game_at(chosen.maps, chosen.game)
    if game == "race":
        raise ConfigError(
            "players of the grid race are compared by `shover tournament TRACK --players racer,optimal,mine.py`"
        )
    if chosen.objective is not None:
        word("objective", chosen.objective, (solve_levels if game == "sokoban" else solve_maps).OBJECTIVES)
    given = ",".join(load.names(game)) if chosen.agents is None else chosen.agents
    agents = list(dict.fromkeys(agent.strip() for agent in given.split(",") if agent.strip()))
    if not agents:
        raise ConfigError(f"--agents {chosen.agents!r}: names no agent; expected something like {EXAMPLE}")
    for agent in agents:
        load.check(agent, game)  # a name that is none should not be noticed after an hour
    found = [*tasks.tasks_of(game, chosen.maps, chosen.rules, chosen.level), *_random_tasks(game, chosen)]
    for task in found:
        if isinstance(task, ShoverWorldError):
            raise task
    if not found:
        raise ConfigError("no maps: name map files or folders, or ask for random ones with --random N")
    chosen.out.mkdir(parents=True, exist_ok=True)  # before the work, not after it
    rows = _games(found, agents, chosen)
    (chosen.out / "compare.md").write_text(report.markdown(rows), encoding="utf-8")
    (chosen.out / "compare.csv").write_text(report.table(rows), encoding="utf-8")
    console = Console()
    shown = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in report.short_headings(game):
        shown.add_column(heading, no_wrap=heading == "agent", justify="left" if heading == "agent" else "right")
    for summary in report.summaries(rows):
        agent, *cells = report.cells_of(summary)
        shown.add_row(Path(agent).name, *cells)  # the tables in the files have the whole path
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


def _random_tasks(game: str, chosen: argparse.Namespace) -> list[Any]:
    """The random maps or rooms that were asked for."""
    seeds = range(chosen.seed, chosen.seed + chosen.random)
    return [_room(seed, chosen) if game == "sokoban" else _map(seed, chosen) for seed in seeds]


def _map(seed: int, chosen: argparse.Namespace) -> Any:
    from shoverworld.agents.tasks import map_task
    from shoverworld.core.errors import ConfigError
    from shoverworld.games.shover.config import resolve_rules
    from shoverworld.games.shover.generate import random_map

    if chosen.rows is not None or chosen.cols is not None:
        raise ConfigError("--rows and --cols are for random Sokoban rooms (--game sokoban)")
    rules = resolve_rules(chosen.rules or "milestone1")
    counts = {"number_of_boxes": chosen.boxes, "number_of_barriers": chosen.barriers, "number_of_lavas": chosen.lavas}
    return map_task(f"random-{seed}", random_map(seed, rules=rules, **counts), rules)


def _room(seed: int, chosen: argparse.Namespace) -> Any:
    from shoverworld.agents.tasks import level_task, sokoban_presets
    from shoverworld.core.checks import word
    from shoverworld.core.errors import ConfigError
    from shoverworld.games.sokoban.rooms import generate_room

    if chosen.barriers is not None or chosen.lavas is not None:
        raise ConfigError("--barriers and --lavas are for Shover-World: there are none in a Sokoban room")
    preset = word("rules", chosen.rules or "sokoban", sokoban_presets())
    rules = sokoban_presets()[preset]
    sides = zip((chosen.rows, chosen.cols), rules.dim_room, strict=True)
    size = tuple(usual if side is None else side for side, usual in sides)
    boxes = rules.num_boxes if chosen.boxes is None else chosen.boxes
    room = generate_room(seed, rules=rules.change(dim_room=size, num_boxes=boxes))
    return level_task(f"room-{seed}", room.level, preset)
