"""The tile pictures of Sokoban, drawn with NumPy at any size.

The light comes from the top left. The kinds of cells differ in colour, shape and brightness, so a board is readable
even without colours: brick walls, pale floor, a ring for a target, a crate with a cross for a box (with a tick if the
box is on its target), a worker with a helmet for the player, and a robot with an antenna for the second player. A
numbered box and its target share a colour and a number.

Edges lie at multiples of a sixteenth of a cell, so they are sharp at 16 pixels per cell.
"""

import numpy as np

from shoverworld.core.canvas import SMOOTH_FROM, Canvas, Colour, cached_tiles
from shoverworld.core.sprites import SpriteTiles, TileStack

# Each tile is identified by a number. These tiles are opaque and fill a cell:
OUTSIDE, WALL = 0, 1  # wall cells without and with a neighbour inside the room
FLOOR = 4  # plus shade + SHADES * object
SHADES = 4  # a shade is 1 for a wall above + 2 for a wall to the left, because walls cast shadows
LOOKS = 256  # the look of a box or target is its number, or 0 if it has none
NOTHING, A_TARGET, A_BOX = 0, 1, 1 + LOOKS  # the object on the floor: A_TARGET + look, or A_BOX + UNDERS * look + under
UNDERS = 10  # what can be under a box: the floor, its own target, or another target in one of 8 colours
ON_FLOOR, AT_HOME, ASTRAY = 0, 1, 2

# These tiles are transparent around the shape and can be drawn over any cell:
LOOSE_TARGET = 20000  # + look
LOOSE_BOX = 21000  # plus 2 * look, plus 1 if the box is on its target
PLAYER_TILE, SECOND_TILE = 22000, 22001
STANDS_ON_TARGET = 2  # added to a player tile: the picture stays the same, but the glyph in a terminal differs

LAST_CELL, LAST = FLOOR + SHADES * (A_BOX + UNDERS * LOOKS), SECOND_TILE + STANDS_ON_TARGET

PIXEL = 1 / 16

BRICK, BRICK_LIGHT, BRICK_DEEP, MORTAR = (140, 84, 68), (176, 114, 92), (112, 64, 54), (66, 40, 38)
DARK, DARK_DOT = (36, 32, 36), (44, 40, 44)
GROUND, GROUND_LINE, SHADOW = (226, 222, 210), (208, 203, 190), (70, 60, 66)
RING, RING_PALE = (196, 34, 52), (240, 176, 160)
WOOD, WOOD_DARK, WOOD_LIGHT, WOOD_DEEP = (222, 162, 78), (98, 58, 24), (250, 206, 134), (180, 118, 50)
HOME, HOME_DARK, HOME_LIGHT, HOME_DEEP = (62, 140, 70), (16, 58, 30), (124, 194, 112), (38, 104, 52)
WHITE = (255, 252, 240)
SUIT, SUIT_DARK, SUIT_LIGHT, SKIN, INK = (44, 108, 196), (16, 34, 82), (98, 164, 240), (252, 218, 178), (30, 26, 34)
HELMET, HELMET_LIGHT = (252, 204, 40), (255, 238, 140)
STEEL, STEEL_DARK, STEEL_LIGHT, EYE = (132, 60, 160), (46, 12, 66), (200, 136, 224), (150, 255, 236)

# The colours of the numbers 1 to 8. Larger numbers repeat these colours, a little darker each time.
COLOURS: tuple[Colour, ...] = (
    (214, 62, 58), (46, 110, 210), (34, 150, 84), (236, 154, 20), (136, 70, 184), (20, 160, 172), (224, 92, 164), (128, 92, 60),
)  # fmt: skip


def colour_of(number: int) -> Colour:
    """Return the colour of the box and target with this number, counting from 1. Every number has its own colour."""
    turn, place = divmod(number - 1, len(COLOURS))
    red, green, blue = (round(part * (1 - 0.022 * turn)) for part in COLOURS[place])
    return red, green, blue


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """Return a mix of two colours; `share` is the fraction of the second colour."""
    red, green, blue = (round(one + (two - one) * share) for one, two in zip(colour, other, strict=True))
    return red, green, blue


# --- Tile numbers


def on_floor(shade: int, thing: int = NOTHING) -> int:
    """Return the tile of a floor cell with an object on it."""
    return FLOOR + shade + SHADES * thing


def target(look: int) -> int:
    """Return the code of a target for `on_floor`."""
    return A_TARGET + look


def box(look: int, beneath: int = -1) -> int:
    """Return the code of a box for `on_floor`. `beneath` is the look of the target under the box, or -1."""
    if beneath < 0:
        under = ON_FLOOR
    elif beneath == look:
        under = AT_HOME
    else:
        under = ASTRAY + (beneath - 1) % len(COLOURS)
    return A_BOX + UNDERS * look + under


