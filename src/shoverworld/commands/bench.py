"""`shover bench`: how fast it is here."""

import argparse
import sys
from typing import Any


def add(commands: Any) -> None:
    bench = commands.add_parser("bench", help="measure how fast it is here")
    bench.add_argument("--seconds", type=float, default=2.0, help="for each figure (default: %(default)s)")
    bench.add_argument("--games", type=int, default=8192, help="in a batch (default: %(default)s)")
    bench.add_argument("--threads", type=int, default=2, help="for the threaded figure (default: %(default)s)")
    bench.add_argument("--game", help="only this one: shover, sokoban or race (default: all)")
    bench.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    from rich.console import Console

    from shoverworld import bench
    from shoverworld.core.checks import number, whole, word

    number("seconds", chosen.seconds, at_least=0.01)
    whole("games", chosen.games, 1, 10**7)
    whole("threads", chosen.threads, 1, 1024)
    if chosen.game is not None:
        word("game", chosen.game, bench.GAMES)
    console = Console(highlight=False, soft_wrap=True)
    status = Console(stderr=True).status("measuring …") if sys.stderr.isatty() else None
    if status:
        status.start()
    for figure in bench.figures(chosen.seconds, chosen.games, chosen.threads, chosen.game):
        value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.2f}"
        aim = f"   (aim: {figure.aim})" if figure.aim else ""
        console.print(f"[bold]{value:>12}[/bold] {figure.unit:<14} {figure.what}{aim}")
    if status:
        status.stop()
