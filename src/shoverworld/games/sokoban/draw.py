"""Pictures of games: either composed of tiles (tiles.py), or "tiny" with one pixel per cell.

`picture` and `tiny` draw one game at any size. The kernels `write_rgb` (16 pixels per cell) and `write_tiny` (1 pixel
per cell) write the same pictures of many games into the caller's array.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.checks import whole
from shoverworld.core.jit import both, inner, kernel

from . import tiles
from .queries import is_numbered
from .state import BOX, SECOND, TARGET, WALL, SokobanState

CELL_SIZE = 16
WORDS = 6  # 64-bit words per pixel row of a cell: 16 pixels of 3 bytes each
LARGEST_SCALE = 64


def checked_cell_size(size: Any) -> int:
    return whole("cell_size", size, 4, 512)


def checked_scale(scale: Any) -> int:
    return whole("scale", scale, 1, LARGEST_SCALE)


# ---------------------------------------------------------------- pictures at any size


def tiles_of(walls: np.ndarray, targets: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Return the tile for every cell, without the players, as int16 (rows, cols).

    If boxes are numbered, `targets` and `boxes` contain the numbers; otherwise they contain only 0 and 1.
    """
    found = np.zeros(walls.shape, np.int16)
    planes = np.stack((walls != 0, targets, boxes)).astype(np.uint8)
    write_tiles(planes.reshape(3, -1), walls.shape[1], found.reshape(-1))
    return found


def picture(state: SokobanState, i: int = 0, cell_size: int = CELL_SIZE) -> np.ndarray:
    """Return an RGB picture of game i as uint8 (rows * cell_size, cols * cell_size, 3)."""
    room = state.rooms()[i]
    players = [divmod(place, state.width) for place in _players(state, i)]
    return board_picture(room[WALL], room[TARGET], room[BOX], players, cell_size)


def board_picture(
    walls: np.ndarray, targets: np.ndarray, boxes: np.ndarray, players: Sequence[tuple[int, int]], cell_size: int
) -> np.ndarray:
    """Return an RGB picture of a board with one or two players at (row, col)."""
    board = tiles_of(walls, targets, boxes)
    rows, cols = board.shape
    numbers, places = np.unique(board, return_inverse=True)
    pictures = np.stack([tiles.tile(int(number), cell_size)[..., :3] for number in numbers])
    image = pictures[places.reshape(rows, cols)].transpose(0, 2, 1, 3, 4).reshape(rows * cell_size, cols * cell_size, 3)
    for (row, col), figure in zip(players, (tiles.PLAYER_TILE, tiles.SECOND_TILE), strict=False):
        cell = image[row * cell_size : (row + 1) * cell_size, col * cell_size : (col + 1) * cell_size]
        cell[...] = blend(cell, tiles.tile(figure, cell_size))
    return image


def _players(state: SokobanState, i: int) -> list[int]:
    return [int(state.game[name][i]) for name in ("player", "second")[: state.players]]


