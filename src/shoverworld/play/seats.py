"""Who plays: the seats of a game for several, each with a name and a person or an agent on it.

People write them as `human,greedy,Zoe=optimal`: a kind, or a name and a kind, with commas between.
"""

from collections.abc import Sequence
from typing import NamedTuple

from shoverworld.agents.load import agent_file, check
from shoverworld.core.errors import AgentError, ConfigError
from shoverworld.core.game import Game
from shoverworld.core.ui import Board

HUMAN = "human"
LONGEST_NAME = 24


class Seat(NamedTuple):
    """`agent`: by a name of agents/load.py or a file; "": a person."""

    name: str
    agent: str = ""

    @property
    def kind(self) -> str:
        return self.agent or HUMAN


def written(seats: Sequence[Seat]) -> str:
    """As `parsed` reads them."""
    return ",".join(f"{seat.name}={seat.kind}" for seat in seats)


def parsed(text: str, game: str | None = None) -> tuple[Seat, ...]:
    """Seats from text; a ConfigError or an AgentError tells which of them is wrong. `game`: agents must play it."""
    seats: list[Seat] = []
    for place, part in enumerate(text.split(","), 1):
        name, sign, kind = part.strip().rpartition("=")
        if not kind.strip() or (sign and not name.strip()):
            raise ConfigError(
                f"players={text!r:.80}: player {place} is empty; expected such as human,greedy,Zoe=optimal"
            )
        agent = "" if kind.strip().lower() == HUMAN else kind.strip()
        if agent:
            try:
                check(agent, game)
            except AgentError as reason:
                raise AgentError(f"player {place}: {reason}; for a person write {HUMAN}") from None
        seats.append(Seat(name_for(seats, agent, name), agent))
    return tuple(seats)


def name_for(seats: Sequence[Seat], agent: str = "", wanted: str = "") -> str:
    """A name that nobody at the table has yet: the wanted one if it can be, with a number if it must."""
    name = "".join(sign for sign in wanted if sign.isprintable() and sign not in ",=")
    name = " ".join(name.split())[:LONGEST_NAME].strip()
    if not name and agent:
        place = agent_file(agent)
        name = (place[1] or place[0].stem if place else agent)[:LONGEST_NAME]
    taken = {seat.name for seat in seats}
    if not name:
        name = "You" if "You" not in taken else "Player"
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name} {number}"
    return found


def usual(game: Game, board: Board) -> tuple[Seat, ...]:
    """Who plays when nobody has been asked: a person, and an agent when there is a seat for one."""
    assert game.ui.multiplayer is not None
    agents = [agent for agent in game.agent_names if agent != "random"]
    others = agents[: max(0, min(1, game.ui.multiplayer.max_players(board) - 1))]
    seats = [Seat("You")]
    for agent in others:
        seats.append(Seat(name_for(seats, agent), agent))
    return tuple(seats)


def seats_for(game: Game, board: Board, text: str = "") -> tuple[Seat, ...]:
    """The seats of last time, as many as there is room for; the usual ones when the text makes no sense any more. None
    in a game for one."""
    if game.ui.multiplayer is None:
        return ()
    try:
        seats = parsed(text, game.name) if text else ()
    except (ConfigError, AgentError):
        seats = ()
    return seats[: game.ui.multiplayer.max_players(board)] or usual(game, board)
