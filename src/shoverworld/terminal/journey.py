"""From level to level: what a player at a terminal knows of the collection, of random levels, and of games left."""

from collections.abc import Callable

from shoverworld.core.game import Game
from shoverworld.core.ui import Board
from shoverworld.play.autopilot import Autopilot
from shoverworld.play.records import Records
from shoverworld.play.seats import seats_for, written
from shoverworld.play.session import Session, same_seats
from shoverworld.play.settings import Settings
from shoverworld.play.shelf import Shelf

from .levels import LevelList
from .players import PlayerList


class Journey:
    """A game that can be exchanged for another. Whoever inherits it seats the player."""

    def __init__(
        self,
        game: Game,
        settings: Settings,
        records: Records,
        shelf: Shelf | None,
        rules: str | None,
        draw: Callable[[int], Board] | None,
    ):
        self.game, self.settings, self.records = game, settings, records
        self.rules, self.draw = rules, draw
        self.shelf = shelf or Shelf(game, "", records, rules or "")
        self.shelf.records = records
        self.place: int | None = None  # of the last board of the shelf that was played on
        self.levels: LevelList | None = None  # the browser, while it is open
        self.players: PlayerList | None = None  # who plays, while that is asked
        self.left: dict[tuple, Session] = {}  # games that were left, by their boards
        self.overlays = self._overlays_of_last_time()
        self.session: Session
        self.pilot: Autopilot
        self.agent: str

    def tell(self, text: str, tone: str = "") -> None: ...

    def _sit_down(self, session: Session) -> None: ...

    def _overlays_of_last_time(self) -> set[str]:
        return {overlay.key for overlay in self.game.ui.overlays.overlays if overlay.key in self.settings.overlays}

    def _arrived(self, board: Board) -> None:
        """A game has begun: the next start comes back here."""
        here = self.shelf.place_of(board)
        if here is not None:
            self.place = here
            self.settings.collection, self.settings.board = self.shelf.name, self.shelf.keys[here]
        else:
            self.settings.board = "random" if board.seed is not None else board.path or board.name

    def _next_map(self, step: int) -> None:
        """The next of the shelf; from another board, the one after the last that was played on."""
        if self.place is None:
            place = 0 if step > 0 else -1
        else:
            here = self.shelf.place_of(self.session.board) is not None
            place = self.place + (step if here or step > 0 else 0)
        self._go_to(place % len(self.shelf))

    def _next_unsolved(self) -> None:
        place = self.shelf.next_unsolved(self.place)
        if place is None or place == self.shelf.place_of(self.session.board):
            self.tell(f"{self.shelf.title}: {self.shelf.progress}; there is no other level left to be solved.")
        else:
            self._go_to(place)

    def _go_to(self, place: int) -> None:
        board = self.shelf.boards[place]
        self._sit_at(board, self.rules or board.preset)

    def browse(self) -> None:
        """The levels of the collection, as a list."""
        self.pilot.give_way()
        self.levels = LevelList(self.shelf, self.place, self.settings, self.records)

    def _choose_level(self, key: str) -> None:
        assert self.levels is not None
        self.levels.press(key)
        if self.levels.picked is not None:
            shelf, place, self.levels = self.levels.shelf, self.levels.picked, None
            self._change_game(shelf)
            self.shelf = shelf
            self._go_to(place)
        elif self.levels.over:
            self.levels = None

    def ask_players(self) -> None:
        """Who plays, in a game for several."""
        if self.game.ui.multiplayer is None:
            self.tell("This is a game for one.")
            return
        self.pilot.give_way()
        self.players = PlayerList(self.game, self.session.board, self.session.seats, self.agent)

    def _choose_players(self, key: str) -> None:
        players = self.players
        assert players is not None
        players.press(key)
        if players.ready:
            self.players, seats = None, tuple(players.seats)
            self.settings.seats = written(seats)
            old = self.session
            if seats != old.seats or old.moves:
                self._sit_down(Session(self.game, old.board, old.preset, seed=self.settings.seed, seats=seats))
        elif players.over:
            self.players = None

    def _change_game(self, shelf: Shelf) -> None:
        """The levels of another game may have been chosen."""
        if shelf.game is self.game:
            return
        self.settings.switch(shelf.game.name)
        self.game, self.rules, self.place, self.draw = shelf.game, None, None, None
        self.agent = self.settings.agent or self.game.agent_names[0]
        self.pilot.choose(self.agent)
        self.overlays = self._overlays_of_last_time()

    def _new_map(self) -> None:
        """A random level, from the next seed."""
        board, preset = self.session.board, self.session.preset or self.game.presets[0].name
        self.settings.seed = ((self.settings.seed if board.seed is None else board.seed) + 1) % 2**31
        seed = self.settings.seed
        self._sit_at(self.draw(seed) if self.draw else self.game.levels.random(preset, seed), preset)

    def _sit_at(self, board: Board, preset: str) -> None:
        """Play on this board; a game that was left there goes on."""
        old = self.session
        self.left[_key_of(old.board, old.preset)] = old
        there = self.left.pop(_key_of(board, preset), None)
        seats = same_seats(old, board) if self.game is old.game else seats_for(self.game, board, self.settings.seats)
        if there is not None and there.seats != seats:
            there = None  # others play now
        self._sit_down(there or Session(self.game, board, preset, seed=self.settings.seed, seats=seats))


def _key_of(board: Board, preset: str) -> tuple:
    return board.name, board.path, board.title, board.seed, preset
