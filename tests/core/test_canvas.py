"""The cache of tile pictures."""

import weakref

import numpy as np

from shoverworld.core.canvas import MOST_BYTES, cached_tiles
from shoverworld.games import all_games


def test_each_tile_is_drawn_once_per_size():
    drawn = []

    @cached_tiles
    def tile(number: int, size: int) -> np.ndarray:
        drawn.append((number, size))
        return np.zeros((size, size, 4), np.uint8)

    assert tile(3, 8) is tile(3, 8) and tile(3, 9).shape == (9, 9, 4)
    assert drawn == [(3, 8), (3, 9)]


def test_resizing_the_window_for_a_long_time_does_not_use_ever_more_memory():
    drawn: list[weakref.ref[np.ndarray]] = []

    @cached_tiles
    def tile(number: int, size: int) -> np.ndarray:
        picture = np.zeros((size, size, 4), np.uint8)
        drawn.append(weakref.ref(picture))
        return picture

    for size in range(1, 500):
        tile(0, size)
    kept = [picture.nbytes for reference in drawn if (picture := reference()) is not None]
    assert 0 < sum(kept) <= MOST_BYTES and len(kept) < len(drawn)


def test_the_tiles_of_every_game_are_cached():
    for game in all_games().values():
        scene = game.ui.drawing.thumbnail(game.levels.boards()[0])
        number = int(scene.tiles[0, 0])
        assert game.ui.drawing.tile(number, 20) is game.ui.drawing.tile(number, 20)
