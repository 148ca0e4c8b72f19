"""Small pictures of boards, made when they are first seen and kept."""

import pygame

from shoverworld.core.game import Game
from shoverworld.core.ui import Board, Scene

from .pictures import Pictures

FINE, COARSE, MANY = 16, 6, 400  # pixels a cell, before it is made smaller; boards of many cells are drawn coarse
MOST_KEPT = 400


class Thumbnails:
    """`picture` is as large as asked for; the board stands in its middle, as large as it can be."""

    def __init__(self, game: Game):
        self.game = game
        self._tiles = {size: Pictures(game) for size in (FINE, COARSE)}
        self._made: dict[tuple, tuple[Board, pygame.Surface, tuple[int, int]]] = {}

    def picture(self, board: Board, size: tuple[int, int]) -> pygame.Surface:
        return self._of(board, size)[1]

    def shape(self, board: Board, size: tuple[int, int]) -> tuple[int, int]:
        """Rows and columns."""
        return self._of(board, size)[2]

    def _of(self, board: Board, size: tuple[int, int]) -> tuple[Board, pygame.Surface, tuple[int, int]]:
        key = id(board), size  # the board is kept beside it, so nothing else can have its number
        if key not in self._made:
            if len(self._made) >= MOST_KEPT:
                self._made.clear()
            scene = self.game.ui.drawing.thumbnail(board)
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
        picture = pygame.Surface(size, pygame.SRCALPHA)  # all as wide: the words beside them stand in line
        picture.blit(pygame.transform.smoothscale(whole, small), ((size[0] - small[0]) // 2, (size[1] - small[1]) // 2))
        return picture


def rng(size: tuple[int, int]) -> pygame.Surface:
    """A picture that stands for chance: the five of a die."""
    picture = pygame.Surface((4 * size[0], 4 * size[1]), pygame.SRCALPHA)
    die = pygame.Rect(0, 0, 150, 150)
    die.center = picture.get_rect().center
    pygame.draw.rect(picture, (232, 234, 238), die, border_radius=28)
    for dx, dy in ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)):
        pygame.draw.circle(picture, (36, 40, 49), (die.centerx + dx * 40, die.centery + dy * 40), 16)
    return pygame.transform.smoothscale(picture, size)
