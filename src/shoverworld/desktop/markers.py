"""The markers on a timeline: a colour and a shape for each kind of move, and a legend."""

from typing import NamedTuple

import pygame
from pygame import Rect

from shoverworld.core.ui import Colour

from . import theme


class Marker(NamedTuple):
    """The appearance of a marker. The shape alone is enough to distinguish the markers."""

    colour: Colour
    shape: str
    name: str


MARKERS = {
    "goal": Marker(theme.GOOD, "up", "a box reaches its target"),
    "loss": Marker(theme.WARN, "down", "a box leaves its target"),
    "finish": Marker(theme.GOOD, "square", "a player has finished"),
    "burn": Marker(theme.WARN, "tick", "a box burns"),
    "special": Marker(theme.ACCENT, "diamond", "a square is used"),
    "dissolve": Marker(theme.GOOD, "circle", "a square dissolves"),
    "invalid": Marker(theme.BAD, "cross", "an invalid move"),
    "end": Marker(theme.TEXT, "flag", "the end"),
}
_POLYGONS = {
    "up": [(0.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
    "down": [(0.0, 1.0), (1.0, -1.0), (-1.0, -1.0)],
    "diamond": [(0.0, -1.0), (0.9, 0.0), (0.0, 1.0), (-0.9, 0.0)],
    "square": [(-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7)],
    "flag": [(-0.6, -1.0), (0.9, -0.5), (-0.6, 0.0), (-0.6, 1.0), (-0.6, 0.0)],
}  # coordinates in a square from -1 to 1


def draw_marker(surface: pygame.Surface, kind: str, x: int, y: int, size: int = 6) -> None:
    """Draw a marker centred on a point, extending `size` pixels in each direction."""
    colour, shape, _ = MARKERS[kind]
    if shape == "tick":
        pygame.draw.line(surface, colour, (x, y - size), (x, y + size), 3)
    elif shape == "circle":
        pygame.draw.circle(surface, colour, (x, y), size - 1, 2)
    elif shape == "cross":
        near = size - 2
        pygame.draw.line(surface, colour, (x - near, y - near), (x + near, y + near), 3)
        pygame.draw.line(surface, colour, (x - near, y + near), (x + near, y - near), 3)
    else:
        spots = [(x + across * size, y + down * size) for across, down in _POLYGONS[shape]]
        pygame.draw.polygon(surface, colour, spots)
        pygame.draw.lines(surface, colour, True, spots)


class Legend(NamedTuple):
    """A block in the panel that explains the markers."""

    kinds: tuple[str, ...]
    rank: int = 5

    def height(self, width: int) -> int:
        return len(self.kinds) * theme.line_height() + theme.GAP

    def draw(self, surface: pygame.Surface, rect: Rect) -> None:
        for place, kind in enumerate(self.kinds):
            row = Rect(rect.left, rect.top + place * theme.line_height(), rect.width, theme.line_height())
            draw_marker(surface, kind, row.left + 11, row.centery)
            rest = Rect(row.left + 22 + theme.GAP, row.top, row.width - 22 - theme.GAP, row.height)
            theme.write(surface, MARKERS[kind].name, rest, colour=theme.SOFT)
