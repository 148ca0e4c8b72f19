"""The screen for a game (the model is in play/table.py): the board, the panel beside it, and a line of text below."""

from collections.abc import Callable, Sequence

import pygame
from pygame import Rect

from shoverworld.core.replay import Replay
from shoverworld.core.ui import Board
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.clipboard import PastedLevels
from shoverworld.play.commands import help_sections
from shoverworld.play.edit_session import EditSession
from shoverworld.play.levels import LevelList
from shoverworld.play.players import Player, players_for
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session, Turn
from shoverworld.play.table import GameTable

from . import theme
from .app import App, WindowScreen
from .clipboard import CLIPBOARD
from .dialog import Ask, ask_to_continue
from .ending import EndingScreen
from .help import EVERYWHERE, HelpScreen
from .input import Pointer, commanded, control_name, named, shifted
from .table_view import TableView

WALKING = 4.0  # a step in a walk is this many times as fast as any other move


class TableScreen(WindowScreen):
    """Shows a game. `agent` plays when Space is pressed, or at once if `watch` is set (the default if there is an
    agent). For `rules`, `levels` and `make_random`, see `GameTable`. If `asks_first` is set, the players are chosen
    before the game begins. If `keeps` is set, an unfinished game is stored when the player leaves."""

    asks_first = False
    keeps = True

    def __init__(
        self,
        app: App,
        session: Session,
        agent: str | None = None,
        watch: bool | None = None,
        rules: str = "",
        levels: LevelList | None = None,
        make_random: Callable[[int], Board] | None = None,
    ):
        super().__init__(app)
        self.display = TableView(session.game)
        self.view = self.display.view
        self.pointer = Pointer(self.view)
        self.shown_ending: object = None  # the last state whose ending was shown
        self.table = GameTable(
            session, app.settings, app.records, agent or "", rules, levels, make_random, remembers=False,
            keeps=self.keeps,
        )  # fmt: skip
        self.table.offer(
            {
                "levels": self.browse, "animation": self.toggle_animation, "save": self.save,
                "watch": self.watch_replay, "edit": self.edit, "players": self.ask_players,
                "scroll up": lambda: self.display.log.scroll(5), "scroll down": lambda: self.display.log.scroll(-5),
                "leave": self.leave, "quit": app.ask_to_quit, "help": self.help,
            }
        )  # fmt: skip
        self.table.on_change = self._changed
        self.table.clipboard, self.table.on_replay = CLIPBOARD, self.watch_pasted
        self.table.on_other_game = lambda found: open_pasted(app, found)
        self._began: Session | None = None
        self._begin()
        if agent is not None if watch is None else watch:
            self.table.toggle_agent()

    @property
    def session(self) -> Session:
        return self.table.session

    def _begin(self) -> None:
        """If the table has started another game, show that game."""
        if self._began is not self.session:
            self._began = self.session
            self.pointer.cancel()
            if self.display.begin(self.table.scene):
                self.app.refresh()
            self._entitle()

    def _changed(self, turn: Turn | None) -> None:
        """Show a change in the game, with an animation."""
        table, motion = self.table, None
        if turn is not None and self.app.animation:
            motion = table.game.ui.drawing.motion(turn.before, turn.after)
        agent_speed = max(1.0, table.pilot.speed) if table.pilot.on else 1.0
        self.view.speed = WALKING if table.walking else agent_speed
        self.view.following = self.session.waits_for is None
        self.view.show(table.scene, motion)

    # --- events

    def handle(self, event: pygame.event.Event) -> None:
        self.table.stepwise = self.app.animation
        if self.table.on_the_way and event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            self.table.finish_walk()
            self.view.finish()
        if event.type == pygame.KEYDOWN:
            self.pointer.cancel()
            if not commanded(event):
                self.press(named(event), shifted(event))
            elif (name := control_name(event)) in self.table.keys:
                self.press(name)
        elif (key := self.display.panel.pressed(event)) is not None:
            self.press(key)
        elif not self.display.log.handle(event):
            gesture = self.pointer.handle(event)
            if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.WINDOWLEAVE):
                self.table.point(self.pointer.cell, self.pointer.side, self.pointer.dragging)
            if gesture is not None:
                cell, direction = gesture
                self.table.click(cell) if direction is None else self.table.drag(cell, direction)

    def press(self, key: str, shift: bool = False) -> None:
        self.table.press(key, shift)
        self._begin()

    # --- commands of the window

    def toggle_animation(self) -> None:
        self.app.animation = self.app.settings.animation = not self.app.animation
        self.view.finish()
        self.table.say(f"Animation: {'on' if self.app.animation else 'off'}")

    def save(self) -> None:
        self.app.say(f"Saved {self.table.save_replay()}")

    def help(self) -> None:
        game, table = self.table.game, self.table
        table.pilot.give_way()
        sections = [*help_sections(game, table.offered), ("Everywhere", EVERYWHERE)]
        self.app.push(HelpScreen(self.app, game.title, game.goal, sections))

    def browse(self) -> None:
        """Show all levels in the collection as pictures."""
        from .browser import BrowserScreen

        self.table.pilot.give_way()
        browser = LevelBrowser(self.table.levels, self.table.tour.place, self.app.guard)
        self.app.push(BrowserScreen(self.app, browser, self._picked))

    def _picked(self, levels: LevelList, place: int) -> None:
        self._back_to_front()
        self.table.open_level(levels, place)
        self._begin()

    def ask_players(self) -> None:
        """Ask for the players, then restart the game with them on the same board."""
        from .players import PlayersScreen

        def begin(players: Sequence[Player]) -> None:
            self._back_to_front()
            self.table.change_players(tuple(players))
            self._begin()

        self.table.pilot.give_way()
        self.app.push(PlayersScreen(self.app, self.table.game, self.session.board, begin, self.session.players))

    def watch_replay(self) -> None:
        from .viewer import ViewerScreen

        self.table.pilot.give_way()
        self.app.push(ViewerScreen(self.app, ReplayCursor(self.session.replay(self.app.settings.player))))

    def watch_pasted(self, replay: Replay) -> None:
        """Play a pasted replay or pasted moves. Esc returns to this game."""
        watch(self.app, replay)

    def edit(self) -> None:
        from .editor import EditorScreen

        game = self.table.game
        self.table.pilot.give_way()
        preset = self.session.preset or game.presets[0].name
        self.app.push(EditorScreen(self.app, EditSession.of(game, self.session.board, preset)))

    # --- leaving

    def leave(self) -> None:
        """Go back to the screen below, or to the menu."""
        if self.asks_before_leaving():
            self.table.pilot.give_way()
            buttons = [("Leave", self._out), ("Save a replay and leave", self._save_and_out), ("Stay", None)]
            text = "The game is not over yet. You can continue it later."
            self.app.push(Ask(self.app, "Leave this game?", text, buttons, default=2))
        else:
            self._out()

    def asks_before_leaving(self) -> bool:
        first = self.app.screens[0] is self  # otherwise, leaving only goes back to the screen below
        return first and self.table.is_unfinished

    def _save_and_out(self) -> None:
        self.save()
        self._out()

    def _out(self) -> None:
        if self.app.screens[0] is self:
            from .menu import MenuScreen

            self.app.go(MenuScreen(self.app))
            return
        self._back_to_front()
        self.app.pop()

    def _back_to_front(self) -> None:
        """Close the screens above this one: the browser, the ending, a dialog."""
        while self.app.screen is not self:
            self.app.pop()

    def closed(self) -> None:
        if message := self.table.close():
            self.app.say(message)

    def crashed(self) -> None:
        self.table.keep_unfinished()

    # --- time

    def update(self, seconds: float) -> None:
        table = self.table
        table.stepwise = self.app.animation
        if table.on_the_way and not self.view.moving:
            table.walk_on()
        table.update(seconds)
        self._begin()
        self.view.update(seconds)
        self.display.show(table)
        over = self.session.outcome is not None
        if over and not self.view.moving and self.shown_ending is not self.session.state and self.app.screen is self:
            self.shown_ending = self.session.state
            self.app.push(EndingScreen(self))
        elif not over:
            self.shown_ending = None

    def opened(self) -> None:
        self.pointer.cancel()
        self.table.point(None)
        if self.asks_first:
            self.asks_first = False
            if self.table.game.ui.multiplayer is not None:
                if self.table.unfinished is None:
                    self.ask_players()
                else:
                    ask_to_continue(self.app, self.table.unfinished, self.table.continue_unfinished, self.ask_players)
        self.table.remembers = self.app.screens[0] is self  # only if no other screen is below
        self.table.remember()
        self._entitle()

    def _entitle(self) -> None:
        theme.set_caption(f"{self.table.title} - {self.table.game.title}")

    # --- drawing

    def lay_out(self, size: tuple[int, int]) -> None:
        self.display.lay_out(size)

    def note_bottom(self) -> int:
        return self.display.line.rect.bottom - 2

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        return self.display.draw(surface, self.stale)


