"""The markers on a timeline: a colour and a shape for each kind of move, and a legend."""

from typing import NamedTuple

import pygame
from pygame import Rect

from shoverworld.core.ui import Colour
from shoverworld.play.labels import MARKER_NAMES

from . import theme


class Marker(NamedTuple):
    """The appearance of a marker. The shape alone is enough to distinguish the markers."""

    colour: Colour
    shape: str
    name: str


MARKERS = {
    "goal": Marker(theme.GOOD, "up", MARKER_NAMES["goal"]),
    "loss": Marker(theme.WARN, "down", MARKER_NAMES["loss"]),
    "finish": Marker(theme.GOOD, "square", MARKER_NAMES["finish"]),
    "burn": Marker(theme.WARN, "tick", MARKER_NAMES["burn"]),
    "special": Marker(theme.ACCENT, "diamond", MARKER_NAMES["special"]),
    "dissolve": Marker(theme.GOOD, "circle", MARKER_NAMES["dissolve"]),
    "invalid": Marker(theme.BAD, "cross", MARKER_NAMES["invalid"]),
    "end": Marker(theme.TEXT, "flag", MARKER_NAMES["end"]),
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
