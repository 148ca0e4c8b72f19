"""`shover envs`: list the environment ids of all games."""

import argparse

from rich.console import Console
from rich.padding import Padding
from rich.table import Column, Table

from shoverworld.core.game import Game
from shoverworld.games import all_games
from shoverworld.terminal.console import SafeConsole

WIDE = 170  # the width, in characters, of output that does not go to a terminal; wide enough for all tables
SPARE = 20  # number of characters by which the last column may be narrowed


def run(chosen: argparse.Namespace) -> None:
    console = SafeConsole()
    console.width = console.columns or WIDE
    for game in all_games().values():
        console.print(game.title, style="bold")
        table = _table(game)
        wanted = console.measure(table, options=console.options.update(max_width=2 * WIDE)).maximum
        if console.width >= min(wanted, WIDE) - SPARE:
            console.print(table)
        else:
            _print_list(table, console)
    pages = ", ".join(f"docs/{game.docs[0]}" for game in all_games().values() if game.docs)
    console.print(
        f"create one environment with gymnasium.make(ID), or a batch with gymnasium.make_vec(ID, num_envs=N); see {pages}",
        highlight=False,
    )
    rules = ", ".join(f"{game.title}: {game.rules_page}" for game in all_games().values() if game.rules_page)
    console.print(
        f"the rules that can be changed with keyword arguments or --set NAME=VALUE are listed in the docs ({rules})",
        highlight=False,
    )


def _table(game: Game) -> Table:
    """Return a table of a game's ids, with a line between families of ids."""
    table = Table(Column("id", no_wrap=True), *game.reports.id_columns, "about")
    family = None
    for id in game.ids:
        before, family = family, id.name.partition("-")[0]
        if before not in (None, family) and len(game.ids) > 9:
            table.add_section()
        table.add_row(game.env_id(id), *game.reports.id_cells(id), id.about)
    return table


def _print_list(table: Table, console: Console) -> None:
    """Print the table as a list, because it is too wide for the terminal."""
    columns = [(str(column.header), list(column.cells)) for column in table.columns]
    ids, about = columns[0][1], columns[-1][1]
    for place, name in enumerate(ids):
        figures = ", ".join(f"{label} {cells[place]}" for label, cells in columns[1:-1])
        console.print(name, style="bold", highlight=False, soft_wrap=True)
        console.print(Padding(f"{about[place]}; {figures}", (0, 0, 0, 4)), highlight=False)
