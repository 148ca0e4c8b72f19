"""The maps of Shover-World (packaged, in files and folders, or random) and the environments for playing them."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from shoverworld.core.checks import word
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.hashing import game_numbers
from shoverworld.core.rules_text import describe_rules, parse_rules
from shoverworld.core.sheet_ui import written
from shoverworld.core.ui import Board, Collection, Score

from .config import PRESETS, USUAL, Rules
from .env import ShoverWorldEnv
from .generate import random_map
from .map_sets import PACKAGED_SET, SUFFIXES
from .maps import Map, bundled, bundled_names
from .phrases import PHRASES, SCORE_NUMBERS, write_score
from .state import OUTCOMES, State

LESSONS = Collection(PACKAGED_SET, "Lessons", "Sixteen maps in teaching order; each teaches one idea.")
BEST_FILE = Path(__file__).parent / "best.json"  # written by benchmarks/best.py
SYMBOLS = set(".BAL#")

suffixes = SUFFIXES
formats = (
    ("B", "symbols, one per cell: . B # L A"),
    ("A", "numbers: 0 empty, 1-10 box, 100 barrier, -100 lava"),
)


def rules_of(env: GridEnv) -> Rules:
    return env.unwrapped.rules  # type: ignore[attr-defined]


# --- Maps


def collections() -> list[Collection]:
    return [LESSONS]


@cache
def packaged_boards() -> tuple[Board, ...]:
    """Return the packaged maps in teaching order."""
    return tuple(_board(name, bundled(name)) for name in bundled_names())


def boards(collection: str | None = None) -> list[Board]:
    """Return the packaged maps, or the map in a file."""
    if collection is None or (collection == LESSONS.name and not Path(collection).is_file()):
        return list(packaged_boards())
    return [read(collection)]


def read(path: str) -> Board:
    """Read a map file, or return the packaged map with this name."""
    name = os.fspath(path)
    level = Map.read(name)
    if name in bundled_names() and not Path(name).exists():
        return next(board for board in packaged_boards() if board.name == name)
    return _board(Path(name).stem, level, name)


def read_each(path: str) -> list[Board | ShoverWorldError]:
    """Return the board in a file. A file contains only one board."""
    return [read(path)]


def boards_in(text: str, name: str) -> list[Board]:
    return [_board(name, Map.parse(text, name))]


def _board(name: str, level: Map, path: str | None = None) -> Board:
    return Board(name, level.rules or _default_rules, level, level.title or name, level.about, path)


_default_rules: str = USUAL  # the preset for maps that specify no rules


@contextmanager
def reading(options: Mapping[str, Any]) -> Iterator[None]:
    """Use the preset `options["default_rules"]` for maps without rules until the context ends (`Game.reading`)."""
    global _default_rules
    before, _default_rules = _default_rules, word("default_rules", options["default_rules"], PRESETS)
    try:
        yield
    finally:
        _default_rules = before


def recognises(head: bytes, suffix: str) -> float:
    """Return how likely it is, from 0 to 1, that a file is a map of this game.

    A file of map symbols scores highest if it contains a box, lava or the shover. A file of numbers scores second
    highest. The result is never 1, because other games have similar files.
    """
    if suffix not in suffixes:
        return 0.0
    lines = head.decode("utf-8", "replace").splitlines()
    cells = " ".join(line for line in lines if not line.startswith("//")).split()
    if not cells:
        return 0.0
    if all(cell.lstrip("+-").isdecimal() for cell in cells):
        return 0.5
    symbols = set("".join(cells))
    return 0.8 if symbols <= SYMBOLS and symbols & set("BAL") else 0.3 if symbols & set("BAL") else 0.1


def random(preset: str, seed: int) -> Board:
    """Return the map that an environment with these rules generates on `reset(seed=seed)`."""
    level = random_map(seed, rules=preset)
    return Board(f"random-{seed}", preset, level, f"Random map {seed}", f"Generated from seed {seed}.", seed=seed)


def environment(board: Board, preset: str) -> GridEnv:
    return ShoverWorldEnv(rules=preset, n_rows=board.level.rows, n_cols=board.level.cols)


def options(board: Board) -> dict[str, Any]:
    return {"map": board.level}


def identity(board: Board, preset: str) -> str:
    """Return a hash of the cells, the start and the rules that affect play (not, for example, the reward)."""
    rules, level = asdict(parse_rules(preset, PRESETS)), board.level
    for name in ("n_rows", "n_cols", "reward"):
        del rules[name]
    if not rules["push_pays_step_cost"]:
        del rules["push_pays_step_cost"]  # older records lack this rule, which was always off at the time
    key = f"shover {level.rows} {level.cols} {level.agent} {sorted(rules.items())}".encode()
    return blake2b(key + level.grid.tobytes(), digest_size=8).hexdigest()


def board_of(env: GridEnv) -> Board:
    """Return the board for an environment that has just been reset. A packaged map keeps its name and description."""
    preset = describe_rules(rules_of(env), PRESETS)
    level = Map.parse(env.map_text(), "replay")
    for known in packaged_boards():
        if (known.level.grid.tolist(), known.level.agent or level.agent) == (level.grid.tolist(), level.agent):
            return replace(known, preset=preset, level=replace(known.level, agent=level.agent))
    return Board("replay", preset, level)


# --- Results


def score(env: GridEnv, state: State) -> Score | None:
    game = game_numbers(state)
    if OUTCOMES[game["outcome"]] != "cleared":
        return None
    return score_of(int(game["timestep"]), float(game["stamina"]))


def score_of(steps: int, stamina: float, proved: bool = False) -> Score:
    """Return the score of a game that was won."""
    found = written(PHRASES, write_score, steps, stamina).score(SCORE_NUMBERS)
    assert found is not None
    return found._replace(proved=proved)


def best_known(identity: str) -> Score | None:
    found = _best().get(identity)
    return None if found is None else score_of(int(found[0]), float(found[1]), bool(found[2]))


def solution_score(board: Board, preset: str) -> Score | None:
    return None  # level files contain no solutions


@cache
def _best() -> dict[str, list]:
    return json.loads(BEST_FILE.read_text(encoding="utf-8")) if BEST_FILE.exists() else {}
