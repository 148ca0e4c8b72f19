"""The help page, which lists all keys for a screen and can be scrolled."""

from collections.abc import Sequence

import pygame
from pygame import Rect

from shoverworld.core.ui import KeyHelp
from shoverworld.play.commands import Section, key_names

from . import theme
from .app import App, WindowScreen
from .input import named

STEP = 40  # pixels scrolled by an arrow key
# The keys that work on every screen.
EVERYWHERE = (
    KeyHelp(("f1",), "show this help"),
    KeyHelp(("f11",), "turn full screen on or off"),
    KeyHelp(("f12",), "save a screenshot"),
)


class HelpScreen(WindowScreen):
    """Shows `text` and the keys below it. Esc, F1, Enter or a click closes the page."""

    over = True

    def __init__(self, app: App, title: str, text: str, sections: Sequence[Section]):
        super().__init__(app)
        self.title, self.text, self.sections = title, text, list(sections)
        self.scroll = 0
        self.rect = Rect(0, 0, 0, 0)

    def lay_out(self, size: tuple[int, int]) -> None:
        self.rect = Rect(0, 0, min(640, size[0] - 2 * theme.GAP), size[1] - 2 * theme.GAP)
        width = self.rect.width - 2 * theme.MARGIN - 8
        self.page = self._page(max(width, 60))
        wanted = self.page.get_height() + theme.line_height(theme.LARGE) + 2 * theme.MARGIN + theme.GAP
        self.rect.height = min(self.rect.height, wanted)
        self.rect.center = size[0] // 2, size[1] // 2
        self._scroll_by(0)

    def _page(self, width: int) -> pygame.Surface:
        """Draw everything below the title onto one surface."""
        column = min(max((self._key_width() + theme.MARGIN), 60), width // 2)
        rows: list[tuple[str, list[str]]] = [("", theme.wrapped(self.text, width) if self.text else [])]
        for head, keys in self.sections:
            rows.append((head, []))
            for key in keys:
                rows.append(("\t" + key_names(key.keys), theme.wrapped(key.what, width - column)))
        line = theme.line_height()
        height = sum(self._row_height(row, column) for row in rows)
        page = pygame.Surface((width, max(height, line)))
        page.fill(theme.PANEL)
        y = 0
        for row in rows:
            name, lines = row
            if name.startswith("\t"):
                left = Rect(0, y, column - theme.GAP, self._row_height(row, column))
                theme.write_lines(page, theme.wrapped(name[1:], left.width), left, colour=theme.ACCENT)
                theme.write_lines(page, lines, Rect(column, y, width - column, len(lines) * line))
            elif name:
                pygame.draw.line(page, theme.LINE, (0, y + theme.GAP), (width, y + theme.GAP))
                theme.write(page, name, Rect(0, y + theme.MARGIN, width, line), colour=theme.SOFT)
            else:
                theme.write_lines(page, lines, Rect(0, y, width, len(lines) * line), colour=theme.SOFT)
            y += self._row_height(row, column)
        return page

    def _key_width(self) -> int:
        return max(theme.width_of(key_names(key.keys)) for _, keys in self.sections for key in keys)

    def _row_height(self, row: tuple[str, list[str]], column: int) -> int:
        name, lines = row
        line = theme.line_height()
        if name.startswith("\t"):
            return max(len(lines), len(theme.wrapped(name[1:], column - theme.GAP))) * line + 4
        return line + theme.MARGIN + 4 if name else len(lines) * line

    def _window(self) -> Rect:
        """Return the area of the window in which the page is visible."""
        top = self.rect.top + theme.MARGIN + theme.line_height(theme.LARGE) + theme.GAP
        return Rect(
            self.rect.left + theme.MARGIN, top, self.page.get_width(), max(0, self.rect.bottom - theme.MARGIN - top)
        )

    def _scroll_by(self, pixels: int) -> None:
        most = max(0, self.page.get_height() - self._window().height)
        scroll = min(max(0, self.scroll + pixels), most)
        if scroll != self.scroll:
            self.scroll, self.stale = scroll, True

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.MOUSEWHEEL:
            self._scroll_by(-event.y * STEP)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self.app.pop()
        elif event.type == pygame.KEYDOWN:
            page = self._window().height - STEP
            moves = {"up": -STEP, "down": STEP, "page up": -page, "page down": page, "space": page}
            moves |= {"home": -self.page.get_height(), "end": self.page.get_height()}
            name = named(event)
            if name in moves:
                self._scroll_by(moves[name])
            elif name in ("escape", "f1", "return", "q"):
                self.app.pop()

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if not self.stale:
            return []
        theme.veil(surface)
        pygame.draw.rect(surface, theme.PANEL, self.rect, border_radius=8)
        pygame.draw.rect(surface, theme.LINE, self.rect, 1, border_radius=8)
        window = self._window()
        head = Rect(window.left, self.rect.top + theme.MARGIN, window.width, theme.line_height(theme.LARGE))
        theme.write(surface, "Esc closes", head, theme.SMALL, theme.SOFT, "right")
        theme.write(surface, self.title, head, theme.LARGE)
        surface.blit(self.page, window, Rect(0, self.scroll, window.width, window.height))
        if self.page.get_height() > window.height:
            height = max(16, window.height * window.height // self.page.get_height())
            free = window.height - height
            top = window.top + free * self.scroll // max(1, self.page.get_height() - window.height)
            pygame.draw.rect(surface, theme.LINE, Rect(window.right + 4, top, 4, height), border_radius=2)
        return [self.rect]
