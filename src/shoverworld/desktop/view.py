"""A board in an area of the window. The size of a cell is a whole number of pixels; only changed cells are redrawn.

The layers, from bottom to top, are: tiles, marks below the sprites (lines, small dots), sprites, other marks. All
layers of a cell are redrawn together, so the picture never depends on the order of changes.
"""

from collections.abc import Iterable, Iterator, Sequence

import pygame
from pygame import Rect

from shoverworld.core.game import Game
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.ui import Cell, Mark, Motion, Scene, Sprite
from shoverworld.play.board import focus_of
from shoverworld.play.pictures import RULED, RULER, eased

from . import theme
from .pictures import (
    Pictures,
    between,
    crossed,
    draw_frame,
    draw_frame_words,
    draw_line,
    lies_under,
    with_shared_badges,
    words_below,
)

MANY = 48  # if more cells than this have changed, they are sent to the display as one rectangle


class BoardView:
    """Shows scenes and the motions between them. A higher `speed` shortens motions. `rulers` shows row and column
    numbers at the edges if the cells are large enough. `least` is the minimum size of a cell in pixels. If the board is
    too large for cells of this size, only a part of the board is shown. While `following` is set, this part follows the
    first actor."""

    def __init__(self, game: Game, rulers: bool = False, least: int = 1):
        self.game, self.rulers, self.least = game, rulers, least
        self.following = True
        self._part = Rect(0, 0, 0, 0)  # the visible columns and rows
        self.speed = 1.0
        self.cell_size = 1
        self.ruled = False  # whether rulers are shown
        self.board = Rect(0, 0, 0, 0)  # the rectangle of the cells within the area
        self._rimmed = Rect(0, 0, 0, 0)  # the rectangle of the cells and the rim
        self._area = Rect(0, 0, 0, 0)
        self._pictures = Pictures(game)
        self._scene: Scene | None = None
        self._shown: list[list[int]] = []  # the tiles, including those under a moving sprite
        self._motion: Motion | None = None
        self._passed = 0.0
        self._sprites: list[tuple[Sprite, Rect]] = []  # the sprites and their rectangles
        self._marks: dict[Cell, list[Mark]] = {}
        self.shown_marks: tuple[Mark, ...] = ()
        self._below: set[Mark] = set()  # frames whose text is at the bottom
        self._dirty: set[Cell] = set()
        self._all = True

    # --- geometry

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and columns, including the rim."""
        if self._scene is None:
            return 1, 1
        rows, cols = self._scene.tiles.shape
        more = 0 if self._scene.rim is None else 1  # the rim takes half a cell on each side
        return rows + more, cols + more

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
        more = 0 if self._scene.rim is None else 1  # the rim takes half a cell on each side
        inner = Rect(self._area)
        if self.rulers:
            inner = Rect(inner.left + RULER, inner.top + RULER, inner.width - RULER, inner.height - RULER)
        size = min(inner.width // (cols + more), inner.height // (rows + more))
        self.ruled = self.rulers and size >= RULED
        if not self.ruled:
            inner = self._area
            size = min(inner.width // (cols + more), inner.height // (rows + more))
        self._part = Rect(0, 0, cols, rows)
        if size < self.least > 1 and not more:
            size = self.least
            self._part = Rect(0, 0, min(cols, max(1, inner.width // size)), min(rows, max(1, inner.height // size)))
            row, col = focus_of(self._scene)
            self._part.center = col, row
            self._part.clamp_ip(Rect(0, 0, cols, rows))
            cols, rows = self._part.size
        self.cell_size = size = max(1, size)
        self._rimmed = Rect(0, 0, cols * size + more * (size // 2) * 2, rows * size + more * (size // 2) * 2)
        self._rimmed.center = inner.center
        self._rimmed.clamp_ip(inner)
        self.board = Rect(0, 0, cols * size, rows * size)
        self.board.topleft = self._rimmed.left + more * (size // 2), self._rimmed.top + more * (size // 2)
        self.refresh()
        self._place_sprites()

    def refresh(self) -> None:
        """Redraw the whole view."""
        self._all = True

    def _follow(self) -> None:
        """If only part of the board is shown, move that part when the first actor is near its edge or outside it."""
        assert self._scene is not None
        if self._part.size == self._scene.tiles.shape[::-1] or not self.following:
            return
        row, col = focus_of(self._scene)
        if not self._part.inflate(-self._part.width // 2, -self._part.height // 2).collidepoint(col, row):
            given, self.shown_marks, self._marks, self._below = self.shown_marks, (), {}, set()
            self._fit()
            self.marks(given)

    def rect_of(self, cell: Cell) -> Rect:
        size = self.cell_size
        return Rect(
            self.board.left + (cell[1] - self._part.left) * size,
            self.board.top + (cell[0] - self._part.top) * size,
            size,
            size,
        )

    def cell_at(self, pos: tuple[int, int]) -> Cell | None:
        if not self.board.collidepoint(pos) or not self._area.collidepoint(pos):
            return None
        row, col = (pos[1] - self.board.top) // self.cell_size, (pos[0] - self.board.left) // self.cell_size
        return row + self._part.top, col + self._part.left

    def side_at(self, pos: tuple[int, int]) -> int | None:
        """Return the direction from the centre of a cell to a point; None in the middle third and outside the board."""
        cell = self.cell_at(pos)
        if cell is None:
            return None
        rect = self.rect_of(cell)
        x, y = pos[0] - rect.left - (rect.width - 1) / 2, pos[1] - rect.top - (rect.height - 1) / 2
        if max(abs(x), abs(y)) <= rect.width / 6:
            return None
        if abs(x) > abs(y):
            return RIGHT if x > 0 else LEFT
        return DOWN if y > 0 else UP

    # --- content

    @property
    def moving(self) -> bool:
        return self._motion is not None

    def show(self, scene: Scene, motion: Motion | None = None) -> None:
        """Show another scene, with a motion that leads to it. A motion that is still running ends at once."""
        fresh = self._scene is None or self._scene.tiles.shape != scene.tiles.shape or self._scene.rim != scene.rim
        self._scene, self._motion, self._passed = scene, motion, 0.0
        tiles = scene.tiles.tolist()
        if motion is not None:
            for (row, col), tile in motion.under.items():
                tiles[row][col] = tile
        if fresh:
            self._shown = tiles
            self._marks, self.shown_marks, self._below = {}, (), set()
            self._fit()
        else:
            self._lay(tiles)
            self._follow()
        self._place_sprites()

    def marks(self, marks: Sequence[Mark]) -> None:
        """Show these marks. Only cells whose marks differ are redrawn."""
        given = tuple(marks)
        if given == self.shown_marks or self._scene is None:
            return
        self.shown_marks = given
        before, self._marks = self._marks, {}
        was_below, self._below = self._below, words_below(given)
        for mark in with_shared_badges(given):
            if mark.kind == "line":
                cells = crossed(mark.cell, mark.rows, mark.cols)
            else:
                cells = self._covered(mark) if mark.kind == "frame" else (mark.cell,)
            for cell in cells:  # cells outside the board are never drawn
                self._marks.setdefault(cell, []).append(mark)
        for cell in before.keys() | self._marks.keys():
            if before.get(cell) != self._marks.get(cell):
                self._dirty.add(cell)
        for mark in was_below ^ self._below:  # the frame's text has moved
            self._dirty.update(self._covered(mark))
        top, left, bottom, right = self._sides()
        self._dirty = {(row, col) for row, col in self._dirty if top <= row <= bottom and left <= col <= right}

    def finish(self) -> None:
        """End the motion now."""
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
        """Place the sprites, and mark the cells that they leave and enter for redrawing."""
        if self._scene is None:
            return
        if self._motion is not None:
            share = eased(self._passed / self._motion.seconds) if self._motion.seconds > 0 else 1.0
            now = [(between(sprite, share), sprite) for sprite in self._motion.sprites]
        else:
            now = [(between(sprite, 1.0), sprite) for sprite in self._scene.actors]
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
            self.board.left + round((col - self._part.left) * self.cell_size) + self.cell_size // 2,
            self.board.top + round((row - self._part.top) * self.cell_size) + self.cell_size // 2,
        )
        return rect

    def _sides(self) -> tuple[int, int, int, int]:
        """Return the first and last visible row and column, including the rim."""
        assert self._scene is not None
        part, more = self._part, 0 if self._scene.rim is None else 1
        return part.top - more, part.left - more, part.bottom - 1 + more, part.right - 1 + more

    def _cells_in(self, rect: Rect) -> Iterator[Cell]:
        seen, size = rect.clip(self._rimmed), self.cell_size
        if not seen.width or not seen.height:
            return
        top, left = (seen.top - self.board.top) // size, (seen.left - self.board.left) // size
        bottom, right = (seen.bottom - 1 - self.board.top) // size, (seen.right - 1 - self.board.left) // size
        for row in range(top, bottom + 1):
            for col in range(left, right + 1):
                yield row + self._part.top, col + self._part.left

    def _covered(self, mark: Mark) -> Iterator[Cell]:
        """Yield the cells on the board that a frame covers, and the cells above and below the frame, which its text may
        reach."""
        first_row, first_col, last_row, last_col = self._sides()
        top, left = mark.cell
        bottom, right = top + mark.rows - 1, left + mark.cols - 1
        more = 1 if mark.text else 0
        for row in range(max(first_row, top - more), min(last_row, bottom + more) + 1):
            for col in range(max(first_col, left), min(last_col, right) + 1):
                if row in (top, bottom) or col in (left, right) or mark.text:
                    yield row, col

    # --- drawing

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if self._scene is None or not self._area.width or not self._area.height:
            return []
        clip = surface.get_clip()
        surface.set_clip(self._area.clip(clip))
        if self._all:
            surface.fill(theme.GROUND, self._area)
            if self.ruled:
                self._draw_rulers(surface)
            top, left, bottom, right = self._sides()
            cells: Iterable[Cell] = [(row, col) for row in range(top, bottom + 1) for col in range(left, right + 1)]
            drawn = [self._area.copy()]
        else:
            cells = self._dirty
            drawn = self._rects()
        surface.set_clip(self._rimmed.clip(surface.get_clip()))
        if cells:
            self._draw_tiles(surface, cells)
            self._draw_lower_marks(surface, cells)
            self._draw_sprites(surface, cells)
            self._draw_marks(surface, cells)
        surface.set_clip(clip)
        self._dirty, self._all = set(), False
        return drawn

    def _draw_rulers(self, surface: pygame.Surface) -> None:
        """Draw row and column numbers. The numbers never change, so they are drawn only in a full redraw."""
        assert self._scene is not None
        rows, cols = self._scene.tiles.shape
        for row in range(rows):
            at = self.rect_of((row, 0))
            place = Rect(self._rimmed.left - RULER, at.top, RULER, at.height)
            theme.write(surface, str(row), place, theme.SMALL, theme.SOFT, "middle")
        for col in range(cols):
            at = self.rect_of((0, col))
            place = Rect(at.left, self._rimmed.top - RULER, at.width, RULER)
            theme.write(surface, str(col), place, theme.SMALL, theme.SOFT, "middle")

    def _rects(self) -> list[Rect]:
        if len(self._dirty) > MANY:
            rows, cols = zip(*self._dirty, strict=True)
            all_of_it = self.rect_of((min(rows), min(cols))).union(self.rect_of((max(rows), max(cols))))
            return [all_of_it.clip(self._rimmed)]
        return [self.rect_of(cell).clip(self._rimmed) for cell in self._dirty]

    def _draw_tiles(self, surface: pygame.Surface, cells: Iterable[Cell]) -> None:
        assert self._scene is not None
        size, shown, rim = self.cell_size, self._shown, self._scene.rim
        left, top = self.board.left - self._part.left * size, self.board.top - self._part.top * size
        rows, cols = self._scene.tiles.shape
        there = [(shown[row][col] if 0 <= row < rows and 0 <= col < cols else rim or 0, row, col) for row, col in cells]
        pictures = self._pictures.tiles({tile for tile, _, _ in there}, size)
        surface.fblits([(pictures[tile], (left + col * size, top + row * size)) for tile, row, col in there])

    def _draw_lower_marks(self, surface: pygame.Surface, cells: Iterable[Cell]) -> None:
        """Draw the marks below the sprites."""
        clip = surface.get_clip()
        if not isinstance(cells, set):  # redraw all cells
            for mark in self.shown_marks:
                self._draw_lower_mark(surface, mark)
        else:
            for cell in cells:
                under = [mark for mark in self._marks.get(cell, ()) if lies_under(mark)]
                if under:
                    surface.set_clip(self.rect_of(cell).clip(clip))
                    for mark in under:
                        self._draw_lower_mark(surface, mark)
        surface.set_clip(clip)

    def _draw_lower_mark(self, surface: pygame.Surface, mark: Mark) -> None:
        if mark.kind == "line":
            row, col = mark.cell
            start, end = self.rect_of(mark.cell).center, self.rect_of((row + mark.rows, col + mark.cols)).center
            draw_line(surface, mark, start, end, self.cell_size)
        elif lies_under(mark):
            surface.blit(self._pictures.mark(mark, self.cell_size), self.rect_of(mark.cell))

    def _draw_sprites(self, surface: pygame.Surface, cells: Iterable[Cell]) -> None:
        clip = surface.get_clip()
        wanted = cells if isinstance(cells, set) else None  # None means every cell
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
        size = self.cell_size
        left, top = self.board.left - self._part.left * size, self.board.top - self._part.top * size
        flat, frames = [], []
        for cell in cells:
            for mark in self._marks.get(cell, ()):
                if mark.kind == "frame":
                    frames.append((cell, mark))
                elif not lies_under(mark):
                    flat.append((self._pictures.mark(mark, size), (left + cell[1] * size, top + cell[0] * size)))
        surface.fblits(flat)
        clip = surface.get_clip()
        for words in (False, True):  # text last, so that no border of another frame covers it
            for cell, mark in frames:
                surface.set_clip(self.rect_of(cell).clip(clip))
                whole = Rect(self.rect_of(mark.cell).topleft, (mark.cols * size, mark.rows * size))
                if not words:
                    draw_frame(surface, mark, whole, size)
                elif mark.text:
                    draw_frame_words(surface, mark, whole, size, mark in self._below, self._rimmed)
        surface.set_clip(clip)
