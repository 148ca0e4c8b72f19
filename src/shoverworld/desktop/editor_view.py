"""The layout of the editor: brushes and size buttons on the left, tools above the board, messages below it."""

from collections.abc import Callable
from typing import Any

import pygame
from pygame import Rect

from shoverworld.core.game import Game
from shoverworld.core.ui import Brush
from shoverworld.play.edit_session import editor_of

from . import theme
from .panel import Panel
from .pictures import surface_of
from .view import BoardView
from .widgets import Button, Form, Label, TextField, Widget

Act = Callable[[], Any]
# The tools above the board: name, label, key.
TOOLS = (
    ("new", "New", "Ctrl+N"),
    ("open", "Open", "Ctrl+O"),
    ("save", "Save", "Ctrl+S"),
    ("save_as", "Save as", "Ctrl+Shift+S"),
    ("undo", "Undo", "U"),
    ("redo", "Redo", "Y"),
    ("flip", "Flip", "F"),
    ("rotate", "Rotate", "R"),
    ("test", "Test", "T"),
    ("solve", "Solve", "P"),
    ("help", "Keys", "F1"),
)
HANDS = "Left button: paint\nRight button: erase\nMiddle button: pick a brush\nWheel: other brushes"
ROW = 30  # height of a button in pixels
SPARE = 12  # number of pixels by which the tools can be made narrower