def blend(ground: np.ndarray, sprite: np.ndarray) -> np.ndarray:
    """Blend an RGBA sprite over an RGB picture, using integer arithmetic as the kernel does."""
    opacity = sprite[..., 3:].astype(np.uint32)
    return ((ground * (255 - opacity) + sprite[..., :3] * opacity + 127) // 255).astype(np.uint8)


# ---------------------------------------------------------------- one pixel per cell

# The colours are vivid because here the kinds of cells differ only in colour.
TINY_WALL, TINY_FLOOR = (34, 28, 32), (236, 232, 220)
TINY_TARGET, TINY_BOX, TINY_HOME = tiles.RING, tiles.WOOD, tiles.HOME
TINY_PLAYERS = (24, 50, 255), (236, 20, 255)


def tiny(state: SokobanState, i: int = 0, scale: int = 1) -> np.ndarray:
    """Return an RGB picture of game i with scale x scale pixels per cell."""
    pixels = np.zeros((len(state.game), *state.size, 3), np.uint8)
    write_tiny(state, i, i + 1, colours(int(state.planes[i, TARGET : BOX + 1].max())), pixels)
    return pixels[i].repeat(scale, axis=0).repeat(scale, axis=1)


class Colours(NamedTuple):
    """The colours, as arrays for the kernel.

    A box or player on a target is slightly tinted with the target's colour.
    """

    ground: np.ndarray  # uint8 (2, 3): floor, wall
    targets: np.ndarray  # uint8 (looks, 3)
    boxes: np.ndarray  # uint8 (looks, 2, 3): on the floor, on its own target
    players: np.ndarray  # uint8 (2, 3)


@lru_cache(maxsize=8)
def colours(numbers: int = 1) -> Colours:
    """Return the colours for games whose largest box number is `numbers`; 1 means that boxes have no numbers."""
    found = [tiles.colour_of(n) for n in range(1, numbers + 1)] if numbers > 1 else []
    return Colours(
        *(
            _read_only(np.array(table, np.uint8))
            for table in (
                [TINY_FLOOR, TINY_WALL],
                [TINY_TARGET, *(tiles.mixed(colour, tiles.WHITE, 0.5) for colour in found)],
                [(TINY_BOX, TINY_HOME), *((colour, tiles.mixed(colour, tiles.HOME_DARK, 0.5)) for colour in found)],
                TINY_PLAYERS,
            )
        )
    )


def _read_only(table: np.ndarray) -> np.ndarray:
    table.setflags(write=False)
    return table


@kernel
def write_tiny(state, first, last, colours, pixels):
    """Write pictures of the games in `range(first, last)`, one pixel per cell. `pixels` is uint8 (N, rows, cols, 3)."""
    width = state.width
    for i in range(first, last):
        planes, game = state.planes[i], state.game[i]
        numbered = is_numbered(planes)
        for cell in range(planes.shape[1]):
            row, col = cell // width, cell % width
            goal, box = planes[TARGET, cell], planes[BOX, cell]
            stands = box != 0 or cell == game.player or (planes.shape[0] > SECOND and cell == game.second)
            for part in range(3):
                colour = colours.targets[numbered * goal, part] if goal else colours.ground[planes[WALL, cell], part]
                if stands:
                    if box:
                        thing = colours.boxes[numbered * box, int(box == goal), part]
                    else:
                        thing = colours.players[int(cell != game.player), part]
                    colour = (3 * int(thing) + int(colour)) // 4 if goal and box != goal else thing
                pixels[i, row, col, part] = colour


# ---------------------------------------------------------------- 16 pixels per cell


class Atlas(NamedTuple):
    """The tiles, as arrays for the kernel."""

    cells: np.ndarray  # uint64 (tiles, 16, 6): the tiles of tiles.py, restricted to the looks that are needed
    players: np.ndarray  # uint8 (2, 16, 16, 4)
    looks: int


@lru_cache(maxsize=8)
def atlas(numbers: int = 1) -> Atlas:
    """Return the tiles for games whose largest box number is `numbers`; 1 means that boxes have no numbers."""
    looks = 1 if numbers < 2 else numbers + 1
    things = [tiles.NOTHING, *(tiles.target(look) for look in range(looks))]
    things += [tiles.A_BOX + tiles.UNDERS * look + under for look in range(looks) for under in range(tiles.UNDERS)]
    wanted = [*range(tiles.FLOOR), *(tiles.on_floor(shade, thing) for thing in things for shade in range(tiles.SHADES))]
    cells = np.stack([tiles.tile(number, CELL_SIZE)[..., :3] for number in wanted])
    players = np.stack([tiles.tile(n, CELL_SIZE) for n in (tiles.PLAYER_TILE, tiles.SECOND_TILE)])
    return Atlas(_read_only(cells.reshape(len(cells), CELL_SIZE, -1).view(np.uint64)), _read_only(players), looks)


@both
def ground_of(planes, width, cell):
    """Return the tile of a wall inside or outside the room, or of a floor cell with its shadows.

    A draft of a level need not be surrounded by walls. Cells outside the board count as walls.
    """
    row, col = cell // width, cell % width
    if planes[WALL, cell] == 0:
        above = 1 if row == 0 else int(planes[WALL, cell - width])
        return tiles.FLOOR + above + 2 * (1 if col == 0 else int(planes[WALL, cell - 1]))
    rows = planes.shape[1] // width
    for y in range(max(0, row - 1), min(rows, row + 2)):
        for x in range(max(0, col - 1), min(width, col + 2)):
            if planes[WALL, y * width + x] == 0:
                return tiles.WALL
    return tiles.OUTSIDE


@both
def thing_on(goal, box, looks, numbered):
    """Return the index of an object in an atlas with this many looks, given the numbers of the target and the box."""
    if box == 0:
        return 0 if goal == 0 else 1 + numbered * goal
    under = tiles.ON_FLOOR
    if goal:
        under = tiles.AT_HOME if goal == box else tiles.ASTRAY + (goal - 1) % 8
    return 1 + looks + tiles.UNDERS * numbered * box + under


@both
def tile_of(planes, width, cell, box, numbered):
    """Return the tile of a cell, with this box or, if `box` is 0, without a box."""
    ground = ground_of(planes, width, cell)
    if ground < tiles.FLOOR:
        return ground
    return ground + tiles.SHADES * thing_on(int(planes[TARGET, cell]), box, tiles.LOOKS, numbered)


@kernel
def write_tiles(planes, width, found):
    """Write the tile of every cell, without the players. `found` is int16 (cells,)."""
    numbered = int(is_numbered(planes))
    for cell in range(planes.shape[1]):
        found[cell] = tile_of(planes, width, cell, int(planes[BOX, cell]), numbered)


@inner
def draw_player(pixels, figure, top, left):
    """Blend a player over a cell."""
    for y in range(CELL_SIZE):
        for x in range(CELL_SIZE):
            opacity = int(figure[y, x, 3])
            if opacity:
                for part in range(3):
                    below = int(pixels[top + y, left + x, part])
                    pixels[top + y, left + x, part] = (
                        below * (255 - opacity) + int(figure[y, x, part]) * opacity + 127
                    ) // 255


@kernel
def write_rgb(state, first, last, atlas, pixels):
    """Write pictures of the games in `range(first, last)`. `pixels` is uint8 (N, rows * 16, cols * 16, 3)."""
    width, size = state.width, CELL_SIZE
    words = pixels.reshape(pixels.shape[0], pixels.shape[1], pixels.shape[2] * 3).view(np.uint64)
    for i in range(first, last):
        planes, game = state.planes[i], state.game[i]
        numbered = is_numbered(planes)
        for cell in range(planes.shape[1]):
            top, left = cell // width * size, cell % width * WORDS
            number = int(ground_of(planes, width, cell))
            if number >= tiles.FLOOR:
                goal, box = int(planes[TARGET, cell]), int(planes[BOX, cell])
                number += tiles.SHADES * thing_on(goal, box, atlas.looks, numbered)
            for y in range(size):
                line, source = words[i, top + y, left : left + WORDS], atlas.cells[number, y]
                for x in range(WORDS):
                    line[x] = source[x]
        draw_player(pixels[i], atlas.players[0], game.player // width * size, game.player % width * size)
        if planes.shape[0] > SECOND:
            draw_player(pixels[i], atlas.players[1], game.second // width * size, game.second % width * size)
