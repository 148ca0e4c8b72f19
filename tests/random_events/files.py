"""Files and texts that a player may drop on the window or paste: valid, damaged, huge or binary, for any game."""

import json
import os
import random
from pathlib import Path

import numpy as np
from PIL import Image

from shoverworld.core.game import Game
from shoverworld.core.ui import Act, Board
from shoverworld.games import all_games
from shoverworld.play.clipboard import level_text
from shoverworld.play.session import Session

AGENTS = {
    "first": "class Agent:\n    def act(self, obs, info):\n        return self.env.unwrapped.valid_actions()[0]\n"
    "    def __init__(self, env):\n        self.env = env\n",
    "raises": "class Refused(Exception): pass\nclass Agent:\n    def act(self, obs, info):\n        raise Refused('\\x1b[31mno\\n' * 9)\n",
    "wrong": "class Agent:\n    def act(self, obs, info):\n        return 'nonsense'\n",
    "exits": "import os\nclass Agent:\n    def act(self, obs, info):\n        os._exit(3)\n",
    "broken": "class Agent(:\n",
    "empty": "",
}
# For each game's text format: cells that occur in any number, cells that occur once, and the cell around the board.
CELLS = {"shover": ("....BBL#", "A", ""), "sokoban": ("-----*#", "@$.", "#"), "race": ("......SFF#", "S", "")}
FOLDERS = ("replays", "films", "screenshots", "unfinished", "pasted")
SETTINGS = ("settings.json", "records.json")
PIPE = "pipe.txt"  # a named pipe, which cannot be copied
MOVES = ("rrddlluu", "R10 L2 (ru)3", "0,2,3 1,1,1", "1 2 3 4 5 6 7 8 9", "right down", "r" * 30_000)


def write_files(folder: Path) -> None:
    """Write the files that do not depend on the seed."""
    folder.mkdir(parents=True)
    for game in all_games().values():
        boards = [*game.levels.boards()[:4], game.levels.random(game.presets[-1].name, 3)]
        for number, board in enumerate(boards):
            (folder / f"{game.name}-{number}.txt").write_text(level_text(game, board, board.preset))
            (folder / f"{game.name}-{number}.replay").write_text(_replay(game, board, solved=number % 2 == 0))
        collection = folder / f"{game.name}-levels"
        collection.mkdir()
        for number, board in enumerate(boards[:3]):
            (collection / f"{number}.txt").write_text(level_text(game, board, board.preset))
        (collection / "notes.txt").write_text("not a level")
    for name, text in AGENTS.items():
        (folder / f"agent_{name}.py").write_text(text)
    _write_pictures(folder)
    (folder / "empty.txt").touch()
    (folder / "empty").mkdir()
    (folder / "binary.bin").write_bytes(bytes(range(256)) * 64)
    (folder / "text-ending.txt").write_bytes(b"\x00\xff\xfe" * 999)
    (folder / "huge.txt").write_text("#" * 3_000_000)
    (folder / "newlines.txt").write_text("\n" * 1_000_000)
    (folder / "long-title.txt").write_text(f"; {'x' * 300_000}\n#####\n#@$.#\n#####\nComment: {'word ' * 60_000}")
    (folder / "long-rules.txt").write_text(f"// rules: {'x' * 300_000}\nA.BL")
    (folder / "wide.txt").write_text("B" * 4000 + "\n" + "." * 4000)
    (folder / "data.json").write_text(json.dumps({"game": "shover", "moves": [[]]}))
    (folder / "naïve ☃ \n name.txt").write_text("A B L")
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    os.mkfifo(folder / PIPE)


def _replay(game: Game, board: Board, solved: bool) -> str:
    session = Session(game, board, seed=1)
    plan = game.plan(session.env, time_limit=1.0)
    for action in plan.actions if solved else plan.actions[: len(plan.actions) // 2]:
        session.do(Act(action))
    return session.replay("a player").to_text()


def _write_pictures(folder: Path) -> None:
    """Write pictures of a track in the expected colours and in other colours; also write an unrelated picture."""
    track = np.full((20, 30, 3), (0, 0, 0), np.uint8)
    track[4:16, 4:26] = 255
    track[4:16, 4] = (0, 255, 0)
    track[4:16, 25] = (255, 0, 0)
    Image.fromarray(track).save(folder / "track.png")
    Image.fromarray(track[..., ::-1].copy()).save(folder / "other-colours.png")
    Image.fromarray(np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)).save(folder / "noise.jpg")


