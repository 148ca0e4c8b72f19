"""A game that is being played: moves, undo and redo, who helped, and the replay of it all."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from shoverworld.core.env import GridEnv
from shoverworld.core.game import Game
from shoverworld.core.recorder import Journal
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act, Board, MoveText, Place, Score, State

from .seats import Seat, name_for, written

FREE_MOVES = "free moves"  # a helper's name: moves that cost no step, in a room where steps are what counts


class Turn(NamedTuple):
    """One change of the game: a move, or one taken back."""

    before: State
    after: State
    move: MoveText
    why: str  # why the action was invalid, else ""


class _Done(NamedTuple):
    """A move that was made: enough to take it back and to make it again."""

    intent: Act | Place
    turn: Turn
    helpers: tuple[str, ...]  # who had had a part in the game by then
    follows: bool = False  # it belongs to the move before: both are taken back as one


class Session:
    """One board, and one player at a time. In a game for several each has a seat (`seats`); else there are none.

    `state` is the game as it stands: look, do not change it. The hand is told of every change. Moves go to the journal of
    the environment, and those that are taken back leave it, so `replay` has the game as it would be told. To begin again
    is to take everything back: `undo` right after it brings the game before back, `redo` a move of it at a time. Where
    agents have seats beside people, what they played is taken back together with the person's move before it.
    """

    def __init__(
        self,
        game: Game,
        board: Board,
        preset: str | None = None,
        seed: int | None = None,
        env: GridEnv | None = None,
        seats: Sequence[Seat] = (),
    ):
        """`preset`: that of the board when left out. `seed`: for what the board leaves open, such as where the player starts.
        `env`: an environment to play in, when it is not to be one of the preset. `seats`: who plays, in a game for
        several; one person when they are left out."""
        self.game, self.board = game, board
        self.preset = board.preset if preset is None else preset
        multiplayer = game.ui.multiplayer
        if env is None and multiplayer is not None:
            env = multiplayer.environment(board, self.preset, max(1, len(seats)))
        self.env = game.levels.environment(board, self.preset) if env is None else env
        self.seats: tuple[Seat, ...] = () if multiplayer is None else seated(seats, multiplayer.player_count(self.env))
        self._journal = Journal(self.env)
        options = game.levels.options(board) if multiplayer is None else multiplayer.options(board, len(self.seats))
        self.env.reset(seed=board.seed if seed is None else seed, options=options)
        self._begin()

    def _begin(self) -> None:
        """The environment has been reset."""
        self.handler = self.game.ui.controls.handler(self.env)
        self.state: State = self.env.get_state()
        self.turn: Turn | None = None
        self.helpers: list[str] = []
        self._start = self.state
        self._done: list[_Done] = []
        self._undone: list[_Done] = []
        self._given_up: tuple[int, list[str]] | None = (
            None  # moves and helpers of the game that a restart has just ended
        )

    # --- how it stands

    @property
    def outcome(self) -> str | None:
        """None while the game goes on, else how it ended."""
        return self.env.outcome

    @property
    def score(self) -> Score | None:
        """How well it was won; None when it is not. Among several, that of the person who played best."""
        if self.outcome is None:
            return None
        if self.game.ui.multiplayer is None:
            return self.game.levels.score(self.env, self.state)
        scores = [
            self.game.ui.multiplayer.score(self.env, self.state, place)
            for place, seat in enumerate(self.seats)
            if not seat.agent
        ]
        return min((score for score in scores if score is not None), key=lambda score: score.numbers, default=None)

    @property
    def identity(self) -> str | None:
        """What records are kept under; None when the rules are those of no preset."""
        known = self.preset in [preset.name for preset in self.game.presets]
        return self.game.levels.identity(self.board, self.preset) if known else None

    @property
    def best_known(self) -> Score | None:
        """What the room knows to be possible on this board; None when it knows nothing."""
        identity = self.identity
        return None if identity is None else self.game.levels.best_known(identity)

    @property
    def steps(self) -> int:
        return int(self.env.figures()["steps"])

    @property
    def can_undo(self) -> bool:
        return bool(self._given_up) or not all(done.follows for done in self._done)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    @property
    def moves(self) -> int:
        """How many moves were made, free ones included."""
        return len(self._done)

    @property
    def states(self) -> list[State]:
        """The game from its start to now."""
        return [self._start, *(done.turn.after for done in self._done)]

    @property
    def turns(self) -> list[Turn]:
        """The moves that were made."""
        return [done.turn for done in self._done]

    def since(self, state: State) -> list[Any] | None:
        """The actions that led from this state to now; None when it is none of this game's, or there were free moves."""
        actions: list[Any] = []
        for done in reversed(self._done):
            if not isinstance(done.intent, Act):
                return None
            actions.append(done.intent.action)
            if done.turn.before is state:
                return actions[::-1]
        return None

    # --- seats

    @property
    def place(self) -> int:
        """The seat that moves next."""
        return 0 if self.game.ui.multiplayer is None else self.game.ui.multiplayer.player_to_move(self.env, self.state)

    @property
    def has_people(self) -> bool:
        return not self.seats or not all(seat.agent for seat in self.seats)

    @property
    def waits_for(self) -> Seat | None:
        """The agent whose turn it is; None when a person may move."""
        if not self.seats or self.outcome is not None:
            return None
        seat = self.seats[self.place]
        return seat if seat.agent else None

    # --- playing

    def do(self, intent: Act | Place, by: str = "", follows: bool = False) -> Turn:
        """Make a move; `by` names a helper who made it, `follows`: it is taken back together with the one before. A
        ShoverWorldError when the environment refuses, and nothing has changed."""
        follows = follows or (self.waits_for is not None and self.has_people)
        turn = self._play(intent)
        self.helped_by(by)
        if isinstance(intent, Place) and self.game.ui.controls.place_spares_steps(self.env):
            self.helped_by(FREE_MOVES)
        self._done.append(_Done(intent, turn, tuple(self.helpers), follows))
        self._undone.clear()
        self._given_up = None
        return turn

    def helped_by(self, name: str) -> None:
        """Someone has a part in this game: an agent, "hint"."""
        if name and name not in self.helpers:
            self.helpers.append(name)

    def undo(self) -> Turn | None:
        """Take the last move back, with those it followed, or the restart if that was the last thing. None: there is
        nothing to take back."""
        if self._given_up:
            return self._take_restart_back(*self._given_up)
        if not self.can_undo:
            return None
        words = self._done[-1].turn.move.words
        while True:
            last = self._done.pop()
            self._undone.append(last)
            if not last.follows:
                words = last.turn.move.words if self.seats else words
                return self._back_to(last.turn.before, MoveText("undo", f"taken back: {words}"))

    def redo(self) -> Turn | None:
        """Make the move again that was taken back last, with those that follow it. None: there is none."""
        if not self._undone:
            return None
        self._given_up, before = None, self.state
        turn = self._again()
        while self._undone and self._undone[-1].follows:
            turn = self._again()._replace(before=before)
        self.turn = turn
        return turn

    def _again(self) -> Turn:
        turn = self._play(self._undone[-1].intent)
        again = self._undone.pop()
        for name in again.helpers:
            self.helped_by(name)
        self._done.append(again._replace(turn=turn))
        return turn

    def restart(self) -> None:
        """Begin the same game again."""
        given_up = (len(self._done), self.helpers) if self._done else None
        self._undone += reversed(self._done)
        self._done.clear()
        self._back_to(self._start, MoveText("", ""))
        self.turn = None
        self.helpers = []
        self._given_up = given_up

    def _take_restart_back(self, moves: int, helpers: list[str]) -> Turn:
        start = self.state
        for _ in range(moves):
            self._again()
        self._given_up = None
        self.helpers = helpers
        self.turn = Turn(start, self.state, MoveText("undo", "taken back: the new beginning"), "")
        return self.turn

    def replay(self, player: str = "", **header: Any) -> Replay:
        """The game so far; `header`: date, comment, notes. The name of the map and who helped are among the notes."""
        notes = dict(header.pop("notes", {}))
        if self.board.name.isprintable():
            notes["map"] = self.board.name
        if self.helpers:
            notes["help"] = ", ".join(self.helpers)
        if self.seats:
            notes["players"] = written(self.seats)
        return self._journal.replay(player=player, notes=notes, **header)

    # --- the environment

    def _play(self, intent: Act | Place) -> Turn:
        before, place = self.state, self.place
        if isinstance(intent, Place):
            self.env.place(intent.cell)
        else:
            self.env.step(intent.action)
        after = self.env.get_state()
        move = self.game.ui.texts.move(self.env, before, after)
        if len(self.seats) > 1:
            move = move._replace(words=f"{self.seats[place].name}: {move.words}")
        why = "" if isinstance(intent, Place) else self.game.ui.texts.why_invalid(self.env, before, after)
        return self._now(after, move, why)

    def _back_to(self, state: State, move: MoveText) -> Turn:
        self.env.set_state(state)
        self._journal.keep(len(self._done))
        return self._now(state, move, "")

    def _now(self, state: State, move: MoveText, why: str) -> Turn:
        self.turn = Turn(self.state, state, move, why)
        self.state = state
        self.handler.played(state)
        return self.turn


def seated(seats: Sequence[Seat], count: int) -> tuple[Seat, ...]:
    """So many seats: those given, and people on the others."""
    found = list(seats[:count])
    while len(found) < count:
        found.append(Seat(name_for(found)))
    return tuple(found)


def same_seats(session: Session, board: Board) -> tuple[Seat, ...]:
    """Who plays at another board: the same, as many as there is room for."""
    multiplayer = session.game.ui.multiplayer
    return () if multiplayer is None else session.seats[: multiplayer.max_players(board)]
