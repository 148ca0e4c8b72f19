"""`shover envs`: the environment ids."""

import argparse
import sys
from typing import Any

WIDE = 170  # columns in which all tables have room; where the output is no terminal, it has so many
SPARE = 20  # columns that the last one can do without


def add(commands: Any) -> None:
    envs = commands.add_parser("envs", help="list the environment ids with their settings")
    envs.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else WIDE)
    for title, table in (("Shover-World", _shover()), ("Sokoban", _sokoban()), ("Grid race", _race())):
        console.print(f"[bold]{title}[/bold]")
        wanted = console.measure(table, options=console.options.update(max_width=2 * WIDE)).maximum
        if console.width >= min(wanted, WIDE) - SPARE:
            console.print(table)
        else:
            _print_list(table, console)
    console.print(
        "make one with gymnasium.make(ID), many with gymnasium.make_vec(ID, num_envs=N); see docs/env.md, docs/sokoban.md, "
        "docs/race.md"
    )


def _print_list(table: Any, console: Any) -> None:
    """The rows of a table that a narrow terminal would tear apart: the id, and below it what it is."""
    from rich.padding import Padding

    columns = [(str(column.header), list(column.cells)) for column in table.columns]
    ids, about = columns[0][1], columns[-1][1]
    for place, name in enumerate(ids):
        figures = ", ".join(f"{label} {cells[place]}" for label, cells in columns[1:-1])
        console.print(name, style="bold", highlight=False, soft_wrap=True)
        console.print(Padding(f"{about[place]}; {figures}", (0, 0, 0, 4)), highlight=False)


def _entries(game: str) -> list[Any]:
    from shoverworld.registry import ENTRIES

    return [entry for entry in ENTRIES if entry.game == game]


def _shover() -> Any:
    from rich.table import Column, Table

    from shoverworld.games.shover.config import Rules

    table = Table(Column("id", no_wrap=True), "rules", "actor", "edge", "size", "steps", "stamina", "forces", "stationary", "pick", "order", "what it is")  # fmt: skip
    for entry in _entries("shover"):
        r = Rules.preset(entry.settings["rules"])
        table.add_row(
            entry.id, entry.settings["rules"], r.actor, r.edge, f"{r.n_rows}x{r.n_cols}", str(r.max_timestep),
            f"{r.initial_stamina:g}", f"{r.initial_force:g}/{r.unit_force:g}", r.stationary, r.pick, r.order, entry.about,
        )  # fmt: skip
    return table


def _sokoban() -> Any:
    """One family after the other, a line between them."""
    from rich.table import Column, Table

    from shoverworld.games.sokoban.presets import PRESETS, preset_rules

    table = Table(Column("id", no_wrap=True), "size", "boxes", "steps", "actions", "players", "levels", "what it is")
    family = ""
    for entry in _entries("sokoban"):
        rules, previous, family = preset_rules(entry.name), family, entry.name.partition("-")[0]
        if previous and previous != family:
            table.add_section()
        table.add_row(
            entry.id, f"{rules.dim_room[0]}x{rules.dim_room[1]}", str(rules.num_boxes), str(rules.max_steps),
            str(rules.action_count), str(rules.players), PRESETS[entry.name].levels or "drawn", entry.about,
        )  # fmt: skip
    return table


def _race() -> Any:
    from rich.table import Column, Table

    from shoverworld.games.race.config import RaceRules
    from shoverworld.games.race.setup import DEFAULT_TRACK

    table = Table(Column("id", no_wrap=True), "track", "cars", "line", "finish", "penalty", "rounds", "what it is")
    for entry in _entries("race"):
        r = RaceRules().change(**entry.settings)
        table.add_row(
            entry.id, DEFAULT_TRACK, str(r.cars), r.line, r.finish, str(r.penalty), str(r.max_rounds), entry.about
        )
    return table
