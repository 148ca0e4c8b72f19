"""The agents that have seats at a table: each plays when it is its turn, at a pace people can follow."""

from shoverworld.core.errors import AgentError
from shoverworld.core.ui import Act

from .autopilot import LONG, PACE, Autopilot
from .player import AgentPlayer
from .session import Session


class Crew(Autopilot):
    """It plays from the start. Beside people it goes on whatever they do; among agents alone it can be stopped like any
    agent. `agent`: the name of the one whose turn it is, or was last."""

    def __init__(self, session: Session, seed: int = 0):
        super().__init__(session, "", seed)
        self._players: dict[int, AgentPlayer] = {}
        self.on = True

    def take_over(self, session: Session) -> None:
        super().take_over(session)
        self.on = True

    def choose(self, agent: str) -> None:
        """Who plays is said by the seats."""

    def start(self) -> None:
        self.on, self._wait = True, 0.0

    def give_way(self) -> None:
        if not self.session.has_people:
            self.stop()

    @property
    def helper(self) -> str:
        """Nobody: they play for themselves."""
        return ""

    def update(self, seconds: float, speed: float) -> Act | None:
        self._wait -= seconds
        seat = self.session.waits_for
        if seat is None or not self.on:
            return None
        self.agent, place = seat.name, self.session.place
        if place not in self._players:
            self._players[place] = AgentPlayer(self.session, seat.agent, self.seed + place)
        self._player = self._players[place]
        self._thought = self._thought + seconds if self._player.thinking else 0.0
        try:
            act = self._player.poll()  # also while it must wait: so it thinks already
        except AgentError:
            self.on = False
            self._players.pop(place).close()
            raise
        if act is None or self._wait > 0:
            return None
        self._wait = PACE / speed
        return act

    def words(self) -> str:
        if self.on:
            return "The agents play. Space stops them, + and − make them faster and slower."
        return "The agents wait. Space lets them go on."

    def text(self, speed: float) -> str:
        seat = self.session.waits_for
        if seat is None:
            return ""
        if not self.on:
            return f"{seat.name} waits. Space lets it go on."
        if self._player is not None and self._player.thinking and self._thought >= 1:
            first = "" if self._thought < LONG else ". What it needs is compiled once, which takes about half a minute"
            return f"{seat.name} is thinking … {int(self._thought)} s{first}"
        return f"{seat.name} plays, speed {speed:g}"

    def close(self) -> None:
        for player in self._players.values():
            player.close()
        self._players.clear()
        self.on, self._player = False, None


def pilot_for(session: Session, agent: str, seed: int = 0, before: Autopilot | None = None) -> Autopilot:
    """Who plays at this table: the crew of a game for several, else an agent when it is let. `before`: who did so until
    now, at the table of another game."""
    crew = len(session.seats) > 1
    if before is not None and isinstance(before, Crew) == crew:
        before.take_over(session)
        return before
    if before is not None:
        before.close()
    return Crew(session, seed) if crew else Autopilot(session, agent, seed)
