"""Sokoban rooms for `shover generate sokoban`, made by several processes at once.

Room number i has seed + i, so it does not matter who makes it. The file is written when all rooms are there.
"""

import argparse
import multiprocessing
import os
import re
import signal
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any

from shoverworld.core.checks import whole
from shoverworld.core.errors import ConfigError, SaveError

if TYPE_CHECKING:
    from shoverworld.games.sokoban.rooms import RoomNumbers

SHARES = 8  # of the work, for each process: the progress is seen, and nobody waits long for the last one
LARGEST_SHARE = 200


def make_rooms(chosen: argparse.Namespace, count: int) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from shoverworld.play.files import write_safely

    numbers = _numbers(chosen)
    jobs = min(whole("jobs", os.cpu_count() if chosen.jobs is None else chosen.jobs, 1, 1024), count)
    if chosen.out and (chosen.out.is_dir() or not chosen.out.absolute().parent.is_dir()):
        why = "it is a folder" if chosen.out.is_dir() else "there is no such folder"
        raise SaveError(f"{chosen.out}: {why}; expected a file to write, e.g. rooms.xsb")
    share = min(LARGEST_SHARE, max(1, count // (SHARES * jobs)))
    ends = range(chosen.seed, chosen.seed + count, share)
    work = [(numbers, range(first, min(first + share, chosen.seed + count))) for first in ends]
    columns = TextColumn("making rooms"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    texts = []
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=count)
        with closing(_made(work, jobs)) as made:
            for (_, seeds), text in zip(work, made, strict=True):
                progress.advance(bar, len(seeds))
                if chosen.out:
                    texts.append(text)
                else:
                    print(text, flush=True)
    if chosen.out:
        write_safely(chosen.out, "\n".join(texts))
        print(f"{count} rooms in {chosen.out}")


def _numbers(chosen: argparse.Namespace) -> "RoomNumbers":
    from shoverworld.games.sokoban.config import SokobanRules
    from shoverworld.games.sokoban.rooms import room_numbers

    keywords: dict[str, Any] = {
        "num_boxes": chosen.boxes,
        "players": chosen.players,
        "fixed_targets": chosen.fixed_targets,
    }
    if chosen.size is not None:
        found = re.fullmatch(r"\s*(\d{1,4})\s*[x×*,]\s*(\d{1,4})\s*", chosen.size, re.IGNORECASE)
        if not found:
            raise ConfigError(f"--size {chosen.size}: expected rows x columns, e.g. 10x10")
        keywords["dim_room"] = int(found[1]), int(found[2])
    rules = SokobanRules().change(**{name: value for name, value in keywords.items() if value is not None})
    return room_numbers(rules, chosen.min_score or 0, chosen.min_pushes or 0)


def _made(work: list, jobs: int) -> Generator[str, None, None]:
    """The text of each share, in order."""
    if jobs == 1:
        yield from map(_share, work)
        return
    pool = None
    try:
        with _control_c_held_back():
            # Fresh processes: a copy of this one could hang on a lock of a thread that it does not have.
            pool = multiprocessing.get_context("spawn").Pool(jobs, _leave_control_c)
        yield from pool.imap(_share, work)
    finally:
        if pool is not None:
            pool.terminate()


@contextmanager
def _control_c_held_back() -> Iterator[None]:
    """Ctrl-C is for this process, which stops the others. It hears it when all of them have begun; they never do."""
    heard = []
    handler = signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    blocked = None
    if hasattr(signal, "pthread_sigmask"):  # processes begin with the mask of the one that begins them
        resource_tracker.ensure_running()  # its start would take the mask off again
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        signal.signal(signal.SIGINT, handler)
    if heard:
        raise KeyboardInterrupt


def _leave_control_c() -> None:
    """The same where there are no masks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _share(work: tuple["RoomNumbers", Iterable[int]]) -> str:
    from shoverworld.games.sokoban.formats import levels_text
    from shoverworld.games.sokoban.rooms import RoomGenerator

    numbers, seeds = work
    generator = RoomGenerator(numbers)
    return levels_text([generator.generate(seed).level for seed in seeds])
