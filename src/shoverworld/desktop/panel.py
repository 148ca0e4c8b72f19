"""The panel beside a board: statistics with bars, text and switches. If there is not enough space, the least important
blocks are left out.

A panel is a list of blocks. Blocks are plain values, and the panel is redrawn if its blocks differ from the previous
ones.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import pygame
from pygame import Rect

from shoverworld.core.ui import Figure
from shoverworld.play.commands import key_name

from . import theme

BAR = 6  # height of a bar in pixels
SPOT = 11
KEY_GAP = 5
COLUMN = 195  # the minimum width of a column in a panel below the board


class Block(Protocol):
    @property
    def rank(self) -> int:
        """The rank of the block. A block of rank 0 is always shown; blocks of the highest rank are left out first."""
        ...

    def height(self, width: int) -> int: ...
    def draw(self, surface: pygame.Surface, rect: Rect) -> None: ...


@runtime_checkable
class Pressed(Protocol):
    """A block with buttons."""

    def key_at(self, rect: Rect, pos: tuple[int, int]) -> str | None: ...


class Heading(NamedTuple):
    """A large title with a line in a softer colour below it."""

    text: str
    below: str = ""
    rank: int = 0

    def _lines(self, width: int) -> list[str]:
        """Return the title as at most two lines; the rest of the title is cut off."""
        lines = theme.wrapped(self.text, width, theme.LARGE) or [""]
        return [lines[0], " ".join(lines[1:])] if len(lines) > 1 else lines

    def height(self, width: int) -> int:
        lines = theme.line_height(theme.LARGE) * len(self._lines(width))
        return lines + (theme.line_height(theme.SMALL) if self.below else 0) + theme.GAP

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        first = Rect(rect.left, rect.top, rect.width, theme.line_height(theme.LARGE))
        first.bottom = rect.top
        for line in self._lines(rect.width):
            first.top = first.bottom
            theme.write(surface, line, first, theme.LARGE)
        second = Rect(rect.left, first.bottom, rect.width, theme.line_height(theme.SMALL))
        theme.write(surface, self.below, second, theme.SMALL, theme.SOFT)


class Verdict(NamedTuple):
    """The outcome of a game, in large letters."""

    text: str
    tone: str = ""
    rank: int = 0

    def height(self, width: int) -> int:
        return len(theme.wrapped(self.text, width, theme.LARGE)) * theme.line_height(theme.LARGE) + theme.GAP

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        lines = theme.wrapped(self.text, rect.width, theme.LARGE)
        theme.write_lines(surface, lines, rect, theme.LARGE, theme.TONES.get(self.tone, theme.TEXT))


class Line(NamedTuple):
    """A statistic with its label on the left, its value on the right (or below if the value is long), and its bar."""

    figure: Figure
    rank: int = 1

    def _below(self, width: int) -> list[str]:
        """Return the lines of the value below the label; none if the value fits next to the label."""
        label, value = self.figure.label, self.figure.value
        if not label or self._inset() + theme.width_of(label) + theme.GAP + theme.width_of(value) <= width:
            return []
        return theme.wrapped(value, width - theme.MARGIN)

    def _inset(self) -> int:
        """Return the width that the patch with a player's colour needs."""
        return 0 if self.figure.colour is None else SPOT + theme.GAP

    def height(self, width: int) -> int:
        bar = BAR + 4 if self.figure.share is not None else 0
        return theme.line_height() * (1 + len(self._below(width))) + bar + 3

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        figure, colour = self.figure, theme.TONES.get(self.figure.tone, theme.TEXT)
        first = Rect(rect.left, rect.top, rect.width, theme.line_height())
        below = self._below(rect.width)
        if figure.colour is not None:
            spot = Rect(rect.left, 0, SPOT, SPOT)
            spot.centery = first.centery
            pygame.draw.rect(surface, figure.colour, spot, border_radius=3)
        label = Rect(first.left + self._inset(), first.top, first.width - self._inset(), first.height)
        theme.write(surface, figure.label, label, colour=theme.SOFT)
        if not below:
            theme.write(surface, figure.value, first, colour=colour, align="right")
        indented = Rect(rect.left + theme.MARGIN, first.bottom, rect.width, rect.bottom - first.bottom)
        y = theme.write_lines(surface, below, indented, colour=colour)
        if figure.share is not None:
            theme.draw_bar(surface, Rect(rect.left, y + 2, rect.width, BAR), figure.share, figure.tone)


