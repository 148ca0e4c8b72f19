"""`shover maps`: list the packaged levels of a game."""

import argparse
import sys

from rich.console import Console
from rich.table import Table

from shoverworld.core.game import Game
from shoverworld.core.ui import Board
from shoverworld.games import game_named

from .shared import new_table


def run(chosen: argparse.Namespace) -> None:
    game = game_named(chosen.game)
    single = len(game.levels.collections()) == 1
    table = _levels(game) if single else _collections(game)
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def _collections(game: Game) -> Table:
    table = new_table((("name", False), (f"{game.level_word}s", True), ("about", False)))
    for known in game.levels.collections():
        table.add_row(known.name, str(len(game.levels.boards(known.name))), known.about or known.title)
    return table


def _levels(game: Game) -> Table:
    table = new_table(
        (("name", False), *game.reports.level_columns, ("title", False), (f"best {game.figures[0]}", False))
    )
    for board in game.levels.boards():
        table.add_row(board.name, *game.reports.level_cells(board), board.title, _best(game, board))
    return table


def _best(game: Game, board: Board) -> str:
    known = game.levels.best_known(game.levels.identity(board, board.preset))
    return f"{known.numbers[0]:g}{', proved' if known.proved else ''}" if known else ""
