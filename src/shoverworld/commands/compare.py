"""`shover compare`: let several agents play the same levels, and write tables and a plot."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import track

from shoverworld.agents import load, match, report, tasks
from shoverworld.core.checks import number, seed_number, whole
from shoverworld.core.errors import ConfigError, MissingExtra, ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.rules_text import rules_on
from shoverworld.core.task import Task
from shoverworld.core.ui import Board

from .files import game_at
from .parser import EXAMPLE_AGENTS
from .shared import asked, check_objective, game_options, new_table


def run(chosen: argparse.Namespace) -> int:
    number("time", chosen.time, at_least=0)
    number("patience", chosen.patience, at_least=0)
    seed_number(chosen.seed)
    whole("random", chosen.random, 0, 10**6)
    game = game_at(chosen.maps, chosen.game)
    check_objective(game, chosen.objective)
    agents = _agents(chosen, game)
    levels = _levels(chosen, game)
    chosen.out.mkdir(parents=True, exist_ok=True)  # fails before the work starts if the path is invalid
    rows = _rows(levels, agents, chosen)
    (chosen.out / "compare.md").write_text(report.markdown(rows), encoding="utf-8")
    (chosen.out / "compare.csv").write_text(report.table(rows), encoding="utf-8")
    console = Console()
    table = new_table(((heading, heading != "agent") for heading in report.short_headings(game)), "agent")
    for summary in report.summaries(rows):
        agent, *cells = report.cells_of(summary)
        table.add_row(Path(agent).name, *cells)  # the tables in the files contain the whole path
    console.print(table)
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


def _agents(chosen: argparse.Namespace, game: Game) -> list[str]:
    named = ",".join(load.names(game.name)) if chosen.agents is None else chosen.agents
    agents = list(dict.fromkeys(agent.strip() for agent in named.split(",") if agent.strip()))
    if not agents:
        raise ConfigError(f"--agents {chosen.agents!r} names no agent; expected something like {EXAMPLE_AGENTS}")
    for agent in agents:
        load.check(agent, game.name)  # reports an unknown agent before the work starts
    return agents


def _levels(chosen: argparse.Namespace, game: Game) -> list[Task]:
    rules = asked(chosen, game)
    found = [*tasks.tasks_at(game, chosen.maps, rules, chosen.level, seed=chosen.seed), *_random(chosen, game, rules)]
    for task in found:
        if isinstance(task, ShoverWorldError):
            raise task
    if not found:
        raise ConfigError("no levels: name level files or folders, or ask for random levels with --random N")
    return [task for task in found if isinstance(task, Task)]


def _random(chosen: argparse.Namespace, game: Game, rules: str) -> Iterator[Task]:
    """Yield the random levels for `--random`."""
    options = game_options(chosen, game, lambda one: one.generate_options, ("--rules", "--format"))
    preset = rules_on(game, game.presets[0].name, rules)
    for seed in range(chosen.seed, chosen.seed + chosen.random):
        name = f"random-{seed}"
        if game.generator is None:
            board = game.levels.random(preset, seed)
        else:
            board = Board(name, preset, game.generator.generate(seed, {**options, "rules": preset}), seed=seed)
        yield tasks.task_of(game, board, preset, seed=seed, name=name)


def _rows(levels: list[Task], agents: list[str], chosen: argparse.Namespace) -> list[match.Row]:
    """Run every agent on every level, and show a progress bar."""
    pairs = [(task, agent) for task in levels for agent in agents]
    rows = []
    for task, agent in track(pairs, "playing", console=Console(stderr=True), disable=not sys.stderr.isatty()):
        seconds = chosen.time if agent == match.PLANNER else chosen.patience
        row = match.run(task, agent, chosen.objective, seconds)
        if row.interrupted:
            raise KeyboardInterrupt  # an interrupted search is not a result
        rows.append(row)
    return rows
