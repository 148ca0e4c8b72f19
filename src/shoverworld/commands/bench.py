"""`shover bench`: measure how fast the engines are on this machine."""

import argparse
import json

from rich.table import Table
from rich.text import Text

from shoverworld import bench
from shoverworld.core.checks import number, whole
from shoverworld.core.errors import ConfigError
from shoverworld.core.files import write_safely
from shoverworld.core.measuring import Group, Result, measure
from shoverworld.games import game_named
from shoverworld.terminal.console import SafeConsole

from .shared import interrupted, waiting

ROUNDS, SLOW_ROUNDS = 5, 1
EXAMPLE = "shover: batch of 8192"
HEADINGS = ("median", "quartiles", "target", "line")
WIDE = 200  # the width, in characters, of output that does not go to a terminal


def run(chosen: argparse.Namespace) -> int:
    number("seconds", chosen.seconds, at_least=0.001)
    if chosen.rounds is not None:
        whole("rounds", chosen.rounds, 1, 1000)
    if chosen.game is not None:
        game_named(chosen.game)
    selected = [group.select(chosen.only, chosen.all) for group in bench.groups(chosen.game)]
    selected = [(group, shown) for group, shown in selected if shown]
    total = sum(len(shown) for _, shown in selected)
    if not total:
        raise ConfigError(f"--only {chosen.only!r} selects no lines; expected part of a name, such as {EXAMPLE!r}")
    results: list[Result] = []
    stopped = False
    console = SafeConsole()
    _print(console, HEADINGS, "dim")
    with waiting("measuring …") as status:
        try:
            for group, shown in selected:
                if status is not None:
                    status.update(Text(f"measuring, {len(results)} of {total} done: {group.figures[0].name} …"))
                for result in measure(group, chosen.seconds, chosen.rounds or _rounds(group)):
                    if result.name in shown and result.values:
                        _print(console, _cells(result))
                        results.append(result)
        except KeyboardInterrupt:
            stopped = True
    if chosen.json is not None:
        report = {"machine": bench.machine(), "seconds": chosen.seconds, "results": [one.to_json() for one in results]}
        write_safely(chosen.json, json.dumps(report, indent=1) + "\n")
    return interrupted(len(results), total, "line", chosen) if stopped else 0


def _rounds(group: Group) -> int:
    return SLOW_ROUNDS if any(figure.slow for figure in group.figures) else ROUNDS


def _cells(result: Result) -> tuple[str, ...]:
    """Return the table cells for a line. HEADINGS names them."""
    aim = ""
    if result.aim is not None:
        verdict = "reached" if result.reached else "missed"
        aim = f"{'≤' if result.aim.at_most else '≥'} {short(result.aim.bound)} {verdict}"
    low, high = result.quartiles
    return f"{short(result.median)} {result.unit}", f"{short(low)} to {short(high)}", aim, result.name


def _print(console: SafeConsole, cells: tuple[str, ...], style: str = "") -> None:
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_column(justify="right", min_width=15, no_wrap=True, style="bold")
    row.add_column(min_width=16, no_wrap=True)
    row.add_column(min_width=16, no_wrap=True)
    row.add_column(overflow="fold")
    row.add_row(*cells, style=style)
    console.print(row, width=console.columns or WIDE)


def short(value: float) -> str:
    """Return a number with three significant digits: 12.6 M, 328 k, 1.31."""
    unit, size = next(((unit, size) for unit, size in ((" M", 1e6), (" k", 1e3)) if value >= size), ("", 1.0))
    value /= size
    return f"{value:.3g}{unit}" if value < 100 else f"{value:.0f}{unit}"
