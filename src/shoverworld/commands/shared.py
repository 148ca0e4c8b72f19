"""Functions that several commands share, for game options, tables, spinners and windows."""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from shoverworld.core.checks import word
from shoverworld.core.errors import ConfigError, MissingExtra, SaveError, ShoverWorldError
from shoverworld.core.game import Game, Option
from shoverworld.core.rules_text import asked_rules
from shoverworld.games import all_games


def game_options(
    chosen: argparse.Namespace, game: Game, select: Callable[[Game], Iterable[Option]], skip: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the values of a game's options. Raise ConfigError if a given option belongs only to other games."""
    own = {option.dest for option in select(game)}
    for other in all_games().values():
        for option in select(other):
            given = option.flag not in skip and getattr(chosen, option.dest, None) is not None
            if given and option.dest not in own:
                raise ConfigError(f"{option.flag} is an option of {other.title}, not of {game.title}")
    for option in select(game):
        value = getattr(chosen, option.dest, None)
        if value is not None and option.choices:
            word(option.dest, value, option.choices)
    return {name: getattr(chosen, name, None) for name in own}


def check_objective(game: Game, objective: str | None) -> None:
    if objective is not None:
        word("objective", objective, game.objectives)


def asked(chosen: argparse.Namespace, game: Game) -> str:
    """Return the rules that the options `--rules` and `--set` ask for, or "" if there are no such options."""
    return asked_rules(game, chosen.rules, chosen.set)


def make_folder(path: Path, option: str) -> None:
    """Create a folder for results before the work starts."""
    if path.is_file():
        raise SaveError(f"{option} {path}: this is a file; expected the name of a folder")
    path.mkdir(parents=True, exist_ok=True)


def new_table(columns: Iterable[tuple[str, bool]], keep: str = "") -> Table:
    """Return a table without borders.

    `columns`: for each column, the heading and whether its cells are right-aligned. `keep`: the heading of the column
    whose text is never wrapped.
    """
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading, right in columns:
        table.add_column(heading, justify="right" if right else "left", no_wrap=heading == keep)
    return table


def waiting(text: str) -> AbstractContextManager[Any]:
    """Show a spinner with this text on the terminal, or nothing if stderr is not a terminal."""
    return Console(stderr=True).status(text) if sys.stderr.isatty() else nullcontext()


def complain(error: Exception, chosen: argparse.Namespace) -> None:
    print(f"{chosen.called}: {error}", file=sys.stderr)


def open_window(settings: Any, instead: str, **options: Any) -> Any:
    """Open a window and return `(window, app)`, where `window` is the module commands/window.py.

    If there is no screen or the window library is not installed, the error names an alternative (`instead`).
    """
    try:
        window = import_module(".window", __package__)  # imports pygame, which is optional
        return window, window.App(settings, **options)
    except MissingExtra as reason:
        raise MissingExtra(f"{reason}; or {instead}") from None
    except ShoverWorldError as reason:
        raise ShoverWorldError(f"{str(reason).partition(';')[0]}; {instead}") from None


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given, that is, those whose value is not None."""
    return {name: value for name, value in options.items() if value is not None}
