"""Levels and environments display themselves as pictures in a notebook."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from shoverworld import ConfigError, Map, ShoverWorldEnv
from shoverworld.race import RaceEnv, Track
from shoverworld.sokoban import Level, SokobanEnv, packaged
from tests.ids import ONE_OF_EACH, made

DOCK = "A.B#L\n.BB.#"
ROOM = "#######\n#.@$  #\n#######"
ROAD = "######\n#S..F#\n######"


def shown(item) -> np.ndarray:
    """Return the pixels that a notebook shows."""
    with Image.open(BytesIO(item._repr_png_())) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture)


@pytest.mark.parametrize("level", [Map.parse(DOCK), Level.parse(ROOM), Track.parse(ROAD)], ids=type)
def test_a_small_level_is_drawn_with_32_pixels_per_cell(level):
    pixels = shown(level)
    assert pixels.shape == (32 * level.rows, 32 * level.cols, 3)
    assert np.array_equal(pixels, level.picture())
    assert level.picture(8).shape == (8 * level.rows, 8 * level.cols, 3)


@pytest.mark.parametrize(
    ("level", "size"),
    [
        (Map(np.zeros((256, 40))), (4 * 256, 4 * 40)),
        (Map(np.zeros((40, 100))), (10 * 40, 10 * 100)),
        (Level.parse("\n".join(["#" * 64, "#@$." + " " * 59 + "#", "#" * 64])), (16 * 3, 16 * 64)),
        (Track.parse("#" * 1000 + "\n#S" + "." * 996 + "F#\n" + "#" * 1000), (3, 1000)),
    ],
    ids=["map", "wide map", "level", "track"],
)
def test_the_picture_of_a_large_level_is_at_most_1024_pixels_long(level, size):
    assert shown(level).shape == (*size, 3)


@pytest.mark.parametrize(
    ("level", "env"),
    [(Map.parse("//! start 1 0\n0 3 4\n0 -100 100"), ShoverWorldEnv), (Level.parse(ROOM), SokobanEnv)],
    ids=["map", "level"],
)
def test_a_level_is_drawn_like_the_start_of_a_game_on_that_level(level, env):
    game = env(cell_size=24)
    game.reset(seed=0, options={"map": level})
    assert np.array_equal(level.picture(24), game.picture())


def test_a_map_without_a_start_cell_is_shown_without_the_shover():
    cells = [[0, 3], [4, 0]]
    with_shover, without = Map(np.array(cells), (0, 0)).picture(16), Map(np.array(cells)).picture(16)
    assert not np.array_equal(with_shover[:16, :16], without[:16, :16])
    assert np.array_equal(without[:16, :16], without[16:, 16:])
    assert np.array_equal(with_shover[16:], without[16:])


def test_a_track_is_drawn_like_a_race_without_cars():
    track = Track.parse(ROAD)
    race = RaceEnv(track, cell_size=16)
    race.reset(seed=0)
    differs = (track.picture(16) != race.picture()).any(axis=2)
    rows, cols = np.nonzero(differs)
    assert set(zip((rows // 16).tolist(), (cols // 16).tolist(), strict=True)) == {(1, 1)}  # the car


@pytest.mark.parametrize("env_id", ONE_OF_EACH)
def test_an_environment_is_shown_as_its_rendered_picture(env_id):
    env = made(env_id, render_mode="rgb_array")
    assert env.unwrapped._repr_png_() is None
    env.reset(seed=1)
    assert np.array_equal(shown(env.unwrapped), env.render())


def test_the_second_player_is_shown():
    level = packaged("tiny")[0]
    pair = Level(level.walls, level.targets, level.boxes, (level.players[0], free_cell(level)))
    row, col = pair.players[1]
    differs = (level.picture(16) != pair.picture(16)).any(axis=2)
    assert {(y // 16, x // 16) for y, x in np.argwhere(differs).tolist()} == {(row, col)}


def free_cell(level: Level) -> tuple[int, int]:
    taken = level.walls | (level.boxes != 0) | (level.targets != 0)
    row, col = next(cell for cell in np.argwhere(~taken).tolist() if tuple(cell) not in level.players)
    return row, col


@pytest.mark.parametrize("level", [Map.parse(DOCK), Level.parse(ROOM), Track.parse(ROAD)], ids=type)
@pytest.mark.parametrize("size", [0, 513, "16"])
def test_an_invalid_cell_size_raises_an_error(level, size):
    with pytest.raises(ConfigError, match="cell_size"):
        level.picture(size)
