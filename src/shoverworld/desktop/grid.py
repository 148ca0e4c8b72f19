"""A grid of levels to choose from: a picture of each, its number and title, a tick when it is solved, and the best."""

from collections.abc import Callable
from typing import Any

import pygame
from pygame import Rect

from shoverworld.play.shelf import Shelf

from . import theme
from .lists import Choice
from .thumbnails import Thumbnails

PICTURE = 140, 92
PAD = 8
CELL = PICTURE[0] + 2 * PAD, PICTURE[1] + 2 * PAD + 36  # two lines below the picture


class LevelGrid(Choice):
    """As a list, but several in a row. What is chosen is a place on the shelf; `places` are those that are shown."""

    def __init__(
        self,
        shelf: Shelf,
        thumbnails: Thumbnails,
        changed: Callable[[Any], Any] | None = None,
        picked: Callable[[Any], Any] | None = None,
    ):
        super().__init__([], changed=changed, picked=picked, row_height=CELL[1])
        self.thumbnails = thumbnails
        self.show(shelf)

    def show(self, shelf: Shelf, chosen: int | None = None) -> None:
        self.shelf = shelf
        self.filter(list(range(len(shelf))), chosen)

    def filter(self, places: list[int], chosen: int | None = None) -> None:
        """Only these places."""
        self.items, self.stale = places, True
        self.choose(places.index(chosen) if chosen in places else 0)

    @property
    def value(self) -> int | None:
        return self.items[self.chosen] if self.items else None

    @property
    def columns(self) -> int:
        return max(1, (self.rect.width - 10) // CELL[0])

    def _rows(self) -> int:
        return -(-len(self.items) // self.columns)

    def reveal(self) -> None:
        if self.rect.height <= 0:
            return
        top = self.chosen // self.columns * self.row_height
        scroll = max(min(self.scroll, top), top + self.row_height - max(self.rect.height, self.row_height))
        self._scroll_to(scroll)

    def _whole(self) -> int:
        return self._rows() * self.row_height

    def place_at(self, pos: tuple[int, int]) -> int | None:
        row = (pos[1] - self.rect.top + self.scroll) // self.row_height
        col = (pos[0] - self._left()) // CELL[0]
        place = row * self.columns + col
        inside = self.rect.collidepoint(pos) and 0 <= col < self.columns
        return place if inside and place < len(self.items) else None

    def _left(self) -> int:
        return self.rect.left + (self.rect.width - 10 - self.columns * CELL[0]) // 2

    def row_rect(self, place: int) -> Rect:
        row, col = divmod(place, self.columns)
        return Rect(
            self._left() + col * CELL[0], self.rect.top + row * self.row_height - self.scroll, CELL[0], self.row_height
        )

    def _steps(self) -> dict[int, int]:
        across = self.columns
        page = max(1, self.rect.height // self.row_height) * across
        return {
            pygame.K_LEFT: -1, pygame.K_RIGHT: 1, pygame.K_UP: -across, pygame.K_DOWN: across,
            pygame.K_PAGEUP: -page, pygame.K_PAGEDOWN: page,
        }  # fmt: skip

    def _seen(self) -> range:
        first = self.scroll // self.row_height
        last = (self.scroll + self.rect.height) // self.row_height
        return range(first * self.columns, min((last + 1) * self.columns, len(self.items)))

    def _draw_row(self, surface: pygame.Surface, item: Any, row: Rect, chosen: bool) -> None:
        place: int = item
        board, mine = self.shelf.boards[place], self.shelf.mine(place)
        inner = row.inflate(-4, -4)
        if chosen:
            pygame.draw.rect(surface, (44, 84, 122) if self.focused else theme.RAISED, inner, border_radius=5)
            pygame.draw.rect(surface, theme.ACCENT, inner, 2, border_radius=5)
        at = row.left + PAD, row.top + PAD
        surface.blit(self.thumbnails.picture(board, PICTURE), at)
        line = Rect(at[0], at[1] + PICTURE[1] + 2, PICTURE[0], 18)
        theme.write(surface, self.shelf.label(place), line)
        below = line.move(0, 17)
        if mine is None:
            return
        known = self.shelf.known(place)
        good = known is not None and mine.numbers <= known.numbers
        theme.write(surface, mine.words, below, theme.SMALL, theme.GOOD if good else theme.SOFT)
        _tick(surface, row.right - PAD - 11, row.top + PAD + 11)


def _tick(surface: pygame.Surface, x: int, y: int) -> None:
    """Solved."""
    pygame.draw.circle(surface, theme.INK, (x, y), 11)
    pygame.draw.circle(surface, theme.GOOD, (x, y), 10)
    pygame.draw.lines(surface, theme.INK, False, [(x - 5, y), (x - 1, y + 4), (x + 5, y - 4)], 3)
