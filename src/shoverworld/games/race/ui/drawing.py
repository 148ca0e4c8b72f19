# pyright: basic
# Numba infers the types of the functions that are compiled.
"""The graphics of the race: a tile for each cell, cars on top, the motion of a car, and characters for a terminal."""

from functools import lru_cache

import numpy as np

from shoverworld.core.jit import shared
from shoverworld.core.sheet import MOTION, row, sprite
from shoverworld.core.ui import Board, Motion, Scene, Sprite

from ..boards import Grid
from ..draw import tiles_of
from ..reasons import FINE
from ..state import RaceState
from ..tiles import CAR, CAR_LOOKS, FILLED, car_tile, colour_of, contents, heading
from ..tiles import tile as tile
from .position import car_count, is_over, turn_of
from .reading import read

LARGE, USUAL = 1.35, 0.86  # sizes of the car whose turn it is and of the other cars, in cells
DRIVE_SECONDS, CRASH_SECONDS = 0.26, 0.3


# --- Shared with the browser


@shared
def write_actors(state, sheet):
    """Write the cars. The car whose turn it is comes first, because the view follows the first actor."""
    turn = -1 if is_over(state) else turn_of(state)
    if turn >= 0:
        write_standing(state, turn, True, sheet)
    for number in range(car_count(state)):
        if number != turn and state.cars[0, number].place == 0:
            write_standing(state, number, False, sheet)


@shared
def write_standing(state, number, to_move, sheet):
    car, size = state.cars[0, number], LARGE if to_move else USUAL
    tile = car_tile(number, heading(car.drow, car.dcol), to_move)
    sprite(sheet, tile, car.row, car.col, car.row, car.col, 1.0, 1.0, size, size)


@shared
def write_motion(before, after, sheet):
    """Write the motion of the car that moved, or nothing if there is no motion to show.

    There is no motion to show if `after` is not exactly one step after `before`, for example after an undo or a jump.
    """
    game = after.game[0]
    mover = int(game.car)
    if is_over(before) or mover < 0 or turn_of(before) != mover:
        return
    was, now = before.cars[0, mover], after.cars[0, mover]
    if was.steps >= now.steps or was.row != game.from_row or was.col != game.from_col:
        return
    crashed = game.fault != FINE  # the car spins and stops
    row(sheet, MOTION, CRASH_SECONDS if crashed else DRIVE_SECONDS)
    for number in range(car_count(after)):
        if number != mover and after.cars[0, number].place == 0:
            write_standing(after, number, False, sheet)
    turned = was if crashed else now
    tile, gone = car_tile(mover, heading(turned.drow, turned.dcol), True), 0.0 if now.place > 0 else 1.0
    size = LARGE * 0.7 if crashed else LARGE
    sprite(sheet, tile, was.row, was.col, now.row, now.col, 1.0, gone, size, USUAL)


# --- Window and terminal


def ground_tiles(ground: np.ndarray) -> np.ndarray:
    """Return the tiles of a track. A small thread-safe cache holds the tiles of recent tracks."""
    return _ground_tiles(ground.tobytes(), ground.shape[1])


@lru_cache(maxsize=8)
def _ground_tiles(cells: bytes, cols: int) -> np.ndarray:
    return tiles_of(np.frombuffer(cells, np.int8).reshape(-1, cols))


def scene(state: RaceState) -> Scene:
    ground = state.bank.board(int(state.game["track"][0]))
    return Scene(ground_tiles(ground), read(write_actors, state, rows=state.car_count).sprites())


def thumbnail(board: Board) -> Scene:
    """Draw the track, and the cars if the board specifies their start cells."""
    grid: Grid = board.level
    cars = [Sprite(car_tile(number), (y, x), (y, x)) for number, (x, y) in enumerate(grid.starts or ())]
    return Scene(ground_tiles(grid.track.cells), tuple(cars))


def motion(before: RaceState, after: RaceState) -> Motion | None:
    if before.cars.shape != after.cars.shape or before.bank.size != after.bank.size:
        return None
    return read(write_motion, before, after, rows=1 + after.car_count).motion()


# --- Terminal: the kinds of cells differ in both colour and shape; a car shows its number

CELLS = {
    "grass": ("  ", "on dark_green"),
    "sand": ("░░", "khaki3 on grey11"),
    "road": ("· ", "grey42 on grey23"),
    "start": ("[]", "bold sky_blue1 on grey23"),
    "finish": ("▚▚", "white on black"),
}


def glyph(tile: int, width: int) -> tuple[str, str]:
    kind, look = contents(tile)
    if kind != "car":
        text, style = CELLS[kind]
        return text[:width], style
    red, green, blue = colour_of(look)
    filled = (tile - CAR) % CAR_LOOKS & FILLED
    colour = f"rgb({red},{green},{blue})"
    ink = "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 110 else "white"
    text = str(look + 1)[-width:]
    if width > 1 and len(text) == 1:
        text = f"{text}<" if filled else f"{text} "
    return text.ljust(width), f"bold {ink} on {colour}" if filled else f"bold {colour} on grey15"
