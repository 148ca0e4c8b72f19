"""Starting the window: compiling a game in the background, and offering unsaved work from earlier runs."""

import contextlib
import threading
from collections.abc import Callable
from typing import Any

import pygame
from pygame import Rect

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.ui import Act, Place
from shoverworld.play.edit_session import EditSession, recover
from shoverworld.play.session import Session

from . import theme
from .app import App, WindowScreen
from .dialog import Ask
from .input import named

TITLE, TEXT = "Getting ready …", "The rules are compiled once, which takes a few seconds. The next start is faster."


class GettingReady:
    """Plays a few moves on the first board in a background thread, so that everything is compiled and loaded."""

    def __init__(self, game: Game):
        self.game, self.done = game, False
        threading.Thread(target=self._work, name="getting ready", daemon=True).start()

    def _work(self) -> None:
        with contextlib.suppress(Exception):  # the error will occur again where it can be shown
            self._play(Session(self.game, self.game.levels.boards()[0]))
            self.game.levels.random(self.game.presets[0].name, 0)
        self.done = True

    def _play(self, session: Session) -> None:
        game, handler = self.game, session.handler
        rows, cols = game.ui.drawing.scene(session.state).tiles.shape
        for cell in [(row, col) for row in range(rows) for col in range(cols)][:64]:
            handler.hover(session.state, cell, 1)
        for overlay in game.ui.overlays.overlays:
            game.ui.overlays.marks(overlay.key, session.env, session.state, None)
        for key in game.ui.controls.keys:
            intent = handler.press(session.state, key.keys[0])
            if isinstance(intent, (Act, Place)):
                turn = session.do(intent)
                game.ui.drawing.motion(turn.before, turn.after)
            game.ui.texts.figures(session.env, session.state, handler)


_READY: dict[str, GettingReady] = {}


def ready(game: Game) -> bool:
    """Return whether a game is compiled. The first call starts the compilation."""
    if game.name not in _READY:
        _READY[game.name] = GettingReady(game)
    return _READY[game.name].done


class StartScreen(WindowScreen):
    """Waits until a game is ready, then shows the screen that `then` creates."""

    def __init__(self, app: App, game: Game, then: Callable[[], WindowScreen]):
        super().__init__(app)
        self.game, self.then = game, then

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN and named(event) in ("q", "escape"):
            self.app.ask_to_quit()

    def update(self, seconds: float) -> None:
        if ready(self.game):
            go(self.app, self.game, self.then)

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if not self.stale:
            return []
        surface.fill(theme.GROUND)
        whole = surface.get_rect().inflate(-2 * theme.MARGIN, 0)
        theme.write(surface, TITLE, whole.move(0, -theme.LARGE), theme.HUGE, align="middle")
        theme.write(surface, TEXT, whole.move(0, theme.LARGE), colour=theme.SOFT, align="middle")
        return [surface.get_rect()]


def go(app: App, game: Game, then: Callable[[], WindowScreen]) -> None:
    """Show the screen that `then` creates once the game is compiled. If `then` fails, the menu shows the error."""
    if not ready(game):
        app.go(StartScreen(app, game, then))
        return
    try:
        screen = then()
    except ShoverWorldError as reason:
        from .menu import MenuScreen

        screen = MenuScreen(app, str(reason))
    app.go(screen)


# --- unsaved work

Take = Callable[[list[EditSession]], Any]


class Recovery:
    """Asks about unsaved levels one by one. `take` is called with the restored levels, the latest first."""

    def __init__(self, app: App, take: Take):
        self.app, self.take = app, take
        self.waiting, messages = recover()
        self.wanted: list[EditSession] = []
        if messages:
            app.say(" ".join(messages))
        self.count = len(self.waiting)
        if self.waiting:
            self._ask()

    def _ask(self) -> None:
        edit = self.waiting[0]
        where = edit.path or "an unnamed level"
        number = f" ({self.count - len(self.waiting) + 1} of {self.count})" if self.count > 1 else ""
        text = (
            f"The editor closed before the changes to {where} were saved: {edit.draft.rows} x {edit.draft.cols}, "
            f"{edit.preset}.{number}"
        )
        answers = [("Restore", self._restore), ("Discard", self._discard), ("Later", self._later)]
        self.app.push(Ask(self.app, "Unsaved work was found", text, answers))

    def _restore(self) -> None:
        self.wanted.append(self.waiting.pop(0))
        self._next()

    def _discard(self) -> None:
        self.waiting.pop(0).discard()
        self._next()

    def _later(self) -> None:
        self.waiting.pop(0).release()
        self._next()

    def _next(self) -> None:
        if self.waiting:
            self._ask()
        elif self.wanted:
            self.take(self.wanted)


def offer(app: App, take: Take | None = None) -> None:
    """Offer unsaved work to the player, once per run. Without `take`, each level opens in an editor of its own."""
    take = take or (lambda edits: _edit(app, edits))
    if not app.has_offered:
        app.has_offered = True
        Recovery(app, take)


def _edit(app: App, edits: list[EditSession]) -> None:
    from .editor import EditorScreen

    for edit in reversed(edits):  # the latest level is on top
        app.push(EditorScreen(app, edit))
