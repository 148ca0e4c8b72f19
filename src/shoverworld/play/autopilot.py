"""An agent at the table: it plays as long as it is let, at a pace people can follow."""

from shoverworld.core.errors import AgentError
from shoverworld.core.ui import Act

from .player import AgentPlayer
from .session import Session

PACE = 0.3  # seconds a move takes at the usual speed
LONG = 5.0  # seconds of thought after which people wonder


class Autopilot:
    """`on`: it plays. The agent is made when it is let play for the first time, and again for another game."""

    def __init__(self, session: Session, agent: str, seed: int = 0):
        self.session, self.agent, self.seed = session, agent, seed
        self.on = False
        self._player: AgentPlayer | None = None
        self._wait = 0.0
        self._thought = 0.0  # seconds about this move

    def take_over(self, session: Session) -> None:
        """Another game."""
        self.close()
        self.session = session

    def choose(self, agent: str) -> None:
        """Another agent."""
        if agent != self.agent:
            self.close()
            self.agent = agent

    def start(self) -> None:
        """An AgentError when there is no such agent."""
        if self._player is None:
            self._player = AgentPlayer(self.session, self.agent, self.seed)
        self.on, self._wait = True, 0.0

    def stop(self) -> None:
        self.on = False

    def give_way(self) -> None:
        """The person does something himself."""
        self.stop()

    @property
    def helper(self) -> str:
        """Who has a part in the game by its moves."""
        return self.agent

    def update(self, seconds: float, speed: float) -> Act | None:
        """The move it wants to make now; tell it by `played` when it was made. An AgentError when it broke down."""
        if not self.on or self._player is None:
            return None
        self._wait -= seconds
        self._thought = self._thought + seconds if self._player.thinking else 0.0
        if self._wait > 0:
            return None
        try:
            act = self._player.poll()
        except AgentError:
            self.close()
            raise
        if act is not None:
            self._wait = PACE / speed
        return act

    def played(self) -> None:
        if self._player is not None:
            self._player.played()

    def words(self) -> str:
        """That it plays now, or does not."""
        if self.on:
            return f"{self.agent} plays. Space stops it, + and − make it faster and slower."
        return f"{self.agent} waits. Space lets it go on."

    def text(self, speed: float) -> str:
        """What it is doing; "" when nobody let it play."""
        if not self.on or self._player is None:
            return ""
        if self._player.thinking and self._wait <= 0:
            first = "" if self._thought < LONG else ". What it needs is compiled once, which takes about half a minute"
            return f"{self.agent} is thinking … {int(self._thought)} s{first}"
        return f"{self.agent} plays, speed {speed:g}"

    def close(self) -> None:
        self.on = False
        if self._player is not None:
            self._player.close()
            self._player = None
