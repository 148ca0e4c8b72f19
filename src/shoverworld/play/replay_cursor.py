"""A position in a replay. All moves in the replay are played once at first; after that, every state is available."""

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ReplayError, ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.plan import Plan
from shoverworld.core.replay import Move, Replay, action_of
from shoverworld.core.ui import Act, Board, MoveText, Place, Score, State
from shoverworld.games import game_of

from .clipboard import WrittenMoves
from .guard import Guard
from .players import Player, fill_places, parse_players
from .session import REPLAY, Session, Turn

END = "end"
MOST_MEMORY = 2 * 2**30  # bytes for all states in a game; a typical game on the largest board takes a tenth of this
# Kinds of moves that are marked on a timeline.
MARKED = ("goal", "loss", "finish", "burn", "special", "dissolve", "invalid")


class ReplayCursor:
    """A position in a replay. `states[0]` is the start, and `moves[i]` leads to `states[i + 1]`. The environment `env`
    is in the state `states[place]`."""

    def __init__(self, replay: Replay):
        """Play all moves in the replay. Raise ReplayError if the game differs from what was recorded."""
        self.replay = replay
        self.game: Game
        self.states: list[State] = []
        self.moves: list[MoveText] = []
        for moment in replay.play():
            if not self.states:
                self._check_memory(moment.state)
                self.env = moment.env
                self.game = game_of(moment.env)
                self.board = self.game.levels.board_of(moment.env)
                self.players: tuple[Player, ...] = self._players()
            else:
                self.moves.append(self._described(self.states[-1], moment.state))
            self.states.append(moment.state)
        self.outcome = self.env.outcome
        self.score: Score | None = None if self.outcome is None else self.game.levels.score(self.env, self.states[-1])
        self._symbols: list[str] | None = None
        self._place = len(self.states) - 1
        self.markers = [(i + 1, move.kind) for i, move in enumerate(self.moves) if move.kind in MARKED]
        if self.outcome is not None:
            self.markers.append((self.last, END))
        self.go(0)

    def _check_memory(self, state: State) -> None:
        """Raise ReplayError if the states after all moves would take too much memory."""
        parts = state if isinstance(state, tuple) else ()
        size, moves = sum(getattr(part, "nbytes", 0) for part in parts), len(self.replay.moves)
        if size * moves > MOST_MEMORY:
            what = (
                f"{moves:,} moves on a board of this size are too many to show; `shover replay --check` can check them"
            )
            raise ReplayError.at(what, self.replay.source)

    def _players(self) -> tuple[Player, ...]:
        """Return the players named in the replay's notes, or human players if the notes are missing or invalid."""
        if self.game.ui.multiplayer is None:
            return ()
        try:
            noted = parse_players(self.replay.notes.get("players", ""))
        except ShoverWorldError:
            noted = ()
        return fill_places(noted, self.game.ui.multiplayer.player_count(self.env))

    def _successors(self) -> tuple[Player, ...]:
        """Return the players for a game that continues from here. If all players are agents, a person replaces the
        agent that moves next."""
        if self.game.ui.multiplayer is None or not self.players or any(not player.agent for player in self.players):
            return self.players
        heir = self.game.ui.multiplayer.player_to_move(self.env, self.state)
        return tuple(
            Player(player.name, "" if place == heir else player.agent) for place, player in enumerate(self.players)
        )

    def _described(self, before: State, after: State) -> MoveText:
        """Describe a move, with the player's name if there are several players."""
        move = self.game.ui.texts.move(self.env, before, after)
        if self.game.ui.multiplayer is None or len(self.players) < 2:
            return move
        name = self.players[self.game.ui.multiplayer.player_to_move(self.env, before)].name
        return move._replace(words=f"{name}: {move.words}")

    @property
    def title(self) -> str:
        """The title of the map, or its name if it has no title; "" if both are unknown."""
        return self.board.title or self.replay.notes.get("title", "") or self.map_name

    @property
    def map_name(self) -> str:
        """The name of the map; "" if the name is unknown."""
        return self.board.name if self.board.title else self.replay.notes.get("map", "")

    @property
    def place(self) -> int:
        return self._place

    @property
    def last(self) -> int:
        """The index of the last position."""
        return len(self.states) - 1

    @property
    def state(self) -> State:
        return self.states[self._place]

    @property
    def turn(self) -> Turn | None:
        """The move before this position; None at the start."""
        if self._place == 0:
            return None
        before, after = self.states[self._place - 1], self.state
        free = self.replay.moves[self._place - 1].place
        why = "" if free else self.env.why_invalid(after)
        return Turn(before, after, self.moves[self._place - 1], why)

    def ahead(self, most: int) -> Plan:
        """Return at most this many of the next moves as a plan, which ends before the next free move."""
        actions = []
        for move in self.replay.moves[self._place : self._place + most]:
            if move.place:
                break
            actions.append(action_of(self.env, move.action))
        return Plan("solved", actions)

    def written(self, guard: Guard) -> WrittenMoves | None:
        """Return the moves in the game's notation, split at this position; None if the game has no notation."""
        notation = self.game.ui.notation
        if notation is None:
            return None
        if self._symbols is None:
            made = zip(self.replay.moves, self.states[:-1], strict=True)
            write = lambda: [notation.symbol(self.env, state, _intent(self.env, move)) for move, state in made]  # noqa: E731
            self._symbols = guard("the list of moves", write, [])
        before, after = self._symbols[: self._place], self._symbols[self._place :]
        return WrittenMoves(tuple(before), tuple(after), notation.separator)

    def go(self, place: int) -> None:
        """Go to a position. Positions before the start count as the start, and positions after the end count as the
        end."""
        place = max(0, min(place, self.last))
        if place != self._place:
            self._place = place
            self.env.set_state(self.state)

    def session(self, board: Board | None = None, preset: str | None = None, by: str = REPLAY) -> Session:
        """Return a new game with the moves up to this position. These moves can be undone like the player's own
        moves. `board` and `preset`: by default, those found in the replay. `by`: the helper who made the moves."""
        env, players = self.replay.make(), self._successors()
        session = Session(self.game, board or self.board, preset, seed=self.replay.seed, env=env, players=players)
        if session.env.state_hash() != self.replay.start:
            raise ReplayError.at(
                "the game cannot be continued: its map produces a different start position", self.replay.source
            )
        for move in self.replay.moves[: self._place]:
            session.do(_intent(session.env, move), by=by)
        return session


def _intent(env: GridEnv, move: Move) -> Act | Place:
    """Return the intent for a recorded move."""
    return Place(move.action) if move.place else Act(action_of(env, move.action))  # type: ignore[arg-type]
