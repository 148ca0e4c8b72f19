"""Dialogs that cover part of a screen and ask for a choice or for a line of text."""

from collections.abc import Callable, Sequence
from typing import Any

import pygame
from pygame import Rect

from shoverworld.play.unfinished import Unfinished

from . import theme
from .app import App, WindowScreen
from .widgets import Button, Form, TextField, Widget

Answer = Callable[[], Any] | None


def ask_to_continue(app: App, left: Unfinished, resume: Callable[[], Any], begin: Callable[[], Any]) -> None:
    """Ask whether to continue the game that the player left on a level, or to begin a new one."""
    text = f"You left a game on {left.title} after {left.moves}."
    app.push(Ask(app, "Unfinished game", text, [("Continue", resume), ("New game", begin), ("Back", None)]))


class Ask(WindowScreen):
    """A question with a button for each answer. An answer is a pair (label of the button, function to call). Enter
    chooses the answer with the index `default` (choosing it should never lose data); Esc chooses the last answer.
    Each answer can also be chosen with the first letter of its label. The dialog is closed before the function is
    called."""

    over = True

    def __init__(self, app: App, title: str, text: str, buttons: Sequence[tuple[str, Answer]], default: int = 0):
        super().__init__(app)
        self.title, self.text = title, text
        self.answers, self.default = list(buttons), default
        self.form = Form([self._button(place) for place in range(len(self.answers))])
        self.form.focus(self.form.widgets[default])
        self.rect = Rect(0, 0, 0, 0)

    def _button(self, place: int) -> Button:
        words, answer = self.answers[place]
        return Button(words, lambda: self.answer(answer), ground=theme.PANEL, strong=place == self.default)

    def answer(self, chosen: Answer) -> None:
        if self.app.screens and self.app.screen is self:
            self.app.pop()
            if chosen is not None:
                chosen()

    def handle(self, event: pygame.event.Event) -> None:
        if self.form.handle(event) or event.type != pygame.KEYDOWN:
            return
        if event.key == pygame.K_ESCAPE:
            self.answer(self.answers[-1][1])
        elif event.key in (pygame.K_LEFT, pygame.K_UP):
            self.form.step_focus(-1)
        elif event.key in (pygame.K_RIGHT, pygame.K_DOWN):
            self.form.step_focus(1)
        else:
            self._letter(event)

    def _letter(self, event: pygame.event.Event) -> None:
        for words, answer in self.answers:
            if pygame.key.name(event.key) == words[:1].lower():
                self.answer(answer)
                return

    def lay_out(self, size: tuple[int, int]) -> None:
        width = min(max(theme.width_of(self.text), theme.width_of(self.title, theme.LARGE), 360), 560)
        width = max(min(width, size[0] - 4 * theme.MARGIN), 80)
        self.lines = theme.wrapped(self.text, width)
        rows = self._button_rows(width)
        height = theme.line_height(theme.LARGE) + theme.GAP + len(self.lines) * theme.line_height() + theme.MARGIN
        height += self._extra_height() + len(rows) * (30 + theme.GAP)
        self.rect = Rect(0, 0, width + 2 * theme.MARGIN, min(height + 2 * theme.MARGIN, size[1]))
        self.rect.center = size[0] // 2, size[1] // 2
        bottom = self.rect.bottom - theme.MARGIN
        for row in reversed(rows):
            right = self.rect.right - theme.MARGIN
            for button in row:  # the first answer is on the far right
                wide = min(button.width(), width)
                button.rect = Rect(right - wide, bottom - 30, wide, 30)
                right -= wide + theme.GAP
            bottom -= 30 + theme.GAP

    def _button_rows(self, width: int) -> list[list[Button]]:
        rows: list[list[Button]] = [[]]
        used = 0
        for button in self.form.widgets:
            if isinstance(button, Button):
                if rows[-1] and used + button.width() > width:
                    rows.append([])
                    used = 0
                rows[-1].append(button)
                used += button.width() + theme.GAP
        return rows

    def _extra_height(self) -> int:
        return 0

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if not self.stale:
            return self.form.draw(surface)
        theme.veil(surface)
        pygame.draw.rect(surface, theme.PANEL, self.rect, border_radius=8)
        pygame.draw.rect(surface, theme.LINE, self.rect, 1, border_radius=8)
        inner = self.rect.inflate(-2 * theme.MARGIN, -2 * theme.MARGIN)
        head = Rect(inner.left, inner.top, inner.width, theme.line_height(theme.LARGE))
        theme.write(surface, self.title, head, theme.LARGE)
        end = min(widget.rect.top for widget in self.form.widgets if widget.rect.width)
        below = Rect(inner.left, head.bottom + theme.GAP, inner.width, max(0, end - head.bottom - theme.GAP))
        theme.write_lines(surface, self.lines, below, colour=theme.SOFT)
        self.form.draw(surface, whole=True)
        return [self.rect]

    def closing(self) -> bool:
        """Allow the window to be closed, which cancels the dialog."""
        return True


class AskText(Ask):
    """A question whose answer is a line of text, which is passed to `done`. If `done` raises an error, the dialog
    stays open."""

    def __init__(self, app: App, title: str, text: str, value: str, done: Callable[[str], Any], button: str = "OK"):
        super().__init__(app, title, text, [(button, self._finish), ("Cancel", None)])
        self.done = done
        self.field = TextField(value, done=lambda _: self._finish(), ground=theme.PANEL)
        self.form.widgets.insert(0, self.field)
        self.form.focus(self.field)

    def answer(self, chosen: Answer) -> None:
        if chosen is None:
            super().answer(None)
        else:
            chosen()

    def _finish(self) -> None:
        """Close the dialog if the answer is accepted; after an error, the player can correct the answer."""
        self.done(self.field.text)
        if self in self.app.screens:
            self.app.remove(self)

    def _letter(self, event: pygame.event.Event) -> None:
        """Do nothing, because letters are part of the answer."""

    def _extra_height(self) -> int:
        return 32 + theme.GAP

    def _lowest(self) -> list[Widget]:
        """Return the widgets below the text field, which are the buttons."""
        return [widget for widget in self.form.widgets if widget is not self.field]

    def lay_out(self, size: tuple[int, int]) -> None:
        super().lay_out(size)
        top = min(button.rect.top for button in self._lowest())
        self.field.rect = Rect(
            self.rect.left + theme.MARGIN, top - theme.MARGIN - 32, self.rect.width - 2 * theme.MARGIN, 32
        )
