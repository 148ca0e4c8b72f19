"""Lists every function that writes a user file, for tests that kill the writer or fill the disk.

`python -m tests.file_writers kill FOLDER` kills each writer many times and prints the content of its file afterwards.
`python -m tests.file_writers full FOLDER` makes each writer fail in a full folder and prints the content of its file.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from shoverworld import Map
from shoverworld.agents import tasks
from shoverworld.core.errors import SaveError
from shoverworld.core.files import write_safely
from shoverworld.core.replay import End, Move, Replay
from shoverworld.core.ui import Act, Board, Score
from shoverworld.games import game_named
from shoverworld.play import film, records, settings
from shoverworld.play.edit_session import EditSession
from shoverworld.play.session import Session
from shoverworld.race import Track
from shoverworld.sokoban import parse_levels, write_levels

KILLS = 12
SHOVER, SOKOBAN = game_named("shover"), game_named("sokoban")
LEVEL = parse_levels("; Level\n#######\n#@ $ .#\n#######\n")[0]


def shover_map(variant: int) -> Map:
    grid = np.zeros((256, 256), np.int8)
    grid[1 + variant] = 10
    return Map(grid)


def replay(variant: int) -> Replay:
    moves = tuple(Move((1, 2, 3), "0123456789abcdef", remark="right") for _ in range(1000 + variant))
    return Replay("shoverworld/ShoverWorld-v0", "0123456789abcdef", moves, End(None, {"steps": 1}), map="A.B")


def track(variant: int) -> Track:
    cells = np.zeros((300, 300), np.int8)
    cells[0, 0], cells[2 + variant, 2] = 1, 100
    return Track(cells)


def game_film(variant: int) -> film.Film:
    session = Session(SHOVER, Board("drawn", "milestone1", Map.parse("A.B.L\n.....")))
    session.do(Act((0, 2, 2 + variant)))
    return film.Film((200, 80)).add(SHOVER, session.states)


def save_edited(path: Path, variant: int) -> None:
    edit = EditSession.of(SHOVER, Board("drawn", "milestone1", shover_map(variant)))
    edit.save(str(path))
    edit.discard()


def save_solutions(path: Path, variant: int) -> None:
    task = tasks.task_of(SOKOBAN, Board("drawn", "sokoban", LEVEL), "sokoban")
    solved = [(task, SimpleNamespace(actions=[4, 4, 4][: 2 + variant]))]
    SOKOBAN.reports.write(path, solved * 20)


def save_record(path: Path, variant: int) -> None:
    os.environ["SHOVERWORLD_HOME"] = str(path.parent)
    found = records.Records()
    for number in range(20):
        session: Any = SimpleNamespace(identity=f"{variant} {number}", score=Score((9,), "9 steps" * 10), helpers=[])
        found.note(session)
        if found.problem:
            raise SaveError(found.problem)


def save_settings(path: Path, variant: int) -> None:
    os.environ["SHOVERWORLD_HOME"] = str(path.parent)
    if trouble := settings.Settings(player="Ann" * 500, seed=variant).save():
        raise SaveError(trouble)


Writer = Callable[[Path, int], Any]
WRITERS: dict[str, Writer] = {
    "plain.txt": lambda path, variant: write_safely(path, f"{variant}" * 100_000),
    "dock.txt": lambda path, variant: shover_map(variant).write(path),
    "numbers.txt": lambda path, variant: shover_map(variant).write(path, "A"),
    "game.replay": lambda path, variant: replay(variant).write(path),
    "levels.xsb": lambda path, variant: write_levels(path, [replace(LEVEL, title=f"{variant}")] * 500),
    "solutions.lurd": save_solutions,
    "solutions.xsb": save_solutions,
    "track.txt": lambda path, variant: track(variant).write(path),
    "track.png": lambda path, variant: track(variant).write(path),
    "film.gif": lambda path, variant: film.save_gif(game_film(variant), path),
    "still.png": lambda path, variant: film.save_png(list(game_film(variant).shots())[-1][1], path),
    "edited.txt": save_edited,
    "records.json": save_record,
    "settings.json": save_settings,
}


def content(path: Path, expected: list[bytes]) -> str:
    """Describe the content of a file: one of the expected contents, or something else."""
    data = path.read_bytes()
    return str(expected.index(data)) if data in expected else f"torn, {len(data)} bytes"


def temporary(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".part")]


def expected_contents(folder: Path, name: str, write: Writer) -> list[bytes]:
    found = []
    for variant in (0, 1):
        write(folder / name, variant)
        found.append((folder / name).read_bytes())
    return found


def kill_writers(folder: Path) -> None:
    """Kill every writer at random moments while it repeatedly rewrites its file."""
    rng = random.Random(13)
    for name, write in WRITERS.items():
        if name == "records.json":
            continue  # the content grows; see the test with two processes
        expected = expected_contents(folder, name, write)
        found: list[str] = []
        for _ in range(KILLS):
            child = os.fork()
            if child == 0:
                while True:
                    for variant in (0, 1):
                        write(folder / name, variant)
            time.sleep(rng.uniform(0.001, 0.03))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            found.append(content(folder / name, expected))
        print(name, *sorted(set(found) - {"0", "1"}), sep="; ")
    print("left behind", len(temporary(folder)))


def fail_to_write(folder: Path, limit: int) -> None:
    """Make every writer fail. `limit`: the largest possible file in bytes; 0 means that the disk itself is full."""
    old = b'{"results": {}}'
    for name in WRITERS:
        (folder / name).write_bytes(old)
    if limit:
        import resource  # only on POSIX systems

        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    else:
        with suppress(OSError), open(folder / "filling", "wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
    for name, write in WRITERS.items():
        try:
            write(folder / name, 1)
            print(name, "written")
        except SaveError as error:
            print(name, content(folder / name, [old]), str(error).partition(" cannot be written: ")[2], sep="; ")
    print("left behind", len(temporary(folder)))


if __name__ == "__main__":
    what, place, *rest = sys.argv[1:]
    kill_writers(Path(place)) if what == "kill" else fail_to_write(Path(place), *map(int, rest))
