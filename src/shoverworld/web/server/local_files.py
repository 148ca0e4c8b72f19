"""The files named on the command line: level files and replays, as data that a page can open.

A page that plays with WebAssembly modules cannot read level files, so each level comes with the same data as the packaged
levels (`web/description.py`), and with its text, which is the `level` of a position.
"""

from pathlib import Path
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import NotAReplay
from shoverworld.core.game import Game
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Board
from shoverworld.games import game_of
from shoverworld.play.clipboard import level_text
from shoverworld.play.places import find
from shoverworld.play.positions import session_of
from shoverworld.web.description import own_level_data

from .limits import LIMITS
from .messages import checked_position

MOST_LEVELS = 1000  # levels of a file that a page gets


def file_data(path: Path) -> dict[str, Any]:
    """Return the content of a level file or a replay. Raise ShoverWorldError if it is neither."""
    try:
        replay = Replay.read(path)
    except NotAReplay as reason:
        if path.suffix == ".replay":
            raise reason from None
        return _levels(path)
    return _replay(replay, path)


def _levels(path: Path) -> dict[str, Any]:
    found = find(str(path))
    levels = [_level(found.game, board) for board in found.boards[:MOST_LEVELS]]
    return {
        "kind": "levels",
        "name": path.name,
        "game": found.game.name,
        "levels": levels,
        "omitted": len(found.boards) - len(levels),
        "skipped": [str(reason) for reason in found.skipped[:20]],
    }


def _level(game: Game, board: Board) -> dict[str, Any]:
    text = level_text(game, board, board.preset)
    return {**own_level_data(game, board), "text": text}


def _replay(replay: Replay, path: Path) -> dict[str, Any]:
    """Return a replay as a level and a position. All states are compared with the recorded ones."""
    moments = replay.play()
    start = next(moments)
    game, env = game_of(start.env), start.env
    board = game.levels.board_of(env)
    level, players = _level(game, board), _player_count(game, env)
    for _ in moments:
        pass
    position = {
        "game": game.name,
        "rules": board.preset,
        "level": {"text": level["text"]},
        "players": players,
        "seed": replay.seed,
        "moves": [{"place": list(move.action)} if move.place else list(move.action) for move in replay.moves],
        "hash": replay.moves[-1].hash if replay.moves else replay.start,
    }
    session_of(checked_position(position, LIMITS))  # raises an error if a page could not build this position
    return {
        "kind": "replay",
        "name": path.name,
        "game": game.name,
        "level": level,
        "position": position,
        "player": replay.player,
        "outcome": replay.end.outcome,
        "figures": dict(replay.end.figures),
    }


def _player_count(game: Game, env: GridEnv) -> int:
    return 1 if game.ui.multiplayer is None else game.ui.multiplayer.player_count(env)
