"""The tiles of Shover-World, drawn at any size with NumPy alone.

The kinds of cells differ in colour, shape and brightness, so colour-blind players can read the board.
"""

import numpy as np

from shoverworld.core.canvas import SMOOTH_FROM, Canvas, cached_tiles
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.sprites import SpriteTiles

from .state import BARRIER, EMPTY, LAVA

# A tile is identified by a number. The code of a cell's content (EMPTY, LAVA, BARRIER, 1 to 10 for a box) is also the
# number of the cell's tile. These tiles and PLAIN_BOX are opaque and include the floor. The other tiles have a
# transparent background and can be drawn over any cell.
PLAIN_BOX = 20  # a box without its strength, for maps on which all boxes have the same strength
SHOVER_TILE = 200  # plus the direction that the shover faces
LOOSE_BOX = 300  # plus the strength of the box, or PLAIN_BOX
FLAME = 400

FLOOR, GRID_LINE = (230, 226, 216), (211, 206, 194)
WOOD, WOOD_DARK, WOOD_LIGHT, WOOD_DEEP = (216, 160, 90), (100, 60, 26), (246, 208, 148), (190, 132, 66)
STONE, STONE_DARK, STONE_LIGHT = (74, 81, 96), (38, 42, 52), (106, 115, 132)
LAVA_DARK, LAVA_RED, LAVA_GLOW, LAVA_WHITE = (96, 12, 6), (204, 44, 14), (255, 160, 36), (255, 236, 150)
SHOVER, SHOVER_DARK, SHOVER_LIGHT, SKIN = (38, 116, 190), (13, 40, 74), (96, 176, 236), (252, 222, 184)


@cached_tiles
def tile(number: int, size: int) -> np.ndarray:
    """Return the image of a tile: uint8 (size, size, 4), read-only."""
    if _is_box(number - LOOSE_BOX):
        canvas = Canvas(size)
        _draw_box(canvas, number - LOOSE_BOX)
    elif number == FLAME:
        canvas = Canvas(size)
        _draw_flame(canvas)
    elif 0 <= number - SHOVER_TILE < 4:
        canvas = Canvas(size)
        _draw_shover(canvas, number - SHOVER_TILE)
    else:
        canvas = Canvas(size, FLOOR)
        if size >= 8:
            canvas.fill(-canvas.box(0, 0, 0.5 - 0.5 / size, 0.5 - 0.5 / size), GRID_LINE)
        if number == LAVA:
            _draw_lava(canvas)
        elif number == BARRIER:
            _draw_barrier(canvas)
        elif _is_box(number):
            _draw_box(canvas, number)
        elif number != EMPTY:
            raise ValueError(f"unknown tile {number}")
    return canvas.result()


def _is_box(number: int) -> bool:
    return EMPTY < number <= 10 or number == PLAIN_BOX


def sprite_tiles() -> SpriteTiles:
    """Return all tiles, for a page."""
    boxes = (*range(1, 11), PLAIN_BOX)
    shover = (SHOVER_TILE + direction for direction in (UP, RIGHT, DOWN, LEFT))
    return SpriteTiles(64, (EMPTY, LAVA, BARRIER, *boxes, *shover, *(LOOSE_BOX + box for box in boxes), FLAME))


# --- boxes: wooden crates with the strength on a plate


def _draw_box(t: Canvas, strength: int) -> None:
    t.fill(t.box(0, 0, 0.44, 0.44, 0.07), WOOD_DARK)
    t.fill(t.box(0, 0, 0.395, 0.395, 0.04), WOOD)
    if t.size >= 20:
        for y in (-0.2, 0.0, 0.2):
            t.fill(t.box(0, y, 0.395, 0.012), WOOD_DARK, 0.45)
        for side in (-1, 1):  # a slat at each end
            slat = t.box(0, side * 0.335, 0.395, 0.06, 0.02)
            t.fill(slat, WOOD_DEEP)
            t.fill(np.abs(slat) - 0.008, WOOD_DARK, 0.7)
            for x in (-0.33, 0.33):
                t.fill(t.disc(x, side * 0.335, 0.022), WOOD_DARK)
    if t.size >= 12 and strength != PLAIN_BOX:
        _draw_number(t, str(strength))


def _draw_number(t: Canvas, text: str) -> None:
    dot = max(1, int(0.09 * t.size))
    columns = 4 * len(text) - 1
    smooth = t.size >= SMOOTH_FROM
    half_w = 0.13 + 0.07 * len(text) if smooth else (columns * dot / 2 + 1) / t.size
    plate = t.box(0, 0, half_w, 0.23 if smooth else (2.5 * dot + 1) / t.size, 0.06)
    t.fill(plate, WOOD_LIGHT)
    if not smooth:
        t.dotted(text, WOOD_DARK, dot)
        return
    t.fill(np.abs(plate) - 0.012, WOOD_DARK, 0.75)
    t.written(text, WOOD_DARK, unit=0.068, half_width=0.027)


