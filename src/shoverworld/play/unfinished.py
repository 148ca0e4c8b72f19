"""Unfinished games on disk: a game that is left before its end can be continued later, even in another run.

Each level has at most one unfinished game under each preset. The game is stored as a replay in the `unfinished` folder
among the player's files; notes in the replay contain the name and the origin of the level.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from shoverworld.core.errors import ReplayError, ShoverWorldError
from shoverworld.core.files import write_safely
from shoverworld.core.game import Game
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Board, count

from . import files
from .replay_cursor import ReplayCursor
from .session import Session

FOLDER = "unfinished"
MOST = 20  # maximum number of unfinished games; the oldest ones are deleted


class Unfinished(NamedTuple):
    """An unfinished game in a file. The file has been read, but its moves have not been checked yet."""

    path: Path
    replay: Replay

    @property
    def title(self) -> str:
        return self.replay.notes.get("title") or self.replay.notes.get("map", "the last game")

    @property
    def moves(self) -> str:
        return count(len(self.replay.moves), "move")

    def resume(self) -> Session:
        """Return the game as it was left. If it cannot be continued, set its file aside and raise ReplayError."""
        notes = self.replay.notes
        try:
            cursor = ReplayCursor(self.replay)
            cursor.go(cursor.last)
            session = cursor.session(_board(cursor.board, self.replay), notes.get("preset", cursor.board.preset), by="")
        except ShoverWorldError as reason:
            raise ReplayError(files.set_aside(self.path, str(reason))) from reason
        for helper in filter(None, notes.get("help", "").split(", ")):
            session.helped_by(helper)
        return session

    def start(self) -> tuple[Board, str]:
        """Return the board and the preset for the game. Raise ReplayError if the game cannot be continued."""
        session = self.resume()
        return session.board, session.preset


def _board(board: Board, replay: Replay) -> Board:
    notes = replay.notes
    seed = int(notes["seed"]) if notes.get("seed", "").isdecimal() else None
    made_for = notes.get("made-for", board.preset)
    path, title = notes.get("path"), notes.get("title", board.title)
    return replace(board, name=notes.get("map", board.name), title=title, preset=made_for, path=path, seed=seed)


def keep(session: Session, player: str = "") -> None:
    """Store a game if a person has made moves in it and it is not over. Raise SaveError if it cannot be stored."""
    if not session.moves or session.outcome is not None or session.played_by or not session.has_people:
        return
    board = session.board
    known = {"title": board.title, "path": board.path or "", "preset": session.preset, "made-for": board.preset}
    known["seed"] = "" if board.seed is None else str(board.seed)
    notes = {name: text for name, text in known.items() if text and text.isprintable()}
    path = _path(session.game, board, session.preset)
    write_safely(path, session.replay(player, notes=notes).to_text())
    for old in _newest(path.parent.glob("*.replay"))[MOST:]:
        with suppress(OSError):
            old.unlink()


def drop(session: Session) -> None:
    """Delete this level's unfinished game. Called when a game on the level is finished."""
    with suppress(OSError):
        _path(session.game, session.board, session.preset).unlink()


def left_on(game: Game, board: Board, preset: str) -> Unfinished | None:
    """Return the unfinished game on a level, or None if there is none or if the level file is newer."""
    path = _path(game, board, preset)
    with suppress(OSError):
        if board.path is not None and os.path.getmtime(board.path) > path.stat().st_mtime:
            return None
    return _read(path)


def latest(game: Game) -> Unfinished | None:
    """Return the game that the player left most recently, or None if no game is unfinished."""
    found = map(_read, _newest((files.home() / FOLDER).glob(f"{game.name}-*.replay")))
    return next((one for one in found if one is not None), None)


def _path(game: Game, board: Board, preset: str) -> Path:
    key = "\n".join(map(str, (board.name, board.path, board.title, board.seed, preset)))
    return files.home() / FOLDER / f"{game.name}-{blake2b(key.encode(), digest_size=8).hexdigest()}.replay"


def _read(path: Path) -> Unfinished | None:
    try:
        return Unfinished(path, Replay.read(path)) if path.is_file() else None
    except (ShoverWorldError, OSError):  # a damaged file must not prevent the start of a game
        return None


def _newest(paths: Iterable[Path]) -> list[Path]:
    times = []
    for path in paths:
        with suppress(OSError):
            times.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(times, reverse=True)]
