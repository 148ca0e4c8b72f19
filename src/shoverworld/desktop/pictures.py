"""The small pictures a board is put together from, each made once for a size and kept: tiles, sprites, marks."""

import numpy as np
import pygame
from pygame import Rect

from shoverworld.core.front import Colour, Front, Mark
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP

from . import theme

KEPT = 6000  # pictures of one sort; a 64 x 64 board of numbers has 4096


class Pictures:
    """Of one room. Pictures of another size are forgotten as soon as a new size is asked for."""

    def __init__(self, front: Front):
        self.front = front
        self._size = 0
        self._tiles: dict[int, pygame.Surface] = {}
        self._sprites: dict[tuple[int, int, int], pygame.Surface] = {}
        self._marks: dict[tuple, pygame.Surface] = {}

    def _for_size(self, size: int) -> None:
        if size != self._size:
            self._size = size
            self._tiles, self._sprites, self._marks = {}, {}, {}

    def tiles(self, wanted: set[int], size: int) -> dict[int, pygame.Surface]:
        """Whole cells: where a tile does not cover its cell, the floor is seen."""
        self._for_size(size)
        for tile in wanted - self._tiles.keys():
            cell = pygame.Surface((size, size))
            cell.fill(theme.FLOOR)
            cell.blit(surface_of(self.front.tile(tile, size)), (0, 0))
            self._tiles[tile] = cell.convert()
        return self._tiles

    def sprite(self, tile: int, size: int, cell_size: int, opacity: float) -> pygame.Surface:
        """With what can be seen through it. At the size of a cell it is drawn for it, in between it is scaled."""
        self._for_size(cell_size)
        alpha = min(max(round(opacity * 16), 0), 16)  # in steps: the eye sees no more, and few are kept
        key = tile, size, alpha
        picture = self._sprites.get(key)
        if picture is None:
            if len(self._sprites) > KEPT:
                self._sprites.clear()
            picture = surface_of(self.front.tile(tile, cell_size))
            if size != cell_size:
                picture = pygame.transform.smoothscale(picture, (size, size))
            if alpha < 16:
                picture.fill((255, 255, 255, round(alpha * 255 / 16)), special_flags=pygame.BLEND_RGBA_MULT)
            self._sprites[key] = picture
        return picture

    def mark(self, mark: Mark, size: int) -> pygame.Surface:
        """A shade or an arrow."""
        self._for_size(size)
        key = mark.kind, mark.colour, mark.text, mark.direction, mark.strength
        picture = self._marks.get(key)
        if picture is None:
            if len(self._marks) > KEPT:
                self._marks.clear()
            picture = pygame.Surface((size, size), pygame.SRCALPHA)
            if mark.kind == "arrow":
                _draw_arrow(picture, mark, size)
            else:
                _draw_shade(picture, mark, size)
            self._marks[key] = picture = picture.convert_alpha()
        return picture


def surface_of(pixels: np.ndarray) -> pygame.Surface:
    """A NumPy picture (height, width, 3 or 4) as one that can be drawn."""
    kind = "RGBA" if pixels.shape[2] == 4 else "RGB"
    picture = pygame.image.frombuffer(np.ascontiguousarray(pixels).tobytes(), pixels.shape[1::-1], kind)
    return picture.convert_alpha() if kind == "RGBA" else picture.convert()


def _draw_shade(picture: pygame.Surface, mark: Mark, size: int) -> None:
    picture.fill((*mark.colour, round(255 * min(max(mark.strength, 0.0), 1.0))))
    if mark.text:
        _draw_words(picture, mark.text, picture.get_rect(), size, theme.INK)


def _draw_words(picture: pygame.Surface, text: str, rect: Rect, size: int, colour: Colour) -> None:
    """In the middle, as large as a cell can hold, with a bright rim so that it is read on any tile; none in a cell that
    is too small."""
    for height in range(min(max(round(size * 0.42), min(9, size - 3)), 40), 5, -1):
        if theme.width_of(text, height) <= rect.width:
            break
    else:
        return
    words = theme.written(text, height, colour)
    place = words.get_rect(center=rect.center)
    if size >= 14:
        rim = theme.written(text, height, (255, 255, 255))
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            picture.blit(rim, place.move(dx, dy))
    picture.blit(words, place)


def _draw_arrow(picture: pygame.Surface, mark: Mark, size: int) -> None:
    """Drawn four times as large and shrunk, which makes its edges smooth."""
    large = pygame.Surface((4 * size, 4 * size), pygame.SRCALPHA)
    points = [(-0.34, -0.1), (0.04, -0.1), (0.04, -0.28), (0.38, 0.0), (0.04, 0.28), (0.04, 0.1), (-0.34, 0.1)]
    turn = {RIGHT: (1, 0, 0, 1), DOWN: (0, -1, 1, 0), LEFT: (-1, 0, 0, -1), UP: (0, 1, -1, 0)}[mark.direction]
    spots = [(x * turn[0] + y * turn[1], x * turn[2] + y * turn[3]) for x, y in points]
    spots = [((x + 0.5) * 4 * size, (y + 0.5) * 4 * size) for x, y in spots]
    rim = max(2, round(0.22 * size))  # bright, so that it is seen on any tile
    for start, end in zip(spots, spots[1:] + spots[:1], strict=True):
        pygame.draw.line(large, (255, 255, 255), start, end, 2 * rim)
        pygame.draw.circle(large, (255, 255, 255), start, rim)
    pygame.draw.polygon(large, mark.colour, spots)
    picture.blit(pygame.transform.smoothscale(large, (size, size)), (0, 0))
    if mark.text:
        corner = Rect(0, 0, size, round(size * 0.42))
        _draw_words(picture, mark.text, corner, round(size * 0.8), theme.INK)


def draw_frame(surface: pygame.Surface, mark: Mark, rect: Rect, size: int) -> None:
    thick = min(max(1, size // 14), 5)
    if size >= 12:
        pygame.draw.rect(surface, theme.INK, rect, thick + 2, border_radius=thick)
        rect = rect.inflate(-2, -2)
    pygame.draw.rect(surface, mark.colour, rect, thick, border_radius=thick)


def draw_frame_words(surface: pygame.Surface, mark: Mark, rect: Rect, size: int, below: bool) -> None:
    """The text of a frame, on a plate of its colour in the top left corner, or in the bottom left one."""
    if size >= 12:
        rect = rect.inflate(-2, -2)
    for height in range(min(max(round(size * 0.3), 7), 16), 5, -1):
        if theme.width_of(mark.text, height) + 6 <= rect.width:
            break
    else:
        return  # no room for any words
    words = theme.written(mark.text, height, theme.INK if theme.light(mark.colour) else theme.TEXT)
    plate = Rect(rect.left, rect.top, words.get_width() + 6, words.get_height() + 1).clip(rect)
    if below:
        plate.bottom = rect.bottom
    pygame.draw.rect(surface, mark.colour, plate, border_radius=2)
    surface.blit(words, (plate.left + 3, plate.top + 1))
