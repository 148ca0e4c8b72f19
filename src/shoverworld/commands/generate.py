"""`shover generate`: make random levels, in several processes if there are many levels.

Level number i (from 0) has the seed `seed + i`, so the number of processes does not change the result.
"""

import argparse
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from shoverworld.core.checks import seed_number, whole
from shoverworld.core.errors import ConfigError, SaveError
from shoverworld.core.game import Game
from shoverworld.core.rules_text import asked_rules
from shoverworld.games import all_games, game_named
from shoverworld.play.files import write_safely

from .pool import results
from .shared import game_options

SHARES = 8  # shares of the work per process: enough to show progress and for all processes to end together
LARGEST_SHARE = 200
WORTH_A_PROCESS = 8  # number of levels that makes another process worthwhile


def run(chosen: argparse.Namespace) -> None:
    game, count = _game_and_count(chosen.what)
    options = game_options(chosen, game, lambda one: one.generate_options)
    options["rules"] = asked_rules(game, options.get("rules"), chosen.set)
    whole("count", count, 1, 10**9)
    seed_number(chosen.seed)
    if game.generator is None:
        raise ConfigError(f"{game.title} has no random levels")
    game.generator.check(options)
    _check_out(game, chosen.out, options)
    cores = min(os.cpu_count() or 1, max(1, count // WORTH_A_PROCESS))
    jobs = min(whole("jobs", cores if chosen.jobs is None else chosen.jobs, 1, 1024), count)
    made = _made(game, options, range(chosen.seed, chosen.seed + count), jobs)
    if chosen.out is None:
        for _, contents in made:
            print(contents, flush=True)
    elif game.generator.one_file:
        write_safely(chosen.out, "\n".join(str(contents) for _, contents in made))
        print(f"{count} {game.level_word}s in {chosen.out}")
    else:
        for seed, contents in made:
            write_safely(chosen.out / f"{game.level_word}-{seed}.{game.generator.suffix(options)}", contents)
        print(f"{count} {game.level_word}s in {chosen.out}")


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


def _check_out(game: Game, out: Path | None, options: dict[str, Any]) -> None:
    if out is None:
        if game.generator is not None and game.generator.suffix(options) == "png":
            raise ConfigError("--format png: pictures are not printed; name a folder with --out")
    elif game.generator is not None and game.generator.one_file:
        if out.is_dir() or not out.absolute().parent.is_dir():
            why = "it is a folder" if out.is_dir() else f"there is no folder {out.absolute().parent}"
            raise SaveError(f"{out}: {why}; expected a file to write, for example levels.xsb")
    else:
        out.mkdir(parents=True, exist_ok=True)


def _made(game: Game, options: dict[str, Any], seeds: range, jobs: int) -> Iterator[tuple[int, str | bytes]]:
    """Yield the seed and the content of each level in the order of the seeds, and show a progress bar."""
    share = min(LARGEST_SHARE, max(1, len(seeds) // (SHARES * jobs)))
    work = [(game.name, options, seeds[first : first + share]) for first in range(0, len(seeds), share)]
    columns = TextColumn(f"making {game.level_word}s"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=len(seeds))
        with closing(results(_share, work, jobs)) as found:
            for (_, _, part), contents in zip(work, found, strict=True):
                progress.advance(bar, len(part))
                yield from zip(part, contents, strict=True)


def _share(work: tuple[str, dict[str, Any], range]) -> list[str | bytes]:
    """Make a share of the levels. With several processes, this function runs in a child process."""
    name, options, seeds = work
    generator = game_named(name).generator
    return generator.write(seeds, options) if generator is not None else []
