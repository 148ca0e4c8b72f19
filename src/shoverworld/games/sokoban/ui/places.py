"""Boards to play on: the packaged sets, files and folders of levels, and rooms that are made."""

import os
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import LevelNotFound
from shoverworld.core.ui import Board, Collection, Score

from .. import level_sets
from ..formats import read_levels
from ..levels import Level
from ..record import level_of
from ..rooms import generate_room
from .figures import score_of
from .presets import FIXED, PUSH_ONLY, RULES, TWO, preset_of, rules_of
from .scene import numbered

ABOUT = {
    "tiny": "Small rooms, to begin with",
    "easy": "Rooms that are soon solved",
    "medium": "Rooms that want a plan",
    "hard": "Rooms that want patience",
}


@cache
def collections() -> tuple[Collection, ...]:
    """The packaged sets, the easiest first."""
    return tuple(Collection(name, name.replace("-", " ").capitalize(), _about(name)) for name in level_sets.names())


def _about(name: str) -> str:
    levels = level_sets.packaged(name)
    pushes = [known.pushes for level in levels if (known := level_sets.best_known(level)) is not None]
    return f"{ABOUT.get(name, 'Rooms')}: {len(levels)} of them, {min(pushes)} to {max(pushes)} pushes."


@cache
def packaged_boards(name: str) -> tuple[Board, ...]:
    """What their comments say is told of every packaged board (`best_known`)."""
    boards = (_board(name, place, level) for place, level in enumerate(level_sets.packaged(name), 1))
    return tuple(replace(board, about="") for board in boards)


def boards(collection: str) -> list[Board]:
    """The boards of a packaged set, of a file, or of a folder and the folders in it."""
    if collection in level_sets.names() and not Path(collection).exists():
        return list(packaged_boards(collection))
    levels = read_levels(collection, players=None)
    single = collection if len(levels) == 1 and Path(collection).is_file() else None
    return [_board(_called(level, collection), level.number or 1, level, single) for level in levels]


def _called(level: Level, collection: str) -> str:
    """The name of its file; within a folder, with the folders it is in."""
    path = Path(level.source)
    path = path.relative_to(collection) if Path(collection).is_dir() else Path(path.name)
    return path.with_suffix("").as_posix()


def _board(of: str, number: int, level: Level, path: str | None = None) -> Board:
    """One of a set is called `set#12`, and has no file of its own that a drawing of it could be saved to."""
    preset = TWO if len(level.players) > 1 else FIXED if level.fixed else PUSH_ONLY
    name = of if path else f"{of}#{number}"
    title = level.title if level.title and not level.title.isdecimal() else f"Level {level.title or number}"
    said = [f"By {level.author}" if level.author else "", level.comment]
    return Board(name, preset, level, title, "\n".join(filter(None, said)), path)


def read(path: str) -> Board:
    """The first level of a file, or the one that `FILE#12` says; or one of a packaged set, `SET#12`."""
    name, number = _parted(os.fspath(path))
    found = boards(name)
    if number is None:
        return found[0]
    if not 1 <= number <= len(found):
        raise LevelNotFound.at(f"there is no level {number}; its levels are 1 to {len(found)}", name)
    return found[number - 1]


def _parted(path: str) -> tuple[str, int | None]:
    head, sign, number = path.rpartition("#")
    if sign and head and number.isdecimal() and not os.path.exists(path):
        return head, int(number)
    return path, None


def random_board(preset: str, seed: int) -> Board:
    """The room that an environment with these rules begins with on `reset(seed=seed)`."""
    room = generate_room(seed, rules=RULES[preset])
    about = f"Made from the seed {seed}, with a solution of {room.pushes} pushes."
    return Board(f"random-{seed}", preset, room.level, f"Room {seed}", about, seed=seed)


def identity(level: Level, preset: str) -> str:
    """The same for the same board under the same rules. What does not change a game is left out."""
    rules = RULES[preset]
    said = f"sokoban {level.rows} {level.cols} {level.players} {rules.players} {rules.pull} {rules.fixed_targets} "
    targets, boxes = numbered(level, rules.fixed_targets)
    contents = b"".join(table.tobytes() for table in (level.walls, targets, boxes))
    return blake2b(said.encode() + contents, digest_size=8).hexdigest()


# --- what is known of the packaged boards


@cache
def _by_level() -> dict[Level, Board]:
    return {board.level: board for name in level_sets.names() for board in packaged_boards(name)}


@cache
def _best() -> dict[str, Score]:
    found = {}
    for level, board in _by_level().items():
        if (known := level_sets.best_known(level)) is not None:
            found[identity(level, board.preset)] = score_of(*known)
    return found


def best_known(of: str) -> Score | None:
    return _best().get(of)


def recognise(env: GridEnv) -> Board:
    """The board of an environment that was just reset; one that came with the package has the name it has there, also
    when its boxes got numbers."""
    preset, level = preset_of(rules_of(env)), level_of(env.get_state())
    known = _by_level().get(replace(level, targets=level.targets != 0, boxes=level.boxes != 0))
    return replace(known, preset=preset, level=level) if known else Board("replay", preset, level)