PICTURED = 20  # the largest number of a box or target in a sprite sheet


def sprite_tiles() -> SpriteTiles:
    """Return the tiles for a page. Boxes and targets lie on top of the floor, so that the sheet is small."""
    floors = tuple(on_floor(shade) for shade in range(SHADES))
    looks = range(PICTURED + 1)
    players = (PLAYER_TILE, SECOND_TILE, PLAYER_TILE + STANDS_ON_TARGET, SECOND_TILE + STANDS_ON_TARGET)
    loose = (*(LOOSE_TARGET + look for look in looks), *(LOOSE_BOX + look for look in range(2 * PICTURED + 2)))
    stacks: list[TileStack] = []
    for shade, floor in enumerate(floors):
        ground, box_step = (floor, 0), SHADES * UNDERS
        stacks.append(TileStack(on_floor(shade, target(0)), SHADES, PICTURED + 1, (ground, (LOOSE_TARGET, 1))))
        for under in range(UNDERS):
            first, a_box = on_floor(shade, A_BOX + under), (LOOSE_BOX + (under == AT_HOME), 2)
            beneath = {ON_FLOOR: (), AT_HOME: ((LOOSE_TARGET, 1),)}.get(
                under, ((LOOSE_TARGET + under - ASTRAY + 1, 0),)
            )
            stacks.append(TileStack(first, box_step, PICTURED + 1, (ground, *beneath, a_box)))
    return SpriteTiles(64, (OUTSIDE, WALL, *floors, *loose, *players), tuple(stacks))


def contents(tile: int) -> tuple[str, int, int]:
    """Return what a tile shows: its kind, its look, and what is under a box or player (1 for a target).

    The kinds are outside, wall, floor, target, box, player and second player.
    """
    if not (0 <= tile < LAST_CELL or LOOSE_TARGET <= tile <= LAST):
        raise ValueError(f"unknown tile {tile}; expected 0 to {LAST_CELL - 1} or {LOOSE_TARGET} to {LAST}")
    if tile >= PLAYER_TILE:
        on_target, second = divmod(tile - PLAYER_TILE, STANDS_ON_TARGET)
        return ("second player" if second else "player"), 0, on_target
    if tile >= LOOSE_BOX:
        return "box", (tile - LOOSE_BOX) // 2, (tile - LOOSE_BOX) % 2
    if tile >= LOOSE_TARGET:
        return "target", tile - LOOSE_TARGET, 0
    if tile < FLOOR:
        return ("wall" if tile == WALL else "outside"), 0, 0
    thing = (tile - FLOOR) // SHADES
    if thing >= A_BOX:
        return "box", *divmod(thing - A_BOX, UNDERS)
    return ("floor" if thing == NOTHING else "target"), max(0, thing - A_TARGET), 0


@cached_tiles
def tile(number: int, size: int) -> np.ndarray:
    """Return the RGBA picture of a tile: uint8 (size, size, 4), read-only."""
    kind, look, under = contents(number)
    if number >= LOOSE_TARGET:
        canvas = Canvas(size)
    elif kind in ("outside", "wall"):
        canvas = Canvas(size, DARK if kind == "outside" else MORTAR)
        (_draw_outside if kind == "outside" else _draw_wall)(canvas)
    else:
        canvas = Canvas(size, GROUND)
        _draw_floor(canvas, (number - FLOOR) % SHADES)
        if kind == "box" and under != ON_FLOOR:
            _draw_target(
                canvas, look, RING if look == 0 else COLOURS[under - ASTRAY] if under >= ASTRAY else colour_of(look)
            )
    if kind == "target":
        _draw_target(canvas, look, colour_of(look) if look else RING)
    elif kind == "box":
        _draw_box(canvas, look, under == AT_HOME)
    elif kind == "player":
        _draw_player(canvas)
    elif kind == "second player":
        _draw_second(canvas)
    return canvas.result()


# --- Walls and floor


def _draw_outside(t: Canvas) -> None:
    if t.size >= 12:
        for x, y in ((-0.25, -0.25), (0.25, 0.25)):
            t.fill(t.box(x, y, PIXEL, PIXEL), DARK_DOT)


def _draw_wall(t: Canvas) -> None:
    """Draw four courses of bricks. Every other course is offset by half a brick, so that neighbouring walls join."""
    if t.size < 12:
        t.fill(t.box(0, 0, 0.42, 0.42), BRICK)
        t.fill(t.box(0, -0.36, 0.42, 0.08), BRICK_LIGHT)
        return
    for course in range(4):
        top = -0.5 + course / 4
        for left in (-0.5, 0.0) if course % 2 == 0 else (-0.75, -0.25, 0.25):
            x, y = left + 3.5 * PIXEL, top + 1.5 * PIXEL
            colour = BRICK_DEEP if (course, left) in ((0, 0.0), (2, -0.5), (3, -0.25)) else BRICK
            t.fill(t.box(x, y, 3.5 * PIXEL, 1.5 * PIXEL, 0.02), colour)
            light = max(0.5 * PIXEL * 0.7, 0.5 / t.size)
            t.fill(t.box(x, top + light, 3.5 * PIXEL - 0.01, light), BRICK_LIGHT, 0.75)


