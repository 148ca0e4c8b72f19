"""Lets a game table change to another level (the next, an unsolved or a random one), another game or other players."""

from collections.abc import Callable

from shoverworld.core.game import Game
from shoverworld.core.rules_text import rules_on
from shoverworld.core.ui import Board

from .commands import KEYS
from .hints import Hints
from .levels import LevelList, LevelTour
from .pilot import AgentPilot, pilot_for
from .players import Player, players_for, players_text
from .records import Records
from .session import Session, same_players
from .settings import Settings
from .table_content import MESSAGES, Message, TableContent


class LevelTable(TableContent):
    """A game table at which another level or another game can be opened. For the arguments, see `GameTable`."""

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
    ):
        super().__init__(session, settings, records, Hints(session))
        self.agent = agent or settings.agent or self.game.agent_names[0]
        self.seed = settings.seed if seed is None else seed
        self.pilot: AgentPilot = pilot_for(session, self.agent, self.seed)
        levels = levels or LevelList(self.game, "", records, rules)
        levels.records = records
        self.tour = LevelTour(self.game, levels, rules, make_random)
        self.remembers = remembers

    def begin(self, session: Session) -> None:
        """Play the game in `session` from now on."""
        self.session = session
        self.hints.take_over(session)
        self.pilot = pilot_for(session, self.agent, self.seed, self.pilot)
        self.tour.visit(session.board)
        self.remember()

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

    def _change_game(self, game: Game) -> None:
        self.settings.switch(game.name)
        self.game = game
        self.agent = self.settings.agent or game.agent_names[0]
        self.pilot.choose(self.agent)
        self.overlays = self._saved_overlays()

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
            players = players_for(self.game, board, self.settings.players)
        session = self.tour.exchange(old, board, preset, players)
        self.begin(session or Session(self.game, board, preset, seed=self.settings.seed, players=players))

    def change_players(self, players: tuple[Player, ...]) -> None:
        """Play on the same board with these players. A new game starts unless the players are the same and no move has
        been made."""
        old = self.session
        self.settings.players = players_text(players)
        if players != old.players or old.moves:
            self.begin(Session(self.game, old.board, old.preset, seed=self.settings.seed, players=players))

    def remember(self) -> None:
        """Store the current level in the settings, so that the program opens this level at the next start."""
        if not self.remembers or self.settings.game != self.game.name:
            return
        board, place = self.session.board, self.levels.place_of(self.session.board)
        if place is not None:
            self.settings.collection, self.settings.board = self.levels.name, self.levels.keys[place]
        elif board.seed is not None or board.path is not None:
            self.settings.board = "random" if board.path is None else board.path

    # --- messages

    def say(self, text: str, tone: str = "") -> None:
        self.message, self.hint_is_newest, self.quiet = Message(text, tone), False, True

    def tell(self, kind: str, tone: str | None = None, **values: str) -> None:
        """Show the message with the name `kind` in `MESSAGES`."""
        text, usual = MESSAGES[kind]
        self.say(text.format(**KEYS, **values), usual if tone is None else tone)
