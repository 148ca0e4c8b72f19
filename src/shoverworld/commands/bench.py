"""`shover bench`: measure how fast the engines are on this machine."""

import argparse

from rich.table import Table

from shoverworld import bench
from shoverworld.core.checks import number, whole
from shoverworld.games import game_named
from shoverworld.terminal.console import SafeConsole

from .shared import waiting

WIDE = 200  # the width, in characters, of output that does not go to a terminal


def run(chosen: argparse.Namespace) -> None:
    number("seconds", chosen.seconds, at_least=0.01)
    whole("games", chosen.games, 1, 10**7)
    whole("threads", chosen.threads, 1, 1024)
    if chosen.game is not None:
        game_named(chosen.game)
    console = SafeConsole()
    with waiting("measuring …"):
        for figure in bench.figures(chosen.seconds, chosen.games, chosen.threads, chosen.game):
            value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.2f}"
            aim = f"   (aim: {figure.aim})" if figure.aim else ""
            row = Table.grid(padding=(0, 1, 0, 0))
            row.add_column(justify="right", min_width=12, no_wrap=True, style="bold")
            row.add_column(min_width=14, no_wrap=True)
            row.add_column(overflow="fold")
            row.add_row(value, figure.unit, f"{figure.what}{aim}")
            console.print(row, width=console.columns or WIDE)
