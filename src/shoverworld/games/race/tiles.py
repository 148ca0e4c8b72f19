# pyright: basic
# Numba infers the types of the functions that are compiled.
"""The tile pictures of the grid race, drawn with NumPy at any size.

The light comes from the top left. Off the track, there is sand with a red and white kerb beside the road, and grass
farther away. Road cells are asphalt with a fine grid, start cells have the brackets of a grid slot, and finish
cells are chequered. Cars differ in colour, shape (one of four) and number, and point in the direction of their
velocity. The car that moves next is filled; the other cars are hollow.
"""

import numpy as np

from shoverworld.core.canvas import SMOOTH_FROM, Canvas, Colour, cached_tiles
from shoverworld.core.jit import both
from shoverworld.core.sheet import rgb
from shoverworld.core.sprites import SpriteTiles

# Each tile has a number. These tiles are opaque and fill a cell:
GRASS = 0  # plus the look
LOOKS = 4
SAND = 4  # plus a bit for each neighbouring road cell, in the order of _AROUND in draw.py
ROAD = 260  # plus the look
START_CELL, FINISH_CELL = 264, 265
LAST_CELL = FINISH_CELL

# Car tiles are transparent around the car: CAR + CAR_LOOKS * car + (FILLED or 0) + 2 * direction (0 to 7, or STANDING).
CAR, CAR_LOOKS, FILLED = 1000, 32, 1
STANDING = 8
MOST_CARS = 900
LAST = CAR + CAR_LOOKS * MOST_CARS - 1
FORMS = 4

PIXEL = 1 / 16

MEADOW, BLADE, BLADE_DARK = (86, 138, 70), (104, 158, 82), (70, 118, 58)
DUNE, GRAIN, GRAIN_DARK = (214, 190, 140), (232, 210, 164), (192, 166, 116)
ASPHALT, SEAM, CHIP, CHIP_DARK = (92, 96, 104), (112, 117, 126), (104, 108, 117), (82, 86, 94)
KERB_RED, KERB_WHITE = (204, 48, 44), (244, 240, 232)
WHITE, INK = (250, 250, 246), (24, 24, 30)
SLOT = (126, 178, 236)
GLASS, TYRE = (40, 52, 70), (28, 28, 32)

# The twelve colours also differ in brightness. Cars after the twelfth repeat the colours in darker shades.
COLOURS: tuple[Colour, ...] = (
    (226, 52, 48), (52, 128, 236), (250, 206, 40), (38, 168, 92), (240, 128, 30), (158, 84, 214),
    (36, 196, 206), (246, 116, 180), (164, 214, 60), (150, 96, 56), (214, 222, 230), (92, 84, 200),
)  # fmt: skip


_COLOUR_NUMBERS = np.array([rgb(*colour) for colour in COLOURS])


def colour_of(car: int) -> Colour:
    """Return the colour of a car. Cars are numbered from 0."""
    return _parts(car_colour(car))


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """Return a mix of two colours; `share` is the fraction of the second colour."""
    return _parts(mixed_colour(rgb(*colour), rgb(*other), share))


def _parts(colour: int) -> Colour:
    return colour >> 16, colour >> 8 & 255, colour & 255


@both
def car_colour(car):
    """Return the colour of a car as a number (core/sheet.py)."""
    turn = car // len(_COLOUR_NUMBERS)
    return mixed_colour(0, int(_COLOUR_NUMBERS[car % len(_COLOUR_NUMBERS)]), max(0.35, 1 - 0.2 * turn))


@both
def mixed_colour(colour, other, share):
    """Return a mix of two colours that are given as numbers; `share` is the fraction of the second colour."""
    red = _mixed_part(colour >> 16, other >> 16, share)
    green = _mixed_part(colour >> 8 & 255, other >> 8 & 255, share)
    return red << 16 | green << 8 | _mixed_part(colour & 255, other & 255, share)


@both
def _mixed_part(one, two, share):
    return round(one + (two - one) * share)


# --- Tile numbers


@both
def heading(rows, cols):
    """Return the direction of a car that moves `rows` down and `cols` to the right.

    The direction is the nearest of eight, clockwise from 0 (up), or `STANDING` for a car at rest.
    """
    if rows == 0 and cols == 0:
        return STANDING
    high, wide = abs(int(rows)), abs(int(cols))
    # A diagonal is nearer if the angle to the axis exceeds 22.5 degrees, whose tangent is the square root of 2 minus 1.
    if (high + wide) ** 2 > 2 * max(high, wide) ** 2:
        if cols > 0:
            return 1 if rows < 0 else 3
        return 5 if rows > 0 else 7
    if high > wide:
        return 0 if rows < 0 else 4
    return 2 if cols > 0 else 6


