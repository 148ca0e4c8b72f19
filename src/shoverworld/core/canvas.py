"""A square canvas for drawing tiles of any size with NumPy alone.

A shape is described by an array of signed distances, measured in cells and negative inside the shape. The edges of a
shape are therefore smooth at any size.
"""

from functools import wraps
from itertools import pairwise
from typing import Protocol

import numpy as np

Colour = tuple[int, int, int]

# Digits made of 3 x 5 dots, for tiles that are too small for smooth digits.
DOTS = {
    "0": "111101101101111", "1": "010110010010111", "2": "111001111100111", "3": "111001111001111", "4": "101101111001001",
    "5": "111100111001111", "6": "111100111101111", "7": "111001010010010", "8": "111101111101111", "9": "111101111001111",
}  # fmt: skip
SMOOTH_FROM = 40  # the minimum tile size, in pixels, for drawing digits as strokes

# The same digits as strokes in a 2 x 4 area with y pointing down. An arc is (x, y, x radius, y radius, from, to), where
# `from` and `to` are in quarter turns, clockwise from the right. A line is a list of points.
Point = tuple[float, float]
Arc = tuple[float, float, float, float, float, float]
STROKES: dict[str, list[list[Point] | Arc]] = {
    "0": [(1, 2, 1, 2, 0, 4)],
    "1": [[(0.2, 0.8), (1.1, 0), (1.1, 4)]],
    "2": [(1, 1.05, 1, 1.05, 2, 4.35), [(1.86, 1.6), (0, 4), (2, 4)]],
    "3": [(0.95, 1, 0.95, 1, 2.3, 5), (0.95, 2.95, 1.05, 1.05, 3, 5.7)],
    "4": [[(1.5, 4), (1.5, 0), (0, 2.8), (2, 2.8)]],
    "5": [[(1.85, 0), (0.25, 0), (0.12, 1.75)], (0.9, 2.7, 1.1, 1.3, 2.75, 5.6)],
    "6": [[(1.6, 0), (0.15, 2.2)], (1, 2.9, 1, 1.1, 0, 4)],
    "7": [[(0, 0), (2, 0), (0.7, 4)]],
    "8": [(1, 1, 0.9, 1, 0, 4), (1, 3, 1, 1, 0, 4)],
    "9": [(1, 1.1, 1, 1.1, 0, 4), [(1.85, 1.8), (0.4, 4)]],
}


MOST_BYTES = 32 * 2**20  # memory for the cached pictures of one game's tiles


class DrawTile(Protocol):
    """A function that draws the tile with this number at this size."""

    def __call__(self, number: int, size: int) -> np.ndarray: ...


def cached_tiles(draw: DrawTile) -> DrawTile:
    """Cache the pictures that a function draws. When they need too much memory, all of them are discarded: the player
    has probably resized the window, and the pictures at the earlier sizes are no longer needed."""
    pictures: dict[tuple[int, int], np.ndarray] = {}
    used = 0

    @wraps(draw)
    def tile(number: int, size: int) -> np.ndarray:
        nonlocal used
        picture = pictures.get((number, size))
        if picture is None:
            picture = draw(number, size)
            if used + picture.nbytes > MOST_BYTES:
                pictures.clear()
                used = 0
            pictures[number, size] = picture
            used += picture.nbytes
        return picture

    return tile


class Canvas:
    """A square canvas whose coordinates range from -0.5 to 0.5.

    A method that returns an array of distances describes a shape, and `fill` draws the shape.
    """

    def __init__(self, size: int, colour: Colour | None = None):
        self.size = size
        self.pixels = np.zeros((size, size, 4))  # RGBA with premultiplied alpha
        if colour is not None:
            self.pixels[:] = (*colour, 1.0)
        steps = (np.arange(size) + 0.5) / size - 0.5
        self.x, self.y = np.meshgrid(steps, steps)

    def fill(self, distance: np.ndarray, colour: Colour, opacity: float = 1.0) -> None:
        """Draw the shape described by a distance array."""
        cover = np.clip(0.5 - distance * self.size, 0, 1)[..., None] * opacity
        self.pixels += cover * (np.array((*colour, 1.0)) - self.pixels)

    def box(self, x: float, y: float, half_w: float, half_h: float, radius: float = 0.0) -> np.ndarray:
        dx, dy = np.abs(self.x - x) - half_w + radius, np.abs(self.y - y) - half_h + radius
        return np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - radius

    def disc(self, x: float, y: float, radius: float) -> np.ndarray:
        return np.hypot(self.x - x, self.y - y) - radius

    def line(self, x0: float, y0: float, x1: float, y1: float, half_width: float) -> np.ndarray:
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((self.x - x0) * dx + (self.y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
        return np.hypot(self.x - x0 - along * dx, self.y - y0 - along * dy) - half_width

    def strokes(self, points: list[Point], half_width: float) -> np.ndarray:
        lines = [self.line(*a, *b, half_width) for a, b in pairwise(points)]
        return np.minimum.reduce(lines)

    def dotted(self, text: str, colour: Colour, dot: int = 1) -> None:
        """Draw digits as dots in the centre of the canvas."""
        columns = 4 * len(text) - 1
        top, left = (self.size - 5 * dot) // 2, (self.size - columns * dot) // 2
        for i, digit in enumerate(text):
            for place, on in enumerate(DOTS[digit]):
                if on == "1":
                    row, col = top + place // 3 * dot, left + (4 * i + place % 3) * dot
                    self.pixels[row : row + dot, col : col + dot] = (*colour, 1.0)

    def written(self, text: str, colour: Colour, unit: float, half_width: float) -> None:
        """Draw digits as strokes in the centre of the canvas. A digit is two units wide and four units high."""
        left = -unit * (1 if len(text) == 1 else 1.55 * len(text) - 0.55)
        for i, digit in enumerate(text):
            for stroke in STROKES[digit]:
                points = stroke if isinstance(stroke, list) else _arc(*stroke)
                placed = [(left + i * 3.1 * unit + x * unit, (y - 2) * unit) for x, y in points]
                self.fill(self.strokes(placed, half_width), colour)

    def result(self) -> np.ndarray:
        """Return the pixels as a uint8 array of shape (size, size, 4): red, green, blue, opacity.

        The array is read-only because callers cache it.
        """
        opacity = self.pixels[..., 3:]
        colour = self.pixels[..., :3] / np.maximum(opacity, 1e-9)
        picture = np.clip(np.round(np.concatenate([colour, 255 * opacity], axis=2)), 0, 255).astype(np.uint8)
        picture.setflags(write=False)
        return picture


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> list[Point]:
    turns = np.linspace(start, end, 8 * round(end - start) + 1) * np.pi / 2
    return [(x + rx * float(np.cos(turn)), y + ry * float(np.sin(turn))) for turn in turns]
