"""Functions that several commands share, for game options, errors, progress bars and windows."""

import argparse
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from rich.progress import track
from rich.text import Text

from shoverworld.agents.load import file_of
from shoverworld.core.checks import whole, word
from shoverworld.core.errors import ConfigError, MissingExtra, SaveError, ShoverWorldError
from shoverworld.core.files import cause
from shoverworld.core.game import Game, Option
from shoverworld.core.rules_text import asked_rules
from shoverworld.core.ui import count
from shoverworld.games import all_games
from shoverworld.terminal.console import SafeConsole

from .streams import report

INTERRUPTED = 130  # the exit code after Ctrl-C, as shells report it
MOST_NAMED = 10  # the maximum number of existing files that an error lists
Item = TypeVar("Item")


def game_options(
    chosen: argparse.Namespace, game: Game, select: Callable[[Game], Iterable[Option]], skip: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the values of a game's options. Raise ConfigError if a given option belongs only to other games."""
    own = {option.dest for option in select(game)}
    for other in all_games().values():
        for option in select(other):
            given = option.flag not in skip and getattr(chosen, option.dest, None) is not None
            if given and option.dest not in own:
                raise ConfigError(f"{option.flag} is an option for {other.title}, not for {game.title}")
    for option in select(game):
        value = getattr(chosen, option.dest, None)
        if value is not None and option.choices:
            word(option.dest, value, option.choices)
    return {name: getattr(chosen, name, None) for name in own}


def check_objective(game: Game, objective: str | None) -> None:
    if objective is not None:
        word("objective", objective, game.objectives)


def asked(chosen: argparse.Namespace, game: Game) -> str:
    """Return the rules requested by the options `--rules` and `--set`, or "" if there are no such options."""
    return asked_rules(game, chosen.rules, chosen.set)


def make_folder(path: Path, option: str) -> None:
    """Create a folder for results before the work starts."""
    if path.is_file():
        raise SaveError(f"{option} {path}: this is a file; expected the name of a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise SaveError(f"{option} {path}: the folder cannot be created: {cause(reason)}") from None


def keep_existing(paths: Iterable[Path], force: bool) -> None:
    """Raise SaveError if a command would replace files that people may have changed, unless `force` is True."""
    there = [] if force else [str(path) for path in paths if path.is_file() or path.is_dir()]
    if there:
        more = f" and {len(there) - MOST_NAMED:,} more" if len(there) > MOST_NAMED else ""
        exist, them = ("already exists", "it") if len(there) == 1 else ("already exist", "them")
        names = ", ".join(there[:MOST_NAMED])
        raise SaveError(f"{names}{more} {exist}; choose another name, or replace {them} with --force")


def waiting(text: str) -> AbstractContextManager[Any]:
    """Show a spinner with this message if stderr is a terminal."""
    console = SafeConsole(stderr=True)
    return console.status(Text(text)) if console.is_terminal else nullcontext()


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterable[Item]:
    """Yield the items, and show a progress bar if stderr is a terminal. `total`: the number of items if it is unknown."""
    console = SafeConsole(stderr=True)
    return track(items, what, total=total, console=console, disable=not console.is_terminal)


def machines(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return the options `--ray` and `--ray-address` as keyword arguments for `arena.jobs.Work`."""
    return {"ray": chosen.ray, "ray_address": chosen.ray_address}


def journal(chosen: argparse.Namespace, agents: Iterable[str] = ()) -> dict[str, Any]:
    """Return the option `--journal` as keyword arguments for `arena.jobs.Work`. `agents`: their files must not change."""
    if chosen.journal is None:
        return {}
    make_folder(chosen.journal.absolute().parent, "--journal")
    files = [file for agent in agents if (file := file_of(agent)) is not None]
    return {"journal": chosen.journal, "depends_on": [file.read_bytes() for file in files]}


def processes(chosen: argparse.Namespace, most: int) -> int:
    """Return the number of processes for `--jobs`: at most one for each of `most` jobs."""
    return min(whole("jobs", 1 if chosen.jobs is None else chosen.jobs, 1, 1024), max(1, most))


def complain(error: object, chosen: argparse.Namespace) -> None:
    report(chosen.called, error)


def without_errors(found: Iterable[Item | ShoverWorldError], chosen: argparse.Namespace) -> list[Item]:
    """Report the errors in a list. Return the other items."""
    items: list[Item] = []
    for item in found:
        if isinstance(item, ShoverWorldError):
            complain(item, chosen)
        else:
            items.append(item)
    return items


def interrupted(done: int, total: int, noun: str, chosen: argparse.Namespace) -> int:
    """Report that Ctrl-C stopped the work, and return the exit code for this case."""
    complain(f"interrupted after {done:,} of {count(total, noun)}", chosen)
    return INTERRUPTED


def open_window(settings: Any, instead: str, **options: Any) -> Any:
    """Open a window and return `(window, app)`, where `window` is the module commands/window.py.

    If there is no screen or the window library is not installed, the error suggests an alternative (`instead`).
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