class BrushButton(Button):
    """A button that shows a brush's tile and key, and also its size if the brush is wide. For a numbered brush, it
    shows the chosen variant."""

    def __init__(self, game: Game, brush: Brush, press: Act):
        super().__init__("", press, ground=theme.PANEL)
        self.game, self.brush, self.tile = game, brush, brush.tile

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        size = max(4, (min(self.rect.width, self.rect.height) - 8) // self.brush.size)
        whole = Rect(0, 0, size * self.brush.size, size * self.brush.size)
        whole.center = self.rect.center
        tile = surface_of(self.game.ui.drawing.tile(self.tile, size))
        surface.fill(theme.FLOOR, whole)
        for row in range(self.brush.size):
            for col in range(self.brush.size):
                surface.blit(tile, (whole.left + col * size, whole.top + row * size))
        if self.on:
            pygame.draw.rect(surface, theme.ACCENT, self.rect, 3, border_radius=5)
        cap = Rect(self.rect.right - 14, self.rect.bottom - 14, 14, 14)
        pygame.draw.rect(surface, theme.INK, cap, border_radius=3)
        theme.write(surface, self.brush.key.upper(), cap, theme.SMALL, align="middle")


class EditorView:
    """The editor's widgets. `acts` maps the names of the tools to functions; its other keys are "rules",
    "more_rows", "fewer_rows", "more_cols" and "fewer_cols"."""

    def __init__(self, game: Game, acts: dict[str, Act], choose: Callable[[str], Any], resize: Act):
        self.game = game
        self.view, self.notes = BoardView(game), Panel(lines=True)
        self.title, self.about = (
            Label(size=theme.LARGE, ground=theme.PANEL),
            Label(size=theme.SMALL, ground=theme.PANEL),
        )
        self.brush_name = Label(ground=theme.PANEL)
        self.brush_about = Label(size=theme.SMALL, colour=theme.SOFT, ground=theme.PANEL)
        self.brushes = {
            brush.name: BrushButton(game, brush, lambda name=brush.name: choose(name))
            for brush in editor_of(game).brushes
        }
        self.tools = {name: Button(words, acts[name], key) for name, words, key in TOOLS}
        self.rules = Button("", acts["rules"], "F2", theme.PANEL)
        self.rows, self.cols = (
            TextField(done=lambda _: resize(), allowed="0123456789", ground=theme.PANEL) for _ in range(2)
        )
        names = {"fewer_rows": "−", "more_rows": "+", "fewer_cols": "−", "more_cols": "+"}
        self.steps = {name: Button(sign, acts[name], ground=theme.PANEL) for name, sign in names.items()}
        self.size_names = [Label(text, colour=theme.SOFT, ground=theme.PANEL) for text in ("Rows", "Cols")]
        self.numbered = next((brush for brush in editor_of(game).brushes if brush.variants), None)
        name = self.numbered.numbers if self.numbered else ""
        self.number_name, self.number = (
            Label(name, colour=theme.SOFT, ground=theme.PANEL),
            Label(align="middle", ground=theme.PANEL),
        )
        signs = {"lower": "−", "higher": "+"}
        self.number_steps = {name: Button(sign, acts[name], ground=theme.PANEL) for name, sign in signs.items()}
        self.hands = Label(HANDS, theme.SMALL, theme.SOFT, ground=theme.PANEL)
        self.side = Rect(0, 0, 0, 0)
        widgets: list[Widget] = [self.title, self.about, *self.brushes.values(), self.brush_name, self.brush_about]
        widgets += [
            self.number_name,
            self.number,
            *self.number_steps.values(),
            *self.size_names,
            self.rows,
            self.cols,
            *self.steps.values(),
            self.rules,
            self.hands,
            *self.tools.values(),
        ]
        self.form = Form(widgets)

    # --- layout

    def lay_out(self, size: tuple[int, int]) -> None:
        width, height = size
        side = min(232 if width >= 1000 else 200 if width >= 760 else 168, width // 2)
        self.side = Rect(0, 0, side, height)
        self._lay_out_side(self.side.inflate(-2 * theme.GAP, -2 * theme.GAP))
        bar = Rect(side + theme.GAP, theme.GAP, max(1, width - side - 2 * theme.GAP), ROW)
        bottom = self._lay_out_tools(bar, 3 if height >= 420 else 1)
        low = 110 if height >= 600 else 66 if height >= 360 else 0
        self.notes.rect, self.notes.stale = Rect(side, height - low, width - side, low), True
        area = Rect(side, bottom + theme.GAP, width - side, max(1, height - low - bottom - theme.GAP))
        self.view.area = area.inflate(-2 * theme.GAP, -2 * theme.GAP)

    def _lay_out_tools(self, bar: Rect, most: int) -> int:
        """Place the tools with their keys in at most `most` rows, or without keys if there is not enough space, and
        return the y coordinate below the tools. Tools that do not fit are left out."""
        tools = list(self.tools.values())
        for (_, _, key), tool in zip(TOOLS, tools, strict=True):
            tool.key = key
        if len(_rows(tools, bar.width)) > most:
            for tool in tools:
                tool.key = ""
        rows = _rows(tools, bar.width)
        for place, row in enumerate(rows):
            x = bar.left
            for tool, wide in row:
                tool.rect = Rect(x, bar.top + place * (ROW + 4), min(wide, bar.width) if place < most else 0, ROW)
                x += wide + 4
        return bar.top + min(len(rows), most) * (ROW + 4) - 4

    def _lay_out_side(self, inner: Rect) -> None:
        """Place the widgets from top to bottom; widgets that do not fit are left out."""
        left, wide, y = inner.left, inner.width, inner.top

        def below(widget: Widget, height: int, gap: int = 4) -> None:
            nonlocal y
            fits = y + height <= inner.bottom
            widget.rect = Rect(left, y, wide if fits else 0, height)
            y += height + gap

        below(self.title, theme.line_height(theme.LARGE), 0)
        below(self.about, theme.line_height(theme.SMALL) * 2, theme.GAP)
        columns = 5 if wide >= 180 else 4
        cell = (wide - (columns - 1) * 4) // columns
        for place, button in enumerate(self.brushes.values()):
            top = y + place // columns * (cell + 4)
            fits = top + cell <= inner.bottom
            button.rect = Rect(left + place % columns * (cell + 4), top, cell if fits else 0, cell)
        y += -(-len(self.brushes) // columns) * (cell + 4) + 4
        below(self.brush_name, theme.line_height(), 0)
        below(self.brush_about, theme.line_height(theme.SMALL) * (2 if wide >= 180 else 3), theme.GAP)
        number = (self.number_name, self.number, self.number_steps["lower"], self.number_steps["higher"])
        steppers: list[tuple[Widget, Widget, Widget, Widget]] = [number] if self.numbered else []
        steppers += [
            (self.size_names[0], self.rows, self.steps["fewer_rows"], self.steps["more_rows"]),
            (self.size_names[1], self.cols, self.steps["fewer_cols"], self.steps["more_cols"]),
        ]
        side = 30 if wide >= 180 else 24
        for name, field, less, more in steppers:
            there = wide if y + ROW <= inner.bottom else 0
            first = 72 if self.numbered and (wide >= 180 or field is self.number) else 44  # width of the label
            name.rect = Rect(left, y, min(there, first), ROW)
            less.rect = Rect(left + first, y, min(there, side), ROW)
            field.rect = Rect(less.rect.right + 4, y, max(0, there - first - 2 * side - 8), ROW)
            more.rect = Rect(inner.right - side, y, min(there, side), ROW)
            y += ROW + 4
        y += 4
        below(self.rules, ROW, theme.MARGIN)
        below(self.hands, theme.line_height(theme.SMALL) * 4)

    # --- content

    def show_brush(self, brush: Brush, family: Brush) -> None:
        """Show the chosen brush. `family` is the brush that `brush` is a variant of, or `brush` itself."""
        for name, button in self.brushes.items():
            button.set(on=name == family.name)
        self.brushes[family.name].set(tile=brush.tile)
        if family is self.numbered:
            place = next(place for place, each in enumerate(family.variants, 1) if each.tile == brush.tile)
            self.number.set(text=str(place))
        elif self.numbered and not self.number.text:
            self.number.set(text=str(len(self.numbered.variants)))
        self.brush_name.set(text=f"{brush.name[:1].upper()}{brush.name[1:]}")
        self.brush_about.set(text=brush.about)

    def show_size(self, rows: int, cols: int) -> None:
        for field, number in ((self.rows, rows), (self.cols, cols)):
            if not field.focused:
                field.set(text=str(number), caret=len(str(number)))

    def draw(self, surface: pygame.Surface, whole: bool) -> list[Rect]:
        if whole:
            surface.fill(theme.GROUND)
            surface.fill(theme.PANEL, self.side)
            self.view.refresh()
            self.notes.stale = True
        return [*self.view.draw(surface), *self.form.draw(surface, whole), *self.notes.draw(surface)]


def _rows(tools: list[Button], width: int) -> list[list[tuple[Button, int]]]:
    """Return the tools and their widths row by row. Narrower buttons are better than another row, and rows of equal
    length are better than a short last row."""
    full, narrow = ([(tool, tool.width() - less) for tool in tools] for less in (0, SPARE))
    chosen = min((full, narrow), key=lambda these: len(_filled(these, width)))
    count = len(_filled(chosen, width))
    least = next(limit for limit in range(width // max(1, count), width + 1) if len(_filled(chosen, limit)) <= count)
    return _filled(chosen, least)


def _filled(tools: list[tuple[Button, int]], width: int) -> list[list[tuple[Button, int]]]:
    """Fill rows of this width one after the other."""
    rows: list[list[tuple[Button, int]]] = []
    x = width + 1
    for tool, wide in tools:
        if x + wide > width:
            rows.append([])
            x = 0
        rows[-1].append((tool, wide))
        x += wide + 4
    return rows
