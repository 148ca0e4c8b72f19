# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Draw pictures of tracks and races from tiles (tiles.py): first the track, then the paths, then the cars."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.checks import whole
from shoverworld.core.jit import kernel

from . import tiles
from .codes import FINISH, OFF, START
from .lines import is_track
from .state import PLAYING, RaceState

CELL_SIZE = 16
LARGEST = 4096  # maximum side length of a picture in pixels; larger tracks are drawn with smaller cells

_AROUND = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))  # neighbours, in the order of the bits

Place = tuple[int, int]  # (row, col)


class CarSprite(NamedTuple):
    """A car in a picture: its position, its velocity, and whether it is the car's turn."""

    car: int
    row: int
    col: int
    rows: int = 0
    cols: int = 0
    to_move: bool = False


def checked_cell_size(size: Any) -> int:
    return whole("cell_size", size, 1, 512)


def cell_size_for(shape: tuple[int, int], wanted: int = CELL_SIZE) -> int:
    """Return the requested cell size, or a smaller one if the picture would be too large."""
    return max(1, min(checked_cell_size(wanted), LARGEST // max(shape)))


def tiles_of(cells: np.ndarray) -> np.ndarray:
    """Return the tile number for every cell of a track, int16 (rows, cols)."""
    found = np.empty(cells.shape, np.int16)
    same_type = np.ascontiguousarray(cells, np.int8).view()
    same_type.setflags(write=False)  # otherwise, the kernel would be compiled twice
    write_tiles(same_type.reshape(-1), *cells.shape, found.reshape(-1))
    return found


@kernel
def write_tiles(cells, rows, cols, found):
    """Write the tile number for every cell of a track. Both arrays are flat."""
    for row in range(rows):
        for col in range(cols):
            here = row * cols + col
            kind, look = cells[here], (row * 5 + col * 3 + row * col) % tiles.LOOKS
            if kind == START:
                found[here] = tiles.START_CELL
            elif kind == FINISH:
                found[here] = tiles.FINISH_CELL
            elif kind != OFF:
                found[here] = tiles.ROAD + look
            else:
                beside = 0
                for bit in range(len(_AROUND)):
                    beside |= int(is_track(cells, rows, cols, row + _AROUND[bit][0], col + _AROUND[bit][1])) << bit
                found[here] = tiles.SAND + beside if beside > 0 else tiles.GRASS + look


def track_picture(
    cells: np.ndarray, cars: Iterable[CarSprite] = (), cell_size: int = CELL_SIZE, paths: Sequence[Sequence[Place]] = ()
) -> np.ndarray:
    """Return an RGB picture of a track with cars and their paths, uint8 (rows * size, cols * size, 3).

    Path n is a list of cells (row, col), drawn in the colour of car n. Very large tracks are drawn with smaller cells.
    """
    size = cell_size_for(cells.shape, cell_size)
    board = tiles_of(cells)
    rows, cols = board.shape
    numbers, places = np.unique(board, return_inverse=True)
    pictures = np.stack([tiles.tile(int(number), size)[..., :3] for number in numbers])
    image = pictures[places.reshape(rows, cols)].transpose(0, 2, 1, 3, 4).reshape(rows * size, cols * size, 3)
    for car, path in enumerate(paths):
        _draw_path(image, path, tiles.colour_of(car), size)
    for car in sorted(cars, key=lambda car: car.to_move):
        tile = tiles.tile(tiles.car_tile(car.car, tiles.heading(car.rows, car.cols), car.to_move), size)
        cell = image[car.row * size : (car.row + 1) * size, car.col * size : (car.col + 1) * size]
        cell[...] = blend(cell, tile)
    return image


def picture(state: RaceState, i: int = 0, cell_size: int = CELL_SIZE) -> np.ndarray:
    """Return a picture of game i with the cars that are still racing. The car that moves next is drawn filled."""
    return track_picture(state.bank.board(int(state.game["track"][i])), cars_of(state, i), cell_size)


def cars_of(state: RaceState, i: int = 0) -> list[CarSprite]:
    """Return the cars of game i that have not finished."""
    turn = int(state.game["turn"][i]) if state.game["outcome"][i] == PLAYING else -1
    fields = [state.cars[name][i].tolist() for name in ("row", "col", "drow", "dcol", "place")]
    return [
        CarSprite(car, row, col, drow, dcol, car == turn)
        for car, (row, col, drow, dcol, place) in enumerate(zip(*fields, strict=True))
        if place == 0
    ]


def blend(ground: np.ndarray, sprite: np.ndarray) -> np.ndarray:
    """Blend an RGBA sprite over an RGB picture, in integer arithmetic."""
    opacity = sprite[..., 3:].astype(np.uint32)
    return ((ground * (255 - opacity) + sprite[..., :3] * opacity + 127) // 255).astype(np.uint8)


def _draw_path(image: np.ndarray, path: Sequence[Place], colour: tuple[int, int, int], size: int) -> None:
    """Draw lines between the centres of consecutive cells of the path, with a dot on each of these cells."""
    thick = max(0.5, size * 0.07)
    for start, end in pairwise(path):
        _draw_line(image, start, end, thick, colour, size)
    for place in path:
        _draw_line(image, place, place, max(0.8, size * 0.16), colour, size)


def _draw_line(
    image: np.ndarray, start: Place, end: Place, thick: float, colour: tuple[int, int, int], size: int
) -> None:
    """Colour all pixels within `thick` pixels of the line, with an antialiased edge."""
    (y0, x0), (y1, x1) = (((row + 0.5) * size, (col + 0.5) * size) for row, col in (start, end))
    reach = int(thick) + 2
    top, bottom = max(0, int(min(y0, y1)) - reach), min(image.shape[0], int(max(y0, y1)) + reach + 1)
    left, right = max(0, int(min(x0, x1)) - reach), min(image.shape[1], int(max(x0, x1)) + reach + 1)
    y, x = np.ogrid[top:bottom, left:right]
    y, x, dy, dx = y + 0.5 - y0, x + 0.5 - x0, y1 - y0, x1 - x0
    along = np.clip((y * dy + x * dx) / max(dy * dy + dx * dx, 1e-9), 0, 1)
    cover = np.clip(thick + 0.5 - np.hypot(y - along * dy, x - along * dx), 0, 1)[..., None]
    part = image[top:bottom, left:right]
    part[...] = np.rint(part + cover * (np.array(colour) - part)).astype(np.uint8)
