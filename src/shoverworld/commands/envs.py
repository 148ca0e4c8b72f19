"""`shover envs`: the environment ids."""

import argparse
import sys
from typing import Any


def add(commands: Any) -> None:
    envs = commands.add_parser("envs", help="list the environment ids with their settings")
    envs.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.table import Table

    from shoverworld.games.shover.config import Rules
    from shoverworld.registry import ENTRIES

    table = Table(
        "id",
        "rules",
        "actor",
        "edge",
        "size",
        "steps",
        "stamina",
        "forces",
        "stationary",
        "pick",
        "order",
        "what it is",
    )
    for entry in ENTRIES:
        r = Rules.preset(entry.settings["rules"])
        table.add_row(
            entry.id, entry.settings["rules"], r.actor, r.edge, f"{r.n_rows}x{r.n_cols}", str(r.max_timestep),
            f"{r.initial_stamina:g}", f"{r.initial_force:g}/{r.unit_force:g}", r.stationary, r.pick, r.order, entry.about,
        )  # fmt: skip
    Console(width=None if sys.stdout.isatty() else 170).print(table)
