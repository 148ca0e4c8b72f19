"""The maps of Shover-World (packaged, in files and folders, or random) and the environments that play them."""

import json
import os
import re
from dataclasses import asdict, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from shoverworld.core.checks import word
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import MapError
from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Board, Collection, Score, count

from .config import PRESETS, Rules
from .env import ShoverWorldEnv
from .generate import random_map
from .maps import Map, bundled, bundled_names, source_text
from .state import OUTCOMES, State

LESSONS = Collection("lessons", "Lessons", "Sixteen maps in teaching order; each teaches one idea.")
BEST_FILE = Path(__file__).parent / "best.json"  # written by benchmarks/best.py
SYMBOLS = set(".BAL#")
_RULES = re.compile(r"rules:\s*(\w+)")

suffixes = (".txt", ".map")
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
    return tuple(_board(name, bundled(name), source_text(name)) for name in bundled_names())


def boards(collection: str | None = None) -> list[Board]:
    """Return the packaged maps, the map in a file, or the maps in a folder in alphabetical order."""
    if collection is None or collection == LESSONS.name:
        return list(packaged_boards())
    folder = Path(collection)
    if not folder.is_dir():
        return [read(collection)]
    files = sorted(file for file in folder.iterdir() if file.suffix in suffixes and file.is_file())
    if not files:
        raise MapError(f"{collection} contains no maps: no file in it ends with {' or '.join(suffixes)}")
    return [read(str(file)) for file in files]


def read(path: str) -> Board:
    """Read a map file, or return the packaged map with this name."""
    name = os.fspath(path)
    level = Map.read(name)
    if name in bundled_names() and not Path(name).exists():
        return next(board for board in packaged_boards() if board.name == name)
    return _board(Path(name).stem, level, source_text(name), name)


def boards_in(text: str, name: str) -> list[Board]:
    return [_board(name, Map.parse(text, name), text)]


def _board(name: str, level: Map, text: str, path: str | None = None) -> Board:
    title, about, preset = comments(text, path or name)
    return Board(name, preset, level, title or name, about, path)


def comments(text: str, source: str) -> tuple[str, str, str]:
    """Return the title, the description and the preset that are given in the comments of a map.

    The first comment is the title. The comments after the title are the description: consecutive comments form a
    paragraph, and an empty comment ends the paragraph. A comment of the form `rules: NAME` gives the preset.
    """
    title, paragraphs, preset = "", [""], "milestone1"
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("//") or line.startswith("//!"):
            continue
        words = line.removeprefix("//").strip()
        if found := _RULES.match(words):
            preset = found[1]
            if preset not in PRESETS:
                raise MapError.at(f"unknown preset {preset!r}; expected one of {', '.join(PRESETS)}", source, number)
        elif not title:
            title = words
        elif words:
            paragraphs[-1] = f"{paragraphs[-1]} {words}".strip()
        elif paragraphs[-1]:
            paragraphs.append("")
    return title, "\n".join(paragraphs).strip(), preset


def recognises(head: bytes, suffix: str) -> float:
    """Return a number from 0 to 1 that says how likely a file is to be a map of this game.

    A file of map symbols that include a box, lava or the shover scores highest. A file of numbers comes second. The
    result is never 1, because other games also read such files.
    """
    if suffix not in suffixes:
        return 0.0
    lines = head.decode("utf-8", "replace").splitlines()
    cells = "".join(line for line in lines if not line.startswith("//")).split()
    if not cells:
        return 0.0
    if all(cell.lstrip("+-").isdecimal() for cell in cells):
        return 0.5
    symbols = set("".join(cells))
    return 0.8 if symbols <= SYMBOLS and symbols & set("BAL") else 0.3 if symbols & set("BAL") else 0.1


def random(preset: str, seed: int) -> Board:
    """Return the map that an environment with this preset generates on `reset(seed=seed)`."""
    level = random_map(seed, rules=word("preset", preset, PRESETS))
    return Board(f"random-{seed}", preset, level, f"Random map {seed}", f"Made from seed {seed}.", seed=seed)


def environment(board: Board, preset: str) -> GridEnv:
    return ShoverWorldEnv(rules=word("preset", preset, PRESETS), n_rows=board.level.rows, n_cols=board.level.cols)


def options(board: Board) -> dict[str, Any]:
    return {"map": board.level}


def identity(board: Board, preset: str) -> str:
    """Return a hash of the cells, the start and the rules that affect play (not, for example, the reward)."""
    rules, level = asdict(Rules.preset(preset)), board.level
    for name in ("n_rows", "n_cols", "reward"):
        del rules[name]
    key = f"shover {level.rows} {level.cols} {level.agent} {sorted(rules.items())}".encode()
    return blake2b(key + level.grid.tobytes(), digest_size=8).hexdigest()


def board_of(env: GridEnv) -> Board:
    """Return the board of an environment that has just been reset. A packaged map keeps its name and description."""
    rules = rules_of(env)
    size = {"n_rows": rules.n_rows, "n_cols": rules.n_cols}  # not compared, because the map determines the size
    preset = next((name for name, usual in PRESETS.items() if usual.change(**size) == rules), "")
    level = Map.parse(env.map_text(), "replay")
    for known in packaged_boards():
        if (known.level.grid.tolist(), known.level.agent or level.agent) == (level.grid.tolist(), level.agent):
            return replace(known, preset=preset, level=level)
    return Board("replay", preset, level)


# --- Results


def score(env: GridEnv, state: State) -> Score | None:
    game = game_numbers(state)
    if OUTCOMES[game["outcome"]] != "cleared":
        return None
    return score_of(int(game["timestep"]), float(game["stamina"]))


def score_of(steps: int, stamina: float, proved: bool = False) -> Score:
    """Return a score. Fewer steps are better; with the same number of steps, more remaining stamina is better."""
    return Score((steps, -stamina), f"{count(steps, 'step')}, stamina {stamina:g}", proved)


def best_known(identity: str) -> Score | None:
    found = _best().get(identity)
    return None if found is None else score_of(int(found[0]), float(found[1]), bool(found[2]))


@cache
def _best() -> dict[str, list]:
    return json.loads(BEST_FILE.read_text(encoding="utf-8")) if BEST_FILE.exists() else {}
