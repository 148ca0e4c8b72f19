"""A driver for the window in tests: a real App on SDL's dummy video driver, with real events in pygame's queue.

driver = WindowDriver(tmp_path, monkeypatch)  # the player's files go to tmp_path
driver.open(lambda app: MenuScreen(app))
driver.press("down", "return")
driver.until(lambda: driver.app.screen.something)
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
PATIENCE = 240.0  # time limit in seconds for background work; a slow machine may have to compile first

Pos = tuple[int, int]
GAME: Game = game_named("shover")


def board_from_text(text: str, preset: str = "milestone1", name: str = "drawn") -> Board:
    """Return a board parsed from a string."""
    return Board(name, preset, Map.parse(text, name), name)


def game(text: str, preset: str = "milestone1") -> Session:
    return Session(GAME, board_from_text(text, preset), seed=0)


class WindowDriver:
    """Simulates a player with a keyboard and a mouse. Exactly one frame follows every gesture."""

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
        """Open a window with this screen and draw it once."""
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

    # --- frames

    def frame(self, seconds: float = FRAME) -> list[pygame.Rect]:
        """Run one iteration of the main loop and return the rectangles that were drawn."""
        self.drawn = self.app.frame(seconds)
        return self.drawn

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.frame()

    def until(self, condition: Callable[[], Any], seconds: float = FRAME) -> Any:
        """Run frames until a condition holds. Tests of background work call this, so they do not depend on timing."""
        start = time.monotonic()
        while not (value := condition()):
            if time.monotonic() - start > PATIENCE:
                raise AssertionError(f"the condition is still false after {PATIENCE:g} s")
            self.frame(seconds)
            time.sleep(0.002)
        return value

    def settle(self) -> None:
        """Run frames until all animations have ended."""
        self.frames(3)
        self.frame(5.0)

    # --- keys

    def key(self, name: str, shift: bool = False, control: bool = False, text: str = "") -> None:
        """Post a key press and release without running a frame. `text` is the text that the key types."""
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
        """Press keys one after another and run a frame after each."""
        for name in names:
            self.key(name, shift, control)
            self.frame()
        return self.drawn

    def type(self, text: str) -> None:
        """Type the given text with key events and text events."""
        for letter in text:
            try:
                self.key(letter.lower(), shift=letter.isupper(), text=letter)
            except ValueError:  # no key has this name, so only the text event is sent
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

    def release(self, pos: Pos | None = None, button: int = 1, frame: bool = True) -> None:
        if pos is not None:
            self.point(pos, False)
        self.down = False
        self.post(pygame.MOUSEBUTTONUP, pos=self.mouse, button=button, touch=False)
        if frame:
            self.frame()

    def click(self, pos: Pos, button: int = 1) -> list[pygame.Rect]:
        self.hold(pos, button, False)
        self.release(None, button)
        return self.drawn

    def drag(self, start: Pos, end: Pos, steps: int = 4) -> None:
        self.hold(start)
        for i in range(1, steps + 1):
            self.point((start[0] + (end[0] - start[0]) * i // steps, start[1] + (end[1] - start[1]) * i // steps))
        self.release(end)

    def wheel(self, by: int) -> None:
        self.post(pygame.MOUSEWHEEL, x=0, y=by, flipped=False, precise_x=0.0, precise_y=float(by), touch=False)
        self.frame()

    # --- the window

    def resize(self, size: Pos) -> None:
        """Resize the window as if the user dragged its corner."""
        pygame.display.set_mode(size, pygame.RESIZABLE)
        self.post(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1])
        self.frame()

    def drop(self, path: str | Path) -> None:
        self.post(pygame.DROPFILE, file=str(path))
        self.frame()

    # --- pixels

    def pixels(self, rect: pygame.Rect | None = None) -> np.ndarray:
        """Return the pixels of the window as a uint8 array (height, width, 3)."""
        rect = self.app.surface.get_rect() if rect is None else rect
        return pygame.surfarray.array3d(self.app.surface.subsurface(rect)).swapaxes(0, 1).copy()

    def save(self, path: str | Path) -> None:
        pygame.image.save(self.app.surface, str(path))


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WindowDriver]:
    """Yield a driver and close its window at the end. Import this fixture into a test module."""
    window_driver = WindowDriver(tmp_path / "home", monkeypatch)
    yield window_driver
    window_driver.close()


def changed_pixels(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return a Boolean array (height, width) that is true where the two pictures differ."""
    return (before != after).any(axis=2)
