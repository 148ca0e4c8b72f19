"""Open links to games (core/links.py): play the moves in a link."""

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.links import LinkError, Placement, Position, decode_link
from shoverworld.core.replay import Replay, action_of
from shoverworld.core.ui import Board
from shoverworld.games import all_games

from .players import fill_places
from .session import Session


def is_link(text: str) -> bool:
    """Return whether a string is meant to be a link, valid or not."""
    words = text.split()
    return len(words) == 1 and "#" in text and "game=" in text.partition("#")[2]


def replay_of_link(link: str) -> Replay:
    """Return the game that a link describes, up to the move that it shows. Raise LinkError."""
    position, at = decode_link(link.strip())
    game = all_games().get(position.game)
    if game is None:
        raise LinkError(f"game: there is no game {position.game!r}; expected {', '.join(all_games())}")
    try:
        board = board_of_level(position)
        players = fill_places((), position.players)
        session = Session(game, board, position.rules or board.preset, position.seed, players=players)
    except ShoverWorldError as reason:
        raise LinkError(f"the link cannot be opened: {reason}") from None
    for number, move in enumerate(position.moves[:at], 1):
        try:
            if isinstance(move, Placement):
                session.env.place(move)
            else:
                session.env.step(action_of(session.env, move))
        except ShoverWorldError as reason:
            raise LinkError(f"moves: move {number} is impossible: {reason}") from None
    return session.replay()


def board_of_level(position: Position) -> Board:
    """Return the board of a position. Raise an error if there is no such level or if its text is invalid."""
    levels, level = all_games()[position.game].levels, position.level
    if "text" in level:
        return levels.boards_in(level["text"], "linked")[0]
    if "seed" in level:
        rules = position.rules or levels.boards()[0].preset
        return levels.random(rules, level["seed"])
    if level["collection"] not in [collection.name for collection in levels.collections()]:
        raise LinkError(f"level: there is no collection {level['collection']!r}")
    for board in levels.boards(level["collection"]):
        if board.name == level["name"]:
            return board
    raise LinkError(f"level: the collection {level['collection']!r} has no level {level['name']!r}")
