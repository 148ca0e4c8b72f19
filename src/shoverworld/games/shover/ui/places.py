"""Boards to play on: the bundled maps, map files and random maps."""

import os
import re
from dataclasses import asdict
from functools import cache
from hashlib import blake2b
from pathlib import Path

from shoverworld.core.errors import MapError
from shoverworld.core.ui import Board, Collection

from ..config import PRESETS, Rules
from ..generate import random_map
from ..maps import Map, bundled, bundled_names, source_text

_RULES = re.compile(r"rules:\s*(\w+)")
LESSONS = Collection("lessons", "Lessons", "Sixteen maps in teaching order: each has one idea.")
ENDINGS = (".txt", ".map")  # of map files in a folder


@cache
def bundled_boards() -> tuple[Board, ...]:
    """The maps of the package, in teaching order."""
    return tuple(_board(name, bundled(name), source_text(name)) for name in bundled_names())


def boards(collection: str) -> list[Board]:
    """The bundled maps, the map of a file, or those of a folder in the order of their names."""
    if collection == LESSONS.name:
        return list(bundled_boards())
    folder = Path(collection)
    if not folder.is_dir():
        return [read(collection)]
    files = sorted(file for file in folder.iterdir() if file.suffix in ENDINGS and file.is_file())
    if not files:
        raise MapError(f"{collection} holds no maps: no file in it ends in {' or '.join(ENDINGS)}")
    return [read(str(file)) for file in files]


def read(path: str) -> Board:
    """A map file, or a bundled map by its name."""
    name = os.fspath(path)
    level = Map.read(name)
    if name in bundled_names() and not Path(name).exists():
        return next(board for board in bundled_boards() if board.name == name)
    return _board(Path(name).stem, level, source_text(name), name)


def _board(name: str, level: Map, text: str, path: str | None = None) -> Board:
    title, about, preset = comments(text, path or name)
    return Board(name, preset, level, title or name, about, path)


def comments(text: str, source: str) -> tuple[str, str, str]:
    """What a map says of itself: the first comment is its title, the others what it is about; and its preset. Lines that
    follow one another are one paragraph, an empty comment ends it."""
    title, said, preset = "", [""], "milestone1"
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("//") or line.startswith("//!"):
            continue
        words = line.removeprefix("//").strip()
        if found := _RULES.match(words):
            preset = found[1]
            if preset not in PRESETS:
                raise MapError.at(f"rules: {preset}; the presets are {', '.join(PRESETS)}", source, number)
        elif not title:
            title = words
        elif words:
            said[-1] = f"{said[-1]} {words}".strip()
        elif said[-1]:
            said.append("")
    return title, "\n".join(said).strip(), preset


def random_board(preset: str, seed: int) -> Board:
    """The map that an environment with this preset begins with on `reset(seed=seed)`."""
    level = random_map(seed, rules=preset)
    return Board(f"random-{seed}", preset, level, f"Random map {seed}", f"Made from the seed {seed}.", seed=seed)


def identity(level: Map, preset: str) -> str:
    """The same for the same cells and start under the same rules. What does not change a game is left out."""
    rules = asdict(Rules.preset(preset))
    for name in ("n_rows", "n_cols", "reward"):
        del rules[name]
    said = f"shover {level.rows} {level.cols} {level.agent} {sorted(rules.items())}".encode()
    return blake2b(said + level.grid.tobytes(), digest_size=8).hexdigest()
