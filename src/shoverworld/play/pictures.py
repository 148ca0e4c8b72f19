"""Draws scenes without a window, as NumPy arrays for videos and image files."""

import numpy as np

from shoverworld.core.canvas import Canvas
from shoverworld.core.game import Game
from shoverworld.core.ui import Motion, Scene, Sprite

BACKGROUND = (24, 26, 32)
FLOOR = (226, 222, 211)  # visible where a tile does not cover its cell
LARGEST_CELL, SMALLEST_CELL = 56, 4
RULER = 18  # width of the rulers with row and column numbers, in pixels
RULED = 20  # the minimum cell size with rulers
NUMBERS = (172, 180, 194)  # the colour of these numbers


class ScenePainter:
    """Draws scenes that all have the same size, centred on a canvas and as large as possible. Each tile is drawn
    once and then reused."""

    def __init__(
        self,
        game: Game,
        scene: Scene,
        size: tuple[int, int] | None = None,
        cell: int | None = None,
        rulers: bool = False,
    ):
        """Prepare a canvas for scenes of the same size as `scene`. Without `size`, the canvas is as large as the
        board. `rulers` adds row and column numbers above and on the left if the cells are large enough."""
        self.game = game
        self.rows, self.cols = scene.tiles.shape
        self.rim = scene.rim
        rimmed = 0 if self.rim is None else 1  # the rim adds half a cell on each side
        width, height = size or (LARGEST_CELL, LARGEST_CELL)
        for self.ruler in (RULER, 0) if rulers else (0,):
            across, down = (width - self.ruler) // (self.cols + rimmed), (height - self.ruler) // (self.rows + rimmed)
            self.cell = max(SMALLEST_CELL, cell or min(LARGEST_CELL, across, down))
            if self.cell >= RULED:
                break
        self.border = rimmed * (self.cell // 2)
        high, wide = self.rows * self.cell + 2 * self.border, self.cols * self.cell + 2 * self.border
        self.width, self.height = size or (wide + self.ruler, high + self.ruler)
        # Greater than 1 if the board does not fit even with the smallest cells: then only some of its pixels are shown.
        self.coarser = max(1, -(-high // self.height), -(-wide // self.width))
        self.top = self.ruler + max(0, self.height - self.ruler - -(-high // self.coarser)) // 2
        self.left = self.ruler + max(0, self.width - self.ruler - -(-wide // self.coarser)) // 2
        self.empty = self._empty()
        self.tiles: dict[int, np.ndarray] = {}

    def picture(self, scene: Scene) -> np.ndarray:
        """Return a picture of a scene at rest, as a uint8 array of shape (height, width, 3)."""
        board = self._board(scene.tiles)
        for actor in scene.actors:
            self._put(board, actor, 1.0)
        return self._canvas(board)

    def moving(self, scene: Scene, motion: Motion, share: float) -> np.ndarray:
        """Return a picture of the motion that leads to `scene`. `share`: how much of the motion is complete at this
        moment, from 0 to 1."""
        tiles = scene.tiles.copy()
        for cell, tile in motion.under.items():
            tiles[cell] = tile
        board = self._board(tiles)
        for sprite in motion.sprites:
            self._put(board, sprite, eased(share))
        return self._canvas(board)

    def _tile(self, tile: int) -> np.ndarray:
        if tile not in self.tiles:
            self.tiles[tile] = self.game.ui.drawing.tile(tile, self.cell)
        return self.tiles[tile]

    def _board(self, tiles: np.ndarray) -> np.ndarray:
        rows, cols = self.rows, self.cols
        if self.rim is not None:
            tiles, rows, cols = np.pad(tiles, 1, constant_values=self.rim), rows + 2, cols + 2
        kinds, places = np.unique(tiles, return_inverse=True)
        pictures = np.stack([_over(np.array(FLOOR), self._tile(int(kind)), 1.0) for kind in kinds])
        board = pictures[places.reshape(rows, cols)].transpose(0, 2, 1, 3, 4)
        board = board.reshape(rows * self.cell, cols * self.cell, 3)
        cut = self.cell - self.border if self.rim is not None else 0
        return board[cut : len(board) - cut, cut : len(board[0]) - cut]

    def _put(self, board: np.ndarray, sprite: Sprite, share: float) -> None:
        """Draw a sprite, clipped at the edge of the board."""
        row, col = (start + (end - start) * share for start, end in zip(sprite.start, sprite.end, strict=True))
        opacity = sprite.opacity[0] + (sprite.opacity[1] - sprite.opacity[0]) * share
        scale = sprite.scale[0] + (sprite.scale[1] - sprite.scale[0]) * share
        side = round(self.cell * scale)
        if side < 1 or opacity <= 0:
            return
        picture = self._tile(sprite.tile)
        if side != self.cell:  # nearest-neighbour scaling is good enough for a short animation
            nearest = np.minimum(np.arange(side) * self.cell // side, self.cell - 1)
            picture = picture[nearest][:, nearest]
        top, left = (self.border + round((at + 0.5) * self.cell - side / 2) for at in (row, col))
        into = board[max(0, top) : max(0, top + side), max(0, left) : max(0, left + side)]
        if into.size:
            part = picture[max(0, -top) :, max(0, -left) :][: into.shape[0], : into.shape[1]]
            into[:] = _over(into, part, opacity)

    def _canvas(self, board: np.ndarray) -> np.ndarray:
        board = board[:: self.coarser, :: self.coarser]
        if board.shape[:2] == (self.height, self.width):
            return np.ascontiguousarray(board)
        canvas = self.empty.copy()
        canvas[self.top : self.top + board.shape[0], self.left : self.left + board.shape[1]] = board
        return canvas

    def _empty(self) -> np.ndarray:
        """Return the canvas without the board, but with the rulers."""
        canvas = np.full((self.height, self.width, 3), BACKGROUND, np.uint8)
        if self.ruler:
            middle = self.border + (self.cell - RULER) // 2
            for row in range(self.rows):
                y, x = self.top + middle + row * self.cell, self.left - RULER
                canvas[y : y + RULER, x : x + RULER] = _number(row)
            for col in range(self.cols):
                y, x = self.top - RULER, self.left + middle + col * self.cell
                canvas[y : y + RULER, x : x + RULER] = _number(col)
        return canvas


def _number(number: int) -> np.ndarray:
    """Return a picture of a number on a ruler."""
    canvas, text = Canvas(RULER, BACKGROUND), str(number)
    canvas.written(text, NUMBERS, unit=0.13 if len(text) < 3 else 0.1, half_width=0.035)
    return canvas.result()[..., :3]


def eased(share: float) -> float:
    """Return the fraction of the distance covered after this fraction of the time. A motion is fast at first, so that
    the player sees the effect of a key press at once, and slower later."""
    return 1 - (1 - share) ** 2


def _over(below: np.ndarray, picture: np.ndarray, opacity: float) -> np.ndarray:
    """Blend an RGBA picture over RGB colours."""
    cover = picture[..., 3:].astype(np.float32) * (opacity / 255)
    return np.round(below + (picture[..., :3] - below.astype(np.float32)) * cover).astype(np.uint8)