def _draw_floor(t: Canvas, shade: int) -> None:
    if t.size >= 8:
        edge = max(0.5 / t.size, 0.012)
        t.fill(t.box(0, 0.5 - edge, 0.6, edge), GROUND_LINE)
        t.fill(t.box(0.5 - edge, 0, edge, 0.6), GROUND_LINE)
    above, left = t.y + 0.5 - 3 * PIXEL, t.x + 0.5 - 2 * PIXEL
    if shade:
        t.fill(np.minimum(above if shade & 1 else left, left if shade & 2 else above), SHADOW, 0.3)


# --- Targets: a ring, and corner brackets that stay visible under a box or player


def _draw_target(t: Canvas, look: int, colour: Colour) -> None:
    long, thick = 3 * PIXEL, PIXEL / 2
    for x in (-1, 1):
        for y in (-1, 1):
            t.fill(t.box(x * (0.5 - long / 2), y * (0.5 - thick), long / 2, thick), colour)
            t.fill(t.box(x * (0.5 - thick), y * (0.5 - long / 2), thick, long / 2), colour)
    if look == 0:
        t.fill(t.disc(0, 0, 4.5 * PIXEL), RING_PALE)
        t.fill(np.abs(t.disc(0, 0, 3.75 * PIXEL)) - 0.85 * PIXEL, colour)
        t.fill(t.disc(0, 0, 1.3 * PIXEL), colour)
        return
    pale = mixed(colour, WHITE, 0.72)
    t.fill(t.disc(0, 0, 6 * PIXEL), colour)
    t.fill(t.disc(0, 0, 5 * PIXEL), pale)
    _write(t, str(look), mixed(colour, INK, 0.5))


# --- Boxes: wooden crates


def _draw_box(t: Canvas, look: int, home: bool) -> None:
    if look:
        wood = colour_of(look)
        dark, light, deep = mixed(wood, INK, 0.65), mixed(wood, WHITE, 0.45), mixed(wood, INK, 0.25)
    else:
        wood, dark, light, deep = (
            (HOME, HOME_DARK, HOME_LIGHT, HOME_DEEP) if home else (WOOD, WOOD_DARK, WOOD_LIGHT, WOOD_DEEP)
        )
    t.fill(t.box(0, 0, 7 * PIXEL, 7 * PIXEL, 0.8 * PIXEL), dark)
    t.fill(t.box(0, 0, 6 * PIXEL, 6 * PIXEL), wood)
    t.fill(t.box(0, -5.5 * PIXEL, 6 * PIXEL, PIXEL / 2), light)  # highlights on the upper and left edges
    t.fill(t.box(-5.5 * PIXEL, 0, PIXEL / 2, 6 * PIXEL), light)
    t.fill(t.box(0, 5.5 * PIXEL, 6 * PIXEL, PIXEL / 2), deep)
    t.fill(t.box(5.5 * PIXEL, 0, PIXEL / 2, 6 * PIXEL), deep)
    if look:
        _draw_plate(t, str(look), home, dark)
        return
    t.fill(t.box(0, 0, 4 * PIXEL, 4 * PIXEL), deep)  # the recessed middle
    if t.size >= 24:
        for x in (-2, 0, 2):
            t.fill(t.box(x * PIXEL, 0, 0.012, 4 * PIXEL), dark, 0.35)
    if home:
        _draw_tick(t)
    else:
        reach = 3.6 * PIXEL
        for x in (-1, 1):
            brace = np.maximum(
                t.line(-x * reach, -reach, x * reach, reach, 1.1 * PIXEL), t.box(0, 0, 4 * PIXEL, 4 * PIXEL)
            )
            t.fill(brace, light if x > 0 else wood)
            if t.size >= 24:
                t.fill(np.abs(brace) - 0.008, dark, 0.5)
    if t.size >= 32:
        for x in (-5, 5):
            for y in (-5, 5):
                t.fill(t.disc(x * PIXEL, y * PIXEL, 0.022), dark, 0.8)


def _draw_tick(t: Canvas) -> None:
    tick = [(-2.6 * PIXEL, 0.2 * PIXEL), (-0.8 * PIXEL, 2.2 * PIXEL), (2.8 * PIXEL, -2.2 * PIXEL)]
    t.fill(t.strokes(tick, 0.9 * PIXEL), WHITE)