class Words(NamedTuple):
    """A few lines of text with a heading."""

    text: str
    head: str = ""
    tone: str = ""
    rank: int = 2
    size: int = theme.NORMAL

    def height(self, width: int) -> int:
        lines = len(theme.wrapped(self.text, width - theme.GAP, self.size)) + (1 if self.head else 0)
        return lines * theme.line_height(self.size) + theme.GAP

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        colour = theme.SOFT if self.tone == "soft" else theme.TONES.get(self.tone, theme.TEXT)
        pygame.draw.line(surface, colour, rect.topleft, (rect.left, rect.bottom - theme.GAP), 2)
        lines = theme.wrapped(self.text, rect.width - theme.GAP, self.size)
        inner = Rect(rect.left + theme.GAP, rect.top, rect.width - theme.GAP, rect.height)
        if self.head:
            line = Rect(inner.left, inner.top, inner.width, theme.line_height(self.size))
            theme.write(surface, self.head, line, self.size, theme.SOFT)
            inner = Rect(inner.left, line.bottom, inner.width, inner.bottom - line.bottom)
        theme.write_lines(surface, lines, inner, self.size, colour)


class Switch(NamedTuple):
    """A key, its effect, and whether the effect is switched on (None if it cannot be switched on or off)."""

    key: str
    name: str
    on: bool | None = None

    def draw(self, surface: pygame.Surface, row: Rect) -> None:
        cap = Rect(row.left, row.top, max(22, theme.width_of(self.key, theme.SMALL) + 10), row.height)
        pygame.draw.rect(surface, theme.ACCENT if self.on else theme.RAISED, cap, border_radius=4)
        theme.write(surface, self.key, cap, theme.SMALL, theme.INK if self.on else theme.TEXT, "middle")
        rest = Rect(cap.right + theme.GAP, row.top, row.right - cap.right - theme.GAP, row.height)
        if self.on is not None:
            theme.write(surface, "on" if self.on else "off", rest, theme.SMALL, theme.SOFT, "right")
        room = Rect(rest.left, rest.top, rest.width - theme.width_of("off", theme.SMALL) - theme.GAP, rest.height)
        theme.write(surface, self.name, room, colour=theme.TEXT if self.on else theme.SOFT)


class Switches(NamedTuple):
    """A group of switches."""

    switches: tuple[Switch, ...]
    rank: int = 4

    def key_at(self, rect: Rect, pos: tuple[int, int]) -> str | None:
        place = (pos[1] - rect.top) // (theme.line_height() + 4)
        return self.switches[place].key if rect.collidepoint(pos) and 0 <= place < len(self.switches) else None

    def height(self, width: int) -> int:
        return len(self.switches) * (theme.line_height() + 4) + theme.GAP

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        step = theme.line_height() + 4
        for place, switch in enumerate(self.switches):
            switch.draw(surface, Rect(rect.left, rect.top + place * step, rect.width, step - 4))


class Keys(NamedTuple):
    """Buttons for keys, given as pairs (key, effect). Each row contains as many buttons as fit."""

    keys: tuple[tuple[str, str], ...]
    rank: int = 3

    def places(self, width: int) -> list[Rect]:
        """Return the rectangle of each button, relative to the top-left corner of the block."""
        tall, x, y, found = theme.line_height() + 4, 0, 0, []
        for key, name in self.keys:
            wide = min(self._cap(key) + theme.width_of(name, theme.SMALL) + 2 * KEY_GAP, width)
            if x and x + wide > width:
                x, y = 0, y + tall + 4
            found.append(Rect(x, y, wide, tall))
            x += wide + KEY_GAP
        return found

    def _cap(self, key: str) -> int:
        return max(20, theme.width_of(key_name(key), theme.SMALL) + 10)

    def key_at(self, rect: Rect, pos: tuple[int, int]) -> str | None:
        inside = pos[0] - rect.left, pos[1] - rect.top
        places = zip(self.keys, self.places(rect.width), strict=True)
        return next((key for (key, _), place in places if place.collidepoint(inside)), None)

    def height(self, width: int) -> int:
        return self.places(width)[-1].bottom + theme.GAP

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        for (key, name), place in zip(self.keys, self.places(rect.width), strict=True):
            place.move_ip(rect.topleft)
            pygame.draw.rect(surface, theme.GROUND, place, border_radius=4)
            cap = Rect(place.left, place.top, self._cap(key), place.height)
            pygame.draw.rect(surface, theme.RAISED, cap, border_radius=4)
            theme.write(surface, key_name(key), cap, theme.SMALL, theme.TEXT, "middle")
            rest = Rect(cap.right + KEY_GAP, place.top, place.right - cap.right - KEY_GAP, place.height)
            theme.write(surface, name, rest, theme.SMALL, theme.SOFT)


