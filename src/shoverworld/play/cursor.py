"""A replay that can be walked through: played once through the rules, then any moment of it is at hand."""

from shoverworld.core.errors import ReplayError, ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.replay import Replay, action_of
from shoverworld.core.ui import Act, MoveText, Place, Score, State
from shoverworld.games import game_of

from .seats import Seat, parsed
from .session import Session, Turn, seated

END = "end"
# Kinds of moves that a timeline shows.
MARKED = ("goal", "loss", "finish", "burn", "special", "dissolve", "invalid")


class Cursor:
    """A place in a replay. `states[0]` is the start, `moves[i]` led to `states[i + 1]`; `env` stands where `place` is."""

    def __init__(self, replay: Replay):
        """A ReplayError when the rules do not confirm what was recorded."""
        self.replay = replay
        self.game: Game
        self.states: list[State] = []
        self.moves: list[MoveText] = []
        for moment in replay.play():
            if not self.states:
                self.env = moment.env
                self.game = game_of(moment.env)
                self.board = self.game.levels.board_of(moment.env)
                self.seats: tuple[Seat, ...] = self._seats()
            else:
                self.moves.append(self._told(self.states[-1], moment.state))
            self.states.append(moment.state)
        self.outcome = self.env.outcome
        self.score: Score | None = None if self.outcome is None else self.game.levels.score(self.env, self.states[-1])
        self._place = len(self.states) - 1
        self.markers = [(i + 1, move.kind) for i, move in enumerate(self.moves) if move.kind in MARKED]
        if self.outcome is not None:
            self.markers.append((self.last, END))
        self.go(0)

    def _seats(self) -> tuple[Seat, ...]:
        """Who played, in a game for several, by what the notes say; people, where they say nothing that makes sense."""
        if self.game.ui.multiplayer is None:
            return ()
        try:
            noted = parsed(self.replay.notes.get("players", ""))
        except ShoverWorldError:
            noted = ()
        return seated(noted, self.game.ui.multiplayer.player_count(self.env))

    def _heirs(self) -> tuple[Seat, ...]:
        """Who plays on from here: the same; where no person had a seat, one gets that of who moves next."""
        if self.game.ui.multiplayer is None or not self.seats or any(not seat.agent for seat in self.seats):
            return self.seats
        heir = self.game.ui.multiplayer.player_to_move(self.env, self.state)
        return tuple(Seat(seat.name, "" if place == heir else seat.agent) for place, seat in enumerate(self.seats))

    def _told(self, before: State, after: State) -> MoveText:
        """A move in words; among several, with the name of who made it."""
        move = self.game.ui.texts.move(self.env, before, after)
        if self.game.ui.multiplayer is None or len(self.seats) < 2:
            return move
        name = self.seats[self.game.ui.multiplayer.player_to_move(self.env, before)].name
        return move._replace(words=f"{name}: {move.words}")

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
        why = "" if free else self.game.ui.texts.why_invalid(self.env, before, after)
        return Turn(before, after, self.moves[self._place - 1], why)

    def go(self, place: int) -> None:
        """Go to a place; beyond the ends, to the nearest there is."""
        place = max(0, min(place, self.last))
        if place != self._place:
            self._place = place
            self.env.set_state(self.state)

    def session(self) -> Session:
        """Take the game over from here: the moves up to here are made in a new game, and can be taken back like one's own."""
        session = Session(self.game, self.board, seed=self.replay.seed, env=self.replay.make(), seats=self._heirs())
        if session.env.state_hash() != self.replay.start:
            raise ReplayError.at("the game cannot be taken over: its map gives another start", self.replay.source)
        for move in self.replay.moves[: self._place]:
            session.do(Place(move.action) if move.place else Act(action_of(session.env, move.action)), by="replay")  # type: ignore[arg-type]
        return session
