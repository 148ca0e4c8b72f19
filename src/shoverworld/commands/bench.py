"""`shover bench`: measure how fast the engines are on this machine."""

import argparse

from rich.console import Console

from shoverworld import bench
from shoverworld.core.checks import number, whole
from shoverworld.games import game_named

from .shared import waiting


def run(chosen: argparse.Namespace) -> None:
    number("seconds", chosen.seconds, at_least=0.01)
    whole("games", chosen.games, 1, 10**7)
    whole("threads", chosen.threads, 1, 1024)
    if chosen.game is not None:
        game_named(chosen.game)
    console = Console(highlight=False, soft_wrap=True)
    with waiting("measuring …"):
        for figure in bench.figures(chosen.seconds, chosen.games, chosen.threads, chosen.game):
            value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.2f}"
            aim = f"   (aim: {figure.aim})" if figure.aim else ""
            console.print(f"[bold]{value:>12}[/bold] {figure.unit:<14} {figure.what}{aim}")