def watch(app: App, replay: Replay) -> None:
    """Open a replay on top of the other screens, and play it."""
    from .viewer import ViewerScreen

    screen = ViewerScreen(app, ReplayCursor(replay))
    app.push(screen)
    screen.toggle()


def open_pasted(app: App, found: PastedLevels) -> None:
    """Open a game on the first of the pasted levels, on top of the other screens."""
    board = found.boards[0]
    players = players_for(found.game, board, app.settings.own(found.game.name, "players"))
    levels = LevelList(found.game, found.collection, app.records) if found.collection else None
    session = Session(found.game, board, seed=app.settings.seed, players=players)
    app.push(TableScreen(app, session, watch=False, levels=levels))


class ContinuedTable(TableScreen):
    """A game that continues a replay. If nothing has changed since the game was continued, the player can leave without
    being asked to confirm."""

    def __init__(self, app: App, session: Session):
        self.first, self.given = session, session.moves
        super().__init__(app, session)
        self.table.say(f"Continuing from move {self.given}.")

    def closed(self) -> None:
        self.table.keeps = self.asks_before_leaving()  # without new moves, the replay contains the whole game
        super().closed()

    def asks_before_leaving(self) -> bool:
        unchanged = self.session is self.first and self.session.moves == self.given
        return self.table.is_unfinished and not unchanged


class TestTable(TableScreen):
    """A game for testing the level that is being edited. E goes back to the editor without asking for confirmation."""

    __test__ = False  # prevents pytest from collecting this class
    keeps = False

    def __init__(self, app: App, session: Session):
        self.tested = session.board
        super().__init__(app, session, watch=False)

    def edit(self) -> None:
        if self.session.board is self.tested:
            self._out()
        else:
            super().edit()  # Tab has opened another level
