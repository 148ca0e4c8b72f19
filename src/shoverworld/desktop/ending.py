"""The ending of a game, shown over the board: the outcome, the figures, the records, and buttons for the next step."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame
from pygame import Rect

from shoverworld.play.commands import command_named, key_name

from . import theme
from .app import WindowScreen
from .input import named
from .panel import Line
from .widgets import Button, Form

if TYPE_CHECKING:
    from .table import TableScreen

WIDTH = 480
WORDS = {
    "restart": "Again", "next": "Next", "levels": "Levels", "undo": "Undo", "save": "Save", "watch": "Watch",
    "edit": "Edit", "leave": "Menu",
}  # fmt: skip
OTHERS = ("levels", "undo", "save", "watch", "edit", "leave")


class EndingScreen(WindowScreen):
    """A dialog over the table. The table handles every key except Enter."""

    over = True

    def __init__(self, screen: "TableScreen"):
        super().__init__(screen.app)
        table = screen.table
        self.screen, self.state, self.lines = screen, screen.session.state, table.ending()
        won = table.session.score is not None and table.tour.has_next(table.session.board)
        names = [*(("next", "restart") if won else ("restart", "next")), *OTHERS]
        self.default = names[0]  # the most likely choice, which Enter selects
        self.form = Form([self._button(name) for name in names])
        self.rect = Rect(0, 0, 0, 0)

    def _button(self, name: str) -> Button:
        key = command_named(name).keys[0]
        press = lambda: self.do(lambda: self.screen.press(key))  # noqa: E731
        return Button(WORDS[name], press, key_name(key), ground=theme.PANEL, strong=name == self.default)

    def lay_out(self, size: tuple[int, int]) -> None:
        area = self.screen.view.area
        width = min(WIDTH, max(area.width, 300), size[0])
        inner = width - 2 * theme.MARGIN
        rows = 2 if inner >= 330 else 4
        height = sum(Line(line).height(inner) for line in self.lines[1:])
        height += theme.line_height(theme.LARGE) + theme.GAP + rows * (32 + theme.GAP) + theme.MARGIN
        self.rect = Rect(0, 0, width, height + 2 * theme.MARGIN)
        self.rect.center = area.center
        self.rect.clamp_ip(Rect((0, 0), size))
        columns = len(self.form.widgets) // rows
        wide = (inner - (columns - 1) * theme.GAP) // columns
        top = self.rect.bottom - theme.MARGIN - rows * (32 + theme.GAP) + theme.GAP
        for place, button in enumerate(self.form.widgets):
            x = self.rect.left + theme.MARGIN + (place % columns) * (wide + theme.GAP)
            button.rect = Rect(x, top + (place // columns) * (32 + theme.GAP), wide, 32)

    def handle(self, event: pygame.event.Event) -> None:
        if event.type != pygame.KEYDOWN:
            self.form.handle(event)
        elif named(event) == "return":
            self.do(lambda: self.screen.press(command_named(self.default).keys[0]))
        else:
            self.do(lambda: self.screen.handle(event))

    def do(self, action: Callable[[], object]) -> None:
        action()
        if self not in self.app.screens:
            return
        self.app.refresh()  # the table may show a message next to the ending
        if self.screen.session.state is not self.state:  # a new game has begun, or a move was undone
            self.app.remove(self)

    def update(self, seconds: float) -> None:
        self.screen.update(seconds)

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if not self.stale:
            return self.form.draw(surface)
        pygame.draw.rect(surface, theme.PANEL, self.rect, border_radius=8)
        pygame.draw.rect(surface, theme.ACCENT, self.rect, 2, border_radius=8)
        inner = self.rect.inflate(-2 * theme.MARGIN, -2 * theme.MARGIN)
        head = Rect(inner.left, inner.top, inner.width, theme.line_height(theme.LARGE))
        outcome = self.lines[0]
        theme.write(surface, outcome.value, head, theme.LARGE, theme.TONES.get(outcome.tone, theme.TEXT))
        y = head.bottom + theme.GAP
        for figure in self.lines[1:]:
            line = Line(figure)
            height = line.height(inner.width)
            line.draw(surface, Rect(inner.left, y, inner.width, height))
            y += height
        self.form.draw(surface, whole=True)
        return [self.rect.copy()]
