"""Widgets with many items: a list to choose from, and a timeline."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pygame
from pygame import Rect

from shoverworld.core.ui import Colour

from . import theme
from .markers import MARKERS, draw_marker
from .widgets import Widget


class ListItem(NamedTuple):
    """An item in a list: a value, the text to show, a note on the right and a picture on the left."""

    value: Any
    text: str
    note: str = ""
    picture: pygame.Surface | None = None
    below: str = ""  # a second line, in a softer colour


class ListBox(Widget):
    """A list with one chosen item. The mouse wheel scrolls the list. The arrow keys or a click selects an item; Enter
    or a double-click calls `picked`."""

    def __init__(
        self,
        items: Sequence[ListItem],
        chosen: int = 0,
        changed: Callable[[Any], Any] | None = None,
        picked: Callable[[Any], Any] | None = None,
        row_height: int = 24,
        ground: Colour = theme.PANEL,
    ):
        super().__init__(ground)
        self.items: Sequence[Any] = items  # the sequence may create its items on demand
        self.chosen = min(max(chosen, 0), max(len(self.items) - 1, 0))
        self.changed, self.picked, self.row_height = changed, picked, row_height
        self.scroll = 0  # pixels hidden above the visible part
        self.clock = pygame.time.get_ticks
        self._clicked = -1000  # time of the last click, in milliseconds

    @property
    def value(self) -> Any:
        return self.items[self.chosen].value if self.items else None

    def choose(self, place: int) -> None:
        """Choose an item by its index, without calling `changed`."""
        self.set(chosen=min(max(place, 0), max(len(self.items) - 1, 0)))
        self.reveal()

    def fill(self, items: Sequence[ListItem], chosen: int = 0) -> None:
        """Replace the items in the list."""
        self.items, self.stale = items, True
        self.choose(chosen)

    def reveal(self) -> None:
        """Scroll to the chosen item."""
        if self.rect.height <= 0:
            return  # the list has not been laid out yet
        top = self.chosen * self.row_height
        scroll = min(self.scroll, top)
        scroll = max(scroll, top + self.row_height - max(self.rect.height, self.row_height))
        self._scroll_to(scroll)

    def _scroll_to(self, scroll: int) -> None:
        most = max(0, self._whole() - self.rect.height)
        self.set(scroll=min(max(0, scroll), most))

    def _whole(self) -> int:
        """Return the total height of all items."""
        return len(self.items) * self.row_height

    def place_at(self, pos: tuple[int, int]) -> int | None:
        place = (pos[1] - self.rect.top + self.scroll) // self.row_height
        return place if self.rect.collidepoint(pos) and place < len(self.items) else None

    def row_rect(self, place: int) -> Rect:
        """Return the rectangle of an item, whether it is visible or not."""
        return Rect(
            self.rect.left, self.rect.top + place * self.row_height - self.scroll, self.rect.width, self.row_height
        )

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL:
            self._scroll_to(self.scroll - event.y * self.row_height)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            place = self.place_at(event.pos)
            if place is None:
                return self.rect.collidepoint(event.pos)
            now = self.clock()
            again = place == self.chosen and now - self._clicked < 400
            self._clicked = now
            self._move_to(place)
            if again and self.picked is not None:
                self._clicked = -1000
                self.picked(self.value)
            return True
        if self.focused and event.type == pygame.KEYDOWN and self.items:
            return self._key(event)
        return False

    def _key(self, event: pygame.event.Event) -> bool:
        steps = self._steps()
        if event.key in steps:
            self._move_to(self.chosen + steps[event.key])
        elif event.key == pygame.K_HOME:
            self._move_to(0)
        elif event.key == pygame.K_END:
            self._move_to(len(self.items) - 1)
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.picked is not None:
            self.picked(self.value)
        else:
            return False
        return True

    def _steps(self) -> dict[int, int]:
        """Return a dict that maps each key to the number of positions by which it moves the selection."""
        page = max(1, self.rect.height // self.row_height - 1)
        return {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_PAGEUP: -page, pygame.K_PAGEDOWN: page}

    def _seen(self) -> range:
        """Return the indices of the visible items."""
        first = self.scroll // self.row_height
        last = (self.scroll + self.rect.height) // self.row_height
        return range(first, min(last + 1, len(self.items)))

    def _move_to(self, place: int) -> None:
        before = self.chosen
        self.choose(place)
        if self.chosen != before and self.changed is not None:
            self.changed(self.value)

    def draw(self, surface: pygame.Surface) -> None:
        clip = surface.get_clip()
        surface.set_clip(self.rect.clip(clip))
        surface.fill(self.ground, self.rect)
        self._scroll_to(self.scroll)  # the size may have changed
        for place in self._seen():
            self._draw_row(surface, self.items[place], self.row_rect(place), place == self.chosen)
        self._draw_bar(surface)
        surface.set_clip(clip)
        pygame.draw.rect(surface, theme.ACCENT if self.focused else theme.LINE, self.rect, 1, border_radius=3)

    def _draw_row(self, surface: pygame.Surface, item: ListItem, row: Rect, chosen: bool) -> None:
        if chosen:
            pygame.draw.rect(surface, (44, 84, 122) if self.focused else theme.RAISED, row)
            pygame.draw.rect(surface, theme.ACCENT, Rect(row.left, row.top, 4, row.height))
        inner = row.inflate(-2 * theme.GAP, 0)
        inner.width -= 6  # space for the scroll bar
        if item.picture is not None:
            surface.blit(item.picture, item.picture.get_rect(midleft=(inner.left, inner.centery)))
            shift = max(item.picture.get_width(), self.row_height - 8) + theme.GAP
            inner = Rect(inner.left + shift, inner.top, inner.width - shift, inner.height)
        if item.note:
            room = min(theme.width_of(item.note, theme.SMALL), inner.width // 2)
            theme.write(surface, item.note, inner, theme.SMALL, theme.SOFT, "right")
            inner = Rect(inner.left, inner.top, inner.width - room - theme.GAP, inner.height)
        if item.below:
            height = theme.line_height()
            top = Rect(inner.left, inner.centery - height, inner.width, height)
            theme.write(surface, item.text, top)
            theme.write(surface, item.below, top.move(0, height), theme.SMALL, theme.SOFT)
        else:
            theme.write(surface, item.text, inner)

    def _draw_bar(self, surface: pygame.Surface) -> None:
        """Draw the scroll bar."""
        whole = self._whole()
        if whole <= self.rect.height:
            return
        height = max(16, self.rect.height * self.rect.height // whole)
        top = self.rect.top + (self.rect.height - height) * self.scroll // max(1, whole - self.rect.height)
        bar = Rect(self.rect.right - 7, top + 2, 4, height - 4)
        pygame.draw.rect(surface, theme.LINE, bar, border_radius=2)


class Timeline(Widget):
    """A bar with the positions 0 to `last` and markers above it. A click or a drag calls `moved` with the new
    position."""

    def __init__(
        self,
        last: int,
        markers: Sequence[tuple[int, str]] = (),
        moved: Callable[[int], Any] | None = None,
        ground: Colour = theme.GROUND,
    ):
        super().__init__(ground)
        self.last, self.markers, self.moved = last, list(markers), moved
        self.place = 0
        self.held = False

    def x_of(self, place: int) -> int:
        inner = self._inner()
        return inner.left + (inner.width - 1) * place // max(1, self.last)

    def place_at(self, x: int) -> int:
        inner = self._inner()
        return min(max(round((x - inner.left) * self.last / max(1, inner.width - 1)), 0), self.last)

    def _inner(self) -> Rect:
        return self.rect.inflate(-16, 0)

    def handle(self, event: pygame.event.Event) -> bool:
        self._follow_pointer(event)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            self.set(held=True)
            self._go(self.place_at(event.pos[0]))
            return True
        if event.type == pygame.MOUSEMOTION and self.held:
            if event.buttons[0]:
                self._go(self.place_at(event.pos[0]))
                return True
            self.set(held=False)  # the button was released outside the window
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.held:
            self.set(held=False)
            return True
        return False

    def _go(self, place: int) -> None:
        if place != self.place:
            self.set(place=place)
            if self.moved is not None:
                self.moved(place)

    def draw(self, surface: pygame.Surface) -> None:
        surface.fill(self.ground, self.rect)
        inner, y = self._inner(), self.rect.bottom - 9
        pygame.draw.line(surface, theme.LINE, (inner.left, y), (inner.right, y), 3)
        pygame.draw.line(surface, theme.ACCENT, (inner.left, y), (self.x_of(self.place), y), 3)
        taken = {place for place, kind in self.markers if kind != "end"}
        for place, kind in self.markers:
            if kind in MARKERS and not (kind == "end" and place in taken):
                draw_marker(surface, kind, self.x_of(place), self.rect.top + 10)
        pygame.draw.circle(surface, theme.TEXT, (self.x_of(self.place), y), 8 if self.held or self.hot else 6)
