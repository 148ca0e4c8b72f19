"""Test runs with random events, one run for each seed. The seed determines the game, the view and all events."""

import gc
import math
import os
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from shoverworld.games import all_games

from .files import PIPE, damage_files, draw_levels, write_files
from .terminal import RandomTerminal
from .watch import Watch, memory
from .window import RandomWindow

VIEWS = {"window": RandomWindow, "terminal": RandomTerminal}
RUN = 10.0  # processor time for one seed, in seconds


class Result(NamedTuple):
    """What one run did: its events and findings, its processor time, and the memory and threads after it."""

    watch: Watch
    seconds: float
    memory: float
    threads: int


def run_seeds(seconds: float, first: int = 0, only: str = "") -> Iterator[Result]:
    """Run one seed after the other until the processor time is used up."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder) / "files")
        until = time.process_time() + seconds  # compilation, which comes before, does not count
        for seed in count(first):
            left = until - time.process_time()
            if left <= 0:
                return
            if only in name_of(seed):
                yield run_seed(seed, Path(folder), seconds=min(left, RUN))


def name_of(seed: int) -> str:
    """Return the game and the view for this seed, such as "race window"."""
    games = list(all_games())
    return f"{games[seed % len(games)]} {list(VIEWS)[seed // len(games) % len(VIEWS)]}"


def run_seed(seed: int, folder: Path, seconds: float = math.inf, events: float = math.inf) -> Result:
    """Send random events until this processor time or this number of events is reached. `folder` contains the files
    from `write_files`."""
    rng, watch = random.Random(seed), Watch(seed, name_of(seed))
    game, view = watch.name.split()
    start = time.process_time()

    def stop() -> bool:
        return watch.events >= events or time.process_time() - start >= seconds

    with _own_folder(folder) as place:
        damage_files(place / "files", rng)
        draw_levels(place / "files", rng)
        with watch.watching():
            VIEWS[view](all_games()[game], rng, place, watch, stop).run()
        watch.check_files(place, place / "tmp")
    gc.unfreeze()
    gc.collect()
    return Result(watch, time.process_time() - start, memory(), threading.active_count())


@contextmanager
def _own_folder(folder: Path) -> Iterator[Path]:
    """Provide a folder with a copy of the files, as the current folder: the editor suggests saving there. Temporary
    files go to its folder `tmp`."""
    place, before, temporary = Path(tempfile.mkdtemp(dir=folder)), Path.cwd(), tempfile.tempdir
    shutil.copytree(folder / "files", place / "files", symlinks=True, ignore=shutil.ignore_patterns(PIPE))
    os.mkfifo(place / "files" / PIPE)
    (place / "tmp").mkdir()
    os.chdir(place)
    tempfile.tempdir = str(place / "tmp")
    try:
        yield place
    finally:
        os.chdir(before)
        tempfile.tempdir = temporary
        shutil.rmtree(place)
