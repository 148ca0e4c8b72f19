"""Lets a game table change to another level (the next, an unsolved or a random one), another game or other players."""

from collections.abc import Callable

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.rules_text import rules_on
from shoverworld.core.ui import Board, count

from . import unfinished
from .board import remembered, shown_overlays
from .commands import KEYS
from .guard import Guard
from .hints import Hints
from .levels import LevelList, LevelTour
from .pilot import AgentPilot, pilot_for
from .players import Player, players_for, players_text
from .records import Records
from .session import Session, same_players
from .settings import Settings
from .table_content import MESSAGES, Message, TableContent
from .unfinished import Unfinished


class LevelTable(TableContent):
    """A game table that can open another level or another game. For the arguments, see `GameTable`."""

    def __init__(
        self,
        session: Session,
        settings: Settings,
        records: Records,
        agent: str,
        rules: str,
        levels: LevelList | None,
        make_random: Callable[[int], Board] | None,
        seed: int | None,
        remembers: bool,
        keeps: bool,
    ):
        guard = Guard(lambda text: self.say(text, "bad"))
        super().__init__(session, settings, records, Hints(session, guard), guard)
        self.agent = agent or settings.own(self.game.name, "agent") or self.game.agent_names[0]
        self.seed = settings.seed if seed is None else seed
        self.pilot: AgentPilot = pilot_for(session, self.agent, self.seed)
        levels = levels or LevelList(self.game, "", records, rules)
        levels.records = records
        self.tour = LevelTour(self.game, levels, rules, make_random)
        self.remembers, self.keeps = remembers, keeps
        self.unfinished: Unfinished | None = None  # a game on this level that was left in an earlier run

    def begin(self, session: Session) -> None:
        """Play the game in `session` from now on. Help is off when a game starts."""
        self.session = session
        self.stop_helping()
        self.hints.take_over(session)
        self.pilot = pilot_for(session, self.agent, self.seed, self.pilot)
        self.tour.visit(session.board)
        self.remember()
        new = self.keeps and not session.moves
        self.unfinished = unfinished.left_on(self.game, session.board, session.preset) if new else None

    @property
    def levels(self) -> LevelList:
        return self.tour.levels

    def next_level(self, step: int) -> None:
        self.open_level(self.levels, self.tour.neighbour(self.session.board, step))

    def next_unsolved(self) -> None:
        levels, here = self.levels, self.levels.place_of(self.session.board)
        place = levels.next_unsolved(self.tour.place)
        if place is None or place == here:
            name = "all solved" if place is None else "others solved"
            self.tell(name, title=levels.title, progress=levels.progress)
        else:
            self.open_level(levels, place)

    def open_level(self, levels: LevelList, place: int) -> None:
        """Play the level with the index `place` in a collection. The collection may belong to another game."""
        if levels.game is not self.game:
            self._change_game(levels.game)
            self.tour = LevelTour(self.game, levels)
        self.tour.levels = levels
        board = levels.boards[place]
        self.open_board(board, rules_on(self.game, board.preset, self.tour.rules))

    def keep_unfinished(self) -> str:
        """Store all unfinished games, so that they can be continued in another run. Return an error message if a game
        cannot be stored, otherwise ""."""
        message = ""
        for session in (*self.tour.left, self.session) if self.keeps else ():
            try:
                unfinished.keep(session, self.settings.player)
            except ShoverWorldError as reason:
                message = f"The unfinished game is lost: {reason}"
        return message

    def continue_unfinished(self) -> None:
        """Continue the game that was left on this level in an earlier run."""
        if self.unfinished is None:
            return
        try:
            session = self.unfinished.resume()
        except ShoverWorldError as reason:
            self.unfinished = None
            self.say(str(reason), "bad")
            return
        self.begin(session)
        self.tell("continued", moves=count(session.moves, "move"))

    def _change_game(self, game: Game) -> None:
        self.keep_unfinished()
        self.settings.switch(game.name)
        self.game = game
        self.agent = self.settings.agent or game.agent_names[0]
        self.pilot.choose(self.agent)
        self.overlays = shown_overlays(self.game, self.settings)

    def random_level(self) -> None:
        """Open a random level that is made from the next seed."""
        board, preset = self.session.board, self.session.preset or self.game.presets[0].name
        self.settings.seed = ((self.settings.seed if board.seed is None else board.seed) + 1) % 2**31
        self.open_board(self.tour.random(preset, self.settings.seed), preset)

    def open_board(self, board: Board, preset: str) -> None:
        """Play on this board. If there is an unfinished game on this board, continue that game."""
        old = self.session
        if old.game is self.game:
            players = same_players(old, board)
        else:
            players = players_for(self.game, board, self.settings.own(self.game.name, "players"))
        session = self.tour.exchange(old, board, preset, players)
        self.begin(session or Session(self.game, board, preset, seed=self.settings.seed, players=players))

    def change_players(self, players: tuple[Player, ...]) -> None:
        """Play on the same board with these players. A new game starts unless the players are the same and no move has
        been made."""
        old = self.session
        self.settings.set_own(self.game.name, "players", players_text(players))
        if players != old.players or old.moves:
            self.begin(Session(self.game, old.board, old.preset, seed=self.settings.seed, players=players))

    def remember(self) -> None:
        """Store the current level in the settings, so that the program opens it the next time it starts."""
        if not self.remembers or self.settings.game != self.game.name:
            return
        board, place = self.session.board, self.levels.place_of(self.session.board)
        if place is not None:
            self.settings.collection, self.settings.board = self.levels.name, self.levels.keys[place]
        elif board.seed is not None or board.path is not None:
            self.settings.board = "random" if board.path is None else board.path

    def stop_helping(self) -> None:
        """Turn off the overlays that show a plan."""
        self.overlays = set(remembered(self.game, self.overlays))
        self.hints.looking_ahead = False

    # --- messages

    def say(self, text: str, tone: str = "") -> None:
        self.message, self.hint_is_newest, self.quiet = Message(text, tone), False, True

    def tell(self, kind: str, tone: str | None = None, **values: str) -> None:
        """Show the message with the name `kind` in `MESSAGES`."""
        text, usual = MESSAGES[kind]
        values = {**KEYS, **self.game.words, **values}
        self.say(text.format(**values), usual if tone is None else tone)
