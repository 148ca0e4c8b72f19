"""The bar below a replay: a timeline with markers, and the buttons of a media player."""

from collections.abc import Callable, Sequence
from typing import Any

import pygame
from pygame import Rect

from . import theme
from .lists import Timeline
from .widgets import Button, Form, Label, Widget

HEIGHT = 92
EXPORTS = 420  # minimum width of the bar with an export button
# Polygons in a square from -1 to 1.
_RIGHT = [(-0.5, -0.8), (0.7, 0.0), (-0.5, 0.8)]
_LEFT = [(-x, y) for x, y in _RIGHT]
ICONS: dict[str, list[list[tuple[float, float]]]] = {
    "play": [_RIGHT],
    "pause": [[(-0.65, -0.8), (-0.2, -0.8), (-0.2, 0.8), (-0.65, 0.8)], [(0.2, -0.8), (0.65, -0.8), (0.65, 0.8), (0.2, 0.8)]],
    "forward": [_RIGHT, [(0.7, -0.8), (0.95, -0.8), (0.95, 0.8), (0.7, 0.8)]],
    "back": [_LEFT, [(-0.7, -0.8), (-0.95, -0.8), (-0.95, 0.8), (-0.7, 0.8)]],
    "start": [[(x - 0.5, y) for x, y in _LEFT], [(x + 0.5, y) for x, y in _LEFT]],
    "end": [[(x - 0.5, y) for x, y in _RIGHT], [(x + 0.5, y) for x, y in _RIGHT]],
}  # fmt: skip


class IconButton(Button):
    """A button with a shape instead of text."""

    def __init__(self, icon: str, press: Callable[[], Any], key: str = "", strong: bool = False):
        super().__init__("", press, key, theme.PANEL, strong)
        self.icon = icon

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        side = min(self.rect.width, self.rect.height) * 0.26
        colour = theme.TEXT if self.enabled else theme.LINE
        for shape in ICONS[self.icon]:
            spots = [(self.rect.centerx + x * side, self.rect.centery + y * side) for x, y in shape]
            pygame.draw.polygon(surface, colour, spots)
            pygame.draw.aalines(surface, colour, True, spots)


class Transport:
    """The bar below a replay. `moved` is called with the position that the player chooses on the timeline."""

    def __init__(
        self,
        last: int,
        markers: Sequence[tuple[int, str]],
        moved: Callable[[int], Any],
        presses: dict[str, Callable[[], Any]],
        slower: Callable[[], Any],
        faster: Callable[[], Any],
        export: Callable[[], Any],
    ):
        self.rect = Rect(0, 0, 0, 0)
        self.timeline = Timeline(last, markers, moved, theme.PANEL)
        self.buttons = {name: IconButton(name, press, strong=name == "play") for name, press in presses.items()}
        self.counter = Label(colour=theme.TEXT, ground=theme.PANEL)
        self.slower, self.faster = Button("−", slower, ground=theme.PANEL), Button("+", faster, ground=theme.PANEL)
        self.speed = Label(align="middle", ground=theme.PANEL)
        self.export = Button("Export", export, "E", theme.PANEL)
        others: list[Widget] = [self.counter, self.slower, self.speed, self.faster, self.export]
        self.form = Form([self.timeline, *self.buttons.values(), *others])
        self.stale = True

    def lay_out(self, rect: Rect) -> None:
        self.rect, self.stale = rect, True
        inner = rect.inflate(-2 * theme.MARGIN, -2 * theme.GAP)
        self.timeline.rect = Rect(inner.left, inner.top, inner.width, 36)
        y, height = inner.top + 44, 32
        roomy = inner.width >= 300  # if there is no space, only the keys change the speed
        beside, before = (28 + 48 + 28 + theme.GAP, 56) if roomy else (0, 0)
        export = self.export.width() if inner.width >= EXPORTS else 0  # if not shown, use the key
        beside += export + theme.MARGIN if export else 0
        wide = min(40, max(8, (inner.width - beside - before) // 5 - 4))
        row = 5 * wide + 4 * 4
        left = x = max(inner.left + before, min(inner.centerx - row // 2, inner.right - beside - row))
        for button in self.buttons.values():
            button.rect = Rect(x, y, wide, height)
            x += wide + 4
        self.counter.rect = Rect(inner.left, y, max(0, left - inner.left - theme.GAP), height)
        self.export.rect = Rect(inner.right - export, y, export, height)
        right = inner.right - (export + theme.MARGIN if export else 0)
        self.faster.rect = Rect(right - 28, y, 28 if roomy else 0, height)
        self.speed.rect = Rect(right - 28 - 48, y, 48 if roomy else 0, height)
        self.slower.rect = Rect(right - 28 - 48 - 28, y, 28 if roomy else 0, height)

    def show(self, place: int, playing: bool, speed: float) -> None:
        """Show the position, whether the replay is playing, and the speed."""
        self.timeline.set(place=place)
        last = self.timeline.last
        self.counter.set(text=f"move {place} of {last}" if self.counter.rect.width >= 100 else f"{place} / {last}")
        self.speed.set(text=f"{speed:g} ×")
        self.buttons["play"].set(icon="pause" if playing else "play")

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle mouse events; the screen handles the keys."""
        if event.type not in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            return False
        used = self.form.handle(event)
        self.form.focus(None)
        return used

    def draw(self, surface: pygame.Surface, whole: bool) -> list[Rect]:
        whole = whole or self.stale
        self.stale = False
        if whole:
            surface.fill(theme.PANEL, self.rect)
        drawn = self.form.draw(surface, whole)
        return [self.rect.copy()] if whole else drawn
