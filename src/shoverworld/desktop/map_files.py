"""The editor's questions about files: where to save a map and how, which one to open."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
from pygame import Rect

from shoverworld.play.drawing import UNTITLED, Drawing

from . import theme
from .app import App
from .dialog import Ask, AskText
from .widgets import Button, Choice, Item

MOST_FILES = 200  # of a folder that are listed
ENDINGS = (".txt", ".xsb", ".sok")


class AskSave(AskText):
    """Where to save a drawing, and in which format. `then` is what comes when it is saved."""

    def __init__(self, app: App, drawing: Drawing, then: Callable[[], Any]):
        self.drawing, self.then = drawing, then
        self.formats = [name for name, _ in drawing.game.levels.formats]
        self.format = drawing.format
        name = "my-level" if drawing.called == UNTITLED else drawing.called
        path = drawing.path or str(Path.cwd() / f"{name}.txt")
        super().__init__(app, "Save as", "The path of the file.", path, self._save, "Save")
        self.switch = Button("", self._next_format, ground=theme.PANEL)
        self.form.widgets.append(self.switch)
        self._tell()

    def _next_format(self) -> None:
        self.format = self.formats[(self.formats.index(self.format) + 1) % len(self.formats)]
        self._tell()
        self.form.focus(self.field)
        self.lay_out(self.app.surface.get_size())
        self.stale = True

    def _tell(self) -> None:
        about = dict(self.drawing.game.levels.formats)[self.format]
        self.switch.set(text=f"Write as: {re.split(r'[^a-z]', about)[0]} ({self.format})")
        self.text = f"The path of the file. Format {self.format}: {about}."

    def _finish(self) -> None:
        path = self.field.text
        if self.drawing.overwrites(path) and not os.path.isdir(os.path.expanduser(path)):
            self.app.push(AskReplace(self.app, path, super()._finish))
        else:
            super()._finish()

    def _save(self, path: str) -> None:
        self.drawing.save(path, self.format)
        self.then()


class AskReplace(Ask):
    """May a file be replaced? Neither Enter nor Esc does it by chance: both lead back to where its path is typed."""

    def __init__(self, app: App, path: str, replace: Callable[[], Any]):
        text = "There is a file of this name already."
        super().__init__(app, f"Replace {os.path.basename(path)}?", text, [("Keep it", None), ("Replace it", replace)])

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.answer(None)
        else:
            super().handle(event)


class AskOpen(AskText):
    """The path of a map, or one of the list: files beside the drawing, and the maps that come with the room."""

    def __init__(self, app: App, drawing: Drawing, done: Callable[[str], Any]):
        folder = Path(drawing.path).parent if drawing.path else Path.cwd()
        text = f"A file, or the name of a level that comes with {drawing.game.title}."
        super().__init__(app, "Open a level", text, "", done, "Open")
        items = [Item(str(path), path.name, "file") for path in _maps_in(folder)]
        items += [Item(board.name, board.title or board.name, board.name) for board in drawing.game.levels.boards()]
        self.list = Choice(items, changed=self._take, picked=lambda _: self._finish(), ground=theme.RAISED)
        self.list.chosen = -1  # none yet

    def _take(self, name: str) -> None:
        self.field.set(text=name, caret=len(name))

    def _extra_height(self) -> int:
        return super()._extra_height() + self._list_height() + theme.GAP

    def lay_out(self, size: tuple[int, int]) -> None:
        if self.list in self.form.widgets:
            self.form.widgets.remove(self.list)
        super().lay_out(size)
        self.form.widgets.insert(1, self.list)
        height, field = self._list_height(), self.field.rect
        self.list.rect = Rect(field.left, field.top - height - theme.GAP, field.width, height)

    def _list_height(self) -> int:
        return max(0, min(260, self.app.surface.get_height() - 230))


def _maps_in(folder: Path) -> list[Path]:
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS and path.is_file())
        return found[:MOST_FILES]
    except OSError:
        return []
