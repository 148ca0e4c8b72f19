"""`shover compare`: let several agents play the same levels, and write tables and a plot."""

import argparse
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from shoverworld.agents import load, match, report, tasks
from shoverworld.arena.jobs import JobError, Lost, Work
from shoverworld.arena.jobs import run as run_jobs
from shoverworld.core.checks import number, seed_number, whole
from shoverworld.core.errors import ConfigError, MissingExtra, ShoverWorldError
from shoverworld.core.files import write_safely
from shoverworld.core.game import Game
from shoverworld.core.reports import Column
from shoverworld.core.task import Task
from shoverworld.core.ui import count
from shoverworld.sandbox import Protection
from shoverworld.terminal.console import SafeConsole

from .files import game_at
from .parser import EXAMPLE_AGENTS
from .shared import (
    asked,
    check_objective,
    complain,
    game_options,
    interrupted,
    journal,
    machines,
    make_folder,
    processes,
    progress,
    without_errors,
)
from .tables import print_errors, print_table


def run(chosen: argparse.Namespace) -> int:
    number("time", chosen.time, at_least=0)
    number("patience", chosen.patience, at_least=0)
    seed_number(chosen.seed)
    whole("random", chosen.random, 0, 10**6)
    game = game_at(chosen.maps, chosen.game, partial(complain, chosen=chosen))
    check_objective(game, chosen.objective)
    agents = _agents(chosen, game)
    found = _levels(chosen, game)
    levels = without_errors(found, chosen)
    if not levels:
        return 2
    make_folder(chosen.out, "--out")
    if chosen.save:
        make_folder(chosen.save, "--save")
    pairs = [(task, agent) for task in levels for agent in agents]
    names = load.distinct_names(agents)
    rows = [replace(row, agent=names[row.agent]) for row in _rows(pairs, agents, chosen)]
    if rows:
        _report(rows, len(pairs), game, chosen)
    if len(rows) < len(pairs):
        return interrupted(len(rows), len(pairs), "game", chosen)
    return 2 if len(levels) < len(found) else int(_all_failed(rows))


def _all_failed(rows: list[match.Row]) -> bool:
    """Return whether an agent failed on every level."""
    working = {row.agent for row in rows if row.error is None}
    return any(row.agent not in working for row in rows)


def _report(rows: list[match.Row], total: int, game: Game, chosen: argparse.Namespace) -> None:
    """Write the files, and print the summaries and the agents' errors."""
    about = _settings(rows, game, chosen)
    if len(rows) < total:
        about.insert(0, f"Interrupted after {len(rows):,} of {count(total, 'game')}.")
    write_safely(chosen.out / "compare.md", report.markdown(rows, " ".join(about)))
    write_safely(chosen.out / "compare.csv", report.table(rows))
    console = SafeConsole()
    columns = [Column(heading, heading != "agent") for heading in report.headings(game)]
    summaries = (report.cells_of(summary) for summary in report.summaries(rows))
    print_table(console, columns, summaries)
    for sentence in report.meanings(game):
        console.print(sentence, style="dim", soft_wrap=console.columns is None)
    print_errors(console, [(row.agent, row.level, row.error) for row in rows if row.error])
    written = "compare.md, compare.csv"
    try:
        report.plot(rows, chosen.out / "compare.png")
        written += ", compare.png"
    except MissingExtra as error:
        complain(error, chosen)
    for sentence in about:
        console.print(sentence, soft_wrap=console.columns is None)
    console.print(f"Saved {written} to {chosen.out}", soft_wrap=True)
    if chosen.json is not None:
        write_safely(chosen.json, report.json_text(rows, about))
        console.print(f"Saved {chosen.json}", soft_wrap=True)
    if chosen.save is not None:
        saved = [_save(row, chosen.save) for row in rows if row.actions]
        console.print(f"Saved {count(len(saved), 'game')} to {chosen.save}", soft_wrap=True)


def _save(row: match.Row, folder: Path) -> None:
    """Save a game as a replay in a folder for its agent."""
    path = folder / re.sub(r"[^\w.-]+", "-", row.agent) / f"{row.level}.replay"
    path.parent.mkdir(parents=True, exist_ok=True)
    match.replay_of(row).write(path)


