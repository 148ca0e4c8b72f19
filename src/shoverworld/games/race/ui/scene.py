"""A race at rest, as tiles with cars over them, and how one moment becomes the next."""

import numpy as np

from shoverworld.core.ui import Motion, Scene, Sprite

from ..draw import tiles_of
from ..state import FINE, RaceState
from ..tiles import car_tile, heading
from .grid import Car, Grid, board_of, cars_of, is_over, turn_of

LARGE, USUAL = 1.35, 0.86  # of a cell: the car to move, and the others
DRIVE_SECONDS, CRASH_SECONDS = 0.26, 0.3
_KEPT = 8
_TILES: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # by the id of a ground: the ground, and its tiles


def ground_tiles(ground: np.ndarray) -> np.ndarray:
    """The tiles of a track; those of the last ones are kept."""
    key = ground.__array_interface__["data"][0], ground.shape
    found = _TILES.get(hash(key))
    if found is None or not np.array_equal(found[0], ground):
        if len(_TILES) >= _KEPT:
            _TILES.pop(next(iter(_TILES)))
        found = _TILES[hash(key)] = ground, tiles_of(ground)
    return found[1]


def scene(state: RaceState) -> Scene:
    """The car to move comes first: there the eye is led."""
    turn = -1 if is_over(state) else turn_of(state)
    racing = [car for car in cars_of(state) if car.place == 0]
    racing.sort(key=lambda car: car.number != turn)
    return Scene(ground_tiles(board_of(state)), tuple(_standing(car, car.number == turn) for car in racing))


def thumbnail(grid: Grid) -> Scene:
    """A track with as many cars as its starts have been given, none if that is left to the dice."""
    cars = [Sprite(car_tile(number), (y, x), (y, x)) for number, (x, y) in enumerate(grid.starts or ())]
    return Scene(ground_tiles(grid.track.cells), tuple(cars))


def _standing(car: Car, to_move: bool) -> Sprite:
    size = LARGE if to_move else USUAL
    return Sprite(_tile(car, to_move), car.cell, car.cell, scale=(size, size))


def _tile(car: Car, filled: bool) -> int:
    return car_tile(car.number, heading(*car.velocity), filled)


def motion(before: RaceState, after: RaceState) -> Motion | None:
    """None when this is no single step forward (an undo, a jump)."""
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
    if int(game["fault"][0]) != FINE:  # it spins and stands
        crashed = Sprite(_tile(was, True), was.cell, now.cell, scale=(LARGE * 0.7, USUAL))
        return Motion({}, (*others, crashed), CRASH_SECONDS)
    gone = 0.0 if now.place else 1.0
    moved = Sprite(_tile(now, True), was.cell, now.cell, opacity=(1.0, gone), scale=(LARGE, USUAL))
    return Motion({}, (*others, moved), DRIVE_SECONDS)
