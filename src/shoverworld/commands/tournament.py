"""`shover tournament`: let agents play a multiplayer game against each other, and write tables."""

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from shoverworld.agents import load, standings, tasks
from shoverworld.agents import tournament as games
from shoverworld.arena.jobs import JobError, Lost, Work
from shoverworld.arena.jobs import run as run_jobs
from shoverworld.core.checks import number, seed_number, whole
from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.files import write_safely
from shoverworld.core.game import Game
from shoverworld.core.reports import Column
from shoverworld.core.rules_text import rules_on
from shoverworld.core.task import Task
from shoverworld.core.ui import Board, count
from shoverworld.games import game_named
from shoverworld.sandbox import Protection
from shoverworld.terminal.console import SafeConsole

from .shared import (
    asked,
    game_options,
    given,
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
    game = game_named(chosen.game)
    settings = given(game_options(chosen, game, lambda one: one.rule_options))
    players = _players(chosen.players, game)
    if chosen.cars > len(players) > 1:
        raise ConfigError(f"--cars {chosen.cars}: there are only {len(players)} players ({', '.join(players)})")
    size = whole("cars", chosen.cars, 2, len(players))
    number("patience", chosen.patience, at_least=0)
    first, starts = seed_number(chosen.seed) or 0, whole("races", chosen.races, 1, 10**6)
    found = _boards(chosen, game, size)
    boards = without_errors(found, chosen)
    if not boards:
        return 2
    fixtures = list(games.fixtures(boards, players, size, range(first, first + starts)))
    games.start(game, fixtures[0], settings)  # check the settings before the work starts
    make_folder(chosen.out, "--out")
    played = _run_all(game, fixtures, settings, chosen)
    seeds = f"seed {first}" if starts == 1 else f"seeds {first} to {first + starts - 1}"
    presets = {board.preset for board in boards}
    rules = f", rules {presets.pop() if len(presets) == 1 else f'of each {game.level_word}'}"
    rules += "".join(f", {name.replace('_', ' ')} {value}" for name, value in settings.items())
    where = count(len({result.level for results in played for result in results}), game.level_word)
    some = f"{len(played):,} of " if len(played) < len(fixtures) else ""
    about = f"{some}{count(len(fixtures), 'game')} with {size} players each on {where}, {seeds}{rules}, "
    about += f"time limit {chosen.patience:g} s per player per game."
    if any(result.protection is Protection.NONE for results in played for result in results):
        about += " Agents from files ran without a sandbox."
    if played:
        names = load.distinct_names(players)
        _report([_renamed(result, names) for results in played for result in results], about, game, chosen)
    if len(played) < len(fixtures):
        return interrupted(len(played), len(fixtures), "game", chosen)
    working = {result.player for results in played for result in results if result.error is None}
    return 2 if len(boards) < len(found) else int(len(working) < len(players))


def _renamed(result: games.PlayerResult, names: dict[str, str]) -> games.PlayerResult:
    return replace(result, player=names[result.player], rivals=tuple(names[rival] for rival in result.rivals))


def _report(results: list[games.PlayerResult], about: str, game: Game, chosen: argparse.Namespace) -> None:
    """Write the files, and print the standings and the players' errors."""
    write_safely(chosen.out / "tournament.md", standings.markdown(game, results, about))
    write_safely(chosen.out / "tournament.csv", standings.table(game, results))
    console = SafeConsole()
    columns = [Column(heading, heading != "player") for heading in standings.headings(game)]
    table = (standing.cells() for standing in standings.standings(results))
    print_table(console, columns, table)
    print_errors(console, [(result.player, result.level, result.error) for result in results if result.error])
    console.print(about, soft_wrap=console.columns is None)
    console.print(f"Saved tournament.md, tournament.csv to {chosen.out}", soft_wrap=True)


def _players(named: str | None, game: Game) -> list[str]:
    own = [agent.name for agent in game.agents] or load.names(game.name)
    words = own if named is None else named.split(",")
    players = list(dict.fromkeys(player.strip() for player in words if player.strip()))
    for player in players:
        load.check(player, game.name)
    if len(players) < 2:
        raise ConfigError(f"--players {named!r}: a tournament needs at least two players, such as {','.join(own)}")
    return players


def _boards(chosen: argparse.Namespace, game: Game, size: int) -> list[Board | ShoverWorldError]:
    """Return the levels for the tournament, and an error for each level that cannot be read.

    Every level has enough start cells for all players in a game.
    """
    random = whole("random", chosen.random, 0, 10**6)
    room: Any = game.ui.multiplayer
    if room is None:
        raise ConfigError(f"{game.title} is a game for one player")
    rules = asked(chosen, game)
    if not chosen.tracks and not random:
        boards = [board for board in game.levels.boards() if room.max_players(board) >= size]
        return [replace(board, preset=rules_on(game, board.preset, rules)) for board in boards]
    found: list[Board | ShoverWorldError] = []
    for one in tasks.tasks_at(game, chosen.tracks, rules):
        found.append(replace(one.board, preset=one.rules) if isinstance(one, Task) else one)
    preset = rules_on(game, game.presets[0].name, rules)
    found += [game.levels.random(preset, seed) for seed in range(chosen.seed, chosen.seed + random)]
    for board in found:
        if isinstance(board, Board) and room.max_players(board) < size:
            players = count(room.max_players(board), "player")
            raise ConfigError(f"--cars {size}: {board.path or board.name} has room for only {players}")
    return found


def _run_all(
    game: Game, fixtures: Sequence[games.Fixture], settings: dict[str, Any], chosen: argparse.Namespace
) -> list[list[games.PlayerResult]]:
    """Play every game, and show a progress bar.

    Ctrl-C stops the tournament; the results of finished games are returned.
    """
    played: dict[int, list[games.PlayerResult]] = {}
    shared = game.name, settings, chosen.patience
    players = sorted({player for fixture in fixtures for player in fixture.players})
    work = Work(
        _play, fixtures, shared, processes(chosen, len(fixtures)), **machines(chosen), **journal(chosen, players)
    )
    try:
        with closing(run_jobs(work)) as results:
            for index, result in progress(results, "playing", len(fixtures)):
                if isinstance(result, Lost):
                    raise JobError(f"game {index + 1} on {fixtures[index].board.name}: {result.reason}")
                played[index] = result
    except KeyboardInterrupt:
        pass
    return [played[index] for index in sorted(played)]


def _play(shared: tuple[str, dict[str, Any], float], fixture: games.Fixture) -> list[games.PlayerResult]:
    """Play one game, possibly in another process."""
    name, settings, patience = shared
    return games.run(game_named(name), fixture, settings, patience)
