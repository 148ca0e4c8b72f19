"""`shover maps`: the maps and levels that come with the package."""

import argparse
import sys
from typing import Any


def add(commands: Any) -> None:
    maps = commands.add_parser(
        "maps",
        help="list the bundled maps, or the collections of another game",
        description="In teaching order. Every command that takes a map takes these names. `best steps` are "
        "those of the shortest plan known; proved: there is no shorter one. With --game sokoban: its collections; "
        "`shover play easy`, `shover play easy#7` play them. With --game race: its tracks, with the fewest moves from the "
        "best start.",
    )
    maps.add_argument("--game", default="shover", help="which game (default: %(default)s)")
    maps.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from shoverworld.games import game_named
    from shoverworld.games.shover.state import BARRIER, EMPTY

    game = game_named(chosen.game)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    if game.name == "race":
        _fill_in_tracks(table, game)
        Console(width=None if sys.stdout.isatty() else 120).print(table)
        return
    if game.name != "shover":
        for heading in ("name", "levels", "about"):
            table.add_column(heading, justify="right" if heading == "levels" else "left")
        for known in game.levels.collections():
            table.add_row(known.name, str(len(game.levels.boards(known.name))), known.about or known.title)
        Console(width=None if sys.stdout.isatty() else 120).print(table)
        return
    for heading in ("name", "size", "boxes", "rules", "title", "best steps"):
        table.add_column(heading, justify="right" if heading in ("size", "boxes") else "left")
    for board in game.levels.boards():
        grid = board.level.grid
        boxes = int(((grid > EMPTY) & (grid < BARRIER)).sum())
        known = game.levels.best_known(game.levels.identity(board, board.preset))
        best = f"{known.numbers[0]:g}{', proved' if known.proved else ''}" if known else ""
        table.add_row(board.name, f"{board.level.rows}x{board.level.cols}", str(boxes), board.preset, board.title, best)
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def _fill_in_tracks(table: Any, game: Any) -> None:
    for heading in ("name", "size", "starts", "title", "fewest moves"):
        table.add_column(heading, justify="right" if heading in ("size", "starts") else "left")
    for board in game.levels.boards(game.levels.collections()[0].name):
        track = board.level.track
        known = game.levels.best_known(game.levels.identity(board, board.preset))
        best = f"{known.numbers[0]:g}{', proved' if known.proved else ''}" if known else ""
        table.add_row(board.name, f"{track.rows}x{track.cols}", str(len(track.starts)), track.title, best)
