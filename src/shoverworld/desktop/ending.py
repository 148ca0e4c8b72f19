"""The ending of a game, shown in place of the panel, so that the board stays visible: the outcome, the statistics, the
records, and buttons for the next step."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame
from pygame import Rect

from shoverworld.play.commands import command_named, key_name

from . import theme
from .app import WindowScreen
from .figures import figure_blocks
from .input import named
from .panel import Panel, Verdict
from .widgets import Button, Form

if TYPE_CHECKING:
    from .table import TableScreen

BUTTON, BUTTON_GAP = 30, 6  # the height of a button, and the gap between two rows
COLUMN = 96  # minimum width of a button
LEAST = 230, 96  # minimum width of the ending, and minimum height of the part above the buttons
WORDS = {
    "restart": "Again", "next": "Next", "levels": "{levels}", "undo": "Undo", "save": "Save", "watch": "Watch",
    "edit": "Edit", "leave": "Menu",
}  # fmt: skip
OTHERS = ("levels", "undo", "save", "watch", "edit", "leave")


class EndingScreen(WindowScreen):
    """A dialog over the table's panel. The table handles every key except Enter."""

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
        self.panel = Panel()
        outcome = self.lines[0]
        self.panel.show([Verdict(outcome.value, outcome.tone), *figure_blocks(self.lines[1:])])

    def _button(self, name: str) -> Button:
        key = command_named(name).keys[0]
        press = lambda: self.do(lambda: self.screen.press(key))  # noqa: E731
        text = WORDS[name].format(**self.screen.table.game.words)
        return Button(
            f"{text[:1].upper()}{text[1:]}", press, key_name(key), ground=theme.PANEL, strong=name == self.default
        )

    def lay_out(self, size: tuple[int, int]) -> None:
        """Cover the panel and, if the panel is too small for the buttons, also a part of the board."""
        rect = Rect(self.screen.display.panel.rect)
        right, bottom = rect.right, rect.bottom
        rect.width = min(max(rect.width, LEAST[0]), size[0])
        columns = 4 if rect.width - 2 * theme.MARGIN >= 4 * COLUMN else 2
        rows = -(-len(self.form.widgets) // columns)
        low = rows * (BUTTON + BUTTON_GAP) - BUTTON_GAP + theme.MARGIN
        rect.height = min(max(rect.height, LEAST[1] + low), size[1])
        rect.right, rect.bottom = right, bottom
        rect.clamp_ip(Rect((0, 0), size))
        self.rect, self.panel.rect = rect, Rect(rect.left, rect.top, rect.width, rect.height - low)
        top = max((placed.bottom for _, placed in self.panel.placed()), default=rect.top) + theme.MARGIN
        inner = Rect(rect.left + theme.MARGIN, min(top, rect.bottom - low), rect.width - 2 * theme.MARGIN, low)
        wide = (inner.width - (columns - 1) * theme.GAP) // columns
        for place, button in enumerate(self.form.widgets):
            x, y = place % columns * (wide + theme.GAP), place // columns * (BUTTON + BUTTON_GAP)
            button.rect = Rect(inner.left + x, inner.top + y, wide, BUTTON)

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
        surface.fill(theme.PANEL, self.rect)
        self.panel.stale = True
        self.panel.draw(surface)
        self.form.draw(surface, whole=True)
        pygame.draw.rect(surface, theme.TONES.get(self.lines[0].tone, theme.ACCENT), self.rect, 2)
        return [self.rect.copy()]
