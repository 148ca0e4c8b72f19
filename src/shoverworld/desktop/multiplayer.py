"""The parts of the window for multiplayer games: buttons for the moves, and the log."""

from collections.abc import Sequence
from typing import NamedTuple

import pygame
from pygame import Rect

from shoverworld.core.ui import Cell, Colour, MoveButton
from shoverworld.play.table_content import LogEntry

from . import theme
from .widgets import Widget

PAD, PAD_GAP = 30, 4  # the height of a button, and the gap between two buttons


class ChoicePad(NamedTuple):
    """Buttons for moves, three per row as on a number pad, each with its key and an arrow in the direction of the move.
    `ready` is true if it is a person's turn."""

    choices: tuple[MoveButton, ...]
    ready: bool = True
    colour: Colour = theme.ACCENT  # the colour of the player whose turn it is
    rank: int = 1

    def places(self, width: int) -> list[Rect]:
        """Return the rectangle of each button, relative to the top-left corner of the block."""
        wide = min((width - 2 * PAD_GAP) // 3, 2 * PAD)
        return [
            Rect(place % 3 * (wide + PAD_GAP), place // 3 * (PAD + PAD_GAP), wide, PAD)
            for place in range(len(self.choices))
        ]

    def key_at(self, rect: Rect, pos: tuple[int, int]) -> str | None:
        inside = pos[0] - rect.left, pos[1] - rect.top
        places = zip(self.choices, self.places(rect.width), strict=True)
        return next((choice.key for choice, place in places if place.collidepoint(inside)), None)

    def height(self, width: int) -> int:
        return -(-len(self.choices) // 3) * (PAD + PAD_GAP) + theme.GAP

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        for choice, place in zip(self.choices, self.places(rect.width), strict=True):
            place.move_ip(rect.topleft)
            good = choice.legal and self.ready
            pygame.draw.rect(surface, theme.RAISED if good else theme.GROUND, place, border_radius=5)
            if good:
                pygame.draw.rect(surface, self.colour, place, 1, border_radius=5)
            ink = theme.TEXT if good else theme.BAD if self.ready else theme.LINE
            cap = Rect(place.left + 6, place.top, 12, place.height)
            theme.write(surface, choice.key, cap, theme.SMALL, theme.SOFT if self.ready else theme.LINE)
            self._draw_arrow(surface, choice.offset, place.center, ink)
            if self.ready and not choice.legal:  # illegal moves are not marked by colour alone
                reach = PAD // 4
                x, y = place.right - reach - 4, place.centery
                for slope in (-1, 1):
                    pygame.draw.line(
                        surface,
                        ink,
                        (x - reach // 2, y - slope * reach // 2),
                        (x + reach // 2, y + slope * reach // 2),
                        2,
                    )

    def _draw_arrow(self, surface: pygame.Surface, way: Cell, middle: tuple[int, int], ink: Colour) -> None:
        (down, right), (x, y) = way, middle
        if not down and not right:
            pygame.draw.circle(surface, ink, middle, 4)
            return
        reach = PAD // 4 if down and right else PAD // 3
        tip = x + right * reach, y + down * reach
        pygame.draw.line(surface, ink, (x - right * reach, y - down * reach), tip, 3 if down and right else 2)
        for turn in (-1, 1):  # the two halves of the arrowhead, at 45 degrees to the shaft
            back = (-right - turn * down, -down + turn * right)
            scale = 5 / max(1, abs(back[0]) + abs(back[1]))
            pygame.draw.line(surface, ink, tip, (tip[0] + back[0] * scale, tip[1] + back[1] * scale), 2)


class LogBox(Widget):
    """A log with one line per move. The mouse wheel scrolls the log; `back` is the number of lines below the
    visible ones."""

    takes_focus = False

    def __init__(self, ground: Colour = theme.PANEL):
        super().__init__(ground)
        self.entries: list[LogEntry] = []
        self.back = 0

    def show(self, entries: Sequence[LogEntry]) -> None:
        """Show these lines. A log that is scrolled up does not move when lines are added."""
        entries = list(entries)
        if entries == self.entries:
            return
        more = len(entries) - len(self.entries)
        grown = more > 0 and entries[: len(self.entries)] == self.entries
        self.back = self.back + more if grown and self.back else 0
        self.entries, self.stale = entries, True

    @property
    def room(self) -> int:
        """The number of visible lines."""
        return max(1, (self.rect.height - theme.GAP) // theme.line_height(theme.SMALL))

    def seen(self) -> list[LogEntry]:
        self.back = min(max(0, self.back), max(0, len(self.entries) - self.room))
        last = len(self.entries) - self.back
        return self.entries[max(0, last - self.room) : last]

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type != pygame.MOUSEWHEEL:
            return False
        self.scroll(event.y)
        return True

    def scroll(self, lines: int) -> None:
        """Scroll up by this many lines, or down if the number is negative."""
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
        """Draw the scroll bar."""
        if len(self.entries) <= self.room:
            return
        height = max(12, self.rect.height * self.room // len(self.entries))
        free = self.rect.height - height
        top = self.rect.top + free - free * self.back // max(1, len(self.entries) - self.room)
        pygame.draw.rect(surface, theme.LINE, Rect(self.rect.right - 6, top, 4, height), border_radius=2)
