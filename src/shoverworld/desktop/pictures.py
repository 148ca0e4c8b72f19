"""The pictures of a board (tiles, sprites and marks), each drawn once per size, and the geometry of marks."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pygame
from pygame import Rect

from shoverworld.core.game import Game
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.ui import Cell, Colour, Mark, Sprite

from . import theme

CORNERED = 24  # minimum size of a cell, in pixels, for text in its corner
REACH = 0.85  # distance in cells from a line to the centre of the farthest cell that it touches
LINE_WIDTH = 0.16  # line width as a fraction of a cell
KEPT = 6000  # maximum number of pictures of each kind; a 64 x 64 board with a number in every cell needs 4096


class Pictures:
    """The pictures of one game at one cell size. When the size changes, all pictures are discarded."""

    def __init__(self, game: Game):
        self.game = game
        self._size = 0
        self._tiles: dict[int, pygame.Surface] = {}
        self._sprites: dict[tuple[int, int, int], pygame.Surface] = {}
        self._marks: dict[tuple, pygame.Surface] = {}

    def _for_size(self, size: int) -> None:
        if size != self._size:
            self._size = size
            self._tiles, self._sprites, self._marks = {}, {}, {}

    def tiles(self, wanted: set[int], size: int) -> dict[int, pygame.Surface]:
        """Return pictures of whole cells. The floor is visible where a tile does not cover its cell."""
        self._for_size(size)
        for tile in wanted - self._tiles.keys():
            cell = pygame.Surface((size, size))
            cell.fill(theme.FLOOR)
            cell.blit(surface_of(self.game.ui.drawing.tile(tile, size)), (0, 0))
            self._tiles[tile] = cell.convert()
        return self._tiles

    def sprite(self, tile: int, size: int, cell_size: int, opacity: float) -> pygame.Surface:
        """Return a tile with transparency. The tile is drawn at the size of a cell and then scaled to `size`."""
        self._for_size(cell_size)
        alpha = min(max(round(opacity * 16), 0), 16)  # rounded to sixteen steps, because finer steps are not visible
        key = tile, size, alpha
        picture = self._sprites.get(key)
        if picture is None:
            if len(self._sprites) > KEPT:
                self._sprites.clear()
            picture = surface_of(self.game.ui.drawing.tile(tile, cell_size))
            if size != cell_size:
                picture = pygame.transform.smoothscale(picture, (size, size))
            if alpha < 16:
                picture.fill((255, 255, 255, round(alpha * 255 / 16)), special_flags=pygame.BLEND_RGBA_MULT)
            self._sprites[key] = picture
        return picture

    def mark(self, mark: Mark, size: int) -> pygame.Surface:
        """Return the picture of a shade, an arrow or a dot."""
        self._for_size(size)
        key = mark.kind, mark.colour, mark.text, mark.direction, mark.strength, mark.style
        picture = self._marks.get(key)
        if picture is None:
            if len(self._marks) > KEPT:
                self._marks.clear()
            picture = pygame.Surface((size, size), pygame.SRCALPHA)
            if mark.kind == "arrow":
                _draw_arrow(picture, mark, size)
            elif mark.kind == "dot":
                _draw_dot(picture, mark, size)
            else:
                _draw_shade(picture, mark, size)
            self._marks[key] = picture = picture.convert_alpha()
        return picture


def surface_of(pixels: np.ndarray) -> pygame.Surface:
    """Convert a NumPy picture (height, width, 3 or 4) to a surface."""
    kind = "RGBA" if pixels.shape[2] == 4 else "RGB"
    picture = pygame.image.frombuffer(np.ascontiguousarray(pixels).tobytes(), pixels.shape[1::-1], kind)
    return picture.convert_alpha() if kind == "RGBA" else picture.convert()


def _draw_shade(picture: pygame.Surface, mark: Mark, size: int) -> None:
    picture.fill((*mark.colour, round(255 * min(max(mark.strength, 0.0), 1.0))))
    if mark.text and mark.style == "corner" and size >= CORNERED:
        corner = Rect(size // 2, size * 3 // 5, size - size // 2, size - size * 3 // 5)
        _draw_words(picture, mark.text, corner, round(size * 0.7), theme.INK)
    elif mark.text:
        _draw_words(picture, mark.text, picture.get_rect(), size, theme.INK)


def _draw_words(picture: pygame.Surface, text: str, rect: Rect, size: int, colour: Colour) -> None:
    """Draw text in the centre, as large as possible, with a bright outline so that the text is readable on any tile.
    Cells that are too small get no text."""
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
    """Draw an arrow at four times its final size and scale the picture down, which smooths the edges."""
    large = pygame.Surface((4 * size, 4 * size), pygame.SRCALPHA)
    points = [(-0.34, -0.1), (0.04, -0.1), (0.04, -0.28), (0.38, 0.0), (0.04, 0.28), (0.04, 0.1), (-0.34, 0.1)]
    turn = {RIGHT: (1, 0, 0, 1), DOWN: (0, -1, 1, 0), LEFT: (-1, 0, 0, -1), UP: (0, 1, -1, 0)}[mark.direction]
    spots = [(x * turn[0] + y * turn[1], x * turn[2] + y * turn[3]) for x, y in points]
    scale, middle = (0.85, 0.58) if mark.text else (1.0, 0.5)  # the arrow makes room for the badge
    spots = [((x * scale + middle) * 4 * size, (y * scale + middle) * 4 * size) for x, y in spots]
    rim = max(2, round(0.22 * size))  # a bright outline, visible on any tile
    for start, end in zip(spots, spots[1:] + spots[:1], strict=True):
        pygame.draw.line(large, (255, 255, 255), start, end, 2 * rim)
        pygame.draw.circle(large, (255, 255, 255), start, rim)
    pygame.draw.polygon(large, mark.colour, spots)
    picture.blit(pygame.transform.smoothscale(large, (size, size)), (0, 0))
    if mark.text:
        _draw_badge(picture, mark, size)


def _draw_dot(picture: pygame.Surface, mark: Mark, size: int) -> None:
    """Draw a dot at four times its final size and scale the picture down. A small dot marks a stop on a path; a
    large dot may contain text."""
    large = pygame.Surface((4 * size, 4 * size), pygame.SRCALPHA)
    middle, opacity = (2 * size, 2 * size), round(255 * min(max(mark.strength, 0.0), 1.0))
    radius = max(3, round(size * (0.6 if mark.style == "small" else 1.3 if mark.style == "cross" else 1.7)))
    thick = max(3, round(size * 0.3))
    if mark.style == "cross":
        pygame.draw.circle(large, (*theme.INK, opacity), middle, radius)
        reach = round(radius * 0.55)
        for slope in (-1, 1):
            start, end = (2 * size - reach, 2 * size - slope * reach), (2 * size + reach, 2 * size + slope * reach)
            pygame.draw.line(large, (*mark.colour, opacity), start, end, thick)
    elif mark.style == "small":
        pygame.draw.circle(large, (*mark.colour, opacity), middle, radius)
    else:
        pygame.draw.circle(large, (*theme.TEXT, opacity), middle, radius)  # a bright outline
        pygame.draw.circle(large, (*theme.INK, opacity), middle, radius - thick // 3)
        inner = radius - thick // 3 - max(1, thick // 3)
        pygame.draw.circle(large, (*mark.colour, opacity), middle, inner, thick if mark.style == "ring" else 0)
    picture.blit(pygame.transform.smoothscale(large, (size, size)), (0, 0))
    if mark.text and mark.style != "cross":
        height = round(size * 0.5)
        if height >= 8:
            dark = mark.style != "ring" and theme.light(mark.colour)
            words = theme.written(mark.text, height, theme.INK if dark else theme.TEXT)
            picture.blit(words, words.get_rect(center=(size // 2, size // 2)))


def draw_line(surface: pygame.Surface, mark: Mark, start: tuple[int, int], end: tuple[int, int], size: int) -> None:
    """Draw a line between the centres of two cells. A strong line is thick and has a dark edge."""
    half = line_reach(mark, size)
    if mark.strength >= 1 and size >= 12:
        _draw_bar(surface, theme.INK, start, end, half)
        half -= 1
    _draw_bar(surface, mark.colour, start, end, half)


def line_reach(mark: Mark, size: int) -> float:
    """Return half the width of a line, in pixels."""
    return max(0.75, size * LINE_WIDTH * min(max(mark.strength, 0.0), 1.0) / 2 + 0.5)


def _draw_bar(
    surface: pygame.Surface, colour: Colour, start: tuple[int, int], end: tuple[int, int], half: float
) -> None:
    """Draw a straight bar as a polygon, so that its pixels do not depend on which part is redrawn."""
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    if length:
        x, y = (end[0] - start[0]) / length * half, (end[1] - start[1]) / length * half
        corners = [
            (start[0] - y, start[1] + x),
            (start[0] + y, start[1] - x),
            (end[0] + y, end[1] - x),
            (end[0] - y, end[1] + x),
        ]
        pygame.draw.polygon(surface, colour, corners)


def _draw_badge(picture: pygame.Surface, mark: Mark, size: int) -> None:
    """Draw text on a dark plate in the top-left corner."""
    for height in range(min(max(round(size * 0.3), 8), 18), 5, -1):
        if theme.width_of(mark.text, height) + 4 <= size:
            break
    else:
        return
    words = theme.written(mark.text, height, (255, 255, 255))
    inset = 0 if size < CORNERED else min(max(1, size // 14), 5) + 2  # leaves space for a frame
    plate = Rect(inset, inset, words.get_width() + 6, words.get_height() + 1).clip(picture.get_rect())
    pygame.draw.rect(picture, theme.INK, plate, border_radius=4)
    picture.blit(words, words.get_rect(center=plate.center))


def draw_frame(surface: pygame.Surface, mark: Mark, rect: Rect, size: int) -> None:
    thick = min(max(1, size // 14), 5)
    if mark.style == "double" and size >= 12:
        line = max(1, thick * 2 // 3)
        pygame.draw.rect(surface, theme.INK, rect, 2 * line + 3, border_radius=thick)
        pygame.draw.rect(surface, mark.colour, rect.inflate(-2, -2), line, border_radius=thick)
        pygame.draw.rect(surface, theme.TEXT, rect.inflate(-2 * line - 4, -2 * line - 4), 1, border_radius=thick)
        return
    if size >= 12:
        pygame.draw.rect(surface, theme.INK, rect, thick + 2, border_radius=thick)
        rect = rect.inflate(-2, -2)
    pygame.draw.rect(surface, mark.colour, rect, thick, border_radius=thick)


def draw_frame_words(surface: pygame.Surface, mark: Mark, rect: Rect, size: int, below: bool, within: Rect) -> None:
    """Draw a frame's text on a plate in the frame's colour, on the upper or lower border. Half of the plate is
    outside the frame, so that the content of the cell stays visible."""
    if size >= 12:
        rect = rect.inflate(-2, -2)
    for height in range(min(max(round(size * 0.3), 7), 16), 5, -1):
        if theme.width_of(mark.text, height) + 6 <= rect.width:
            break
    else:
        return  # no space for the text
    words = theme.written(mark.text, height, theme.INK if theme.light(mark.colour) else theme.TEXT)
    plate = Rect(rect.left, 0, min(words.get_width() + 6, rect.width), words.get_height() + 1)
    plate.centery = rect.bottom if below else rect.top
    plate.clamp_ip(within)
    pygame.draw.rect(surface, mark.colour, plate, border_radius=2)
    surface.blit(words, (plate.left + 3, plate.top + 1))


# --- geometry


def lies_under(mark: Mark) -> bool:
    return mark.kind == "line" or (mark.kind == "dot" and mark.style == "small")


@lru_cache(maxsize=4096)
def crossed(cell: Cell, rows: int, cols: int) -> tuple[Cell, ...]:
    """Return the cells that a line may touch. The line begins in `cell` and ends `rows` rows below and `cols`
    columns to the right of it."""
    length, found = max(1.0, math.hypot(rows, cols)), []
    for down in range(min(0, rows) - 1, max(0, rows) + 2):
        for right in range(min(0, cols) - 1, max(0, cols) + 2):
            if abs(down * cols - right * rows) / length < REACH:
                found.append((cell[0] + down, cell[1] + right))
    return tuple(found)


def with_shared_badges(marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks. If several arrows in a cell have text, the last one gets the text of all of them, because
    separate badges would cover each other."""
    texts: dict[Cell, list[str]] = {}
    for mark in marks:
        if mark.kind == "arrow" and mark.text:
            texts.setdefault(mark.cell, []).append(mark.text)
    last = {mark.cell: place for place, mark in enumerate(marks) if mark.kind == "arrow" and mark.text}
    return [
        mark._replace(text=", ".join(texts[mark.cell]) if last[mark.cell] == place else "")
        if mark.kind == "arrow" and mark.text
        else mark
        for place, mark in enumerate(marks)
    ]


def words_below(marks: Sequence[Mark]) -> set[Mark]:
    """Return the frames whose text is at the bottom, because another frame with text begins in the same cell."""
    corners: set[Cell] = set()
    below = set()
    for mark in marks:
        if mark.kind == "frame" and mark.text:
            if mark.cell in corners:
                below.add(mark)
            corners.add(mark.cell)
    return below


def between(sprite: Sprite, share: float) -> Sprite:
    """Return a motionless sprite that looks like `sprite` at one moment during its motion."""
    (row, col), (to_row, to_col) = sprite.start, sprite.end
    place = row + (to_row - row) * share, col + (to_col - col) * share
    opacity = sprite.opacity[0] + (sprite.opacity[1] - sprite.opacity[0]) * share
    scale = sprite.scale[0] + (sprite.scale[1] - sprite.scale[0]) * share
    return Sprite(sprite.tile, place, place, (opacity, opacity), (scale, scale))