class Space(NamedTuple):
    rank: int = 5

    def height(self, width: int) -> int:
        return theme.GAP

    def draw(self, surface: pygame.Surface, rect: Rect) -> None: ...


class Panel:
    """Draws blocks in one column, or in several if the panel is wide and short. Set `lines` for long text; the
    panel then has as few columns as possible."""

    def __init__(self, lines: bool = False):
        self.lines = lines
        self.rect = Rect(0, 0, 0, 0)
        self.blocks: tuple[Block, ...] = ()
        self.stale = True
        self._held: str | None = None  # the key whose button is pressed

    def show(self, blocks: Sequence[Block]) -> None:
        if tuple(blocks) != self.blocks:
            self.blocks, self.stale = tuple(blocks), True

    def placed(self) -> list[tuple[Block, Rect]]:
        """Return the blocks that fit, and their rectangles."""
        inner = self.rect.inflate(-2 * theme.MARGIN, -2 * theme.GAP)
        count = max(1, inner.width // COLUMN) if inner.width > 1.3 * inner.height else 1
        blocks = list(self.blocks)
        while True:
            ways = (_flow(blocks, inner, columns) for columns in range(1 if self.lines else count, count + 1))
            found = next((way for way in ways if way is not None), None)
            dropped = max(blocks, key=lambda block: block.rank, default=None)
            if found is not None or dropped is None or dropped.rank == 0:
                return found or []
            last = max(place for place, block in enumerate(blocks) if block.rank == dropped.rank)
            del blocks[last]

    def key_at(self, pos: tuple[int, int]) -> str | None:
        """Return the key of the button at a position."""
        if not self.rect.collidepoint(pos):
            return None
        blocks = [(block, rect) for block, rect in self.placed() if isinstance(block, Pressed)]
        found = (block.key_at(rect, pos) for block, rect in blocks if rect.collidepoint(pos))
        return next(found, None)

    def pressed(self, event: pygame.event.Event) -> str | None:
        """Return the key whose button was pressed and released."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._held = self.key_at(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._held is not None:
            held, self._held = self._held, None
            return held if self.key_at(event.pos) == held else None
        return None

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if not self.stale or self.rect.width <= 0 or self.rect.height <= 0:
            return []
        self.stale = False
        clip = surface.get_clip()
        surface.set_clip(self.rect.clip(clip))
        surface.fill(theme.PANEL, self.rect)
        for block, rect in self.placed():
            block.draw(surface, rect)
        surface.set_clip(clip)
        return [self.rect.copy()]


def _flow(blocks: list[Block], inner: Rect, count: int) -> list[tuple[Block, Rect]] | None:
    """Place blocks one below the other in `count` columns. Return None if they do not fit."""
    width = (inner.width - (count - 1) * theme.MARGIN) // count
    placed, column, y = [], 0, inner.top
    for block in blocks:
        height = block.height(width)
        if y + height > inner.bottom and y > inner.top:
            column, y = column + 1, inner.top
        if column >= count or y + height > inner.bottom:
            if block.rank == 0 and not placed:  # a truncated block is better than none
                placed.append((block, Rect(inner.left, y, width, height)))
                continue
            return None
        placed.append((block, Rect(inner.left + column * (width + theme.MARGIN), y, width, height)))
        y += height
    return placed
