"""The editor's dialogs for saving and opening a level."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
from pygame import Rect

from shoverworld.play.edit_session import UNTITLED, EditSession

from . import theme
from .app import App
from .dialog import Ask, AskText
from .lists import ListBox, ListItem
from .widgets import Button

MOST_FILES = 200  # maximum number of files listed from a folder


class AskSave(AskText):
    """Asks where and in which format to save a level. `then` is called after saving."""

    def __init__(self, app: App, edit: EditSession, then: Callable[[], Any]):
        self.edit, self.then = edit, then
        self.formats = [name for name, _ in edit.game.levels.formats]
        self.format = edit.format
        name = "my-level" if edit.called == UNTITLED else edit.called
        path = edit.path or str(Path.cwd() / f"{name}.txt")
        super().__init__(app, "Save as", "Enter the path of the file.", path, self._save, "Save")
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
        about = dict(self.edit.game.levels.formats)[self.format]
        self.switch.set(text=f"Write as: {re.split(r'[^a-z]', about)[0]} ({self.format})")
        self.text = f"Enter the path of the file. Format {self.format}: {about}."

    def _finish(self) -> None:
        path = self.field.text
        if self.edit.overwrites(path) and not os.path.isdir(os.path.expanduser(path)):
            self.app.push(AskReplace(self.app, path, super()._finish))
        else:
            super()._finish()

    def _save(self, path: str) -> None:
        self.edit.save(path, self.format)
        self.then()


class AskReplace(Ask):
    """Asks whether a file may be replaced. Enter and Esc keep the file and go back to the path field."""

    def __init__(self, app: App, path: str, replace: Callable[[], Any]):
        text = "A file with this name already exists."
        super().__init__(app, f"Replace {os.path.basename(path)}?", text, [("Keep it", None), ("Replace it", replace)])

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.answer(None)
        else:
            super().handle(event)


class AskOpen(AskText):
    """Asks for the path to a level; a list offers packaged levels and files from the current level's folder."""

    def __init__(self, app: App, edit: EditSession, done: Callable[[str], Any]):
        folder = Path(edit.path).parent if edit.path else Path.cwd()
        text = f"Enter the path of a file or the name of a {edit.game.level_word} bundled with {edit.game.title}."
        super().__init__(app, f"Open a {edit.game.level_word}", text, "", done, "Open")
        items = [ListItem(str(path), path.name, "file") for path in _levels_in(folder, edit.game.levels.suffixes)]
        items += [ListItem(board.name, board.title or board.name, board.name) for board in edit.game.levels.boards()]
        self.list = ListBox(items, changed=self._take, picked=lambda _: self._finish(), ground=theme.RAISED)
        self.list.chosen = -1  # nothing is chosen yet

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


def _levels_in(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix.lower() in suffixes and path.is_file())
        return found[:MOST_FILES]
    except OSError:
        return []
