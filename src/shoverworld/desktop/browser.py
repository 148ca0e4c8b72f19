"""The level browser, which lists the collections of a game and shows pictures of the levels in one collection."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
from pygame import Rect

from shoverworld.core.errors import ShoverWorldError
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.commands import LEVELS_KEYS, worded
from shoverworld.play.levels import LevelList

from . import theme
from .app import App, WindowScreen
from .help import EVERYWHERE, HelpScreen
from .input import commanded, named
from .level_grid import LevelGrid, Thumbnails
from .lists import ListBox, ListItem
from .open_file import expanded
from .widgets import Button, Form, Label, TextField, place_in_row

HELP = (
    "A tick marks a {level} that you have {solved}; your best result is below it, in green if no better result is known. You "
    "can drop a file or a folder of {levels} on the window."
)
BUTTON, ROW, SIDE = 34, 30, 220


class BrowserScreen(WindowScreen):
    """Lets the player choose a level. `picked` is called with the collection and the index of the chosen level. Esc
    goes back."""

    def __init__(self, app: App, browser: LevelBrowser, picked: Callable[[LevelList, int], Any]):
        super().__init__(app)
        self.browser, self.picked = browser, picked
        self.title = Label("", theme.HUGE)
        self.count = Label("", theme.LARGE, theme.SOFT, "right")
        self.about = Label("", colour=theme.SOFT)
        self.grid = LevelGrid(browser, Thumbnails(browser.game, app.guard), self._describe, lambda _: self.play())
        self.collections = ListBox([], changed=self.open, row_height=44)
        self.search = TextField(
            placeholder="search by number or title", changed=self._search, done=lambda _: self.play()
        )
        self.path = TextField(
            placeholder=f"{browser.game.level_word} file or folder (or drop it)", done=self._open_typed
        )
        self.status = Label("", colour=theme.TEXT)
        self.buttons = [
            Button("Play", self.play, "Enter", strong=True),
            Button(f"Next un{browser.game.solved_word}", self.next_unsolved, "N"),
            Button("Search", self._to_search, "/"),
            Button("Keys", self.help, "F1"),
            Button("Back", app.pop, "Esc"),
        ]
        self.form = Form(
            [
                self.grid, self.search, self.collections, self.path, *self.buttons,
                self.title, self.count, self.about, self.status,
            ]
        )  # fmt: skip
        self.form.focus(self.grid)
        self._refresh()

    # --- collections

    def _refresh(self) -> None:
        """Show the collection that is open in the model."""
        browser, levels = self.browser, self.browser.levels
        known = browser.collections
        items = [ListItem(one.name, one.title, below=browser.progress_of(one)) for one in known]
        self.collections.fill(items, [one.name for one in known].index(levels.name))
        self.title.set(text=levels.title)
        about = levels.collection.about
        self.about.set(text=about if about != levels.name else str(Path(levels.name).resolve()))
        self._filter()

    def open(self, name: str) -> None:
        """Open a collection by its name or path. Raise an error if the collection cannot be read."""
        self.browser.open(name)
        self._refresh()

    def _step(self, by: int) -> None:
        self.browser.next_collection(by)
        self._refresh()

    def _open_typed(self, path: str) -> None:
        if path.strip():
            self.open(expanded(path))
            self.path.set(text="", caret=0)
            self.form.focus(self.grid)

    # --- levels

    def _search(self, words: str) -> None:
        self.browser.search(words)
        self._filter()

    def _filter(self) -> None:
        """Show the levels that match the search text in the model."""
        if self.search.text != self.browser.words:
            self.search.set(text=self.browser.words, caret=len(self.browser.words))
        self.grid.refresh()
        self._describe()

    def _to_search(self) -> None:
        self.form.focus(self.search)

    def _to_search_by_key(self) -> None:
        self._to_search()
        self.app.drop_letter()

    def next_unsolved(self) -> None:
        if self.browser.next_unsolved():
            self._filter()
        else:
            self.app.say(self.browser.all_solved)

    def play(self) -> None:
        if self.browser.place is not None:
            self.picked(self.browser.levels, self.browser.place)

    def _describe(self, _: Any = None) -> None:
        self.count.set(text=self.browser.levels.progress)
        self.status.set(text=self.browser.description)

    def help(self) -> None:
        game = self.browser.game
        title, text = game.words["levels"].capitalize(), HELP.format(**game.words)
        self.app.push(
            HelpScreen(self.app, title, text, [(title, worded(LEVELS_KEYS, game)), ("Everywhere", EVERYWHERE)])
        )

    # --- events

    def opened(self) -> None:
        pygame.display.set_caption(f"{self.browser.levels.title} - {self.browser.game.title}")
        self.grid.stale = True
        self._describe()

    def handle(self, event: pygame.event.Event) -> None:
        try:
            if event.type == pygame.DROPFILE:
                self.open(event.file)
            elif event.type == pygame.KEYDOWN and named(event) == "escape":
                self._escape()
            elif not self.form.handle(event) and event.type == pygame.KEYDOWN and not commanded(event):
                self._key(named(event))
        except (ShoverWorldError, OSError) as reason:
            self.app.say(str(reason))

    def _escape(self) -> None:
        if self.form.focused is self.grid and not self.search.text:
            self.app.pop()
            return
        if self.search.text:
            self._search("")
        self.form.focus(self.grid)

    def _key(self, name: str) -> None:
        commands: dict[str, Callable[[], Any]] = {
            "return": self.play, "n": self.next_unsolved, "/": self._to_search_by_key, "f": self._to_search_by_key,
            "[": lambda: self._step(-1), "]": lambda: self._step(1), "f1": self.help, "q": self.app.ask_to_quit,
            "down": lambda: self.form.focus(self.grid),
        }  # fmt: skip
        if name in commands:
            commands[name]()

    # --- drawing

    def note_bottom(self) -> int:
        return self.status.rect.top - 2

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
        place_in_row(self.buttons, Rect(inner.left, y, inner.width, BUTTON))
        self.status.rect = Rect(inner.left, y - theme.GAP - theme.line_height(), inner.width, theme.line_height())
        body = Rect(inner.left, top, inner.width, max(1, self.status.rect.top - theme.GAP - top))
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

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if self.stale:
            surface.fill(theme.GROUND)
        return self.form.draw(surface, self.stale)
