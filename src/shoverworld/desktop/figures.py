"""The most important blocks in the panel: the main numbers for a game, and buttons for special moves."""

from collections.abc import Sequence
from typing import NamedTuple

import pygame
from pygame import Rect

from shoverworld.core.ui import Figure, SpecialMove
from shoverworld.play.commands import key_name

from . import theme
from .panel import BAR, Block, Line

TALL = 30  # height of the button for a special move, in pixels
ROOMY = 88  # minimum width of a large number
SMALLER = (theme.HUGE, theme.LARGE, theme.NORMAL)  # font heights, from the preferred one to the smallest


class Numbers(NamedTuple):
    """Large numbers side by side, each below its label and above its bar."""

    figures: tuple[Figure, ...]
    rank: int = 1

    def _columns(self, width: int) -> int:
        return max(1, min(len(self.figures), width // ROOMY))

    def _row_height(self) -> int:
        bars = BAR + 4 if any(figure.share is not None for figure in self.figures) else 0
        return theme.line_height(theme.SMALL) + theme.HUGE + 8 + bars

    def height(self, width: int) -> int:
        rows = -(-len(self.figures) // self._columns(width))
        return rows * (self._row_height() + theme.GAP)

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        columns, tall = self._columns(rect.width), self._row_height()
        wide = (rect.width - (columns - 1) * theme.MARGIN) // columns
        for place, figure in enumerate(self.figures):
            row, column = divmod(place, columns)
            x, y = rect.left + column * (wide + theme.MARGIN), rect.top + row * (tall + theme.GAP)
            self._draw(surface, figure, Rect(x, y, wide, tall))

    def _draw(self, surface: pygame.Surface, figure: Figure, rect: Rect) -> None:
        label = Rect(rect.left, rect.top, rect.width, theme.line_height(theme.SMALL))
        theme.write(surface, figure.label, label, theme.SMALL, theme.SOFT)
        value = Rect(rect.left, label.bottom, rect.width, theme.HUGE + 6)
        size = next((size for size in SMALLER if theme.width_of(figure.value, size) <= rect.width), SMALLER[-1])
        theme.write(surface, figure.value, value, size, theme.TONES.get(figure.tone, theme.TEXT))
        if figure.share is not None:
            theme.draw_bar(surface, Rect(rect.left, value.bottom + 2, rect.width, BAR), figure.share, figure.tone)


class Specials(NamedTuple):
    """A button for each special move that is possible now, with its key and its effect."""

    moves: tuple[SpecialMove, ...]
    rank: int = 1

    def _places(self, rect: Rect) -> list[Rect]:
        return [Rect(rect.left, rect.top + place * (TALL + 4), rect.width, TALL) for place in range(len(self.moves))]

    def key_at(self, rect: Rect, pos: tuple[int, int]) -> str | None:
        places = zip(self.moves, self._places(rect), strict=True)
        return next((move.key for move, place in places if place.collidepoint(pos)), None)

    def height(self, width: int) -> int:
        return len(self.moves) * (TALL + 4) + theme.GAP - 4

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        for move, place in zip(self.moves, self._places(rect), strict=True):
            pygame.draw.rect(surface, theme.STRONG, place, border_radius=5)
            key = key_name(move.key)
            cap = Rect(place.left + 4, place.top + 4, max(22, theme.width_of(key) + 10), TALL - 8)
            pygame.draw.rect(surface, theme.TEXT, cap, border_radius=4)
            theme.write(surface, key, cap, colour=theme.INK, align="middle")
            words = Rect(cap.right + theme.GAP, place.top, place.right - cap.right - 2 * theme.GAP, TALL)
            theme.write(surface, f"{move.effect[:1].upper()}{move.effect[1:]}", words)


def figure_blocks(figures: Sequence[Figure], rank: int = 1) -> list[Block]:
    """Return blocks for the statistics of a game: the main numbers first, then one line for each other
    value that matters at the moment. Later lines are less important."""
    large = tuple(figure for figure in figures if figure.large)
    rest = [figure for figure in figures if not figure.large and not figure.idle]
    blocks: list[Block] = [Numbers(large, rank)] if large else []
    return [*blocks, *(Line(figure, rank if place < 3 else rank + 1) for place, figure in enumerate(rest))]
