"""A grid of levels to choose from, with thumbnails and the best results."""

from collections.abc import Callable
from typing import Any

import pygame
from pygame import Rect

from shoverworld.core.game import Game
from shoverworld.core.ui import Board, Scene
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.guard import Guard, thumbnail

from . import theme
from .lists import ListBox
from .pictures import Pictures

PICTURE = 140, 92
PAD = 8
CELL = PICTURE[0] + 2 * PAD, PICTURE[1] + 2 * PAD + 36  # the size includes two lines of text below the picture
FINE, COARSE, MANY = 16, 6, 400  # pixels per cell before scaling: COARSE if the board has more than MANY cells
MOST_KEPT = 400


class LevelGrid(ListBox):
    """A list of the levels in a browser, with several levels per row. The browser stores which level is chosen."""

    def __init__(
        self,
        browser: LevelBrowser,
        thumbnails: "Thumbnails",
        changed: Callable[[Any], Any] | None = None,
        picked: Callable[[Any], Any] | None = None,
    ):
        super().__init__([], changed=changed, picked=picked, row_height=CELL[1])
        self.browser, self.thumbnails = browser, thumbnails
        self.refresh()

    def refresh(self) -> None:
        """Show the levels in the browser, and highlight the chosen one."""
        self.items, self.stale = self.browser.places, True
        super().choose(self.browser.chosen)

    def set(self, **changes: Any) -> None:
        super().set(**changes)
        if "chosen" in changes:
            self.browser.chosen = self.chosen

    @property
    def value(self) -> int | None:
        return self.browser.place

    @property
    def columns(self) -> int:
        return max(1, (self.rect.width - 10) // CELL[0])

    def _rows(self) -> int:
        return -(-len(self.items) // self.columns)

    def reveal(self) -> None:
        if self.rect.height <= 0:
            return
        top = self.chosen // self.columns * self.row_height
        scroll = max(min(self.scroll, top), top + self.row_height - max(self.rect.height, self.row_height))
        self._scroll_to(scroll)

    def _whole(self) -> int:
        return self._rows() * self.row_height

    def place_at(self, pos: tuple[int, int]) -> int | None:
        row = (pos[1] - self.rect.top + self.scroll) // self.row_height
        col = (pos[0] - self._left()) // CELL[0]
        place = row * self.columns + col
        inside = self.rect.collidepoint(pos) and 0 <= col < self.columns
        return place if inside and place < len(self.items) else None

    def _left(self) -> int:
        return self.rect.left + (self.rect.width - 10 - self.columns * CELL[0]) // 2

    def row_rect(self, place: int) -> Rect:
        row, col = divmod(place, self.columns)
        return Rect(
            self._left() + col * CELL[0], self.rect.top + row * self.row_height - self.scroll, CELL[0], self.row_height
        )

    def _steps(self) -> dict[int, int]:
        across = self.columns
        page = max(1, self.rect.height // self.row_height) * across
        return {
            pygame.K_LEFT: -1, pygame.K_RIGHT: 1, pygame.K_UP: -across, pygame.K_DOWN: across,
            pygame.K_PAGEUP: -page, pygame.K_PAGEDOWN: page,
        }  # fmt: skip

    def _seen(self) -> range:
        first = self.scroll // self.row_height
        last = (self.scroll + self.rect.height) // self.row_height
        return range(first * self.columns, min((last + 1) * self.columns, len(self.items)))

    def _draw_row(self, surface: pygame.Surface, item: Any, row: Rect, chosen: bool) -> None:
        place: int = item
        levels = self.browser.levels
        board, best = levels.boards[place], levels.best(place)
        inner = row.inflate(-4, -4)
        if chosen:
            pygame.draw.rect(surface, (44, 84, 122) if self.focused else theme.RAISED, inner, border_radius=5)
            pygame.draw.rect(surface, theme.ACCENT, inner, 2, border_radius=5)
        at = row.left + PAD, row.top + PAD
        surface.blit(self.thumbnails.picture(board, PICTURE), at)
        line = Rect(at[0], at[1] + PICTURE[1] + 2, PICTURE[0], 18)
        theme.write(surface, levels.label(place), line)
        below = line.move(0, 17)
        if best is None:
            return
        known = levels.known(place)
        good = known is not None and best.numbers <= known.numbers
        theme.write(surface, best.words, below, theme.SMALL, theme.GOOD if good else theme.SOFT)
        draw_tick(surface, row.right - PAD - 11, row.top + PAD + 11)


def draw_tick(surface: pygame.Surface, x: int, y: int) -> None:
    """Draw the tick that marks a solved level."""
    pygame.draw.circle(surface, theme.INK, (x, y), 11)
    pygame.draw.circle(surface, theme.GOOD, (x, y), 10)
    pygame.draw.lines(surface, theme.INK, False, [(x - 5, y), (x - 1, y + 4), (x + 5, y - 4)], 3)


class Thumbnails:
    """Draws each picture when it is first needed, and then keeps it. The board is centred in the picture and drawn
    as large as possible."""

    def __init__(self, game: Game, guard: Guard):
        self.game, self.guard = game, guard
        self._tiles = {size: Pictures(game) for size in (FINE, COARSE)}
        self._made: dict[tuple, tuple[Board, pygame.Surface, tuple[int, int]]] = {}

    def __len__(self) -> int:
        """Return the number of stored pictures."""
        return len(self._made)

    def picture(self, board: Board, size: tuple[int, int]) -> pygame.Surface:
        return self._of(board, size)[1]

    def shape(self, board: Board, size: tuple[int, int]) -> tuple[int, int]:
        """Return the number of rows and the number of columns in a board."""
        return self._of(board, size)[2]

    def _of(self, board: Board, size: tuple[int, int]) -> tuple[Board, pygame.Surface, tuple[int, int]]:
        key = id(board), size  # the board is also stored, so that its id stays unique
        if key not in self._made:
            if len(self._made) >= MOST_KEPT:
                self._made.clear()
            scene = thumbnail(self.game, board, self.guard)
            if scene is None:
                self._made[key] = board, pygame.Surface(size, pygame.SRCALPHA), (0, 0)
            else:
                rows, cols = scene.tiles.shape
                self._made[key] = board, self._small(scene, size), (rows, cols)
        return self._made[key]

    def _small(self, scene: Scene, size: tuple[int, int]) -> pygame.Surface:
        rows, cols = scene.tiles.shape
        fine = FINE if rows * cols <= MANY else COARSE
        whole = pygame.Surface((cols * fine, rows * fine))
        pictures = self._tiles[fine]
        tiles = pictures.tiles(set(scene.tiles.ravel().tolist()), fine)
        for row, line in enumerate(scene.tiles.tolist()):
            whole.blits([(tiles[tile], (col * fine, row * fine)) for col, tile in enumerate(line)])
        for actor in scene.actors:
            row, col = actor.end
            whole.blit(pictures.sprite(actor.tile, fine, fine, 1.0), (round(col * fine), round(row * fine)))
        scale = min(size[0] / whole.get_width(), size[1] / whole.get_height(), 1.0)
        small = max(1, round(whole.get_width() * scale)), max(1, round(whole.get_height() * scale))
        picture = pygame.Surface(
            size, pygame.SRCALPHA
        )  # all pictures have the same width, so that the text next to them is aligned
        picture.blit(pygame.transform.smoothscale(whole, small), ((size[0] - small[0]) // 2, (size[1] - small[1]) // 2))
        return picture


def die(size: tuple[int, int]) -> pygame.Surface:
    """Draw the picture for a random level: a die that shows a five."""
    picture = pygame.Surface((4 * size[0], 4 * size[1]), pygame.SRCALPHA)
    cube = pygame.Rect(0, 0, 150, 150)
    cube.center = picture.get_rect().center
    pygame.draw.rect(picture, (232, 234, 238), cube, border_radius=28)
    for dx, dy in ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)):
        pygame.draw.circle(picture, (36, 40, 49), (cube.centerx + dx * 40, cube.centery + dy * 40), 16)
    return pygame.transform.smoothscale(picture, size)
