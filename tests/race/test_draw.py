"""Pictures of tracks and cars: cells and cars can be told apart at any size."""

import numpy as np
import pytest

from shoverworld.games.race import draw, tiles
from shoverworld.games.race.codes import FINISH, FREE, OFF, START

CELLS = np.array(
    [
        [OFF, OFF, OFF, OFF, OFF, OFF],
        [OFF, START, FREE, FREE, FINISH, OFF],
        [OFF, START, FREE, OFF, OFF, OFF],
        [OFF, OFF, OFF, OFF, OFF, OFF],
    ],
    np.int8,
)
NORTH, EAST, SOUTH, WEST = range(0, 8, 2)


def greys(number: int, size: int = 32) -> np.ndarray:
    """Return a tile drawn over a road cell, in greyscale."""
    picture = tiles.tile(number, size)
    shown = draw.blend(np.full((size, size, 3), tiles.ASPHALT, np.uint8), picture)
    return shown.astype(float) @ (0.299, 0.587, 0.114)


def test_tiles_depend_on_the_neighbouring_cells():
    board = draw.tiles_of(CELLS)
    kinds = [[tiles.contents(int(tile))[0] for tile in row] for row in board]
    assert kinds[1] == ["sand", "start", "road", "road", "finish", "sand"]
    assert kinds[0] == ["sand"] * 6
    assert tiles.contents(int(board[0, 1]))[1] == 4 + 32  # road below, and below to the right
    assert tiles.contents(int(board[2, 3]))[1] == 1 + 8 + 16 + 128  # road above, to the left, and above on both sides
    assert board.dtype == np.int16


def test_cells_far_from_the_road_are_drawn_as_grass():
    wide = np.pad(CELLS, 3, constant_values=OFF)
    assert tiles.contents(int(draw.tiles_of(wide)[0, 0]))[0] == "grass"


@pytest.mark.parametrize("size", [1, 2, 5, 8, 16, 33, 64])
def test_tiles_can_be_drawn_at_every_size(size):
    for number in (*range(tiles.LAST_CELL + 1), tiles.car_tile(0), tiles.car_tile(11, EAST, True), tiles.LAST):
        picture = tiles.tile(number, size)
        assert picture.shape == (size, size, 4) and picture.dtype == np.uint8
        assert number > tiles.LAST_CELL or (picture[..., 3] == 255).all()


@pytest.mark.parametrize("number", [-1, tiles.LAST_CELL + 1, tiles.CAR - 1, tiles.LAST + 1])
def test_unknown_tiles_raise_an_error(number):
    with pytest.raises(ValueError, match="unknown tile"):
        tiles.tile(number, 16)


def test_kinds_of_ground_can_be_distinguished_in_greyscale():
    kinds = [tiles.GRASS, tiles.SAND, tiles.ROAD, tiles.START_CELL, tiles.FINISH_CELL]
    for one in kinds:
        for other in kinds:
            assert one == other or np.abs(greys(one) - greys(other)).mean() > 6


def test_cars_differ_from_one_another():
    """Cars of the same shape differ in colour and number; cars of the same colour differ in shape."""
    seen = [tiles.tile(tiles.car_tile(car, NORTH, True), 48).tobytes() for car in range(40)]
    assert len(set(seen)) == 40
    assert len({tiles.colour_of(car) for car in range(24)}) == 24


def test_only_the_car_whose_turn_it_is_has_a_filled_body():
    hollow, filled = (tiles.tile(tiles.car_tile(0, EAST, to_move), 32) for to_move in (False, True))
    colour = np.array(tiles.colour_of(0))

    def near(picture: np.ndarray) -> int:
        return int((np.abs(picture[..., :3].astype(int) - colour).max(axis=-1) < 12).sum())

    assert near(filled) > 2 * near(hollow)


@pytest.mark.parametrize(
    ("rows", "cols", "direction"),
    [
        (-3, 0, 0),
        (-1, 1, 1),
        (0, 5, 2),
        (2, 2, 3),
        (1, 0, 4),
        (4, -4, 5),
        (0, -1, 6),
        (-2, -2, 7),
        (1, 5, 2),
        (0, 0, 8),
    ],
)
def test_a_car_points_in_the_direction_of_its_velocity(rows, cols, direction):
    assert tiles.heading(rows, cols) == direction


def test_the_car_facing_east_is_the_car_facing_north_rotated_clockwise():
    """Compare only the body of the car, because the number stays upright."""
    north, east = (tiles.tile(tiles.car_tile(2, direction, True), 13)[..., 3] for direction in (NORTH, EAST))
    assert np.abs(np.rot90(north, -1).astype(int) - east).max() <= 1


def test_a_picture_shows_the_cars_and_their_paths():
    plain = draw.track_picture(CELLS, cell_size=20)
    assert plain.shape == (80, 120, 3)
    cars = [draw.CarSprite(1, 1, 2, 0, 1, True)]
    shown = draw.track_picture(CELLS, cars, 20, [[], [(2, 1), (1, 2)]])
    changed = np.argwhere((plain != shown).any(axis=-1))
    rows, cols = {int(row) // 20 for row, _ in changed}, {int(col) // 20 for _, col in changed}
    assert rows == {1, 2} and cols == {1, 2}
    assert (shown[2 * 20 + 10, 20 + 10] == tiles.colour_of(1)).all()  # a cell of the path


def test_a_picture_of_a_large_track_has_smaller_cells():
    assert draw.cell_size_for((1000, 20)) == 4
    assert draw.cell_size_for((20, 20)) == 16
