"""Pictures of Sokoban: the tiles are distinct, and pictures of batches and of single games have the same pixels."""

from itertools import combinations

import numpy as np
import pytest

from shoverworld.games.sokoban import draw, tiles
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.state import SokobanState

ONE = """
  #######
  #.  * #
###  $  #
#@ $ . ##
#   .#$#
#  #####
####
"""
TWO = """
##########
#@ $ .#$.#
# $  *  @#
#  .  $. #
##########
"""

SIZES = (16, 24, 32, 48, 64)
KINDS = {
    "outside": tiles.OUTSIDE,
    "wall": tiles.WALL,
    "floor": tiles.on_floor(0),
    "target": tiles.on_floor(0, tiles.target(0)),
    "box": tiles.on_floor(0, tiles.box(0)),
    "box on target": tiles.on_floor(0, tiles.box(0, 0)),
}


def states(text: str, variant: str = "", steps: int = 60) -> SokobanState:
    """Return a batch of games after 0, 1, 2, ... random steps."""
    level = Level.parse(text)
    env = SokobanEnv(
        levels=level, players=len(level.players), pull=True, fixed_targets=variant == "fixed", max_steps=10_000
    )
    env.reset(seed=1)
    rng = np.random.default_rng(7)
    seen = [env.get_state()]
    for _ in range(steps):
        env.step(int(rng.choice(np.flatnonzero(env.action_mask()))))
        seen.append(env.get_state())
    return SokobanState(np.concatenate([s.planes for s in seen]), np.concatenate([s.game for s in seen]), seen[0].width)


def cell_picture(name: str, size: int) -> np.ndarray:
    """Return the RGB picture of a kind of cell or player."""
    ground = {"player": "floor", "second": "floor", "player on target": "target", "second on target": "target"}
    picture = tiles.tile(KINDS[ground.get(name, name)], size)[..., :3]
    if name in ground:
        figure = tiles.SECOND_TILE if name.startswith("second") else tiles.PLAYER_TILE
        picture = draw.blend(picture, tiles.tile(figure, size))
    return picture


def grey(picture: np.ndarray) -> np.ndarray:
    return picture[..., :3].astype(float) @ (0.299, 0.587, 0.114)


# --- Tiles


@pytest.mark.parametrize("size", SIZES)
def test_every_kind_of_cell_is_distinct_in_greyscale(size):
    names = [*KINDS, "player", "second", "player on target", "second on target"]
    for one, other in combinations(names, 2):
        far = np.abs(grey(cell_picture(one, size)) - grey(cell_picture(other, size))).mean()
        assert far > 7, f"{one} and {other} look the same at {size} pixels"


def test_kinds_of_cells_differ_in_brightness():
    bright = {name: grey(cell_picture(name, 16)).mean() for name in KINDS}
    assert bright["outside"] < bright["wall"] - 30 < bright["floor"] - 90
    assert bright["floor"] > bright["target"] > bright["box"] > bright["box on target"]


@pytest.mark.parametrize("size", [16, 48])
def test_box_numbers_can_be_distinguished_by_their_digits_alone(size):
    for thing in (tiles.target, tiles.box):
        shapes = [grey(tiles.tile(tiles.on_floor(0, thing(n)), size)) for n in range(1, 13)]
        for one, other in combinations(shapes, 2):
            assert np.abs(one - other).max() > 60


def test_all_255_box_numbers_have_distinct_pictures_and_colours():
    for thing in (tiles.target, tiles.box):
        assert len({tiles.tile(tiles.on_floor(0, thing(n)), 16).tobytes() for n in range(256)}) == 256
    assert len({tiles.colour_of(n) for n in range(1, 256)}) == 255


def test_a_box_and_its_target_have_the_same_colour():
    for number in range(1, 9):
        box = tiles.tile(tiles.on_floor(0, tiles.box(number)), 16)[..., :3].reshape(-1, 3).tolist()
        goal = tiles.tile(tiles.on_floor(0, tiles.target(number)), 16)[..., :3].reshape(-1, 3).tolist()
        assert list(tiles.colour_of(number)) in box
        assert list(tiles.colour_of(number)) in goal


def test_a_box_on_the_target_of_another_box_shows_the_colour_of_that_target():
    astray = {tiles.tile(tiles.on_floor(0, tiles.box(9, n)), 16).tobytes() for n in range(1, 9)}
    home, floor = tiles.box(9, 9), tiles.box(9)
    assert len(astray | {tiles.tile(tiles.on_floor(0, thing), 16).tobytes() for thing in (home, floor)}) == 10


def test_tiles_of_objects_are_partly_transparent_and_tiles_of_cells_are_opaque():
    for loose in (tiles.LOOSE_BOX, tiles.LOOSE_BOX + 7, tiles.LOOSE_TARGET + 3, tiles.PLAYER_TILE, tiles.SECOND_TILE):
        assert tiles.tile(loose, 32)[16, 0, 3] < 255
        assert tiles.tile(loose, 32)[..., 3].max() == 255
    for kind in KINDS.values():
        assert (tiles.tile(kind, 32)[..., 3] == 255).all()


