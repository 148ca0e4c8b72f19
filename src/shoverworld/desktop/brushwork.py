"""The hand that draws: which brush it holds, where it points, and the stroke it is in the middle of."""

import numpy as np
import pygame

from shoverworld.core.ui import Brush, Cell, Mark
from shoverworld.play.drawing import Drawing, editor_of

from .view import BoardView

POINTED, WIPED = (20, 110, 230), (200, 30, 40)


class Brushwork:
    """Left paints, right wipes, the middle button takes up what is there; or the arrows point and keys paint."""

    def __init__(self, drawing: Drawing, view: BoardView):
        self.view = view
        self.brushes = editor_of(drawing.game).brushes
        self.eraser, self.brush = self.brushes[:2]
        self.take_over(drawing)

    def take_over(self, drawing: Drawing) -> None:
        """Draw on this one."""
        self.drawing = drawing
        self._at: Cell | None = None
        self.stroke: tuple[int, Brush, Cell | None] | None = None  # the button that is held, its brush, the cell before

    @property
    def at(self) -> Cell | None:
        """The cell that the mouse or the arrows point at. A map that was made smaller since then may not have it."""
        draft, cell = self.drawing.draft, self._at
        return cell if cell is not None and cell[0] < draft.rows and cell[1] < draft.cols else None

    @at.setter
    def at(self, cell: Cell | None) -> None:
        self._at = cell

    # --- brushes

    def choose(self, name: str) -> None:
        self.brush = next(brush for brush in self.brushes if brush.name == name)

    def step(self, by: int) -> None:
        """The next brush."""
        self.brush = self.brushes[(self.brushes.index(self.brush) + by) % len(self.brushes)]

    def pick(self) -> None:
        """Take the brush that paints what is pointed at."""
        if self.at is None:
            return
        scene = self.drawing.draft.scene()
        tiles = [*(actor.tile for actor in scene.actors if actor.end == self.at), int(scene.tiles[self.at])]
        for tile in tiles:  # who stands there comes before what he stands on
            for brush in self.brushes:
                if brush.tile == tile and brush.size == 1:
                    self.brush = brush
                    return

    def corner(self, cell: Cell, brush: Brush) -> Cell:
        """Where a brush is put down for a cell that is pointed at: a wide one lies around it, on the map if it fits."""
        draft, half = self.drawing.draft, (brush.size - 1) // 2
        row = max(0, min(cell[0] - half, draft.rows - brush.size))
        return row, max(0, min(cell[1] - half, draft.cols - brush.size))

    # --- keys

    def walk(self, down: int, right: int) -> None:
        """Point at the next cell; the first time, at the first."""
        draft = self.drawing.draft
        row, col = (0, 0) if self.at is None else (self.at[0] + down, self.at[1] + right)
        self.at = min(max(0, row), draft.rows - 1), min(max(0, col), draft.cols - 1)

    def paint(self, brush: Brush) -> None:
        """Where it points."""
        self.let_go()
        if self.at is not None:
            self.drawing.paint(self.corner(self.at, brush), brush.name)

    # --- the mouse

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.MOUSEMOTION:
            self._move(event)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._press(event)
        elif event.type == pygame.MOUSEBUTTONUP and self.stroke is not None and event.button == self.stroke[0]:
            self.let_go()

    def _press(self, event: pygame.event.Event) -> None:
        if self.stroke is not None:
            return
        self.at = cell = self.view.cell_at(event.pos)
        if cell is None:
            return
        if event.button == 2:
            self.pick()
        elif event.button in (1, 3):
            brush = self.brush if event.button == 1 else self.eraser
            self.drawing.begin()
            self.drawing.paint(self.corner(cell, brush), brush.name)
            self.stroke = event.button, brush, cell

    def _move(self, event: pygame.event.Event) -> None:
        self.at = cell = self.view.cell_at(event.pos)
        if self.stroke is None:
            return
        button, brush, before = self.stroke
        if not event.buttons[button - 1]:  # let go outside the window
            self.let_go()
        elif brush.size == 1 and cell != before:  # a wide one is a stamp
            if cell is not None:
                self.drawing.paint(cell, brush.name, before)
            self.stroke = button, brush, cell

    def let_go(self) -> None:
        """The stroke is over."""
        self.stroke = None
        self.drawing.end()

    def marks(self) -> list[Mark]:
        """What the brush would cover, and what it would wipe beside that: the ring of a square."""
        draft = self.drawing.draft
        if self.at is None:
            return []
        corner, size = self.corner(self.at, self.brush), self.brush.size
        frame = Mark("frame", corner, POINTED, rows=size, cols=size)
        if size == 1:
            return [frame]
        changes = draft.scene().tiles != draft.painted(corner, self.brush.name).scene().tiles
        changes[corner[0] : corner[0] + size, corner[1] : corner[1] + size] = False
        return [*(Mark("shade", (int(r), int(c)), WIPED, "×", strength=0.6) for r, c in np.argwhere(changes)), frame]