@both
def car_tile(car, way=STANDING, filled=False):
    return CAR + CAR_LOOKS * (car % MOST_CARS) + (FILLED if filled else 0) + 2 * way


PICTURED_CARS = 16


def sprite_tiles() -> SpriteTiles:
    """Return the tiles for a page, with a limited number of cars so that the sheet is small."""
    cars = (
        car_tile(car, way, filled)
        for car in range(PICTURED_CARS)
        for way in range(STANDING + 1)
        for filled in (False, True)
    )
    return SpriteTiles(40, (*range(LAST_CELL + 1), *cars))


def contents(tile: int) -> tuple[str, int]:
    """Return what a tile shows (grass, sand, road, start, finish or car) and the number of its variant or car."""
    if CAR <= tile <= LAST:
        return "car", (tile - CAR) // CAR_LOOKS
    if not 0 <= tile <= LAST_CELL:
        raise ValueError(f"unknown tile {tile}; expected 0 to {LAST_CELL} or {CAR} to {LAST}")
    if tile < SAND:
        return "grass", tile - GRASS
    if tile < ROAD:
        return "sand", tile - SAND
    if tile < START_CELL:
        return "road", tile - ROAD
    return ("start" if tile == START_CELL else "finish"), 0


@cached_tiles
def tile(number: int, size: int) -> np.ndarray:
    """Return the RGBA picture of a tile: uint8 (size, size, 4), read-only."""
    kind, look = contents(number)
    if kind == "car":
        canvas = Canvas(size)
        parts = (number - CAR) % CAR_LOOKS
        _draw_car(canvas, look, parts // 2, bool(parts & FILLED))
        return canvas.result()
    canvas = Canvas(size, {"grass": MEADOW, "sand": DUNE}.get(kind, ASPHALT))
    if kind == "grass":
        _sprinkle(canvas, look, BLADE, BLADE_DARK)
    elif kind == "sand":
        _sprinkle(canvas, look % LOOKS, GRAIN, GRAIN_DARK)
        _draw_kerb(canvas, look)
    elif kind == "finish":
        _draw_chequers(canvas)
    else:
        _sprinkle(canvas, look, CHIP, CHIP_DARK)
        _draw_seam(canvas)
        if kind == "start":
            _draw_slot(canvas)
    return canvas.result()


# --- Ground


def _sprinkle(t: Canvas, look: int, light: Colour, dark: Colour) -> None:
    """Draw specks that give large areas some texture. Their positions depend on `look`."""
    if t.size < 10:
        return
    for place in range(7):
        x = ((look * 37 + place * 23 + 5) % 61) / 61 - 0.5
        y = ((look * 29 + place * 41 + 11) % 59) / 59 - 0.5
        t.fill(t.box(x, y, 0.5 * PIXEL, 0.5 * PIXEL), light if place % 2 else dark, 0.8)


def _draw_seam(t: Canvas) -> None:
    """Draw the lines between the cells, as on squared paper."""
    if t.size >= 6:
        edge = max(0.5 / t.size, 0.012)
        t.fill(t.box(0, 0.5 - edge, 0.6, edge), SEAM, 0.8)
        t.fill(t.box(0.5 - edge, 0, edge, 0.6), SEAM, 0.8)


def _draw_slot(t: Canvas) -> None:
    t.fill(t.box(0, 0, 6.5 * PIXEL, 6.5 * PIXEL), SLOT, 0.3)
    half = max(0.6 * PIXEL, 0.6 / t.size)
    for x in (-1, 1):
        t.fill(t.box(x * 6.5 * PIXEL, -3 * PIXEL, half, 3.5 * PIXEL), WHITE)
    t.fill(t.box(0, -6.5 * PIXEL, 6.5 * PIXEL + half, half), WHITE)


def _draw_chequers(t: Canvas) -> None:
    squares = 4 if t.size >= 12 else 2
    step = 1 / squares
    for row in range(squares):
        for col in range(squares):
            colour = WHITE if (row + col) % 2 else INK
            t.fill(t.box(-0.5 + (col + 0.5) * step, -0.5 + (row + 0.5) * step, step / 2, step / 2), colour)


def _draw_kerb(t: Canvas, beside: int) -> None:
    """Draw a red and white kerb along the sides that border the road, and at corners that only touch the road."""
    thick = 3 * PIXEL if t.size >= 8 else 0.25
    bars = 4
    for side in range(4):
        if not beside >> side & 1:
            continue
        for bar in range(bars):
            along, across = -0.5 + (bar + 0.5) / bars, 0.5 - thick / 2
            x, y = ((along, -across), (across, along), (along, across), (-across, along))[side]
            wide, tall = (0.5 / bars, thick / 2) if side in (0, 2) else (thick / 2, 0.5 / bars)
            t.fill(t.box(x, y, wide, tall), KERB_RED if bar % 2 else KERB_WHITE)
    for corner, (right, down, sides) in enumerate(((1, -1, 3), (1, 1, 6), (-1, 1, 12), (-1, -1, 9))):
        if beside >> (4 + corner) & 1 and not beside & sides:
            t.fill(t.box(right * (0.5 - thick / 2), down * (0.5 - thick / 2), thick / 2, thick / 2), KERB_RED)


# --- Cars, seen from above. They are drawn pointing up, then rotated.


def _draw_car(t: Canvas, car: int, way: int, filled: bool) -> None:
    colour = colour_of(car)
    upright = t.x, t.y
    turn = 0.0 if way == STANDING else way * np.pi / 4
    t.x, t.y = (
        t.x * np.cos(turn) + t.y * np.sin(turn),
        -t.x * np.sin(turn) + t.y * np.cos(turn),
    )
    body = _body(t, car % FORMS)
    if t.size >= 12:
        for x in (-1, 1):
            for y in (-1, 1):
                t.fill(t.box(x * 4.6 * PIXEL, y * 4.2 * PIXEL, 1.2 * PIXEL, 1.9 * PIXEL, 0.4 * PIXEL), TYRE)
    edge = max(0.6 * PIXEL, 0.7 / t.size) if filled else max(0.9 * PIXEL, 0.9 / t.size)
    t.fill(body, INK if filled else mixed(colour, INK, 0.1))
    t.fill(body + edge, colour if filled else mixed(colour, (240, 240, 240), 0.55))
    if t.size >= 16:
        glass = GLASS if filled else mixed(GLASS, WHITE, 0.35)
        t.fill(t.box(0, -3.3 * PIXEL, 2.4 * PIXEL, 0.8 * PIXEL, 0.4 * PIXEL), glass)
        t.fill(t.box(0, 5.6 * PIXEL, 1.8 * PIXEL, 0.5 * PIXEL, 0.3 * PIXEL), glass)
    t.x, t.y = upright
    _write(t, str(car + 1), filled)


def _body(t: Canvas, form: int) -> np.ndarray:
    """Return the shape of a car: a saloon, a racing car with a thin nose, a truck or a wedge, depending on `form`."""
    if form == 0:
        return t.box(0, 0, 4.8 * PIXEL, 7.4 * PIXEL, 2.4 * PIXEL)
    if form == 1:
        nose = t.box(0, -3 * PIXEL, 2.4 * PIXEL, 4.6 * PIXEL, 1.4 * PIXEL)
        wing = t.box(0, -6.2 * PIXEL, 5.2 * PIXEL, 1.2 * PIXEL, 0.5 * PIXEL)
        tail = t.box(0, 2.6 * PIXEL, 4.6 * PIXEL, 4.6 * PIXEL, 1.6 * PIXEL)
        return np.minimum(np.minimum(nose, wing), tail)
    if form == 2:
        cab = t.box(0, -5.2 * PIXEL, 4.6 * PIXEL, 2.2 * PIXEL, 0.6 * PIXEL)
        load = t.box(0, 2.2 * PIXEL, 5.4 * PIXEL, 5.2 * PIXEL, 0.3 * PIXEL)
        return np.minimum(cab, load)
    slope = (np.abs(t.x) * 14 - (t.y + 10.5 * PIXEL) * 5.6) / np.hypot(14, 5.6)
    return np.maximum(slope, t.box(0, 0, 5.6 * PIXEL, 7.4 * PIXEL, 0.6 * PIXEL))


def _write(t: Canvas, text: str, filled: bool) -> None:
    """Draw the number of the car on a round plate, upright regardless of the direction of the car."""
    if t.size < 14:
        return
    plate, ink = (WHITE, INK) if filled else (mixed(WHITE, INK, 0.06), mixed(INK, WHITE, 0.2))
    radius = (2.7, 3.6, 4.4)[min(len(text), 3) - 1] * PIXEL
    t.fill(t.disc(0, 1 * PIXEL, radius), plate)
    if t.size >= SMOOTH_FROM:
        wide = (0.052, 0.042, 0.034)[min(len(text), 3) - 1]
        upright = t.y
        t.y = t.y - 1 * PIXEL
        t.written(text, ink, wide, 0.42 * wide)
        t.y = upright
    elif len(text) < 3 and t.size >= 20:
        t.dotted(text, ink, max(1, t.size // 28))
