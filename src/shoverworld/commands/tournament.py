"""`shover tournament`: let agents play a multiplayer game against each other, and write tables."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from shoverworld.agents import load, standings, tasks
from shoverworld.agents import tournament as games
from shoverworld.core.checks import number, seed_number, whole
from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.files import write_safely
from shoverworld.core.game import Game
from shoverworld.core.task import Task
from shoverworld.core.ui import Board, count
from shoverworld.games import game_named

from .shared import game_options, given, new_table


def run(chosen: argparse.Namespace) -> int:
    game = game_named(chosen.game)
    settings = given(game_options(chosen, game, lambda one: one.rule_options))
    players = _players(chosen.players, game)
    if chosen.cars > len(players) > 1:
        raise ConfigError(f"--cars {chosen.cars}: there are only {len(players)} players ({', '.join(players)})")
    size = whole("cars", chosen.cars, 2, len(players))
    number("patience", chosen.patience, at_least=0)
    first, starts = seed_number(chosen.seed) or 0, whole("races", chosen.races, 1, 10**6)
    boards = _boards(chosen, game, size)
    fixtures = list(games.fixtures(boards, players, size, range(first, first + starts)))
    games.start(game, fixtures[0], settings)  # checks the settings before the work starts
    chosen.out.mkdir(parents=True, exist_ok=True)
    results = _run_all(game, fixtures, settings, chosen.patience)
    seeds = f"seed {first}" if starts == 1 else f"seeds {first} to {first + starts - 1}"
    rules = "".join(f", {name.replace('_', ' ')} {value}" for name, value in settings.items())
    where = count(len(boards), game.level_word)
    about = f"{count(len(fixtures), 'game')} with {size} players each on {where}, {seeds}{rules}."
    write_safely(chosen.out / "tournament.md", standings.markdown(game, results, about))
    write_safely(chosen.out / "tournament.csv", standings.table(game, results))
    console = Console()
    table = new_table(((heading, heading != "player") for heading in standings.headings(game)), "player")
    for standing in standings.standings(results):
        player, *cells = standing.cells()
        table.add_row(Path(player).name, *cells)
    console.print(table)
    for error in dict.fromkeys(f"{result.player}: {result.error}" for result in results if result.error):
        console.print(error, style="red", markup=False)
    console.print(f"{about} Saved tournament.md, tournament.csv to {chosen.out}", markup=False)
    return 0


def _players(named: str | None, game: Game) -> list[str]:
    own = [agent.name for agent in game.agents] or load.names(game.name)
    words = own if named is None else named.split(",")
    players = list(dict.fromkeys(player.strip() for player in words if player.strip()))
    for player in players:
        load.check(player, game.name)
    if len(players) < 2:
        raise ConfigError(f"--players {named!r}: a tournament needs at least two players, such as {','.join(own)}")
    return players


def _boards(chosen: argparse.Namespace, game: Game, size: int) -> list[Board]:
    """Return the levels of the tournament, each of which has enough start cells for all players in a game."""
    random = whole("random", chosen.random, 0, 10**6)
    room: Any = game.ui.multiplayer
    if room is None:
        raise ConfigError(f"{game.title} is a game for one player")
    if not chosen.tracks and not random:
        return [board for board in game.levels.boards() if room.max_players(board) >= size]
    boards = []
    for found in tasks.tasks_at(game, chosen.tracks):
        if isinstance(found, ShoverWorldError):
            raise found
        if isinstance(found, Task):
            boards.append(found.board)
    boards += [game.levels.random(game.presets[0].name, seed) for seed in range(chosen.seed, chosen.seed + random)]
    for board in boards:
        if room.max_players(board) < size:
            players = count(room.max_players(board), "player")
            raise ConfigError(f"--cars {size}: {board.path or board.name} has room for only {players}")
    return boards


def _run_all(
    game: Game, fixtures: Sequence[games.Fixture], settings: dict[str, Any], patience: float
) -> list[games.PlayerResult]:
    """Play every game, and show a progress bar."""
    shown = track(fixtures, "playing", console=Console(stderr=True), disable=not sys.stderr.isatty())
    return [result for fixture in shown for result in games.run(game, fixture, settings, patience)]
