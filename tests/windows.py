"""A player for tests of the window: a real App on SDL's dummy screen, and real events in pygame's queue.

hands = Hands(tmp_path, monkeypatch)          # the player's files go to tmp_path
hands.open(lambda app: MenuScreen(app))
hands.press("down", "return")
hands.until(lambda: hands.app.screen.something)
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

import numpy as np
import pygame
import pytest

from shoverworld.core.game import Game
from shoverworld.core.ui import Board
from shoverworld.desktop.app import App, WindowScreen
from shoverworld.games import game_named
from shoverworld.games.shover.maps import Map
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings

FRAME = 1 / 30
PATIENCE = 240.0  # seconds a test waits for what happens beside the window: a slow machine may compile first

Pos = tuple[int, int]
GAME: Game = game_named("shover")


def drawn(text: str, preset: str = "milestone1", name: str = "drawn") -> Board:
    """A board from text."""
    return Board(name, preset, Map.parse(text, name), name)


def game(text: str, preset: str = "milestone1") -> Session:
    return Session(GAME, drawn(text, preset), seed=0)


class Hands:
    """A player with a keyboard and a mouse. Every gesture is followed by exactly one frame."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("SHOVERWORLD_HOME", str(folder))
        self.app: App = None  # type: ignore[assignment]
        self.mouse: Pos = (0, 0)
        self.down = False
        self.drawn: list[pygame.Rect] = []

    def open(
        self,
        first: Callable[[App], WindowScreen],
        size: Pos = (900, 640),
        fps: int = 30,
        animation: bool = False,
        settings: Settings | None = None,
    ) -> Any:
        """A window with this screen in it, drawn once."""
        self.close()
        self.app = App(settings or Settings(), size, fps, animation)
        pygame.event.clear()
        self.app.go(first(self.app))
        self.frame()
        return self.app.screen

    def close(self) -> None:
        if self.app is not None:
            self.app.close()
            self.app = None  # type: ignore[assignment]

    # --- time

    def frame(self, seconds: float = FRAME) -> list[pygame.Rect]:
        """One turn of the loop."""
        self.drawn = self.app.frame(seconds)
        return self.drawn

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.frame()

    def until(self, condition: Callable[[], Any], seconds: float = FRAME) -> Any:
        """Run frames until a condition holds, for background work: no test depends on its duration."""
        start = time.monotonic()
        while not (value := condition()):
            if time.monotonic() - start > PATIENCE:
                raise AssertionError(f"still not so after {PATIENCE:g} s")
            self.frame(seconds)
            time.sleep(0.002)
        return value

    def settle(self) -> None:
        """Let motions end."""
        self.frames(3)
        self.frame(5.0)

    # --- keys

    def key(self, name: str, shift: bool = False, control: bool = False, text: str = "") -> None:
        """Post a key press and release without a frame; `text`: what the key types."""
        code = pygame.key.key_code(name)
        mod = (pygame.KMOD_LSHIFT if shift else 0) | (pygame.KMOD_LCTRL if control else 0)
        letter = {"space": " ", "return": "\r"}.get(name, name if len(name) == 1 else "")
        pygame.event.post(
            pygame.event.Event(
                pygame.KEYDOWN, key=code, mod=mod, unicode=letter.upper() if shift else letter, scancode=0
            )
        )
        if text:
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=text))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=code, mod=mod, unicode=letter, scancode=0))

    def press(self, *names: str, shift: bool = False, control: bool = False) -> list[pygame.Rect]:
        """Press keys one after the other, a frame each."""
        for name in names:
            self.key(name, shift, control)
            self.frame()
        return self.drawn

    def type(self, text: str) -> None:
        """Type a text: key events and text events."""
        for letter in text:
            try:
                self.key(letter.lower(), shift=letter.isupper(), text=letter)
            except ValueError:  # no key of this name: written all the same
                pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=letter))
        self.frame()

    # --- the mouse

    def post(self, kind: int, **attributes: Any) -> None:
        pygame.event.post(pygame.event.Event(kind, **attributes))

    def point(self, pos: Pos, frame: bool = True) -> None:
        relative = pos[0] - self.mouse[0], pos[1] - self.mouse[1]
        self.mouse = pos
        self.post(pygame.MOUSEMOTION, pos=pos, rel=relative, buttons=(int(self.down), 0, 0), touch=False)
        if frame:
            self.frame()

    def hold(self, pos: Pos, button: int = 1, frame: bool = True) -> None:
        self.point(pos, False)
        self.down = True
        self.post(pygame.MOUSEBUTTONDOWN, pos=pos, button=button, touch=False)
        if frame:
            self.frame()

    def let_go(self, pos: Pos | None = None, button: int = 1, frame: bool = True) -> None:
        if pos is not None:
            self.point(pos, False)
        self.down = False
        self.post(pygame.MOUSEBUTTONUP, pos=self.mouse, button=button, touch=False)
        if frame:
            self.frame()

    def click(self, pos: Pos, button: int = 1) -> list[pygame.Rect]:
        self.hold(pos, button, False)
        self.let_go(None, button)
        return self.drawn

    def drag(self, start: Pos, end: Pos, steps: int = 4) -> None:
        self.hold(start)
        for i in range(1, steps + 1):
            self.point((start[0] + (end[0] - start[0]) * i // steps, start[1] + (end[1] - start[1]) * i // steps))
        self.let_go(end)

    def wheel(self, by: int) -> None:
        self.post(pygame.MOUSEWHEEL, x=0, y=by, flipped=False, precise_x=0.0, precise_y=float(by), touch=False)
        self.frame()

    # --- the window

    def resize(self, size: Pos) -> None:
        """Resize the window as if its corner was dragged."""
        pygame.display.set_mode(size, pygame.RESIZABLE)
        self.post(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1])
        self.frame()

    def drop(self, path: str | Path) -> None:
        self.post(pygame.DROPFILE, file=str(path))
        self.frame()

    # --- looking

    def pixels(self, rect: pygame.Rect | None = None) -> np.ndarray:
        """The content of the window: uint8 (height, width, 3)."""
        rect = self.app.surface.get_rect() if rect is None else rect
        return pygame.surfarray.array3d(self.app.surface.subsurface(rect)).swapaxes(0, 1).copy()

    def save(self, path: str | Path) -> None:
        pygame.image.save(self.app.surface, str(path))


@pytest.fixture
def hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hands]:
    """Import this into a test module; the window is closed at the end."""
    made = Hands(tmp_path / "home", monkeypatch)
    yield made
    made.close()


def changed_pixels(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """bool (height, width): where two pictures differ."""
    return (before != after).any(axis=2)
