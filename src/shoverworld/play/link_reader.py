"""Open links to games (core/links.py): play the moves in a link."""

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.links import LinkError, Placement, decode_link
from shoverworld.core.replay import Replay, action_of
from shoverworld.games import all_games

from .players import fill_places
from .positions import board_of
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
        board, rules = board_of(game, position.level, position.rules)
        session = Session(game, board, rules, position.seed, players=fill_places((), position.players))
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
