"""Which replay to open: one of those saved last, or any by its path."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pygame
from pygame import Rect

from shoverworld.play.files import home

from . import theme
from .app import App
from .dialog import AskText
from .widgets import Choice, Item

MOST, ROW = 8, 24
TEXT = "The replays saved last, or the path of a file. It can also be dropped on the window."


class AskReplay(AskText):
    """The list has the focus when there is something in it; whoever types writes a path all the same."""

    def __init__(self, app: App, done: Callable[[str], Any]):
        self.saved = _saved()
        latest = str(self.saved[0]) if self.saved else ""
        super().__init__(app, "Open a replay", TEXT, latest, done, "Open")
        items = [Item(str(path), path.stem, note=_when(path)) for path in self.saved]
        self.list = Choice(items, changed=self.field.put, picked=lambda _: self._finish(), row_height=ROW)
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
    """The newest first."""
    times = []
    for path in (home() / "replays").glob("*.replay"):
        try:
            times.append((path.stat().st_mtime, path))
        except OSError:  # gone by now
            continue
    return [path for _, path in sorted(times, reverse=True)[:MOST]]


def _when(path: Path) -> str:
    try:
        return f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"
    except OSError:
        return ""
