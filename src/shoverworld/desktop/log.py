"""What has happened, a line a move: the last ones are seen, the wheel scrolls back to those before."""

from collections.abc import Sequence
from typing import NamedTuple

import pygame
from pygame import Rect

from shoverworld.core.ui import Colour

from . import theme
from .parts import Widget


class Entry(NamedTuple):
    text: str
    tone: str = ""
    colour: Colour | None = None  # of whom it is about


class Log(Widget):
    """`back`: how many lines it is scrolled up from the last one."""

    takes_focus = False

    def __init__(self, ground: Colour = theme.PANEL):
        super().__init__(ground)
        self.entries: list[Entry] = []
        self.back = 0

    def show(self, entries: Sequence[Entry]) -> None:
        """Another list; whoever reads farther up stays there, as long as lines are only added."""
        entries = list(entries)
        if entries == self.entries:
            return
        more = len(entries) - len(self.entries)
        grown = more > 0 and entries[: len(self.entries)] == self.entries
        self.back = self.back + more if grown and self.back else 0
        self.entries, self.stale = entries, True

    @property
    def room(self) -> int:
        """Lines that are seen."""
        return max(1, (self.rect.height - theme.GAP) // theme.line_height(theme.SMALL))

    def seen(self) -> list[Entry]:
        self.back = min(max(0, self.back), max(0, len(self.entries) - self.room))
        last = len(self.entries) - self.back
        return self.entries[max(0, last - self.room) : last]

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type != pygame.MOUSEWHEEL:
            return False
        self.scroll(event.y)
        return True

    def scroll(self, lines: int) -> None:
        """Up, to what was before; down for less than 0."""
        before = self.back
        self.back += lines
        self.seen()
        self.stale = self.stale or self.back != before

    def draw(self, surface: pygame.Surface) -> None:
        surface.fill(self.ground, self.rect)
        tall, spot = theme.line_height(theme.SMALL), theme.SMALL - 4
        y = self.rect.top + theme.GAP // 2
        for entry in self.seen():
            line = Rect(self.rect.left + theme.GAP, y, max(0, self.rect.width - 2 * theme.GAP - 6), tall)
            if entry.colour is not None:
                mark = Rect(line.left, 0, spot, spot)
                mark.centery = line.centery
                pygame.draw.rect(surface, entry.colour, mark, border_radius=2)
            words = Rect(line.left + spot + 6, line.top, max(0, line.width - spot - 6), tall)
            theme.write(surface, entry.text, words, theme.SMALL, theme.TONES.get(entry.tone, theme.TEXT))
            y += tall
        self._draw_bar(surface)

    def _draw_bar(self, surface: pygame.Surface) -> None:
        """How much there is above and below."""
        if len(self.entries) <= self.room:
            return
        height = max(12, self.rect.height * self.room // len(self.entries))
        free = self.rect.height - height
        top = self.rect.top + free - free * self.back // max(1, len(self.entries) - self.room)
        pygame.draw.rect(surface, theme.LINE, Rect(self.rect.right - 6, top, 4, height), border_radius=2)
