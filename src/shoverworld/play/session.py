"""A game in progress: its moves, undo and redo, the helpers, and the replay."""

from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

from shoverworld.core.env import GridEnv
from shoverworld.core.game import Game
from shoverworld.core.recorder import Journal
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act, Board, InputHandler, Intent, MoveText, Place, Score, State

from .labels import LABELS
from .players import Player, fill_places, players_text

FREE_MOVES = "free moves"  # recorded as a helper if free moves were made in a game that counts steps
REPLAY = "replay"  # recorded as a helper if the game continues a replay


class Turn(NamedTuple):
    """One change to the game: a move or an undo."""

    before: State
    after: State
    move: MoveText
    why: str  # why the action was invalid, or ""


class _Done(NamedTuple):
    """A move that was made, with everything that undo and redo need."""

    intent: Act | Place
    turn: Turn
    by: str  # the helper who made the move; "" for the player
    helpers: tuple[str, ...]  # all the helpers up to and including this move
    before: InputHandler  # a copy of the input handler as it was before the player's input, with its selection
    after: InputHandler  # a copy of the input handler after the move
    follows: bool = False  # whether a single undo reverts this move and the move before it


class Session:
    """One game on one board. `players` is empty in a single-player game.

    `state` is the current state; read it, but do not change it. The input handler (`handler`) is informed of every
    change. The environment's journal records the moves, and undo removes them, so `replay` contains the game as it
    stands. A restart undoes all moves: an `undo` right after a restart brings all of them back, whereas `redo` redoes
    one move at a time. If agents play alongside people, undo reverts the agents' moves together with the person's
    move before them.
    """

    def __init__(
        self,
        game: Game,
        board: Board,
        preset: str | None = None,
        seed: int | None = None,
        env: GridEnv | None = None,
        players: Sequence[Player] = (),
    ):
        """Start a game. `preset`: the rules (core/rules_text.py); by default, those of the board. `seed`: determines
        what the board does not specify, such as the player's start cell. `env`: the environment to use; by default, a
        new one with these rules. `players`: the players in a multiplayer game; by default, one person."""
        self.game, self.board = game, board
        self.preset = board.preset if preset is None else preset
        multiplayer = game.ui.multiplayer
        if env is None and multiplayer is not None:
            env = multiplayer.environment(board, self.preset, max(1, len(players)))
        self.env = game.levels.environment(board, self.preset) if env is None else env
        self.players: tuple[Player, ...] = (
            () if multiplayer is None else fill_places(players, multiplayer.player_count(self.env))
        )
        self._journal = Journal(self.env)
        options = game.levels.options(board) if multiplayer is None else multiplayer.options(board, len(self.players))
        self.env.reset(seed=board.seed if seed is None else seed, options=options)
        self._begin()

    def _begin(self) -> None:
        """Set up the game after the environment has been reset."""
        self.handler = self.game.ui.controls.handler(self.env)
        self.state: State = self.env.get_state()
        self.turn: Turn | None = None
        self.helpers: list[str] = []
        self.known: Score | None = None  # the best result that was found for this board before the game
        self._start = self.state
        self._before_input: InputHandler | None = None
        self._done: list[_Done] = []
        self._undone: list[_Done] = []
        # After a restart: the number of moves in the game that the restart ended, and the helpers in that game.
        self._given_up: tuple[int, list[str]] | None = None

    # --- the current state

    @property
    def outcome(self) -> str | None:
        """How the game ended; None while it is in progress."""
        return self.env.outcome

    @property
    def score(self) -> Score | None:
        """The score of the game; None if the game was not won. With several players, the best score of any person."""
        if self.outcome is None:
            return None
        if self.game.ui.multiplayer is None:
            return self.game.levels.score(self.env, self.state)
        scores = [
            self.game.ui.multiplayer.score(self.env, self.state, place)
            for place, player in enumerate(self.players)
            if not player.agent
        ]
        return min((score for score in scores if score is not None), key=lambda score: score.numbers, default=None)

    @property
    def identity(self) -> str | None:
        """The key under which the result of this game is recorded; None if the rules have no name."""
        return self.game.levels.identity(self.board, self.preset) if self.preset else None

    @property
    def best_known(self) -> Score | None:
        """The best known result on this board, if there is one."""
        identity = self.identity
        if self.known is not None:
            return self.known
        known = None if identity is None else self.game.levels.best_known(identity)
        return self._solution_score if known is None else known

    @cached_property
    def _solution_score(self) -> Score | None:
        return self.game.levels.solution_score(self.board, self.preset) if self.preset else None

    @property
    def steps(self) -> int:
        """The number of steps taken by the player whose turn it is."""
        return self.steps_of(self.place)

    def steps_of(self, place: int) -> int:
        """Return the number of steps taken by a player."""
        return int(self.game.reports.player_figures(self.env, place)["steps"])

    @property
    def can_undo(self) -> bool:
        return bool(self._given_up) or not all(done.follows for done in self._done)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    @property
    def moves(self) -> int:
        """The number of moves, including free moves."""
        return len(self._done)

    @property
    def states(self) -> list[State]:
        """All states from the start up to now."""
        return [self._start, *(done.turn.after for done in self._done)]

    @property
    def turns(self) -> list[Turn]:
        """All moves up to now."""
        return [done.turn for done in self._done]

    @property
    def seed(self) -> int | None:
        """The seed for the game, which determines what the board does not specify."""
        return self._journal.seed

    @property
    def done(self) -> list[tuple[Act | Place, State, State]]:
        """All moves up to now, each with the states before and after it."""
        return [(done.intent, done.turn.before, done.turn.after) for done in self._done]

    @property
    def undone(self) -> list[tuple[Act | Place, State, State]]:
        """The moves that redo would make, in the order in which it would make them."""
        return [(done.intent, done.turn.before, done.turn.after) for done in reversed(self._undone)]

    @property
    def played_by(self) -> str:
        """The name of the agent that made all moves; "" if no single agent made them all."""
        names = {done.by for done in self._done} - {REPLAY}
        return names.pop() if len(names) == 1 else ""

    def since(self, state: State) -> list[Any] | None:
        """Return the actions from this state up to now, or None if there were free moves in between or if the state is
        not part of this game."""
        actions: list[Any] = []
        for done in reversed(self._done):
            if not isinstance(done.intent, Act):
                return None
            actions.append(done.intent.action)
            if done.turn.before is state:
                return actions[::-1]
        return None

    # --- players

    @property
    def place(self) -> int:
        """The index of the player whose turn it is."""
        return 0 if self.game.ui.multiplayer is None else self.game.ui.multiplayer.player_to_move(self.env, self.state)

    @property
    def has_people(self) -> bool:
        return not self.players or not all(player.agent for player in self.players)

    @property
    def waits_for(self) -> Player | None:
        """The agent whose turn it is; None if it is a person's turn or if the game is over."""
        if not self.players or self.outcome is not None:
            return None
        player = self.players[self.place]
        return player if player.agent else None

    # --- playing

    def ask(self, handle: Callable[[InputHandler, State], Intent | None]) -> Intent | None:
        """Pass the player's input to the input handler. Undoing the resulting move restores the selection as it was
        before this input."""
        self._before_input = copy(self.handler)
        return handle(self.handler, self.state)

    def do(self, intent: Act | Place, by: str = "", follows: bool = False) -> Turn:
        """Make a move. `by`: the helper that made the move. `follows`: whether undo reverts this move together with
        the move before it. Raise ShoverWorldError if the environment rejects the move; in that case, nothing changes.
        """
        follows = follows or (self.waits_for is not None and self.has_people)
        before = self._before_input or copy(self.handler)
        turn = self._play(intent)
        self._before_input = None
        self.helped_by(by)
        if isinstance(intent, Place) and self.game.ui.controls.place_spares_steps(self.env):
            self.helped_by(FREE_MOVES)
        self._done.append(_Done(intent, turn, by, tuple(self.helpers), before, copy(self.handler), follows))
        self._undone.clear()
        self._given_up = None
        return turn

    def helped_by(self, name: str) -> None:
        """Record that the player had help. `name` is the name of an agent, or a label such as "hint"."""
        if name and name not in self.helpers:
            self.helpers.append(name)

    def undo(self) -> Turn | None:
        """Undo the last move together with the earlier moves that belong with it, or undo the restart if that came last.

        Return None if there is nothing to undo.
        """
        if self._given_up:
            return self._take_restart_back(*self._given_up)
        if not self.can_undo:
            return None
        words = self._done[-1].turn.move.words
        while True:
            last = self._done.pop()
            self._undone.append(last)
            if not last.follows:
                words = last.turn.move.words if self.players else words
                self.handler = copy(last.before)
                return self._back_to(last.turn.before, MoveText("undo", LABELS["undone"].format(move=words)))

    def redo(self) -> Turn | None:
        """Redo the last undone move, together with the moves that belong with it. Return None if there is no
        move to redo."""
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
        self.handler = copy(again.after)
        for name in again.helpers:
            self.helped_by(name)
        self._done.append(again._replace(turn=turn))
        return turn

    def restart(self) -> None:
        """Undo all moves, so that the same game starts again."""
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
        self.turn = Turn(start, self.state, MoveText("undo", LABELS["undone restart"]), "")
        return self.turn

    def replay(self, player: str = "", **header: Any) -> Replay:
        """Return a replay of the game so far. `player`: the player's name; if an agent made every move, its name
        replaces this one. `header`: date, comment and notes. The name of the map, the helpers and the players are added
        to the notes."""
        notes = dict(header.pop("notes", {}))
        by = self.played_by
        if self.board.name.isprintable():
            notes["map"] = self.board.name
        if self.board.title and self.board.title.isprintable():
            notes["title"] = self.board.title
        if help := [name for name in self.helpers if name != by]:
            notes["help"] = ", ".join(help)
        if self.players:
            notes["players"] = players_text(self.players)
        return self._journal.replay(player=by or player, notes=notes, **header)

    # --- the environment

    def _play(self, intent: Act | Place) -> Turn:
        before, place = self.state, self.place
        if isinstance(intent, Place):
            self.env.place(intent.cell)
        else:
            self.env.step(intent.action)
        after = self.env.get_state()
        move = self.game.ui.texts.move(self.env, before, after)
        if len(self.players) > 1:
            words = LABELS["player move"].format(name=self.players[place].name, move=move.words)
            move = move._replace(words=words)
        why = "" if isinstance(intent, Place) else self.env.why_invalid(after)
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


def same_players(session: Session, board: Board) -> tuple[Player, ...]:
    """Return the players in a session, but no more of them than another board has room for."""
    multiplayer = session.game.ui.multiplayer
    return () if multiplayer is None else session.players[: multiplayer.max_players(board)]
