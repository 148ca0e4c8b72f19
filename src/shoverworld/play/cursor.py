"""A replay that can be walked through: played once through the rules, then any moment of it is at hand."""

from shoverworld.core.errors import ReplayError
from shoverworld.core.front import Act, Front, Move, Place, Score, State
from shoverworld.core.replay import Replay, action_of

from .rooms import front_of_env
from .session import Session, Turn

END = "end"
MARKED = ("goal", "loss", "burn", "special", "dissolve", "invalid")  # kinds of moves that a timeline shows


class Cursor:
    """A place in a replay. `states[0]` is the start, `moves[i]` led to `states[i + 1]`; `env` stands where `place` is."""

    def __init__(self, replay: Replay):
        """A ReplayError when the rules do not confirm what was recorded."""
        self.replay = replay
        self.front: Front
        self.states: list[State] = []
        self.moves: list[Move] = []
        for moment in replay.play():
            if not self.states:
                self.env = moment.env
                self.front = front_of_env(moment.env)
                self.board = self.front.recognise(moment.env)
            else:
                self.moves.append(self.front.move(moment.env, self.states[-1], moment.state))
            self.states.append(moment.state)
        self.outcome = self.env.outcome
        self.score: Score | None = None if self.outcome is None else self.front.score(self.env, self.states[-1])
        self._place = len(self.states) - 1
        self.markers = [(i + 1, move.kind) for i, move in enumerate(self.moves) if move.kind in MARKED]
        if self.outcome is not None:
            self.markers.append((self.last, END))
        self.go(0)

    @property
    def map_name(self) -> str:
        """How the map is called that it was played on; "" when nobody knows."""
        return self.board.name if self.board.title else self.replay.notes.get("map", "")

    @property
    def place(self) -> int:
        return self._place

    @property
    def last(self) -> int:
        """The last place."""
        return len(self.states) - 1

    @property
    def state(self) -> State:
        return self.states[self._place]

    @property
    def turn(self) -> Turn | None:
        """The move that led here; None at the start."""
        if self._place == 0:
            return None
        before, after = self.states[self._place - 1], self.state
        free = self.replay.moves[self._place - 1].place
        why = "" if free else self.front.why_invalid(self.env, before, after)
        return Turn(before, after, self.moves[self._place - 1], why)

    def go(self, place: int) -> None:
        """Go to a place; beyond the ends, to the nearest there is."""
        place = max(0, min(place, self.last))
        if place != self._place:
            self._place = place
            self.env.set_state(self.state)

    def session(self) -> Session:
        """Take the game over from here: the moves up to here are made in a new game, and can be taken back like one's own."""
        session = Session(self.front, self.board, seed=self.replay.seed, env=self.replay.make())
        if session.env.state_hash() != self.replay.start:
            raise ReplayError.at("the game cannot be taken over: its map gives another start", self.replay.source)
        for move in self.replay.moves[: self._place]:
            session.do(Place(move.action) if move.place else Act(action_of(session.env, move.action)), by="replay")  # type: ignore[arg-type]
        return session
