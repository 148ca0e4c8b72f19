"""The players in a multiplayer game, who are people or agents, and the model of the screen on which they are chosen.

A list of players is written as `human,greedy,Zoe=optimal`. Commas separate the entries. Each entry is a kind of player
(`human` or an agent), optionally preceded by a name and `=`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from shoverworld.agents.load import about, agent_file, check
from shoverworld.core.errors import AgentError, ConfigError
from shoverworld.core.game import Game
from shoverworld.core.ui import Board, count

HUMAN = "human"
LONGEST_NAME = 24


class Player(NamedTuple):
    """A player with a name. `agent`: the agent that plays (a name from agents/load.py, or a file); "" for a person."""

    name: str
    agent: str = ""

    @property
    def kind(self) -> str:
        return self.agent or HUMAN


def players_text(players: Sequence[Player]) -> str:
    """Return these players in the form that `parse_players` reads."""
    return ",".join(f"{player.name}={player.kind}" for player in players)


def parse_players(text: str, game: str | None = None) -> tuple[Player, ...]:
    """Return the players that `text` lists. Raise ConfigError or AgentError if an entry is not valid. `game`: the game
    that the agents must be able to play."""
    players: list[Player] = []
    for place, part in enumerate(text.split(","), 1):
        name, sign, kind = part.strip().rpartition("=")
        if not kind.strip() or (sign and not name.strip()):
            raise ConfigError(
                f"players={text!r:.80}: player {place} is incomplete; expected a list such as human,greedy,Zoe=optimal"
            )
        agent = "" if kind.strip().lower() == HUMAN else kind.strip()
        if agent:
            try:
                check(agent, game)
            except AgentError as reason:
                raise AgentError(f"player {place}: {reason}; write {HUMAN} for a person") from None
        players.append(Player(unused_name(players, agent, name), agent))
    return tuple(players)


def agent_name(agent: str) -> str:
    """Return the name to show for an agent: for an agent from a file, the name of its class or of its file."""
    place = agent_file(agent)
    return (place[1] or place[0].stem) if place else agent


def unused_name(players: Sequence[Player], agent: str = "", wanted: str = "") -> str:
    """Return the requested name or a default name, followed by a number if another player already has that name."""
    name = "".join(sign for sign in wanted if sign.isprintable() and sign not in ",=")
    name = " ".join(name.split())[:LONGEST_NAME].strip()
    if not name and agent:
        name = agent_name(agent)[:LONGEST_NAME]
    taken = {player.name for player in players}
    if not name:
        name = "You" if "You" not in taken else "Player"
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name} {number}"
    return found


def default_players(game: Game, board: Board) -> tuple[Player, ...]:
    """Return the default players: a person, and an agent if the board has room for a second player."""
    assert game.ui.multiplayer is not None
    agents = [agent for agent in game.agent_names if agent != "random"]
    others = agents[: max(0, min(1, game.ui.multiplayer.max_players(board) - 1))]
    players = [Player("You")]
    for agent in others:
        players.append(Player(unused_name(players, agent), agent))
    return tuple(players)


def players_for(game: Game, board: Board, text: str = "") -> tuple[Player, ...]:
    """Return the players that `text` lists, but no more than the board has room for. If `text` is empty or invalid,
    return the default players. For a single-player game, return an empty tuple."""
    if game.ui.multiplayer is None:
        return ()
    try:
        players = parse_players(text, game.name) if text else ()
    except (ConfigError, AgentError):
        players = ()
    return players[: game.ui.multiplayer.max_players(board)] or default_players(game, board)


def fill_places(players: Sequence[Player], count: int) -> tuple[Player, ...]:
    """Return exactly `count` players: drop the players beyond that number, or add people if there are too few."""
    found = list(players[:count])
    while len(found) < count:
        found.append(Player(unused_name(found)))
    return tuple(found)


class PlayersSetup:
    """Lets the user choose the players for a game. `chosen` is an index into `players`; `agent` is an index into
    `agents`."""

    def __init__(self, game: Game, board: Board, players: Sequence[Player], agent: str = ""):
        assert game.ui.multiplayer is not None
        self.game, self.board = game, board
        self.players = list(players)
        self.places = game.ui.multiplayer.max_players(board)
        self.agents = [*game.agent_names, *([agent] if agent and agent not in game.agent_names else [])]
        self.agent = self.agents.index(agent) if agent else 0
        self.chosen = 0
        self.message, self.tone = "", ""

    @property
    def title(self) -> str:
        return f"Choose the {self.game.player_word}s for {self.board.title or self.board.name}"

    @property
    def taken(self) -> str:
        return f"{len(self.players)} of {count(self.places, self.game.player_word)}"

    @property
    def about_agent(self) -> str:
        return about(self.agents[self.agent], self.game.name)

    def say(self, text: str, tone: str = "good") -> None:
        self.message, self.tone = text, tone

    def has_place(self) -> bool:
        """Return whether another player can be added; if not, the message explains why."""
        if len(self.players) < self.places:
            return True
        self.say(
            f"The {self.game.level_word} is full: it has room for {count(self.places, self.game.player_word)}.", "bad"
        )
        return False

    def add_person(self, name: str = "") -> bool:
        return self._add(Player(unused_name(self.players, "", name)))

    def add_agent(self, name: str = "") -> bool:
        agent = self.agents[self.agent]
        try:
            check(agent, self.game.name)
        except AgentError as reason:
            self.say(str(reason), "bad")
            return False
        return self._add(Player(unused_name(self.players, agent, name), agent))

    def _add(self, player: Player) -> bool:
        if not self.has_place():
            return False
        self.players.append(player)
        self.chosen = len(self.players) - 1
        self.say(f"{player.name} was added.")
        return True

    def remove(self) -> None:
        """Remove the chosen player."""
        if self.players:
            self.say(f"{self.players.pop(self.chosen).name} was removed.")
            self.choose(self.chosen - 1)

    def choose(self, place: int) -> None:
        self.chosen = min(max(0, place), max(0, len(self.players) - 1))

    def next_agent(self, step: int) -> None:
        self.agent = (self.agent + step) % len(self.agents)

    def ready(self) -> bool:
        """Return whether the game can begin; if not, the message explains why."""
        if not self.players:
            self.say(
                "A game needs at least one {player}: add a person or an AI {player}.".format(**self.game.words), "bad"
            )
        return bool(self.players)
