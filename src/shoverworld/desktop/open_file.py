"""The dialog for opening replays, and a function that reads the levels at a path."""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pygame
from pygame import Rect

from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.play.files import home
from shoverworld.play.places import Found, find

from . import theme
from .app import App
from .dialog import AskText
from .lists import ListBox, ListItem

MOST, ROW = 8, 24
TEXT = "Choose a saved replay or type the path of a file. You can also drop a file on the window."


class AskReplay(AskText):
    """Asks for a replay. The list has the focus unless it is empty; typed text goes to the path field."""

    def __init__(self, app: App, done: Callable[[str], Any]):
        self.saved = _saved()
        latest = str(self.saved[0]) if self.saved else ""
        super().__init__(app, "Open a replay", TEXT, latest, done, "Open")
        items = [ListItem(str(path), path.stem, note=_when(path)) for path in self.saved]
        self.list = ListBox(items, changed=self.field.put, picked=lambda _: self._finish(), row_height=ROW)
        self.form.widgets.insert(0, self.list)
        if items:
            self.form.focus(self.list)

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.TEXTINPUT and self.form.focused is not self.field:
            self.form.focus(self.field)
        super().handle(event)

    def _extra_height(self) -> int:
        return super()._extra_height() + (self._tall + theme.GAP if self._tall else 0)

    def lay_out(self, size: tuple[int, int]) -> None:
        rows = min(len(self.saved), max(0, (size[1] - 260) // ROW))
        self._tall = rows * ROW + 2 if rows else 0
        super().lay_out(size)
        field = self.field.rect
        self.list.rect = Rect(field.left, field.top - theme.GAP - self._tall, field.width if rows else 0, self._tall)
        self.list.reveal()

    def _lowest(self) -> list[Any]:
        return [widget for widget in super()._lowest() if widget is not self.list]


def _saved() -> list[Path]:
    """Return the most recently saved replays, newest first."""
    times = []
    for path in (home() / "replays").glob("*.replay"):
        try:
            times.append((path.stat().st_mtime, path))
        except OSError:  # the file no longer exists
            continue
    return [path for _, path in sorted(times, reverse=True)[:MOST]]


def _when(path: Path) -> str:
    try:
        return f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"
    except OSError:
        return ""


def expanded(path: str) -> str:
    """Expand a path that was typed or pasted."""
    return os.path.expanduser(path.strip().strip('"'))


def levels_at(path: str, game: str) -> Found:
    """Read the levels at a path, as levels for this game if possible and otherwise as levels for any game. Raise
    ConfigError if no game can read them."""
    try:
        try:
            found = find(path, game)
        except FileNotFoundError:
            raise
        except ShoverWorldError:
            return find(path)
        return find(path) if found.skipped else found  # perhaps most of the files belong to another game
    except FileNotFoundError:
        raise ConfigError(f"the file {path} does not exist") from None
    except ShoverWorldError as reason:
        raise ConfigError(f"neither a replay nor a level file: {reason}") from None
