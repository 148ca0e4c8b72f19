"""The levels of Sokoban (packaged sets, files, folders and random rooms) and the environments for playing them."""

import os
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError, LevelError, LevelNotFound, ShoverWorldError
from shoverworld.core.rules_text import describe_rules, parse_rules
from shoverworld.core.sheet import new_sheet
from shoverworld.core.sheet_reader import SheetReader
from shoverworld.core.ui import Board, Collection, Score, count

from . import level_sets
from .config import MAX_STEPS, RULES, SokobanRules
from .env import SokobanEnv
from .formats import SUFFIXES, parse_levels, read_each_level, read_levels
from .levels import MOST_NUMBERED, Level
from .lurd_replay import check
from .phrases import SCORE, phrases
from .problems import NO_SUCH_LEVEL, PROBLEMS
from .record import level_of
from .rooms import generate_room
from .sentences import write_score
from .state import SokobanState

ONLY_SOKOBAN = (".xsb", ".sok")
OWN_LETTERS = set("$@*+")  # characters of a Sokoban board that no other game uses
BOARD_LETTERS = OWN_LETTERS | set("# .-_0123456789|()")  # including the characters of run-length encoding

suffixes = SUFFIXES
formats = (
    ("XSB", "characters: # wall, $ box, . target, @ player; numbers and player order on lines below"),
    ("Boxoban", "the same characters as XSB, without numbers or a second player"),
)

SCORE_NUMBERS = 2  # pushes and moves
SCORE_ROWS = 2  # a score and its text
VARIANT = ("players", "pull", "fixed_targets")  # the rules in a board's preset; limits and action codes are left out
GENEROUS = 10_000  # if `max_steps` is at least this number, the panel does not show the remaining steps


def rules_of(env: GridEnv) -> SokobanRules:
    return env.unwrapped.rules  # type: ignore[attr-defined]


def rules_for(board: Board, preset: str) -> SokobanRules:
    """Return the rules for a board. Raise ConfigError if the board has a different number of players."""
    rules = parse_rules(preset, RULES)
    players = len(board.level.players)
    if players != rules.players:
        others = ", ".join(name for name, each in RULES.items() if each.players == players)
        there, wanted = ("one player", "two") if players == 1 else ("two players", "one")
        raise ConfigError(f"{board.name} has {there}, but the {preset!r} rules are for {wanted}; try {others}")
    return rules


# --- Levels


ABOUT = {
    "tiny": "Small rooms to start with",
    "easy": "Rooms that are quick to solve",
    "medium": "Rooms that need a plan",
    "hard": "Rooms that need patience",
}


def collections() -> list[Collection]:
    """Return the packaged sets, easiest first."""
    return [Collection(name, name.replace("-", " ").capitalize(), _about(name)) for name in level_sets.names()]


@cache
def _about(name: str) -> str:
    levels = level_sets.packaged(name)
    pushes = [known.pushes for level in levels if (known := level_sets.best_known(level)) is not None]
    return f"{ABOUT.get(name, 'Rooms')}: {len(levels)} levels, {min(pushes)} to {max(pushes)} pushes."


@cache
def packaged_boards(name: str) -> tuple[Board, ...]:
    """Return the boards of a packaged set, without their comments, which only repeat what `best_known` returns."""
    boards = (_board(name, place, level) for place, level in enumerate(level_sets.packaged(name), 1))
    return tuple(replace(board, about="") for board in boards)


def boards(collection: str | None = None) -> list[Board]:
    """Return the boards of a packaged set or of a file."""
    collection = level_sets.names()[0] if collection is None else collection
    if collection in level_sets.names() and not Path(collection).is_file():
        return list(packaged_boards(collection))
    levels = read_levels(collection, players=None)
    return [_board_in_file(collection, level, len(levels)) for level in levels]


def read_each(path: str) -> list[Board | ShoverWorldError]:
    """Return the boards of a file in order, with an error in place of each board that cannot be read."""
    levels = read_each_level(path, players=None)
    return [level if isinstance(level, LevelError) else _board_in_file(path, level, len(levels)) for level in levels]


def _board_in_file(path: str, level: Level, levels: int) -> Board:
    return _board(Path(path).stem, level.number or 1, level, path if levels == 1 else None)


def _board(of: str, number: int, level: Level, path: str | None = None) -> Board:
    """Return the board for a level.

    A level in a set is named `set#12` and has no path, because an edited level cannot be saved to the file of the set.
    """
    name = of if path else f"{of}#{number}"
    title = level.title if level.title and not level.title.isdecimal() else f"Level {level.title or number}"
    about = [f"By {level.author}" if level.author else "", level.comment]
    return Board(name, level.rules or level.usual_rules, level, title, "\n".join(filter(None, about)), path)


def read(path: str) -> Board:
    """Return a board: the first level of a file (`FILE`), or level 12 of a file (`FILE#12`) or a set (`SET#12`)."""
    name, number = _parted(os.fspath(path))
    packaged = name in level_sets.names() and not Path(name).is_file()
    found = boards(name) if packaged else read_each(name)
    if not 1 <= (number or 1) <= len(found):
        raise LevelNotFound.at(PROBLEMS.sentence(NO_SUCH_LEVEL, number or 1, len(found)), name)
    board = found[(number or 1) - 1]
    if isinstance(board, ShoverWorldError):
        raise board
    return board


