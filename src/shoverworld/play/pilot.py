"""Lets agents play at a game table, at a pace that people can follow."""

from shoverworld.core.errors import AgentError
from shoverworld.core.jit import compiling
from shoverworld.core.ui import Act

from .agent_player import AgentPlayer
from .commands import KEYS
from .players import agent_name
from .session import Session

PACE = 0.3  # seconds per move at normal speed
LONG = 5.0  # seconds of thinking after which a message explains why the move takes so long


class AgentPilot:
    """An agent that plays in place of the person while `on` is true. The agent is created when it plays for the first
    time, and again for each new game. `speed`: 1 is the normal speed, at which every run of an agent starts."""

    def __init__(self, session: Session, agent: str, seed: int = 0):
        self.session, self.agent, self.seed = session, agent, seed
        self.on, self.speed = False, 1.0
        self._player: AgentPlayer | None = None
        self._wait = 0.0
        self._thought = 0.0  # seconds spent thinking about the current move

    def take_over(self, session: Session) -> None:
        """Stop the agent and change to another game."""
        self.close()
        self.session = session

    def choose(self, agent: str) -> None:
        if agent != self.agent:
            self.close()
            self.agent = agent

    def start(self) -> None:
        """Let the agent play. Raise AgentError if the agent does not exist."""
        if self._player is None:
            self._player = AgentPlayer(self.session, self.agent, self.seed)
        self.on, self._wait = True, 0.0

    def stop(self) -> None:
        self.on = False

    def give_way(self) -> None:
        """Stop the agent, for example because the person makes a move."""
        self.stop()

    @property
    def helper(self) -> str:
        """The name under which the agent's moves count as help."""
        return agent_name(self.agent)

    def update(self, seconds: float) -> Act | None:
        """Return the move to make now, or None if there is no move yet. Call `played` after making the move. Raise
        AgentError if the agent failed."""
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
            self._wait = PACE / self.speed
        return act

    def played(self) -> None:
        if self._player is not None:
            self._player.played()

    def message(self) -> str:
        """Return a message about whether the agent is playing."""
        if self.on:
            return f"{self.helper} is playing. Space stops it; + and - change the speed."
        return f"{self.helper} has stopped. Press {KEYS['agent']} to continue."

    def status(self) -> str:
        """Return a message about what the agent is doing; "" if the agent is not playing."""
        if not self.on or self._player is None:
            return ""
        return _doing(self.helper, self._thought if self._player.thinking and self._wait <= 0 else None, self.speed)

    def close(self) -> None:
        self.on, self.speed = False, 1.0
        if self._player is not None:
            self._player.close()
            self._player = None


class PlayersPilot(AgentPilot):
    """The agents in a game with several players. From the start of the game, each agent moves on its turn. If a
    person is playing too, `give_way` does not stop the agents. `agent` is the name of the agent whose turn it is, or of
    the agent that moved last."""

    def __init__(self, session: Session, seed: int = 0):
        super().__init__(session, "", seed)
        self._players: dict[int, AgentPlayer] = {}
        self.on = True

    def take_over(self, session: Session) -> None:
        super().take_over(session)
        self.on = True

    def choose(self, agent: str) -> None:
        """Do nothing: the list of players determines who plays."""

    def start(self) -> None:
        self.on, self._wait = True, 0.0

    def give_way(self) -> None:
        if not self.session.has_people:
            self.stop()

    @property
    def helper(self) -> str:
        """An empty string, because these agents play for themselves and do not help a person."""
        return ""

    def update(self, seconds: float) -> Act | None:
        self._wait -= seconds
        player = self.session.waits_for
        if player is None or not self.on:
            return None
        self.agent, place = player.name, self.session.place
        if place not in self._players:
            self._players[place] = AgentPlayer(self.session, player.agent, self.seed + place)
        self._player = self._players[place]
        self._thought = self._thought + seconds if self._player.thinking else 0.0
        try:
            act = self._player.poll()  # polled during the pause too, so that the agent starts thinking early
        except AgentError:
            self.on = False
            self._players.pop(place).close()
            raise
        if act is None or self._wait > 0:
            return None
        self._wait = PACE / self.speed
        return act

    def message(self) -> str:
        if self.on:
            return "The agents are playing. Space stops them; + and - change the speed."
        return f"The agents have stopped. Press {KEYS['agent']} to continue."

    def status(self) -> str:
        player = self.session.waits_for
        if player is None:
            return ""
        if not self.on:
            return f"{player.name} has stopped. Press {KEYS['agent']} to continue."
        thinks = self._player is not None and self._player.thinking and self._thought >= 1
        return _doing(player.name, self._thought if thinks else None, self.speed)

    def close(self) -> None:
        for player in self._players.values():
            player.close()
        self._players.clear()
        self.on, self.speed, self._player = False, 1.0, None


def _doing(name: str, thought: float | None, speed: float) -> str:
    if thought is None:
        return f"{name} is playing, speed {speed:g}"
    compiles = thought >= LONG and compiling()
    why = " (the first run compiles the agent's code, which takes about half a minute)" if compiles else ""
    return f"{name} is thinking … {int(thought)} s{why}"


def pilot_for(session: Session, agent: str, seed: int = 0, before: AgentPilot | None = None) -> AgentPilot:
    """Return the pilot for a game. `before` is the pilot from the previous game; it is reused if it suits the new game,
    and closed otherwise."""
    several = len(session.players) > 1
    if before is not None and isinstance(before, PlayersPilot) == several:
        before.take_over(session)
        return before
    if before is not None:
        before.close()
    return PlayersPilot(session, seed) if several else AgentPilot(session, agent, seed)