# --- barriers: dark brickwork that fills the cell


def _draw_barrier(t: Canvas) -> None:
    t.fill(t.box(0, 0, 0.6, 0.6), STONE_DARK)
    mortar = max(0.028, 0.45 / t.size)  # half the width of a joint; a joint is at least about one pixel wide
    for row in range(3):
        y = -1 / 3 + row / 3
        for x in (-0.25, 0.25) if row % 2 == 0 else (-0.5, 0.0, 0.5):
            t.fill(t.box(x, y, 0.25 - mortar, 1 / 6 - mortar, 0.03), STONE)
            light = max(0.02, 0.45 / t.size)
            t.fill(t.box(x, y - 1 / 6 + mortar + light + 0.01, 0.23 - mortar, light, light), STONE_LIGHT, 0.8)


# --- lava: bright waves on a dark background


def _draw_lava(t: Canvas) -> None:
    t.fill(t.box(0, 0, 0.6, 0.6), LAVA_RED)
    wave = 0.06 * np.sin(2 * np.pi * t.x)
    for y in (-0.29, 0.21):
        t.fill(np.abs(t.y - y - 0.2 - wave) - 0.07, LAVA_DARK)
        t.fill(np.abs(t.y - y - wave) - 0.085, LAVA_GLOW)
        t.fill(np.abs(t.y - y + 0.02 - wave) - 0.022, LAVA_WHITE, 0.9)
    if t.size >= 20:
        for x, y, r in ((-0.24, -0.06, 0.075), (0.27, 0.0, 0.055), (0.2, 0.43, 0.06)):
            t.fill(t.disc(x, y, r), LAVA_DARK)
            t.fill(t.disc(x - r / 5, y - r / 5, r * 0.62), LAVA_GLOW)


def _draw_flame(t: Canvas) -> None:
    """Draw the flame of a burning box."""
    for size, colour in ((1.12, LAVA_DARK), (1.0, LAVA_RED), (0.72, LAVA_GLOW), (0.42, LAVA_WHITE)):
        foot = 0.4 - 0.3 * (1 - size) * 0.6
        x, y = t.x / size, (t.y - foot) / size + 0.4  # all layers have the same shape, with the base at 0.4
        up = np.clip((0.4 - y) / 0.82, 0, 1)
        half = 0.3 * np.sin(np.pi * np.clip(up, 0, 1) ** 0.55) * (1 - up) ** 0.35
        t.fill((np.abs(x - 0.09 * np.sin(2 * np.pi * up)) - half + 0.02) * size * 0.8, colour)
    for x, y, r in ((-0.33, -0.12, 0.04), (0.34, -0.02, 0.035), (0.25, -0.36, 0.03)):
        t.fill(t.disc(x, y, r), LAVA_DARK)
        t.fill(t.disc(x, y, r * 0.7), LAVA_GLOW)


# --- the shover: a round worker seen from above; arms, eyes and the open side of the cap show the direction it faces


def _draw_shover(t: Canvas, direction: int) -> None:
    dx, dy = {UP: (0, -1), RIGHT: (1, 0), DOWN: (0, 1), LEFT: (-1, 0)}[direction]
    along, across = t.x * dx + t.y * dy, -t.x * dy + t.y * dx

    def at(forward: float, aside: float) -> tuple[float, float]:
        return forward * dx - aside * dy, forward * dy + aside * dx

    for side in (-1, 1):  # arms stretched forward
        arm = t.line(*at(-0.08, side * 0.3), *at(0.32, side * 0.3), 0.125)
        t.fill(arm, SHOVER_DARK)
        t.fill(arm + 0.04, SHOVER)
        t.fill(np.maximum(arm + 0.04, 0.24 - along), SKIN)
    body = np.hypot((along + 0.12) * 1.25, across) - 0.4
    t.fill(body, SHOVER_DARK)
    t.fill(body + 0.045, SHOVER)
    head = t.disc(*at(0.0, 0), 0.27)
    t.fill(head, SHOVER_DARK)
    t.fill(head + 0.04, SKIN)
    t.fill(np.maximum(head, along - 0.03), SHOVER_DARK)  # the cap
    t.fill(np.maximum(head + 0.04, along + 0.01), SHOVER_LIGHT)
    if t.size >= 20:
        for side in (-1, 1):
            t.fill(t.disc(*at(0.115, side * 0.095), 0.042), SHOVER_DARK)
