"""From level to level: what a table knows of the collection it is in, of random levels, and of games that were left."""

from collections.abc import Callable, Sequence

from shoverworld.core.game import Game
from shoverworld.core.ui import Board
from shoverworld.play.autopilot import Autopilot
from shoverworld.play.seats import Seat
from shoverworld.play.session import Session, same_seats
from shoverworld.play.shelf import Shelf

from .app import App, Screen


class Journey(Screen):
    """A screen with a game on it that can be exchanged for another. Whoever inherits it seats the player."""

    def __init__(self, app: App, game: Game, shelf: Shelf | None, rules: str, draw: Callable[[int], Board] | None):
        super().__init__(app)
        self.game, self.rules, self.draw_level = game, rules, draw
        self.shelf = shelf or Shelf(game, "", app.records, rules)
        self.place: int | None = None  # of the last board of the shelf that was played on
        self.left: dict[tuple, Session] = {}  # games that were left, by their boards
        self.session: Session
        self.pilot: Autopilot

    def say(self, text: str, tone: str = "") -> None: ...

    def _sit_down(self, session: Session) -> None: ...

    def _arrived(self, session: Session) -> str:
        """A game has begun: remember where we are; gives which level of the collection it is."""
        here = self.shelf.place_of(session.board)
        if here is None:
            return ""
        self.place = here
        self._remember(here)
        return f"{self.shelf.title}, {here + 1} of {len(self.shelf)}"

    def _remember(self, place: int | None) -> None:
        """The menu comes back to where we are; a table over another screen is not remembered."""
        settings, shelf = self.app.settings, self.shelf
        if (
            place is not None
            and settings.game == self.game.name
            and (not self.app.screens or self.app.screens[0] is self)
        ):
            settings.collection, settings.board = shelf.name, shelf.keys[place]

    def has_next(self) -> bool:
        """Is this one of the shelf's boards, and not the last?"""
        here = self.shelf.place_of(self.session.board)
        return here is not None and here + 1 < len(self.shelf)

    def next_map(self, step: int) -> None:
        """The next of the shelf's boards, in a circle; from another board, the one after the last that was played on."""
        if self.place is None:
            place = 0 if step > 0 else -1
        else:
            here = self.shelf.place_of(self.session.board) is not None
            place = self.place + (step if here or step > 0 else 0)
        self.go_to(place % len(self.shelf))

    def next_unsolved(self) -> None:
        place = self.shelf.next_unsolved(self.place)
        if place is None or place == self.shelf.place_of(self.session.board):
            others = "no other level" if place is not None else "no level"
            self.say(f"{self.shelf.title}: {self.shelf.progress}; there is {others} left to be solved.")
        else:
            self.go_to(place)

    def go_to(self, place: int) -> None:
        """Play a board of the shelf."""
        board = self.shelf.boards[place]
        self.sit_at(board, self.rules or board.preset)

    def browse(self) -> None:
        """All levels of the collection, in pictures."""
        from .browser import BrowserScreen

        self.pilot.give_way()
        self.app.push(BrowserScreen(self.app, self.shelf, self.place, self._picked))

    def _picked(self, shelf: Shelf, place: int) -> None:
        while self.app.screen is not self:  # the browser, and perhaps the ending
            self.app.pop()
        self.shelf = shelf
        self.go_to(place)

    def new_map(self) -> None:
        """A random one, from the next seed."""
        settings = self.app.settings
        board, preset = self.session.board, self.session.preset or self.game.presets[0].name
        settings.seed = ((board.seed if board.seed is not None else settings.seed) + 1) % 2**31
        drawn = self.draw_level(settings.seed) if self.draw_level else self.game.levels.random(preset, settings.seed)
        self.sit_at(drawn, preset)

    def ask_players(self) -> None:
        """Others play, on the same board."""
        from .players import PlayersScreen

        def begin(seats: Sequence[Seat]) -> None:
            while self.app.screen is not self:
                self.app.pop()
            old = self.session
            if seats != old.seats or old.moves:
                self._sit_down(Session(self.game, old.board, old.preset, seed=self.app.settings.seed, seats=seats))

        self.pilot.give_way()
        self.app.push(PlayersScreen(self.app, self.game, self.session.board, begin, self.session.seats))

    def watch_replay(self) -> None:
        from shoverworld.play.cursor import Cursor

        from .viewer import ViewerScreen

        self.pilot.give_way()
        self.app.push(ViewerScreen(self.app, Cursor(self.session.replay(self.app.settings.player))))

    def edit(self) -> None:
        from shoverworld.play.drawing import Drawing

        from .editor import EditorScreen

        self.pilot.give_way()
        preset = self.session.preset or self.game.presets[0].name
        self.app.push(EditorScreen(self.app, Drawing.of(self.game, self.session.board, preset)))

    def sit_at(self, board: Board, preset: str) -> None:
        """Play on this board; a game that was left there goes on."""
        old = self.session
        self.left[_key_of(old.board, old.preset)] = old
        session = self.left.pop(_key_of(board, preset), None)
        seats = same_seats(old, board)
        if session is not None and session.seats != seats:
            session = None  # others play now
        self._sit_down(session or Session(self.game, board, preset, seed=self.app.settings.seed, seats=seats))


def _key_of(board: Board, preset: str) -> tuple:
    return board.name, board.path, board.title, board.seed, preset