def boards_in(text: str, name: str) -> list[Board]:
    levels = parse_levels(text, name, players=None)
    found = [_board(name, number, level) for number, level in enumerate(levels, 1)]
    return [replace(found[0], name=name)] if len(found) == 1 else found


def _parted(path: str) -> tuple[str, int | None]:
    head, sign, number = path.rpartition("#")
    if sign and head and number.isdecimal() and not os.path.exists(path):
        return head, int(number)
    return path, None


def recognises(head: bytes, suffix: str) -> float:
    """Return the confidence, from 0 to 1, that this is a Sokoban file.

    The value is highest for .xsb and .sok files, and almost as high if a row consists of board characters and
    includes a character that only Sokoban uses.
    """
    if suffix in ONLY_SOKOBAN:
        return 1.0
    if suffix not in suffixes:
        return 0.0
    rows = head.decode("utf-8", "replace").splitlines()
    return 0.95 if any(set(row) <= BOARD_LETTERS and set(row) & OWN_LETTERS for row in rows) else 0.05


def random(preset: str, seed: int) -> Board:
    """Return the room in which an environment with these rules starts after `reset(seed=seed)`."""
    room = generate_room(seed, rules=parse_rules(preset, RULES))
    about = f"Generated from seed {seed}; the solution has {count(room.pushes, 'push')}."
    return Board(f"random-{seed}", preset, room.level, f"Room {seed}", about, seed=seed)


def environment(board: Board, preset: str) -> GridEnv:
    return SokobanEnv(levels=board.level, rules=rules_for(board, preset))


def options(board: Board) -> dict[str, Any]:
    return {"map": board.level}


def identity(board: Board, preset: str) -> str:
    """Return a hash that is the same for equal boards with equal rules. Data that does not affect a game is ignored."""
    level: Level = board.level
    rules = parse_rules(preset, RULES)
    key = f"sokoban {level.rows} {level.cols} {level.players} {rules.players} {rules.pull} {rules.fixed_targets} "
    if (rules.max_steps, rules.moves) != (MAX_STEPS, SokobanRules.moves):
        key += f"{rules.max_steps} {rules.moves} "
    targets, boxes = numbered(level, rules.fixed_targets)
    contents = b"".join(table.tobytes() for table in (level.walls, targets, boxes))
    return blake2b(key.encode() + contents, digest_size=8).hexdigest()


def numbered(level: Level, fixed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the targets and boxes of a level as a game stores them: numbered if targets are fixed, otherwise 0 or 1.

    A level without numbers is numbered in reading order (see store.py).
    """
    if fixed and level.fixed:
        return level.targets, level.boxes
    tables = (level.targets != 0).astype(np.uint8), (level.boxes != 0).astype(np.uint8)
    if fixed:
        for table in tables:
            table[table != 0] = np.minimum(np.arange(1, level.box_count + 1), MOST_NUMBERED)
    return tables


# --- Results


def score(env: GridEnv, state: SokobanState) -> Score | None:
    sheet = new_sheet(SCORE_ROWS)
    write_score(sheet, state)
    return SheetReader(sheet, phrases).score(SCORE_NUMBERS)


def score_of(pushes: int, moves: int, proved: bool = False) -> Score:
    """Return a score. Fewer pushes are better, and fewer moves break a tie. A pull counts as a push."""
    return Score((pushes, moves), phrases.text([(SCORE, pushes, moves)]), proved)


@cache
def _by_level() -> dict[Level, Board]:
    return {board.level: board for name in level_sets.names() for board in packaged_boards(name)}


@cache
def _best() -> dict[str, Score]:
    found = {}
    for level, board in _by_level().items():
        if (known := level_sets.best_known(level)) is not None:
            found[identity(board, board.preset)] = score_of(*known)
    return found


def best_known(identity: str) -> Score | None:
    return _best().get(identity)


def solution_score(board: Board, preset: str) -> Score | None:
    """Return the score of the solution in a level's file, or None if it is missing, wrong or for other rules."""
    level: Level = board.level
    rules = parse_rules(preset, RULES)
    if not level.solution or len(level.players) != 1 or rules.players != 1 or rules.fixed_targets != level.fixed:
        return None
    checked = check(level, level.solution)
    return score_of(checked.pushes, checked.moves) if checked.solved and checked.moves <= rules.max_steps else None


def board_of(env: GridEnv) -> Board:
    """Return the board for an environment that has just been reset.

    A packaged level keeps its name even if its boxes have been numbered.
    """
    preset, level = describe_rules(rules_of(env), RULES, VARIANT), level_of(env.get_state())
    known = _by_level().get(replace(level, targets=level.targets != 0, boxes=level.boxes != 0))
    return replace(known, preset=preset, level=level) if known else Board("replay", preset, level)
