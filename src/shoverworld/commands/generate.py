"""`shover generate`: make random levels, in several processes if there are many levels.

Level number i (from 0) has the seed `seed + i`, so the number of processes does not change the result.
"""

import argparse
import os
import re
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from shoverworld.arena.jobs import Work, in_order, uninterrupted
from shoverworld.core.checks import seed_number, whole
from shoverworld.core.errors import ConfigError, SaveError
from shoverworld.core.files import write_safely
from shoverworld.core.game import Game
from shoverworld.core.rules_text import asked_rules
from shoverworld.core.ui import count
from shoverworld.games import all_games, game_named
from shoverworld.terminal.console import SafeConsole

from .shared import game_options, interrupted, journal, keep_existing, machines, make_folder

SHARES = 8  # shares of the work per process: enough to show progress and to keep all processes busy to the end
LARGEST_SHARE = 200
WORTH_A_PROCESS = 8  # minimum number of levels per additional process


def run(chosen: argparse.Namespace) -> int:
    game, number = _game_and_count(chosen.what)
    options = game_options(chosen, game, lambda one: one.generate_options)
    _check_set(chosen.set, game)
    options["rules"] = asked_rules(game, options.get("rules"), chosen.set)
    whole("count", number, 1, 10**9)
    seed_number(chosen.seed)
    if game.generator is None:
        raise ConfigError(f"{game.title} has no level generator")
    game.generator.check(options)
    seeds = range(chosen.seed, chosen.seed + number)
    out: Path | None = chosen.out
    new_folder = out if out is not None and not game.generator.one_file and not out.exists() else None
    _check_out(game, chosen, options, seeds)
    cores = min(os.cpu_count() or 1, max(1, number // WORTH_A_PROCESS))
    jobs = min(whole("jobs", cores if chosen.jobs is None else chosen.jobs, 1, 1024), number)
    try:
        done = _write(game, options, chosen.out, _made(game, options, seeds, jobs, chosen))
    finally:
        if new_folder is not None:
            with suppress(OSError):  # the folder contains levels
                new_folder.rmdir()
    if done and chosen.out is not None:
        SafeConsole().print(f"Saved {count(done, game.level_word)} to {chosen.out}", soft_wrap=True)
    return interrupted(done, number, game.level_word, chosen) if done < number else 0


def _check_set(settings: list[str], game: Game) -> None:
    """Raise ConfigError if `--set` names a property of the level that has its own option, such as n_rows."""
    for setting in settings:
        name = setting.partition("=")[0].strip()
        for option in game.generate_options:
            if re.fullmatch(rf"(n|number_of)_{option.dest}", name):
                raise ConfigError(f"--set {setting}: use {option.flag} instead")


def _write(game: Game, options: dict[str, Any], out: Path | None, made: Iterator[tuple[int, str | bytes]]) -> int:
    """Print the levels or write them to files. Return their number. Ctrl-C stops the work; finished levels are kept."""
    assert game.generator is not None
    done = 0
    whole_file: list[str] = []
    try:
        for seed, contents in made:
            with uninterrupted():  # ensures that `done` counts every level that was written
                if out is None:
                    print(contents, flush=True)
                elif game.generator.one_file:
                    whole_file.append(str(contents))
                else:
                    write_safely(out / _name(game, options, seed), contents)
                done += 1
    except KeyboardInterrupt:
        pass
    if out is not None and whole_file:
        write_safely(out, "\n".join(whole_file))
    return done


def _game_and_count(what: list[str]) -> tuple[Game, int]:
    """Return the game and the number of levels in arguments such as `sokoban 500`, `500` or `sokoban`."""
    words = list(what)
    game = next(iter(all_games().values()))
    if words and not words[0].lstrip("-").isdecimal():
        game = game_named(words.pop(0))
    try:
        (number,) = words or ["1"]
        return game, int(number)
    except ValueError:
        raise ConfigError(f"{' '.join(words)}: expected the number of levels, an integer") from None


def _name(game: Game, options: dict[str, Any], seed: int) -> str:
    """Return the name of the file for a level, in a game with one level per file."""
    assert game.generator is not None
    return f"{game.level_word}-{seed}.{game.generator.suffix(options)}"


def _check_out(game: Game, chosen: argparse.Namespace, options: dict[str, Any], seeds: range) -> None:
    """Raise an error if the levels cannot be written to `--out`, or if they would replace other files."""
    assert game.generator is not None
    out: Path | None = chosen.out
    if out is None:
        if game.generator.suffix(options) == "png":
            raise ConfigError("--format png: pictures cannot be printed; specify a folder with --out")
    elif game.generator.one_file:
        if out.is_dir() or not out.absolute().parent.is_dir():
            why = "this is a folder" if out.is_dir() else f"the folder {out.absolute().parent} does not exist"
            raise SaveError(f"{out}: {why}; expected a file name, for example levels.xsb")
        keep_existing([out], chosen.force)
    else:
        make_folder(out, "--out")
        there = set(os.listdir(out))  # looking up many names in a list is faster than checking every file
        names = (_name(game, options, seed) for seed in (seeds if there else ()))
        keep_existing((out / name for name in names if name in there), chosen.force)


def _made(
    game: Game, options: dict[str, Any], seeds: range, jobs: int, chosen: argparse.Namespace
) -> Iterator[tuple[int, str | bytes]]:
    """Yield the seed and the content of each level in the order of the seeds, and show a progress bar."""
    share = min(LARGEST_SHARE, max(1, len(seeds) // (SHARES * jobs)))
    work = [(game.name, options, seeds[first : first + share]) for first in range(0, len(seeds), share)]
    columns = TextColumn(f"generating {game.level_word}s"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    console = SafeConsole(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=len(seeds))
        shares = Work(_share, work, jobs=jobs, **machines(chosen), **journal(chosen))
        with closing(in_order(shares)) as found:
            for (_, _, part), contents in zip(work, found, strict=True):
                progress.advance(bar, len(part))
                yield from zip(part, contents, strict=True)


def _share(shared: None, work: tuple[str, dict[str, Any], range]) -> list[str | bytes]:
    """Make a share of the levels. With several processes, this function runs in a child process."""
    name, options, seeds = work
    generator = game_named(name).generator
    return generator.write(seeds, options) if generator is not None else []
