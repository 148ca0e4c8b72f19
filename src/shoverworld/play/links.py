"""Links to games: the position of a session or a replay, as the web player opens it (core/links.py)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.links import LARGEST, LinkError, Move, Placement, Position
from shoverworld.core.replay import Replay
from shoverworld.core.rules_text import describe_rules
from shoverworld.core.ui import Board

from .clipboard import level_text
from .replay_cursor import ReplayCursor
from .session import Session


def position_of_session(session: Session) -> Position:
    """Return the position of a game in progress, with all moves up to now."""
    rules = session.preset or session.board.preset
    return position_of(session.game, session.board, rules, session.replay(), max(1, len(session.players)))


def position_of_cursor(cursor: ReplayCursor) -> Position:
    """Return the position of a replay, with all its moves. The notes in the replay name the level."""
    board = replace(cursor.board, name=cursor.replay.notes.get("map", cursor.board.name))
    return position_of(cursor.game, board, _rules_of(cursor), cursor.replay, max(1, len(cursor.players)))


def _rules_of(cursor: ReplayCursor) -> str:
    """Return the rules of a replay as a string, with the rules that have no effect on records."""
    presets, rules = cursor.game.preset_rules, getattr(cursor.env, "rules", None)
    return cursor.board.preset if presets is None or rules is None else describe_rules(rules, presets)


def position_of(game: Game, board: Board, rules: str, replay: Replay, players: int) -> Position:
    """Return the position of a recorded game.

    A packaged level is named if it and the seed lead to the recorded start. For any other level, its text is part of
    the position. Raise LinkError if the game has no web player.
    """
    if game.web is None:
        raise LinkError(f"{game.title} has no web player")
    seed = replay.seed if replay.seed is not None and replay.seed <= LARGEST else 0
    moves: tuple[Move, ...] = tuple(Placement(*move.action) if move.place else move.action for move in replay.moves)
    for level, found in _levels(game, board, rules):
        if _start(game, found, rules, players, seed) == replay.start:
            return Position(game.name, level, rules, players, seed, moves)
    return Position(game.name, {"text": replay.map}, rules, players, 0, moves)


def _levels(game: Game, board: Board, rules: str) -> Iterator[tuple[dict[str, str], Board]]:
    """Yield the ways to describe a level, shortest first, with the board that each of them gives."""
    for collection in game.levels.collections():
        for packaged in game.levels.boards(collection.name):
            if packaged.name == board.name:
                yield {"collection": collection.name, "name": board.name}, packaged
    try:
        text = level_text(game, board, rules)
        (read,) = game.levels.boards_in(text, board.name)
    except (ShoverWorldError, ValueError):
        return  # the replay contains the level too
    yield {"text": text}, read


def _start(game: Game, board: Board, rules: str, players: int, seed: int) -> str | None:
    """Return the state hash at the start of a game, or None if the game cannot start."""
    multiplayer = game.ui.multiplayer
    try:
        env: GridEnv
        options: dict[str, Any]
        if multiplayer is None:
            env, options = game.levels.environment(board, rules), game.levels.options(board)
        else:
            env, options = multiplayer.environment(board, rules, players), multiplayer.options(board, players)
        env.reset(seed=seed, options=options)
    except ShoverWorldError:
        return None
    return env.state_hash()
