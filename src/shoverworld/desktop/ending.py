"""How a game ended, over its board: the outcome, the figures, the records, and what to do next."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame
from pygame import Rect

from shoverworld.core.ui import Figure
from shoverworld.play.records import standing

from . import theme
from .app import Screen
from .keys import named
from .panel import Line
from .widgets import Button, Form

if TYPE_CHECKING:
    from .table import TableScreen

WIDTH = 480


class EndingScreen(Screen):
    """It lies over the table, which hears every key that is none of its own."""

    over = True

    def __init__(self, table: "TableScreen", best: bool):
        super().__init__(table.app)
        self.table, self.state = table, table.session.state
        self.lines = self._figures(best)
        again, on = ("Again", table.restart, "R"), ("Next", lambda: table.next_map(1), "Tab")
        won = table.session.score is not None and table.has_next()
        self.actions = {
            **({"tab": on, "r": again} if won else {"r": again, "tab": on}),
            "l": ("Levels", table.browse, "L"),
            "u": ("Undo", table.undo, "U"),
            "k": ("Save", table.save_replay, "K"),
            "v": ("Watch", table.watch_replay, "V"),
            "e": ("Edit", table.edit, "E"),
            "escape": ("Menu", table.leave, "Esc"),
        }
        first = next(iter(self.actions))  # what most people want now: Enter
        self.usual = self.actions[first][1]
        buttons = [
            Button(words, lambda press=press: self.do(press), key, ground=theme.PANEL, strong=name == first)
            for name, (words, press, key) in self.actions.items()
        ]
        self.form = Form(buttons)
        self.rect = Rect(0, 0, 0, 0)

    def _figures(self, best: bool) -> list[Figure]:
        session, records = self.table.session, self.app.records
        lines = list(session.game.ui.texts.ending(session.env, session.state))
        multiplayer, names = session.game.ui.multiplayer, [seat.name for seat in session.seats]
        if multiplayer is not None and len(names) > 1:
            lines[1:1] = multiplayer.standings(session.env, session.state, names)
        if session.helpers:
            lines.append(Figure("With help of", f"{', '.join(session.helpers)}: no record", tone="warn"))
        mine, known = records.mine(session.identity), session.best_known
        if best:
            lines.append(Figure("Your best", "this game, a new record", tone="good"))
        elif mine:
            lines.append(Figure("Your best", mine.words))
        if known:
            lines.append(Figure(standing(known), known.words + (": nobody can do better" if known.proved else "")))
        if session.score is not None and self.table.shelf.place_of(session.board) is not None:
            shelf = self.table.shelf
            lines.append(Figure(shelf.title, shelf.progress, tone="good" if shelf.solved == len(shelf) else ""))
        if records.trouble:
            lines.append(Figure("Not kept", records.trouble, tone="bad"))
        return lines

    def lay_out(self, size: tuple[int, int]) -> None:
        area = self.table.view.area
        width = min(WIDTH, max(area.width, 300), size[0])
        inner = width - 2 * theme.MARGIN
        rows = 2 if inner >= 330 else 4
        height = sum(Line(line).height(inner) for line in self.lines[1:])
        height += theme.line_height(theme.LARGE) + theme.GAP + rows * (32 + theme.GAP) + theme.MARGIN
        self.rect = Rect(0, 0, width, height + 2 * theme.MARGIN)
        self.rect.center = area.center
        self.rect.clamp_ip(Rect((0, 0), size))
        columns = len(self.actions) // rows
        wide = (inner - (columns - 1) * theme.GAP) // columns
        top = self.rect.bottom - theme.MARGIN - rows * (32 + theme.GAP) + theme.GAP
        for place, button in enumerate(self.form.widgets):
            x = self.rect.left + theme.MARGIN + (place % columns) * (wide + theme.GAP)
            button.rect = Rect(x, top + (place // columns) * (32 + theme.GAP), wide, 32)

    def handle(self, event: pygame.event.Event) -> None:
        if event.type != pygame.KEYDOWN:
            self.form.handle(event)
        elif named(event) == "return":
            self.do(self.usual)
        else:
            self.do(lambda: self.table.handle(event))  # the keys are the table's own

    def do(self, action: Callable[[], object]) -> None:
        action()
        if self not in self.app.screens:
            return
        self.app.refresh()  # the table may have something to say, beside the ending
        if self.table.session.state is not self.state:  # it has another game now, or a move was taken back
            self.app.remove(self)

    def update(self, seconds: float) -> None:
        self.table.update(seconds)

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
