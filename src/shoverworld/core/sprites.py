"""The tiles of a game as pictures for a page: which tiles its sprite sheet contains, and which are stacked from others."""

from typing import NamedTuple


class TileStack(NamedTuple):
    """Tiles that are made up of other tiles: tile `first + k * step` shows the tiles `tile + k * tile_step` for each pair in
    `parts`, one on top of the other, for k from 0 to `tiles - 1`."""

    first: int
    step: int
    tiles: int
    parts: tuple[tuple[int, int], ...]


class SpriteTiles(NamedTuple):
    """The tiles in a game's sprite sheet: the size of a picture in pixels, their numbers, and tiles made up of them."""

    size: int
    tiles: tuple[int, ...]
    stacks: tuple[TileStack, ...] = ()
