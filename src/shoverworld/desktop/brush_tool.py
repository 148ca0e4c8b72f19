"""The editor's brush tool: the chosen brush, the cell to paint, and the stroke in progress."""

import numpy as np
import pygame

from shoverworld.core.ui import Brush, Cell, Mark
from shoverworld.play.edit_session import EditSession, editor_of

from .view import BoardView

POINTED, WIPED = (20, 110, 230), (200, 30, 40)


class BrushTool:
    """Paints with the mouse or the keys. The left mouse button paints, the right one erases, and the middle one picks a
    brush. The keys move a cursor and paint at its position."""

    def __init__(self, edit: EditSession, view: BoardView):
        self.view = view
        self.brushes = editor_of(edit.game).brushes
        self.eraser, self.brush = self.brushes[:2]
        self._variants: dict[str, Brush] = {}  # the most recently chosen variant of each numbered brush
        self.take_over(edit)

    def take_over(self, edit: EditSession) -> None:
        """Switch to another level."""
        self.edit = edit
        self._at: Cell | None = None
        self.stroke: tuple[int, Brush, Cell | None] | None = None  # the mouse button, its brush and the last cell

    @property
    def at(self) -> Cell | None:
        """The cell under the mouse pointer or the cursor; None if there is no such cell in the level."""
        draft, cell = self.edit.draft, self._at
        return cell if cell is not None and cell[0] < draft.rows and cell[1] < draft.cols else None

    @at.setter
    def at(self, cell: Cell | None) -> None:
        self._at = cell

    # --- brushes

    @property
    def family(self) -> Brush:
        """The brush that the chosen brush is a variant of, or the chosen brush itself."""
        return next(brush for brush in self.brushes if self.brush in (brush, *brush.variants))

    def choose(self, name: str) -> None:
        """Choose a variant of a brush by name, or a brush in its most recently used variant."""
        for brush in self.brushes:
            if brush.name == name:
                self.brush = self._variants.get(name, brush)
            for variant in brush.variants:
                if variant.name == name:
                    self.brush = self._variants[brush.name] = variant

    def step(self, by: int) -> None:
        """Choose the brush `by` positions further on, wrapping around."""
        self.choose(self.brushes[(self.brushes.index(self.family) + by) % len(self.brushes)].name)

    def step_number(self, by: int) -> None:
        """Choose the numbered brush, and add `by` to its number."""
        family = self.family if self.family.variants else next(brush for brush in self.brushes if brush.variants)
        now = self._variants.get(family.name, family).tile
        place = next(place for place, variant in enumerate(family.variants) if variant.tile == now)
        self.choose(family.variants[min(max(0, place + by), len(family.variants) - 1)].name)

    def pick(self) -> None:
        """Choose the brush that paints the content of the current cell."""
        if self.at is None:
            return
        scene = self.edit.draft.scene()
        tiles = [*(actor.tile for actor in scene.actors if actor.end == self.at), int(scene.tiles[self.at])]
        for tile in tiles:  # an actor takes precedence over the tile below
            for brush in self.brushes:
                for each in (*brush.variants, brush):
                    if each.tile == tile and each.size == 1:
                        self.choose(each.name)
                        return

    def corner(self, cell: Cell, brush: Brush) -> Cell:
        """Return the top-left cell that a brush covers. A wide brush is centred on `cell`, but is kept within the level
        if it fits."""
        draft, half = self.edit.draft, (brush.size - 1) // 2
        row = max(0, min(cell[0] - half, draft.rows - brush.size))
        return row, max(0, min(cell[1] - half, draft.cols - brush.size))

    # --- keys

    def walk(self, down: int, right: int) -> None:
        """Move the cursor. The first call puts the cursor on the first cell."""
        draft = self.edit.draft
        row, col = (0, 0) if self.at is None else (self.at[0] + down, self.at[1] + right)
        self.at = min(max(0, row), draft.rows - 1), min(max(0, col), draft.cols - 1)

    def paint(self, brush: Brush) -> None:
        """Paint at the cursor."""
        self.let_go()
        if self.at is not None:
            self.edit.paint(self.corner(self.at, brush), brush.name)

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
            self.edit.begin()
            self.edit.paint(self.corner(cell, brush), brush.name)
            self.stroke = event.button, brush, cell

    def _move(self, event: pygame.event.Event) -> None:
        self.at = cell = self.view.cell_at(event.pos)
        if self.stroke is None:
            return
        button, brush, before = self.stroke
        if not event.buttons[button - 1]:  # the button was released outside the window
            self.let_go()
        elif brush.size == 1 and cell != before:  # a wide brush paints only once per stroke
            if cell is not None:
                self.edit.paint(cell, brush.name, before)
            self.stroke = button, brush, cell

    def let_go(self) -> None:
        """End the stroke."""
        self.stroke = None
        self.edit.end()

    def marks(self) -> list[Mark]:
        """Return marks for the cells that the brush would cover and for adjacent cells that would change."""
        draft = self.edit.draft
        if self.at is None:
            return []
        corner, size = self.corner(self.at, self.brush), self.brush.size
        frame = Mark("frame", corner, POINTED, rows=size, cols=size)
        if size == 1:
            return [frame]
        changes = draft.scene().tiles != draft.painted(corner, self.brush.name).scene().tiles
        changes[corner[0] : corner[0] + size, corner[1] : corner[1] + size] = False
        return [*(Mark("shade", (int(r), int(c)), WIPED, "×", strength=0.6) for r, c in np.argwhere(changes)), frame]
