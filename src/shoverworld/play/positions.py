"""Positions as JSON data: the level, the rules, the seed and the moves. `session_of` builds the game by playing the moves.

A position may come from anyone. Its fields have the right types (web/server/messages.py); the rest is checked here, by the
readers of the levels and by the rules. It never names a file.
"""

from collections.abc import Mapping
from typing import Any

from shoverworld.core.checks import suggesting, with_suggestion, word
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.plan import Action
from shoverworld.core.replay import action_of
from shoverworld.core.rules_text import rules_on
from shoverworld.core.ui import Act, Board, Place, count
from shoverworld.games import game_named

from .players import HUMAN, Player, unused_name
from .session import Session

MOST_MEMORY = 2**29  # bytes for the states of all moves


def session_of(position: dict[str, Any]) -> Session:
    """Return the game in this position. Raise ShoverWorldError if the position is not possible or has another hash."""
    game = game_named(position["game"])
    board, rules = board_of(game, position["level"], position["rules"])
    session = Session(game, board, rules, seed=position["seed"], players=_players(game, position["players"]))
    _check_memory(session, len(position["moves"]))
    for number, move in enumerate(position["moves"], 1):
        try:
            session.do(intent_of(session.env, move))
        except ShoverWorldError as reason:
            raise ConfigError(f"position.moves, move {number}: {reason}") from None
    actual = session.env.state_hash()
    if position["hash"] not in (None, actual):
        moves = count(len(position["moves"]), "move")
        raise ConfigError(
            f"the position differs: after {moves}, the state hash is {actual}, not {position['hash']}; expected the "
            "level, rules, seed and moves of the game on the page"
        )
    return session


def board_of(game: Game, level: Mapping[str, Any], rules: str) -> tuple[Board, str]:
    """Return the level of a position or a link, and the rules to play it with.

    Raise ShoverWorldError if there is no such level, or if its text or the rules are invalid.
    """
    if "seed" in level:
        rules = rules_on(game, game.presets[0].name, rules)
        return game.levels.random(rules, level["seed"]), rules
    board = _packaged(game, **level) if "collection" in level else _pasted(game, **level)
    return board, rules_on(game, board.preset, rules)


def _packaged(game: Game, collection: str, name: str) -> Board:
    # `boards` would also read a file of this name.
    known = [one.name for one in game.levels.collections()]
    if collection not in known:
        expected = f"expected one of {', '.join(map(repr, known))}"
        missing = with_suggestion("level: there is no collection {0:quote}; ", expected)
        raise ConfigError(suggesting(missing, collection, known))
    boards = {board.name: board for board in game.levels.boards(collection)}
    if name not in boards:
        expected = f"expected one of its {count(len(boards), 'level')}, such as {next(iter(boards))!r}"
        missing = with_suggestion(f"level: the collection {collection!r} has no level {{0:quote}}; ", expected)
        raise ConfigError(suggesting(missing, name, boards))
    return boards[name]


def _pasted(game: Game, text: str, number: int = 1) -> Board:
    boards = game.levels.boards_in(text, "level")
    if number > len(boards):
        raise ConfigError(f"level: number {number} does not exist; the text contains {count(len(boards), 'level')}")
    return boards[number - 1]


def _players(game: Game, given: int | list[str]) -> tuple[Player, ...]:
    """Return the players. `given`: the number of people, or "human" or the name of an agent for each player."""
    kinds = [HUMAN] * given if isinstance(given, int) else given
    if game.ui.multiplayer is None:
        if len(kinds) > 1:
            raise ConfigError(f"position.players: {game.title} is a game for one player, not {len(kinds)}")
        return ()
    players: list[Player] = []
    for kind in kinds:
        # A file with an agent has no name here, because a position must not name a file.
        agent = "" if word("position.players", kind, (HUMAN, *game.agent_names)) == HUMAN else kind
        players.append(Player(unused_name(players, agent), agent))
    return tuple(players)


def _check_memory(session: Session, moves: int) -> None:
    """Raise ConfigError if the states after all moves would take too much memory."""
    parts = session.state if isinstance(session.state, tuple) else ()
    size = sum(getattr(part, "nbytes", 0) for part in parts)
    if size * moves > MOST_MEMORY:
        raise ConfigError(f"position.moves: {moves:,} moves are too many on a level of this size")


# --- moves


def intent_of(env: GridEnv, move: Any) -> Act | Place:
    if isinstance(move, dict):
        return Place(tuple(move["place"]))
    return Act(action_of(env, tuple(move)))


def numbers_of(action: Action) -> list[int]:
    """Return an action as a list of numbers, as in a position."""
    return [int(part) for part in action] if isinstance(action, tuple) else [int(action)]
