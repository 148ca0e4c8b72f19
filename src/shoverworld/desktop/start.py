"""What a game needs is compiled beside the window, while it says so."""

import contextlib
import threading
from collections.abc import Callable

import pygame
from pygame import Rect

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.ui import Act, Place
from shoverworld.play.session import Session

from . import theme
from .app import App, Screen
from .keys import named

TITLE, TEXT = "Getting ready …", "The rules are compiled once, which takes some seconds. The next start is quick."


class GettingReady:
    """Plays a little on the first board, in a thread: after that nothing has to be compiled or loaded."""

    def __init__(self, game: Game):
        self.game, self.done = game, False
        threading.Thread(target=self._work, name="getting ready", daemon=True).start()

    def _work(self) -> None:
        with contextlib.suppress(Exception):  # what is wrong will be met again, where it can be told
            self._play(Session(self.game, self.game.levels.boards()[0]))
            self.game.levels.random(self.game.presets[0].name, 0)
        self.done = True

    def _play(self, session: Session) -> None:
        game, hand = self.game, session.handler
        rows, cols = game.ui.drawing.scene(session.state).tiles.shape
        for cell in [(row, col) for row in range(rows) for col in range(cols)][:64]:
            hand.hover(session.state, cell, 1)
        for overlay in game.ui.overlays.overlays:
            game.ui.overlays.marks(overlay.key, session.env, session.state, None)
        for key in game.ui.controls.keys:
            intent = hand.press(session.state, key.keys[0])
            if isinstance(intent, (Act, Place)):
                turn = session.do(intent)
                game.ui.drawing.motion(turn.before, turn.after)
            game.ui.texts.figures(session.env, session.state, hand)


_READY: dict[str, GettingReady] = {}


def ready(game: Game) -> bool:
    """Is everything compiled? It begins to be when this is asked for the first time."""
    if game.name not in _READY:
        _READY[game.name] = GettingReady(game)
    return _READY[game.name].done


class StartScreen(Screen):
    """Waits until a game is ready, then shows the screen that `then` makes."""

    def __init__(self, app: App, game: Game, then: Callable[[], Screen]):
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


def go(app: App, game: Game, then: Callable[[], Screen]) -> None:
    """To the screen that `then` makes, as soon as the game is ready for it. An error leads to the menu, and is told there."""
    if not ready(game):
        app.go(StartScreen(app, game, then))
        return
    try:
        screen = then()
    except ShoverWorldError as reason:
        from .menu import MenuScreen

        screen = MenuScreen(app, str(reason))
    app.go(screen)
