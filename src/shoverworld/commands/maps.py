"""`shover maps`: list the packaged levels for a game, or the levels in files and folders."""

import argparse
from collections.abc import Sequence
from functools import partial

from shoverworld.agents.tasks import tasks_at
from shoverworld.core.game import Game
from shoverworld.core.reports import Column
from shoverworld.core.ui import Board
from shoverworld.games import all_games, game_named
from shoverworld.terminal.console import SafeConsole

from .files import game_at
from .shared import complain, without_errors
from .tables import print_table


def run(chosen: argparse.Namespace) -> int:
    console = SafeConsole()
    if chosen.maps:
        game = game_at(chosen.maps, chosen.game, partial(complain, chosen=chosen))
        found = list(tasks_at(game, chosen.maps))
        tasks = without_errors(found, chosen)
        if tasks:
            _print_levels(console, game, [(task.name, task.board) for task in tasks])
        return 2 if len(tasks) < len(found) else 0
    game = game_named(chosen.game or next(iter(all_games())))
    if len(game.levels.collections()) == 1:
        _print_levels(console, game, [(board.name, board) for board in game.levels.boards()])
    else:
        _print_collections(console, game)
    return 0


def _print_collections(console: SafeConsole, game: Game) -> None:
    columns = Column("name"), Column(f"{game.level_word}s", True), Column("about", wraps=True)
    known = game.levels.collections()
    rows = [(one.name, str(len(game.levels.boards(one.name))), one.about or one.title) for one in known]
    print_table(console, columns, rows)


def _print_levels(console: SafeConsole, game: Game, boards: Sequence[tuple[str, Board]]) -> None:
    reports, best = game.reports, Column(f"best {game.figures[0]}")
    columns = Column("name"), *reports.level_columns, Column("title", wraps=True), best
    rows = [(name, *reports.level_cells(board), board.title, _best(game, board)) for name, board in boards]
    print_table(console, columns, rows)


def _best(game: Game, board: Board) -> str:
    known = game.levels.best_known(game.levels.identity(board, board.preset))
    return f"{known.numbers[0]:g}{', proved' if known.proved else ''}" if known else ""
