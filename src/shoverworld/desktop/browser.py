"""The level browser: the collections of a room, and every level of one of them with its picture, solved or not."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
from pygame import Rect

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.ui import Collection, KeyHelp
from shoverworld.play.records import standing
from shoverworld.play.shelf import Shelf

from . import theme
from .app import App, Screen
from .grid import LevelGrid
from .help import EVERYWHERE, HelpScreen
from .keys import named
from .thumbnails import Thumbnails
from .widgets import Button, Choice, Form, Item, Label, TextField

KEYS = (
    KeyHelp(("arrows",), "choose a level; Page Up, Page Down, Home and End go farther"),
    KeyHelp(("return",), "play it"),
    KeyHelp(("n",), "the next level that is not solved yet"),
    KeyHelp(("/", "f"), "search by number or title; Enter plays the first that fits, Esc shows all again"),
    KeyHelp(("[", "]"), "the collection before, the next one"),
    KeyHelp(("tab",), "to the next part of the screen"),
    KeyHelp(("escape",), "back"),
)
HELP = (
    "A tick: you have solved it, and below it stands your best; in green, nobody is known to be better. A file or a folder "
    "of levels can be dropped on the window."
)
BUTTON, ROW, SIDE = 34, 30, 220


class BrowserScreen(Screen):
    """`picked` is called with the shelf and the place on it. It lies over the screen it was opened from: Esc leads back."""

    def __init__(self, app: App, shelf: Shelf, place: int | None, picked: Callable[[Shelf, int], Any]):
        super().__init__(app)
        self.game, self.picked = shelf.game, picked
        self._shelves = {shelf.name: shelf}
        self.opened_files: list[Collection] = [] if shelf.collection in shelf.packaged else [shelf.collection]
        self.title = Label("", theme.HUGE)
        self.count = Label("", theme.LARGE, theme.SOFT, "right")
        self.about = Label("", colour=theme.SOFT)
        self.grid = LevelGrid(shelf, Thumbnails(self.game), self._tell, lambda _: self.play())
        self.collections = Choice([], changed=self._choose, row_height=44)
        self.search = TextField(placeholder="search: number or title", changed=self._search, done=lambda _: self.play())
        self.path = TextField(placeholder="path of levels (or drop it)", done=self._open_typed)
        self.told = Label("", colour=theme.TEXT)
        self.buttons = [
            Button("Play", self.play, "Enter", strong=True),
            Button("Next unsolved", self.next_unsolved, "N"),
            Button("Search", self._to_search, "/"),
            Button("Keys", self.help, "F1"),
            Button("Back", app.pop, "Esc"),
        ]
        self.form = Form(
            [
                self.grid, self.search, self.collections, self.path, *self.buttons,
                self.title, self.count, self.about, self.told,
            ]
        )  # fmt: skip
        self.form.focus(self.grid)
        self._show(shelf, place)

    @property
    def shelf(self) -> Shelf:
        return self.grid.shelf

    # --- collections

    def _all(self) -> list[Collection]:
        return [*self.shelf.packaged, *self.opened_files]

    def _show(self, shelf: Shelf, place: int | None = None) -> None:
        """This collection; a level that was not said is the first that is not solved."""
        if place is None:
            place = shelf.next_unsolved()
        self.grid.show(shelf, place)
        self.search.set(text="", caret=0)
        known = self._all()
        items = [Item(one.name, one.title, below=self._line(one)) for one in known]
        self.collections.fill(items, [one.name for one in known].index(shelf.name))
        self.title.set(text=shelf.title)
        about = shelf.collection.about
        self.about.set(text=about if about != shelf.name else str(Path(shelf.name).resolve()))
        self._tell()

    def _line(self, one: Collection) -> str:
        try:
            return self._shelf(one.name).progress
        except ShoverWorldError as reason:  # a file that is gone
            return str(reason)

    def _shelf(self, name: str) -> Shelf:
        if name not in self._shelves:
            self._shelves[name] = Shelf(self.game, name, self.shelf.records, self.shelf.rules)
        return self._shelves[name]

    def open(self, name: str) -> None:
        """A collection by its name or path; an error when it cannot be read."""
        shelf = self._shelf(name)
        if shelf.collection not in self._all():
            self.opened_files.append(shelf.collection)
        self._show(shelf)

    def _choose(self, name: str) -> None:
        self.open(name)

    def _step(self, by: int) -> None:
        names = [one.name for one in self._all()]
        self.open(names[(names.index(self.shelf.name) + by) % len(names)])

    def _open_typed(self, path: str) -> None:
        if path.strip():
            self.open(os.path.expanduser(path.strip().strip('"')))
            self.path.set(text="", caret=0)
            self.form.focus(self.grid)

    # --- levels

    def _search(self, words: str) -> None:
        before = self.grid.value
        found = self.shelf.search(words)
        self.grid.filter(found, before if not words else None)
        self._tell()

    def _to_search(self) -> None:
        self.form.focus(self.search)

    def _to_search_by_key(self) -> None:
        self._to_search()
        self.app.drop_letter()

    def next_unsolved(self) -> None:
        place = self.shelf.next_unsolved(self.grid.value)
        if place is None:
            self.app.say("All of them are solved.")
            return
        self.search.set(text="", caret=0)
        self.grid.filter(list(range(len(self.shelf))), place)
        self._tell()

    def play(self) -> None:
        if self.grid.value is not None:
            self.picked(self.shelf, self.grid.value)

    def _tell(self, _: Any = None) -> None:
        """The level that is chosen, in words."""
        shelf, place = self.shelf, self.grid.value
        self.count.set(text=shelf.progress)
        if place is None:
            self.told.set(text="No level fits.")
            return
        board, mine, known = shelf.boards[place], shelf.mine(place), shelf.known(place)
        rows, cols = self.game.ui.drawing.thumbnail(board).tiles.shape
        parts = [f"{shelf.label(place)} of {len(shelf)}" if shelf.label(place) == board.title else shelf.label(place)]
        parts.append(f"{rows} x {cols}")
        parts.append(f"your best: {mine.words}" if mine else "not solved yet")
        parts += [f"{standing(known).lower()}: {known.words}"] if known else []
        self.told.set(text=" · ".join(parts))

    def help(self) -> None:
        self.app.push(HelpScreen(self.app, "Levels", HELP, [("Levels", KEYS), ("Everywhere", EVERYWHERE)]))

    # --- events

    def opened(self) -> None:
        pygame.display.set_caption(f"{self.shelf.title} - {self.game.title}")
        self.grid.stale = True
        self._tell()

    def handle(self, event: pygame.event.Event) -> None:
        try:
            if event.type == pygame.DROPFILE:
                self.open(event.file)
            elif event.type == pygame.KEYDOWN and named(event) == "escape":
                self._escape()
            elif not self.form.handle(event) and event.type == pygame.KEYDOWN:
                self._key(event)
        except (ShoverWorldError, OSError) as reason:
            self.app.say(str(reason))

    def _escape(self) -> None:
        if self.form.focused is self.grid and not self.search.text:
            self.app.pop()
            return
        if self.search.text:
            self.search.set(text="", caret=0)
            self._search("")
        self.form.focus(self.grid)

    def _key(self, event: pygame.event.Event) -> None:
        commands: dict[str, Callable[[], Any]] = {
            "return": self.play, "n": self.next_unsolved, "/": self._to_search_by_key, "f": self._to_search_by_key,
            "[": lambda: self._step(-1), "]": lambda: self._step(1), "f1": self.help, "q": self.app.ask_to_quit,
            "down": lambda: self.form.focus(self.grid),
        }  # fmt: skip
        command = commands.get(named(event))
        if command is not None and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META):
            command()

    # --- what is seen

    def note_bottom(self) -> int:
        return self.told.rect.top - 2

    def lay_out(self, size: tuple[int, int]) -> None:
        width, height = size
        inner = Rect(theme.MARGIN, theme.GAP, max(1, width - 2 * theme.MARGIN), max(1, height - 2 * theme.GAP))
        tall = theme.line_height(theme.HUGE)
        part = min(240, inner.width // 2)
        self.title.rect = Rect(inner.left, inner.top, inner.width - part, tall)
        self.count.rect = Rect(inner.right - part, inner.top, part, tall)
        roomy = inner.height >= 420
        self.about.rect = Rect(inner.left, self.title.rect.bottom, inner.width, theme.line_height() if roomy else 0)
        top = max(self.title.rect.bottom, self.about.rect.bottom) + theme.GAP
        y = inner.bottom - BUTTON
        self._place_buttons(Rect(inner.left, y, inner.width, BUTTON))
        self.told.rect = Rect(inner.left, y - theme.GAP - theme.line_height(), inner.width, theme.line_height())
        body = Rect(inner.left, top, inner.width, max(1, self.told.rect.top - theme.GAP - top))
        side = SIDE if inner.width >= 760 else 0
        if side:
            left = Rect(body.left, body.top, side, body.height)
            self.search.rect = Rect(left.left, left.top, side, ROW)
            self.path.rect = Rect(left.left, left.bottom - ROW, side, ROW)
            between = left.height - 2 * ROW - 2 * theme.GAP
            self.collections.rect = Rect(left.left, left.top + ROW + theme.GAP, side, max(1, between))
            self.grid.rect = Rect(
                left.right + theme.MARGIN, body.top, body.right - left.right - theme.MARGIN, body.height
            )
        else:
            half = (body.width - theme.GAP) // 2
            self.search.rect = Rect(body.left, body.top, half, ROW)
            self.path.rect = Rect(body.left + half + theme.GAP, body.top, body.width - half - theme.GAP, ROW)
            self.collections.rect = Rect(0, 0, 0, 0)
            above = ROW + theme.GAP
            self.grid.rect = Rect(body.left, body.top + above, body.width, max(1, body.height - above))
        self.grid.reveal()
        self.collections.reveal()

    def _place_buttons(self, row: Rect) -> None:
        wanted = [button.width() for button in self.buttons]
        free = row.width - theme.GAP * (len(wanted) - 1)
        if sum(wanted) > free:
            wanted = [free * wide // sum(wanted) for wide in wanted]
        x = row.left
        for button, wide in zip(self.buttons, wanted, strict=True):
            button.rect = Rect(x, row.top, wide, row.height)
            x += wide + theme.GAP

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if self.stale:
            surface.fill(theme.GROUND)
        return self.form.draw(surface, self.stale)
