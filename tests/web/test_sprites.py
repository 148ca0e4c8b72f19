"""The sprite sheets contain the pictures that the window draws."""

import numpy as np
import pytest
from PIL import Image

from shoverworld.games import game_named
from shoverworld.web.files import STATIC, stored, web_games
from shoverworld.web.sprites import sprite_sheet

GAMES = [game.name for game in web_games()]
ROUNDING = 40  # the palette changes the colours a little


def stored_sheet(game):
    with (STATIC / f"{game}.png").open("rb") as file:
        return np.asarray(Image.open(file).convert("RGBA")).astype(int)


def difference(one, other):
    """Return the mean difference of two pictures, weighted by opacity: the colour of transparent pixels does not count."""
    one, other = one.astype(int), other.astype(int)
    colours = np.abs(one[..., :3] * one[..., 3:] - other[..., :3] * other[..., 3:]) / 255
    return colours.mean() + np.abs(one[..., 3] - other[..., 3]).mean()


@pytest.mark.parametrize("game", GAMES)
def test_the_stored_sheets_are_up_to_date(game):
    expected, found = sprite_sheet(game_named(game)), stored_sheet(game)
    assert expected.shape == found.shape, "run `make wasm`"
    assert difference(expected, found) < 6, "run `make wasm`"


@pytest.mark.parametrize("game", GAMES)
def test_every_tile_has_its_own_place(game):
    table, drawing = stored(f"{game}.json")["sprites"], game_named(game).ui.drawing
    size, sheet = table["size"], stored_sheet(game)
    for tile, place in table["tiles"]:
        row, col = divmod(place, table["columns"])
        picture = sheet[row * size : (row + 1) * size, col * size : (col + 1) * size]
        assert difference(picture, drawing.tile(tile, size)) < ROUNDING, tile


def blend(below, above):
    cover = above[..., 3:] / 255
    return np.concatenate([below[..., :3] * (1 - cover) + above[..., :3] * cover, below[..., 3:]], axis=2)


@pytest.mark.parametrize("game", GAMES)
def test_a_stack_of_tiles_looks_like_the_tile(game):
    sprites, drawing = game_named(game).web.sprites, game_named(game).ui.drawing
    for stack in sprites.stacks:
        for k in (0, 1, stack.tiles - 1):
            parts = [tile + k * step for tile, step in stack.parts]
            assert set(parts) <= set(sprites.tiles)
            picture = drawing.tile(parts[0], 64).astype(float)
            for part in parts[1:]:
                picture = blend(picture, drawing.tile(part, 64))
            whole = drawing.tile(stack.first + k * stack.step, 64)
            if k or stack.parts[1][1]:  # an unnumbered box is never on the target of a numbered one
                assert difference(picture, whole) < 1, stack.first + k * stack.step


@pytest.mark.parametrize("game", GAMES)
def test_all_tiles_of_all_packaged_levels_are_in_the_sheet(game):
    sprites = game_named(game).web.sprites
    known = set(sprites.tiles) | {stack.first + k * stack.step for stack in sprites.stacks for k in range(stack.tiles)}
    levels, drawing = game_named(game).levels, game_named(game).ui.drawing
    for collection in levels.collections():
        for board in levels.boards(collection.name):
            scene = drawing.thumbnail(board)
            shown = {int(tile) for tile in np.unique(scene.tiles)} | {sprite.tile for sprite in scene.actors}
            assert shown <= known, board.name
