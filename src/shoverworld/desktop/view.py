"""A board in an area of the window. Cells have a whole number of pixels; only what has changed is drawn again.

From bottom to top: the tiles, the sprites (who stands or moves on them), the marks. A cell is redrawn as a whole, with
all that lies over it, so what is seen never depends on the order in which things changed.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor

import pygame
from pygame import Rect

from shoverworld.core.front import Cell, Front, Mark, Motion, Scene, Sprite
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP

from . import theme
from .pictures import Pictures, draw_frame

MANY = 48  # more cells than this are sent to the display as one rectangle


class BoardView:
    """Shows scenes and the motions between them. `speed` makes motions shorter."""

    def __init__(self, front: Front):
        self.front = front
        self.speed = 1.0
        self.cell_size = 1
        self.board = Rect(0, 0, 0, 0)  # where the cells are, in the area
        self._area = Rect(0, 0, 0, 0)
        self._pictures = Pictures(front)
        self._scene: Scene | None = None
        self._shown: list[list[int]] = []  # the tiles, what lies under a motion included
        self._motion: Motion | None = None
        self._passed = 0.0
        self._sprites: list[tuple[Sprite, Rect]] = []  # and where they are drawn
        self._marks: dict[Cell, list[Mark]] = {}
        self._given: tuple[Mark, ...] = ()
        self._dirty: set[Cell] = set()
        self._all = True

    # --- where

    @property
    def area(self) -> Rect:
        return self._area

    @area.setter
    def area(self, rect: Rect) -> None:
        self._area = Rect(rect)
        self._fit()

    def _fit(self) -> None:
        if self._scene is None:
            return
        rows, cols = self._scene.tiles.shape
        self.cell_size = max(1, min(self._area.width // cols, self._area.height // rows))
        self.board = Rect(0, 0, cols * self.cell_size, rows * self.cell_size)
        self.board.center = self._area.center
        self.board.clamp_ip(self._area)
        self.refresh()
        self._place_sprites()

    def refresh(self) -> None:
        """Draw all of it anew."""
        self._all = True

    def rect_of(self, cell: Cell) -> Rect:
        size = self.cell_size
        return Rect(self.board.left + cell[1] * size, self.board.top + cell[0] * size, size, size)

    def cell_at(self, pos: tuple[int, int]) -> Cell | None:
        if not self.board.collidepoint(pos) or not self._area.collidepoint(pos):
            return None
        return (pos[1] - self.board.top) // self.cell_size, (pos[0] - self.board.left) // self.cell_size

    def side_at(self, pos: tuple[int, int]) -> int:
        """The side of its cell that a point is nearest to, as a direction."""
        cell = self.cell_at(pos)
        if cell is None:
            return UP
        rect = self.rect_of(cell)
        x, y = pos[0] - rect.left - (rect.width - 1) / 2, pos[1] - rect.top - (rect.height - 1) / 2
        if abs(x) > abs(y):
            return RIGHT if x > 0 else LEFT
        return DOWN if y > 0 else UP

    # --- what

    @property
    def moving(self) -> bool:
        return self._motion is not None

    def show(self, scene: Scene, motion: Motion | None = None) -> None:
        """Another scene; a motion leads to it. One that still plays is finished at once."""
        fresh = self._scene is None or self._scene.tiles.shape != scene.tiles.shape
        self._scene, self._motion, self._passed = scene, motion, 0.0
        tiles = scene.tiles.tolist()
        if motion is not None:
            for (row, col), tile in motion.under.items():
                tiles[row][col] = tile
        if fresh:
            self._shown = tiles
            self._marks, self._given = {}, ()
            self._fit()
        else:
            self._lay(tiles)
        self._place_sprites()

    def marks(self, marks: Sequence[Mark]) -> None:
        """What is drawn over the cells; only cells whose marks differ from before are drawn again."""
        given = tuple(marks)
        if given == self._given or self._scene is None:
            return
        self._given = given
        rows, cols = self._scene.tiles.shape
        before, self._marks = self._marks, {}
        for mark in given:
            for cell in _covered(mark, rows, cols):
                self._marks.setdefault(cell, []).append(mark)
        for cell in before.keys() | self._marks.keys():
            if before.get(cell) != self._marks.get(cell):
                self._dirty.add(cell)

    def finish(self) -> None:
        """End a motion now."""
        if self._motion is not None and self._scene is not None:
            self._motion = None
            self._lay(self._scene.tiles.tolist())
            self._place_sprites()

    def update(self, seconds: float) -> None:
        if self._motion is None:
            return
        self._passed += seconds * self.speed
        if self._passed >= self._motion.seconds:
            self.finish()
        else:
            self._place_sprites()

    def _lay(self, tiles: list[list[int]]) -> None:
        for row, (old, new) in enumerate(zip(self._shown, tiles, strict=True)):
            if old != new:
                self._dirty.update((row, col) for col, tile in enumerate(new) if tile != old[col])
        self._shown = tiles

    def _place_sprites(self) -> None:
        """Where the sprites are now; the cells they leave and reach are to be drawn."""
        if self._scene is None:
            return
        if self._motion is not None:
            share = _eased(self._passed / self._motion.seconds) if self._motion.seconds > 0 else 1.0
            now = [(_between(sprite, share), sprite) for sprite in self._motion.sprites]
        else:
            now = [(_between(sprite, 1.0), sprite) for sprite in self._scene.actors]
        placed = [(sprite, self._sprite_rect(sprite)) for sprite, _ in now]
        if placed != self._sprites:
            for _, rect in self._sprites + placed:
                self._dirty.update(self._cells_in(rect))
            self._sprites = placed

    def _sprite_rect(self, sprite: Sprite) -> Rect:
        size = max(1, round(self.cell_size * sprite.scale[1]))
        rect = Rect(0, 0, size, size)
        row, col = sprite.end
        rect.center = (
            self.board.left + round(col * self.cell_size) + self.cell_size // 2,
            self.board.top + round(row * self.cell_size) + self.cell_size // 2,
        )
        return rect

    def _cells_in(self, rect: Rect) -> Iterator[Cell]:
        if self._scene is None:
            return
        rows, cols = self._scene.tiles.shape
        seen, size = rect.clip(self.board), self.cell_size
        if not seen.width or not seen.height:
            return
        top, left = floor((seen.top - self.board.top) / size), floor((seen.left - self.board.left) / size)
        bottom, right = ceil((seen.bottom - self.board.top) / size), ceil((seen.right - self.board.left) / size)
        for row in range(max(0, top), min(rows, bottom)):
            for col in range(max(0, left), min(cols, right)):
                yield row, col

    # --- drawing

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if self._scene is None or not self._area.width or not self._area.height:
            return []
        clip = surface.get_clip()
        surface.set_clip(self._area.clip(clip))
        if self._all:
            surface.fill(theme.GROUND, self._area)
            rows, cols = self._scene.tiles.shape
            cells: Iterable[Cell] = [(row, col) for row in range(rows) for col in range(cols)]
            drawn = [self._area.copy()]
        else:
            cells = self._dirty
            drawn = self._rects()
        if cells:
            self._draw_tiles(surface, cells)
            self._draw_sprites(surface, cells)
            self._draw_marks(surface, cells)
        surface.set_clip(clip)
        self._dirty, self._all = set(), False
        return drawn

    def _rects(self) -> list[Rect]:
        if len(self._dirty) > MANY:
            rows, cols = zip(*self._dirty, strict=True)
            return [self.rect_of((min(rows), min(cols))).union(self.rect_of((max(rows), max(cols))))]
        return [self.rect_of(cell) for cell in self._dirty]

    def _draw_tiles(self, surface: pygame.Surface, cells: Iterable[Cell]) -> None:
        size, (left, top) = self.cell_size, self.board.topleft
        pictures, shown = self._pictures.tiles(self._shown_in(cells), size), self._shown
        surface.fblits([(pictures[shown[row][col]], (left + col * size, top + row * size)) for row, col in cells])

    def _shown_in(self, cells: Iterable[Cell]) -> set[int]:
        return {self._shown[row][col] for row, col in cells}

    def _draw_sprites(self, surface: pygame.Surface, cells: Iterable[Cell]) -> None:
        clip = surface.get_clip()
        wanted = cells if isinstance(cells, set) else None  # None: every cell
        for sprite, rect in self._sprites:
            picture = self._pictures.sprite(sprite.tile, rect.width, self.cell_size, sprite.opacity[1])
            for cell in self._cells_in(rect):
                if wanted is None or cell in wanted:
                    surface.set_clip(self.rect_of(cell).clip(clip))
                    surface.blit(picture, rect)
        surface.set_clip(clip)

    def _draw_marks(self, surface: pygame.Surface, cells: Iterable[Cell]) -> None:
        if not self._marks:
            return
        size, (left, top) = self.cell_size, self.board.topleft
        flat, frames = [], []
        for cell in cells:
            for mark in self._marks.get(cell, ()):
                if mark.kind == "frame":
                    frames.append((cell, mark))
                else:
                    flat.append((self._pictures.mark(mark, size), (left + cell[1] * size, top + cell[0] * size)))
        surface.fblits(flat)
        clip = surface.get_clip()
        for cell, mark in frames:
            surface.set_clip(self.rect_of(cell).clip(clip))
            whole = Rect(self.rect_of(mark.cell).topleft, (mark.cols * size, mark.rows * size))
            draw_frame(surface, mark, whole, size)
        surface.set_clip(clip)


def _eased(share: float) -> float:
    """Quick at first, so that a key is felt at once, then gently to its end."""
    return 1 - (1 - min(max(share, 0.0), 1.0)) ** 2


def _between(sprite: Sprite, share: float) -> Sprite:
    """The sprite on its way, as one that stands still: only its ends count."""
    (row, col), (to_row, to_col) = sprite.start, sprite.end
    place = row + (to_row - row) * share, col + (to_col - col) * share
    opacity = sprite.opacity[0] + (sprite.opacity[1] - sprite.opacity[0]) * share
    scale = sprite.scale[0] + (sprite.scale[1] - sprite.scale[0]) * share
    return Sprite(sprite.tile, place, place, (opacity, opacity), (scale, scale))


def _covered(mark: Mark, rows: int, cols: int) -> Iterator[Cell]:
    """The cells a mark is drawn in: all, or the border cells of a frame. What lies off the board is left out."""
    if mark.kind != "frame":
        if 0 <= mark.cell[0] < rows and 0 <= mark.cell[1] < cols:
            yield mark.cell
        return
    top, left = mark.cell
    bottom, right = top + mark.rows - 1, left + mark.cols - 1
    for row in range(max(0, top), min(rows, bottom + 1)):
        for col in range(max(0, left), min(cols, right + 1)):
            if row in (top, bottom) or col in (left, right) or mark.text:
                yield row, col