def _settings(rows: list[match.Row], game: Game, chosen: argparse.Namespace) -> list[str]:
    """Describe the rules, the seed and the limits for a comparison, one sentence each."""
    rules, changes = {row.rules for row in rows}, asked(chosen, game)
    own = f"those of each {game.level_word}{f', with {changes}' if changes else ''}"
    agents = list(dict.fromkeys(row.agent for row in rows))
    searching = [agent for agent in agents if load.search_time(agent, game.name) is not None]
    limits = [f"{chosen.time:g} s for {_listed([_limited(agent) for agent in searching])}"] if searching else []
    if len(searching) < len(agents):
        limits.append(f"{chosen.patience:g} s for {'other agents' if searching else 'each agent'}")
    unprotected = any(row.protection is Protection.NONE for row in rows)
    return [
        f"Rules: {rules.pop() if len(rules) == 1 else own}.",
        f"Seed {chosen.seed}.",
        f"Time limit per {game.level_word}: {', '.join(limits)}.",
        *([f"The planner's objective: {chosen.objective or game.objectives[0]}."] if match.PLANNER in agents else []),
        *(["Agents from files ran without a sandbox."] if unprotected else []),
    ]


def _limited(agent: str) -> str:
    return "the planner" if agent == match.PLANNER else agent


def _listed(words: list[str]) -> str:
    """Return the words as a list in a sentence, such as "a, b and c"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _agents(chosen: argparse.Namespace, game: Game) -> list[str]:
    named = ",".join(load.names(game.name)) if chosen.agents is None else chosen.agents
    agents = list(dict.fromkeys(agent.strip() for agent in named.split(",") if agent.strip()))
    if not agents:
        raise ConfigError(f"--agents {chosen.agents!r} contains no agent name; expected names such as {EXAMPLE_AGENTS}")
    for agent in agents:
        load.check(agent, game.name)  # report an unknown agent before the work starts
    return agents


def _levels(chosen: argparse.Namespace, game: Game) -> list[Task | ShoverWorldError]:
    """Return the levels, and an error for each level that cannot be read."""
    rules = asked(chosen, game)
    found = [*tasks.tasks_at(game, chosen.maps, rules, chosen.level, seed=chosen.seed), *_random(chosen, game, rules)]
    if not found:
        raise ConfigError("no levels: specify level files or folders, or request random levels with --random N")
    return found


def _random(chosen: argparse.Namespace, game: Game, rules: str) -> Iterator[Task]:
    """Yield the random levels for `--random`."""
    options = game_options(chosen, game, lambda one: one.generate_options, ("--rules", "--format"))
    for seed in range(chosen.seed, chosen.seed + chosen.random):
        yield tasks.random_task(game, seed, rules, options)


def _rows(pairs: list[tuple[Task, str]], agents: list[str], chosen: argparse.Namespace) -> list[match.Row]:
    """Run every agent on every level, and show a progress bar. Agents cannot read one another's files.

    Ctrl-C stops the work; the finished games are returned.
    """
    rows: dict[int, match.Row] = {}
    shared = agents, chosen.objective, chosen.time, chosen.patience
    work = Work(
        _play, pairs, shared, processes(chosen, len(pairs)), **machines(chosen), **journal(chosen, agents),
        final=lambda row: not row.interrupted,
    )  # fmt: skip
    try:
        with closing(run_jobs(work)) as results:
            for index, row in progress(results, "playing", len(pairs)):
                if isinstance(row, Lost):
                    raise JobError(f"{pairs[index][1]} on {pairs[index][0].name}: {row.reason}")
                if row.interrupted:
                    break  # an interrupted search is not a result
                rows[index] = row
    except KeyboardInterrupt:
        pass
    return [rows[index] for index in sorted(rows)]


def _play(shared: tuple[list[str], str | None, float, float], pair: tuple[Task, str]) -> match.Row:
    """Run one agent on one level, possibly in another process."""
    (agents, objective, time, patience), (task, agent) = shared, pair
    seconds = time if agent == match.PLANNER else patience
    siblings = load.alone_in_folder(agent, agents)
    return match.run(task, agent, objective, seconds, siblings=siblings, search_time=time)