def _draw_plate(t: Canvas, text: str, home: bool, dark: Colour) -> None:
    """Draw the number: dark on a white plate, or white on a dark plate in a light frame if the box is on its target."""
    half = 3.5 * PIXEL if len(text) == 1 else 5 * PIXEL
    if len(text) == 3:
        half = 6 * PIXEL
    plate = t.box(0, 0, half, 4.5 * PIXEL if t.size >= SMOOTH_FROM else 4 * PIXEL, 0.03 if t.size >= 24 else 0)
    t.fill(plate, HOME_DARK if home else WHITE)
    if home:
        t.fill(np.abs(t.box(0, 0, 6.5 * PIXEL, 6.5 * PIXEL)) - PIXEL / 2, HOME_LIGHT)
    _write(t, text, WHITE if home else dark)


def _write(t: Canvas, text: str, colour: Colour) -> None:
    if t.size < 12:
        return
    if t.size >= SMOOTH_FROM:
        wide = 0.075 if len(text) < 3 else 0.055
        t.written(text, colour, wide, 0.4 * wide)
    else:
        t.dotted(text, colour, max(1, int(t.size / (16 if len(text) > 1 else 14))))


# --- Players


def _draw_player(t: Canvas) -> None:
    """Draw a worker with a helmet, seen from the front."""
    body = t.box(0, 3.5 * PIXEL, 4 * PIXEL, 3.5 * PIXEL, 2 * PIXEL)
    t.fill(body, SUIT_DARK)
    for x in (-1, 1):  # hands
        t.fill(t.disc(x * 5 * PIXEL, 3 * PIXEL, 1.7 * PIXEL), SUIT_DARK)
        t.fill(t.disc(x * 5 * PIXEL, 3 * PIXEL, 1 * PIXEL), SKIN)
    t.fill(body + PIXEL, SUIT)
    t.fill(t.box(0, 4.5 * PIXEL, 1.5 * PIXEL, 1.5 * PIXEL), SUIT_LIGHT)
    head = t.disc(0, -1.5 * PIXEL, 5 * PIXEL)
    t.fill(head, SUIT_DARK)
    t.fill(head + PIXEL, SKIN)
    for x in (-1, 1):
        t.fill(t.box(x * 1.5 * PIXEL, -0.5 * PIXEL, 0.6 * PIXEL, 1.0 * PIXEL, 0.5 * PIXEL), INK)
    helmet = np.maximum(t.disc(0, -2 * PIXEL, 5.5 * PIXEL), t.y + 2.5 * PIXEL)
    brim = t.box(0, -2.5 * PIXEL, 6 * PIXEL, PIXEL, 0.3 * PIXEL)
    t.fill(np.minimum(helmet, brim), SUIT_DARK)
    t.fill(np.maximum(t.disc(0, -2 * PIXEL, 4.5 * PIXEL), t.y + 3 * PIXEL), HELMET)
    t.fill(t.box(0, -2.75 * PIXEL, 5.2 * PIXEL, 0.75 * PIXEL, 0.3 * PIXEL), HELMET)
    t.fill(t.box(-0.5 * PIXEL, -4.75 * PIXEL, 1 * PIXEL, 1.25 * PIXEL, 0.5 * PIXEL), HELMET_LIGHT)


def _draw_second(t: Canvas) -> None:
    """Draw a square robot with an antenna and a visor."""
    t.fill(t.box(0, -6 * PIXEL, PIXEL / 2, 1.5 * PIXEL), STEEL_DARK)
    t.fill(t.disc(0, -6.5 * PIXEL, 1.3 * PIXEL), STEEL_DARK)
    t.fill(t.disc(0, -6.5 * PIXEL, 0.8 * PIXEL), EYE)
    body = t.box(0, 4 * PIXEL, 6 * PIXEL, 3 * PIXEL, 0.4 * PIXEL)
    t.fill(body, STEEL_DARK)
    t.fill(body + PIXEL, STEEL)
    t.fill(t.box(0, 4.5 * PIXEL, 2 * PIXEL, PIXEL / 2), STEEL_LIGHT)
    head = t.box(0, -1.5 * PIXEL, 5 * PIXEL, 3.5 * PIXEL, 0.6 * PIXEL)
    t.fill(head, STEEL_DARK)
    t.fill(head + PIXEL, STEEL)
    t.fill(t.box(0, -3.5 * PIXEL, 4 * PIXEL, PIXEL / 2), STEEL_LIGHT)
    t.fill(t.box(0, -1 * PIXEL, 3.5 * PIXEL, 1.5 * PIXEL, 0.4 * PIXEL), STEEL_DARK)
    for x in (-1, 1):
        t.fill(t.box(x * 2 * PIXEL, -1 * PIXEL, 1 * PIXEL, 0.9 * PIXEL), EYE)