def damage_files(folder: Path, rng: random.Random, count: int = 6) -> None:
    """Add damaged copies of some files."""
    good = sorted(path for path in folder.iterdir() if path.is_file() and 0 < path.stat().st_size < 100_000)
    for number in range(count):
        path = rng.choice(good)
        path.with_name(f"damaged-{number}{path.suffix}").write_bytes(damaged(path.read_bytes(), rng))


def draw_levels(folder: Path, rng: random.Random) -> None:
    """Add levels with random cells: tiny ones, unsolvable ones, ones that are over at once, and a large one."""
    for game in CELLS:
        sizes = [(rng.randint(1, 7), rng.randint(1, 9)) for _ in range(6)]
        for number, (rows, cols) in enumerate([*sizes, (rng.randint(40, 62), rng.randint(40, 62))]):
            (folder / f"{game}-drawn-{number}.txt").write_text(_drawn(game, rows, cols, rng))


def _drawn(game: str, rows: int, cols: int, rng: random.Random) -> str:
    cells, once, edge = CELLS[game]
    lines = [rng.choices(cells, k=cols) for _ in range(rows)]
    for cell in once:
        lines[rng.randrange(rows)][rng.randrange(cols)] = cell
    ends = [edge * (cols + 2)] if edge else []
    rules = (
        [f"// rules: {rng.choice(('walker', 'phase2', 'nonsense'))}"] if game == "shover" and rng.random() < 0.5 else []
    )
    return "\n".join([*rules, *ends, *(f"{edge}{''.join(line)}{edge}" for line in lines), *ends])


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return the data with one to three random changes."""
    for _ in range(rng.randint(1, 3)):
        lines = data.splitlines(keepends=True) or [b""]
        at, line = rng.randrange(len(data) + 1), rng.randrange(len(lines))
        change = rng.randrange(7)
        if change == 0:
            data = data[:at]
        elif change == 1:
            data = data[:at] + rng.randbytes(rng.randint(1, 4)) + data[at + rng.randint(0, 2) :]
        elif change == 2:
            data = b"".join(lines[:line] + lines[line + 1 :])
        elif change == 3:
            data = b"".join(lines[:line] + lines[line : line + 1] * rng.choice((2, 3, 400)) + lines[line + 1 :])
        elif change == 4:
            rng.shuffle(lines)
            data = b"".join(lines)
        elif change == 5:
            data = data.replace(
                str(rng.randrange(10)).encode(), rng.choice((b"-1", b"99999999999", b"1e999", b"x", b""))
            )
        else:
            data = data[:at] + rng.choice(("é☃", "\u202e", "\r", "\t", "\x1b[2J", "null", "{}")).encode() + data[at:]
    return data


def damage_home(home: Path, rng: random.Random) -> str:
    """Damage one of the player's own files or folders. Return its name, or "" if there is none."""
    home.mkdir(exist_ok=True)
    if rng.random() < 0.3:  # something else has this name, so that nothing can be saved
        place = home / rng.choice((*FOLDERS, *SETTINGS))
        if not place.exists():
            place.mkdir() if place.name in SETTINGS else place.touch()
        elif place.is_file() and not place.stat().st_size:
            place.unlink()
        return place.name
    found = sorted(path for path in home.rglob("*") if path.suffix in (".json", ".replay") and path.is_file())
    if not found:
        return ""
    path = rng.choice(found)
    data = path.read_bytes()
    try:
        content = json.loads(data)
    except ValueError:
        content = None
    if isinstance(content, dict) and content and rng.random() < 0.6:  # valid JSON, but with an unexpected value
        content[rng.choice(sorted(content))] = rng.choice(
            (None, [], {}, -1, 10**30, "x" * 99, True, 1.5, "random", "-")
        )
        path.write_text(json.dumps(content))
    else:
        path.write_bytes(damaged(data, rng))
    return path.name


def texts(folder: Path) -> list[str]:
    """Return the texts that a player may paste: levels, replays, moves and arbitrary text."""
    found = [*MOVES, "", "   ", "\n\n\n", "#" * 100_000, "漢字 ☃ \x00 \x1b[31m", "{" * 500, "/", "~nosuchuser/x"]
    for path in sorted(folder.glob("*-[0-9].*")):
        found.append(path.read_text(errors="replace"))
    collections = [path.read_text() for path in sorted(folder.glob("sokoban-[0-3].txt"))]
    found += [path.read_text() for path in sorted(folder.glob("*-drawn-*.txt"))]
    return [*found, "\n\n".join(collections), *map(str, folder.glob("*.txt"))]
