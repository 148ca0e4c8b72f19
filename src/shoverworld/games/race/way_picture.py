"""Draw the path of a car on a track: a line with warmer colours where the car is faster, and a dot for each landing."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from . import tiles
from .draw import CarSprite, track_picture

LONGEST, SMALLEST, LARGEST = 1800, 3, 32  # in pixels: the longer side of the picture; the smallest and largest cell
LEGIBLE = 8  # the minimum cell size, in pixels, for drawing a car and numbers
EVERY = 10  # every tenth move is numbered
SLOW_TO_FAST = ((74, 170, 255), (110, 230, 190), (255, 225, 90), (255, 150, 50), (255, 70, 70))
INK, PAPER, GREY = (24, 28, 36), (250, 250, 246), (168, 176, 188)

Cell = tuple[int, int]  # (x, y)
Colour = tuple[int, int, int]


def way_picture(track: Any, positions: Sequence[Cell], caption: str, longest: int = LONGEST) -> np.ndarray:
    """Return a picture of the track with the path through these cells and a caption, uint8 (height, width, 3).

    `longest` is the approximate length of the longer side in pixels.
    """
    size = min(LARGEST, max(SMALLEST, longest // max(track.rows, track.cols)))
    ground = track_picture(track.cells, cell_size=size)
    size = ground.shape[1] // track.cols  # smaller for a very large track
    image = Image.fromarray(ground)
    image.paste(_way(image, positions, size))
    if size >= LEGIBLE:
        _put_car(image, positions, size)
        _number(image, positions, size)
    return np.asarray(_with_caption(image, caption, _speeds(positions)))


def _speeds(positions: Sequence[Cell]) -> list[float]:
    """Return the speed of each move, in cells per move."""
    return [float(np.hypot(x - a, y - b)) for (a, b), (x, y) in pairwise(positions)]


def shade(share: float) -> Colour:
    """Return the colour for a relative speed between 0 (slow) and 1 (fast)."""
    place = min(max(share, 0.0), 1.0) * (len(SLOW_TO_FAST) - 1)
    first = min(int(place), len(SLOW_TO_FAST) - 2)
    return tiles.mixed(SLOW_TO_FAST[first], SLOW_TO_FAST[first + 1], place - first)


def _way(ground: Image.Image, positions: Sequence[Cell], size: int) -> Image.Image:
    """Return the ground with the path on it: first a dark outline, then the lines, then the dots."""
    finer = 3 if ground.width * ground.height < 4_000_000 else 2  # scale at which the path is drawn, for smooth edges
    scale = finer * size
    large = Image.new("RGBA", (ground.width * finer, ground.height * finer))
    pen = ImageDraw.Draw(large)
    points = [((x + 0.5) * scale, (y + 0.5) * scale) for x, y in positions]
    speeds = _speeds(positions)
    fastest = max(speeds, default=1.0) or 1.0
    line, dot, edge = max(0.16 * scale, 2.0 * finer), max(0.19 * scale, 1.8 * finer), max(0.07 * scale, 0.5 * finer)
    pen.line(points, (*INK, 190), round(line + 2 * edge), "curve")
    for at in points:
        _disc(pen, at, dot + edge, (*INK, 230))
    for (start, end), speed in zip(pairwise(points), speeds, strict=True):
        pen.line((start, end), (*shade(speed / fastest), 255), round(line))
    for at, speed in zip(points, [0.0, *speeds], strict=True):
        _disc(pen, at, dot, (*tiles.mixed(shade(speed / fastest), PAPER, 0.25), 255))
        _disc(pen, at, 0.5 * dot, (*PAPER, 255))
    small = large.resize(ground.size, Image.Resampling.BOX)
    return Image.alpha_composite(ground.convert("RGBA"), small).convert("RGB")


def _disc(pen: ImageDraw.ImageDraw, at: tuple[float, float], radius: float, colour: tuple[int, ...]) -> None:
    pen.ellipse((at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), colour)


def _put_car(image: Image.Image, positions: Sequence[Cell], size: int) -> None:
    """Draw a car at the start."""
    (x, y), (to_x, to_y) = positions[0], positions[min(1, len(positions) - 1)]
    car = CarSprite(0, y, x, to_y - y, to_x - x, True)
    tile = tiles.tile(tiles.car_tile(car.car, tiles.heading(car.rows, car.cols), car.to_move), size)
    sprite = Image.fromarray(np.ascontiguousarray(tile))
    image.paste(sprite, (x * size, y * size), sprite)


def _number(image: Image.Image, positions: Sequence[Cell], size: int) -> None:
    """Draw the number of every tenth move beside its dot."""
    pen = ImageDraw.Draw(image)
    font = _font(max(10, round(0.6 * size)))
    for number in range(EVERY, len(positions), EVERY):
        x, y = positions[number]
        at = ((x + 0.5) * size, (y + 0.5) * size - max(0.35 * size, 5))
        pen.text(at, str(number), PAPER, font, anchor="mb", stroke_width=2, stroke_fill=INK)


def _with_caption(image: Image.Image, caption: str, speeds: list[float]) -> Image.Image:
    """Add a strip below the picture with the caption and the colour legend."""
    high = 36
    font = _font(16)
    fastest = f"{max(speeds, default=0.0):.3g}"
    texts, bar, gap = ("0", f"{fastest} cells per move"), 90, 8
    legend = bar + 2 * gap + sum(font.getlength(text) for text in texts)
    needed = round(font.getlength(caption) + legend + 4 * gap)
    whole = Image.new("RGB", (max(image.width, needed), image.height + high), INK)
    whole.paste(image, ((whole.width - image.width) // 2, 0))
    pen, middle = ImageDraw.Draw(whole), image.height + high // 2
    pen.text((gap, middle), caption, PAPER, font, anchor="lm")
    left = whole.width - gap - legend
    pen.text((left, middle), texts[0], GREY, font, anchor="lm")
    left = round(left + font.getlength(texts[0]) + gap)
    for step in range(bar):
        pen.line(((left + step, middle - 4), (left + step, middle + 4)), shade(step / (bar - 1)))
    pen.text((left + bar + gap, middle), texts[1], GREY, font, anchor="lm")
    return whole


def _font(size: int) -> Any:
    return ImageFont.load_default(size)
