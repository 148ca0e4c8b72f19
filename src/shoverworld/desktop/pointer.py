"""The mouse over a board: clicks, drags, and what it points at."""

import pygame

from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.ui import Cell

from .view import BoardView


class Pointer:
    """Makes gestures of events. A drag is a press on a cell that is let go more than half a cell away."""

    def __init__(self, view: BoardView):
        self.view = view
        self.place: tuple[Cell, int | None] | None = None  # the cell pointed at, and the side or the way that is meant
        self.held: Cell | None = None
        self._held_at = self._pos = (0, 0)
        self._seen_enough: Cell | None = None  # nothing is told of this cell until the pointer has left it

    def handle(self, event: pygame.event.Event) -> tuple[Cell, int | None] | None:
        """A gesture that is complete: the cell, and the direction of a drag or None for a click."""
        if event.type == pygame.MOUSEMOTION:
            if self.held is not None and not event.buttons[0]:
                self.held = None  # let go outside the window
            self._point(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.held, self._held_at = self.view.cell_at(event.pos), event.pos
            self._point(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.held is not None:
            cell, direction = self.held, self._dragged(event.pos)
            self.held = None
            self._point(event.pos)
            return cell, direction
        elif event.type == pygame.WINDOWLEAVE:  # a button that is held will be let go outside: that is told, too
            self.place, self._seen_enough = None, None
        return None

    def leave(self) -> None:
        """It points nowhere, until it moves again."""
        self.place, self.held, self._seen_enough = None, None, None

    def rest(self) -> None:
        """A move was made: it points nowhere, until it moves to another cell."""
        self.place, self.held = None, None
        self._seen_enough = self.view.cell_at(self._pos)

    def _point(self, pos: tuple[int, int]) -> None:
        self._pos = pos
        direction = self._dragged(pos) if self.held is not None else None
        cell = self.view.cell_at(pos)
        if cell != self._seen_enough or direction is not None:
            self._seen_enough = None
        if self.held is not None and direction is not None:
            self.place = self.held, direction
        elif self._seen_enough is not None:
            self.place = None
        else:
            self.place = None if cell is None else (cell, self.view.side_at(pos))

    def _dragged(self, pos: tuple[int, int]) -> int | None:
        """The way from where the button went down; None when it is not far enough to be meant."""
        dx, dy = pos[0] - self._held_at[0], pos[1] - self._held_at[1]
        if max(abs(dx), abs(dy)) * 2 <= max(self.view.cell_size, 8):
            return None
        if abs(dx) > abs(dy):
            return RIGHT if dx > 0 else LEFT
        return DOWN if dy > 0 else UP
