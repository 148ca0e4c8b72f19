"""The keyboard and the mouse: key names shared by all views, and gestures on a board."""

import pygame

from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.ui import Cell

from .view import BoardView

_FROM_A = "abcdefghijklmnopqrstuvwxyz1234567890"  # keys in the order of SDL's scancodes, which start at 4


def named(event: pygame.event.Event) -> str:
    """Return the name of a pressed key: "up", "w", "+". Keys on the number pad have the same names as the
    corresponding keys on the main keyboard. On keyboards that have no Latin letters or on which digits need Shift,
    the position of the key determines its name."""
    typed, place = getattr(event, "unicode", ""), getattr(event, "scancode", 0) - 4
    if len(typed) == 1 and typed in "+-.,[]?0123456789":  # recognised wherever they are on the keyboard
        return typed
    name = pygame.key.name(event.key)
    if len(name) == 3 and name[0] == "[" and name[2] == "]":
        name = name[1]
    if name == "enter":
        return "return"
    if name == "=":  # the plus key without Shift on many keyboards
        return "+"
    strange = not name or not name.isascii() or (place >= 26 and not name.isalnum())
    return _FROM_A[place] if strange and 0 <= place < len(_FROM_A) else name


def shifted(event: pygame.event.Event) -> bool:
    return bool(getattr(event, "mod", 0) & pygame.KMOD_SHIFT)


def commanded(event: pygame.event.Event) -> bool:
    """Return whether Ctrl, Alt or the command key is held down."""
    return bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META))


def control_name(event: pygame.event.Event) -> str:
    """Return the name of a key pressed with Ctrl or the command key, such as "ctrl+shift+c"; "" if neither was held."""
    mod = event.mod
    if not mod & (pygame.KMOD_CTRL | pygame.KMOD_META) or mod & pygame.KMOD_ALT:
        return ""
    name = pygame.key.name(event.key)
    return f"ctrl+{'shift+' if shifted(event) else ''}{name if name.isascii() else named(event)}"


class Pointer:
    """Turns mouse events into gestures. A drag begins with a press on a cell and ends with a release more than half a
    cell away."""

    def __init__(self, view: BoardView):
        self.view = view
        self.cell: Cell | None = None  # the cell under the pointer, or the cell being dragged
        self.side: int | None = None  # the side of the cell near the pointer, or the direction of the drag
        self.held: Cell | None = None
        self._held_at = (0, 0)

    @property
    def dragging(self) -> bool:
        return self.held is not None and self.cell == self.held and self.side is not None

    def handle(self, event: pygame.event.Event) -> tuple[Cell, int | None] | None:
        """Return a completed gesture as a pair: the cell, and the direction of a drag (None for a click)."""
        if event.type == pygame.MOUSEMOTION:
            if self.held is not None and not event.buttons[0]:
                self.held = None  # the button was released outside the window
            self._point(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.held, self._held_at = self.view.cell_at(event.pos), event.pos
            self._point(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.held is not None:
            cell, direction = self.held, self._dragged(event.pos)
            self.held = None
            self._point(event.pos)
            return cell, direction
        elif event.type == pygame.WINDOWLEAVE:  # a held button may still be released outside the window
            self.cell = self.side = None
        return None

    def cancel(self) -> None:
        """Cancel the gesture in progress."""
        self.held = None

    def _point(self, pos: tuple[int, int]) -> None:
        direction = self._dragged(pos) if self.held is not None else None
        if direction is not None:
            self.cell, self.side = self.held, direction
        else:
            self.cell, self.side = self.view.cell_at(pos), self.view.side_at(pos)

    def _dragged(self, pos: tuple[int, int]) -> int | None:
        """Return the direction of the drag; None if the pointer has not moved far enough."""
        dx, dy = pos[0] - self._held_at[0], pos[1] - self._held_at[1]
        if max(abs(dx), abs(dy)) * 2 <= max(self.view.cell_size, 8):
            return None
        if abs(dx) > abs(dy):
            return RIGHT if dx > 0 else LEFT
        return DOWN if dy > 0 else UP
