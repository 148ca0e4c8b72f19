"""The graphics of the race: a tile for each cell, cars on top, the motion of a car, and characters for a terminal."""

from functools import lru_cache

import numpy as np

from shoverworld.core.ui import Board, Motion, Scene, Sprite

from ..boards import Grid
from ..draw import tiles_of
from ..reasons import FINE
from ..state import RaceState
from ..tiles import CAR, CAR_LOOKS, FILLED, car_tile, colour_of, contents, heading
from ..tiles import tile as tile
from .position import Car, cars_of, ground_of, is_over, turn_of

LARGE, USUAL = 1.35, 0.86  # sizes of the car whose turn it is and of the other cars, in cells
DRIVE_SECONDS, CRASH_SECONDS = 0.26, 0.3


def ground_tiles(ground: np.ndarray) -> np.ndarray:
    """Return the tiles of a track. A small thread-safe cache holds the tiles of recent tracks."""
    return _ground_tiles(ground.tobytes(), ground.shape[1])


@lru_cache(maxsize=8)
def _ground_tiles(cells: bytes, cols: int) -> np.ndarray:
    return tiles_of(np.frombuffer(cells, np.int8).reshape(-1, cols))


def scene(state: RaceState) -> Scene:
    """Draw the position. The car whose turn it is comes first, because the view follows the first actor."""
    turn = -1 if is_over(state) else turn_of(state)
    racing = [car for car in cars_of(state) if car.place == 0]
    racing.sort(key=lambda car: car.number != turn)
    return Scene(ground_tiles(ground_of(state)), tuple(_standing(car, car.number == turn) for car in racing))


def thumbnail(board: Board) -> Scene:
    """Draw the track, and the cars if the board specifies their start cells."""
    grid: Grid = board.level
    cars = [Sprite(car_tile(number), (y, x), (y, x)) for number, (x, y) in enumerate(grid.starts or ())]
    return Scene(ground_tiles(grid.track.cells), tuple(cars))


def _standing(car: Car, to_move: bool) -> Sprite:
    size = LARGE if to_move else USUAL
    return Sprite(_tile(car, to_move), car.cell, car.cell, scale=(size, size))


def _tile(car: Car, filled: bool) -> int:
    return car_tile(car.number, heading(*car.velocity), filled)


def motion(before: RaceState, after: RaceState) -> Motion | None:
    """Return the motion of the car that moved, or None if there is no motion to show.

    There is no motion to show if `after` is not exactly one step after `before`, for example after an undo or a jump.
    """
    game = after.game
    mover = int(game["car"][0])
    if before.cars.shape != after.cars.shape or before.bank.size != after.bank.size or is_over(before):
        return None
    if mover < 0 or turn_of(before) != mover:
        return None
    was, now = cars_of(before)[mover], cars_of(after)[mover]
    if was.steps >= now.steps or was.cell != (int(game["from_row"][0]), int(game["from_col"][0])):
        return None
    others = [_standing(car, False) for car in cars_of(after) if car.place == 0 and car.number != mover]
    if int(game["fault"][0]) != FINE:  # the car spins and stops
        crashed = Sprite(_tile(was, True), was.cell, now.cell, scale=(LARGE * 0.7, USUAL))
        return Motion({}, (*others, crashed), CRASH_SECONDS)
    gone = 0.0 if now.place else 1.0
    moved = Sprite(_tile(now, True), was.cell, now.cell, opacity=(1.0, gone), scale=(LARGE, USUAL))
    return Motion({}, (*others, moved), DRIVE_SECONDS)


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