def test_tiles_are_cached_and_read_only():
    with pytest.raises(ValueError, match="read-only"):
        tiles.tile(tiles.WALL, 16)[0, 0] = 0


@pytest.mark.parametrize("number", [-1, tiles.LAST_CELL, tiles.LOOSE_TARGET - 1, tiles.LAST + 1])
def test_unknown_tiles_raise_an_error(number):
    with pytest.raises(ValueError, match="unknown tile"):
        tiles.tile(number, 16)


def test_the_contents_of_a_cell_are_decoded_from_its_tile():
    assert tiles.contents(tiles.on_floor(3, tiles.box(7, 7))) == ("box", 7, tiles.AT_HOME)
    assert tiles.contents(tiles.on_floor(2, tiles.box(7, 12))) == ("box", 7, tiles.ASTRAY + 3)
    assert tiles.contents(tiles.on_floor(1, tiles.target(255))) == ("target", 255, 0)
    assert tiles.contents(tiles.on_floor(1)) == ("floor", 0, 0)
    assert tiles.contents(tiles.LOOSE_BOX + 9) == ("box", 4, 1)
    assert tiles.contents(tiles.SECOND_TILE + tiles.STANDS_ON_TARGET) == ("second player", 0, 1)


# --- Pictures of games


@pytest.mark.parametrize(("text", "variant"), [(ONE, ""), (ONE, "fixed"), (TWO, ""), (TWO, "fixed")])
def test_pictures_of_a_batch_equal_pictures_of_single_games(text, variant):
    state = states(text, variant)
    rows, cols = state.size
    numbers = int(state.planes[:, 1:3].max())
    pictures = np.zeros((len(state.game), rows * 16, cols * 16, 3), np.uint8)
    draw.write_rgb(state, 0, len(state.game), draw.atlas(numbers), pictures)
    small = np.zeros((len(state.game), rows, cols, 3), np.uint8)
    draw.write_tiny(state, 0, len(state.game), draw.colours(numbers), small)
    for i in range(len(state.game)):
        assert np.array_equal(pictures[i], draw.picture(state, i))
        assert np.array_equal(small[i], draw.tiny(state, i))


def test_only_the_requested_games_in_a_batch_are_drawn():
    state = states(ONE, steps=5)
    rows, cols = state.size
    pictures = np.full((6, rows * 16, cols * 16, 3), 77, np.uint8)
    small = np.full((6, rows, cols, 3), 77, np.uint8)
    draw.write_rgb(state, 2, 4, draw.atlas(), pictures)
    draw.write_tiny(state, 2, 4, draw.colours(), small)
    for written in (pictures, small):
        assert [(game == 77).all() for game in written] == [True, True, False, False, True, True]


@pytest.mark.parametrize("size", [4, 16, 33])
def test_the_picture_size_depends_on_the_cell_size(size):
    state = states(ONE, steps=0)
    assert draw.picture(state, 0, size).shape == (7 * size, 9 * size, 3)
    assert draw.tiny(state, 0, 3).shape == (21, 27, 3)


def test_a_step_changes_pixels_only_in_the_cells_that_it_changes():
    state = states(TWO, "fixed", steps=80)
    for i in range(80):
        before, after = draw.picture(state, i), draw.picture(state, i + 1)
        rows, cols = state.size
        drawn = (before != after).reshape(rows, 16, cols, 16, 3).any(axis=(1, 3, 4))
        changed = (state.rooms()[i] != state.rooms()[i + 1]).any(axis=0)
        assert np.array_equal(drawn, changed)
        assert np.array_equal((draw.tiny(state, i) != draw.tiny(state, i + 1)).any(axis=2), changed)


def test_the_colours_of_tiny_pictures_are_distinct():
    plain, numbered = draw.colours(), draw.colours(8)
    for found in (plain, numbered):
        first = 1 if found is numbered else 0
        things = [*found.ground, *found.targets[first:], *found.boxes[first:].reshape(-1, 3), *found.players]
        for one, other in combinations([thing.astype(int) for thing in things], 2):
            assert np.abs(one - other).sum() > 50


def test_outside_walls_are_dark_and_shadows_fall_right_and_down():
    state = states(ONE, steps=0)
    board = draw.tiles_of(*state.rooms()[0][:3])
    assert board[0, 0] == tiles.OUTSIDE
    assert board[0, 2] == tiles.WALL
    assert board[1, 4] == tiles.on_floor(1)  # this cell is below a wall
    assert board[4, 2] == tiles.on_floor(0)
    assert board[5, 1] == tiles.on_floor(2)  # this cell is right of a wall
    assert board[3, 1] == tiles.on_floor(3)  # this cell is below a wall and to the right of a wall


def test_invalid_sizes_raise_an_error():
    from shoverworld.core.errors import ConfigError

    for wrong in (3, 513, "16", 1.5):
        with pytest.raises(ConfigError, match="cell_size"):
            draw.checked_cell_size(wrong)
    with pytest.raises(ConfigError, match="scale"):
        draw.checked_scale(0)
