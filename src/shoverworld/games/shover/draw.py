"""Pictures of a game, made with NumPy alone: tiles at any cell size, and plain text.

Shapes are drawn as signed distances (negative inside) in units of a cell, so edges are smooth at any size and every
kind of cell differs in form as well as in colour.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from shoverworld.core.checks import whole
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP

from .maps import Map
from .state import BARRIER, EMPTY, LAVA, OUTCOMES, State

CELL_SIZE = 48

FLOOR = (226, 222, 211)
GRID_LINE = (208, 203, 190)
WOOD, WOOD_DARK, WOOD_LIGHT = (198, 141, 76), (128, 82, 38), (222, 172, 108)
STONE, STONE_DARK, STONE_LIGHT = (96, 103, 117), (58, 63, 74), (128, 136, 150)
LAVA_DARK, LAVA_RED, LAVA_GLOW = (120, 22, 10), (226, 66, 20), (255, 190, 60)
SHOVER, SHOVER_DARK, SHOVER_FACE = (36, 122, 178), (17, 62, 96), (250, 224, 190)
SQUARE_MARK = (40, 150, 90)

# 3 x 5 dots a digit.
DIGITS = {
    "0": "010101101101010", "1": "010110010010111", "2": "111001111100111", "3": "111001111001111", "4": "101101111001001",
    "5": "111100111001111", "6": "111100111101111", "7": "111001010010010", "8": "111101111101111", "9": "111101111001111",
}  # fmt: skip


def checked_cell_size(size: Any) -> int:
    return whole("cell_size", size, 4, 512)


# --- the brush


class _Tile:
    """A square canvas with coordinates from -0.5 to 0.5, on which distances are filled with colour."""

    def __init__(self, size: int, colour: tuple[int, int, int]):
        self.size = size
        self.pixels = np.full((size, size, 3), colour, np.float64)
        steps = (np.arange(size) + 0.5) / size - 0.5
        self.x, self.y = np.meshgrid(steps, steps)

    def fill(self, distance: np.ndarray, colour: tuple[int, int, int], opacity: float = 1.0) -> None:
        cover = np.clip(0.5 - distance * self.size, 0, 1)[..., None] * opacity
        self.pixels += cover * (np.array(colour) - self.pixels)

    def box(self, x: float, y: float, half_w: float, half_h: float, radius: float = 0.0) -> np.ndarray:
        dx, dy = np.abs(self.x - x) - half_w + radius, np.abs(self.y - y) - half_h + radius
        return np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - radius

    def disc(self, x: float, y: float, radius: float) -> np.ndarray:
        return np.hypot(self.x - x, self.y - y) - radius

    def line(self, x0: float, y0: float, x1: float, y1: float, half_width: float) -> np.ndarray:
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((self.x - x0) * dx + (self.y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
        return np.hypot(self.x - x0 - along * dx, self.y - y0 - along * dy) - half_width

    def result(self) -> np.ndarray:
        return np.clip(np.round(self.pixels), 0, 255).astype(np.uint8)


# --- the tiles


@lru_cache(maxsize=512)
def tile(content: int, size: int) -> np.ndarray:
    """The picture of a cell with this content."""
    canvas = _Tile(size, FLOOR)
    canvas.fill(-canvas.box(0, 0, 0.5 - 0.5 / size, 0.5 - 0.5 / size), GRID_LINE)
    if content == LAVA:
        _draw_lava(canvas)
    elif content == BARRIER:
        _draw_barrier(canvas)
    elif content != EMPTY:
        _draw_box(canvas, content)
    return canvas.result()


def _draw_box(t: _Tile, strength: int) -> None:
    t.fill(t.box(0, 0, 0.43, 0.43, 0.06), WOOD_DARK)
    t.fill(t.box(0, 0, 0.39, 0.39, 0.04), WOOD)
    for y in (-0.13, 0.13):
        t.fill(t.box(0, y, 0.39, 0.012), WOOD_DARK, 0.5)
    for x in (-0.33, 0.33):
        t.fill(t.box(x, 0, 0.06, 0.39, 0.02), WOOD_LIGHT)
        t.fill(np.abs(t.box(x, 0, 0.06, 0.39, 0.02)) - 0.008, WOOD_DARK, 0.6)
    if t.size >= 20:
        t.fill(t.disc(0, 0, 0.19), WOOD_LIGHT)
        t.fill(np.abs(t.disc(0, 0, 0.19)) - 0.012, WOOD_DARK, 0.8)
        _draw_number(t, str(strength))


def _draw_number(t: _Tile, text: str) -> None:
    dot = max(1, round(t.size * 0.045))
    width = (4 * len(text) - 1) * dot
    top, left = (t.size - 5 * dot) // 2, (t.size - width) // 2
    for i, digit in enumerate(text):
        for place, on in enumerate(DIGITS[digit]):
            if on == "1":
                row, col = top + place // 3 * dot, left + (4 * i + place % 3) * dot
                t.pixels[row : row + dot, col : col + dot] = WOOD_DARK


def _draw_barrier(t: _Tile) -> None:
    t.fill(t.box(0, 0, 0.49, 0.49, 0.03), STONE_DARK)
    for row in range(3):
        y = -0.32 + 0.32 * row
        for x in (-0.25, 0.25) if row % 2 == 0 else (-0.43, 0.0, 0.43):
            half = 0.225 if row % 2 == 0 else (0.185 if x == 0 else 0.055)
            t.fill(t.box(x, y, half, 0.135, 0.03), STONE)
            t.fill(t.box(x, y - 0.10, half - 0.02, 0.018), STONE_LIGHT, 0.8)


def _draw_lava(t: _Tile) -> None:
    t.fill(t.box(0, 0, 0.5, 0.5), LAVA_RED)
    wave = 0.06 * np.sin(2 * np.pi * t.x)
    for y, half in ((-0.30, 0.055), (0.02, 0.075), (0.34, 0.055)):
        t.fill(np.abs(t.y - y - wave) - half, LAVA_GLOW, 0.9)
        t.fill(np.abs(t.y - y - 0.15 - wave) - 0.03, LAVA_DARK, 0.7)
    for x, y, r in ((-0.22, -0.14, 0.06), (0.26, 0.18, 0.08), (-0.1, 0.2, 0.045)):
        t.fill(t.disc(x, y, r), LAVA_DARK, 0.8)
        t.fill(t.disc(x - r / 4, y - r / 4, r * 0.6), LAVA_GLOW)


@lru_cache(maxsize=64)
def shover(direction: int, size: int) -> np.ndarray:
    """The shover on the floor: a round worker whose cap and arms point the way he faces."""
    t = _Tile(size, FLOOR)
    t.fill(-t.box(0, 0, 0.5 - 0.5 / size, 0.5 - 0.5 / size), GRID_LINE)
    dx, dy = {UP: (0, -1), RIGHT: (1, 0), DOWN: (0, 1), LEFT: (-1, 0)}[direction]
    for side in (-1, 1):  # arms stretched ahead
        x, y = -dy * side * 0.26, dx * side * 0.26
        t.fill(t.line(x, y, x + dx * 0.34, y + dy * 0.34, 0.085), SHOVER_DARK)
        t.fill(t.disc(x + dx * 0.34, y + dy * 0.34, 0.065), SHOVER_FACE)
    t.fill(t.disc(0, 0, 0.32), SHOVER_DARK)
    t.fill(t.disc(0, 0, 0.28), SHOVER)
    t.fill(t.disc(dx * 0.07, dy * 0.07, 0.17), SHOVER_FACE)
    t.fill(np.maximum(t.disc(dx * 0.02, dy * 0.02, 0.19), (t.x * dx + t.y * dy) - 0.06), SHOVER_DARK)
    t.fill(
        t.line(-dy * 0.15 + dx * 0.09, dx * 0.15 + dy * 0.09, dy * 0.15 + dx * 0.09, -dx * 0.15 + dy * 0.09, 0.035),
        SHOVER,
    )
    return t.result()


# --- the board


def picture(state: State, i: int = 0, cell_size: int = CELL_SIZE) -> np.ndarray:
    """Game i as an RGB picture (rows * cell_size, cols * cell_size, 3); perfect squares have a green border."""
    grid = state.grid()[i]
    rows, cols = grid.shape
    contents, places = np.unique(grid, return_inverse=True)
    tiles = np.stack([tile(int(content), cell_size) for content in contents])
    image = tiles[places.reshape(rows, cols)].transpose(0, 2, 1, 3, 4).reshape(rows * cell_size, cols * cell_size, 3)
    game: Any = state.game[i]
    row, col = int(game.row), int(game.col)
    if grid[row, col] == EMPTY:
        image[row * cell_size : (row + 1) * cell_size, col * cell_size : (col + 1) * cell_size] = shover(
            int(game.direction), cell_size
        )
    for n, top, left in state.squares_found()[i, : game.squares].tolist():
        _outline(image, top, left, n, cell_size)
    return image


def _outline(image: np.ndarray, row: int, col: int, n: int, size: int) -> None:
    top, left, bottom, right = row * size, col * size, (row + n) * size, (col + n) * size
    thick = max(1, size // 16)
    image[top : top + thick, left:right] = image[bottom - thick : bottom, left:right] = SQUARE_MARK
    image[top:bottom, left : left + thick] = image[top:bottom, right - thick : right] = SQUARE_MARK


def text(state: State, i: int = 0) -> str:
    """Game i as plain text: a line of figures, then the map in Format B."""
    game: Any = state.game[i]
    outcome = OUTCOMES[game.outcome]
    head = f"step {game.timestep}  stamina {game.stamina:g}  boxes {game.boxes}  destroyed {game.destroyed}"
    board = Map(state.grid()[i], (int(game.row), int(game.col)))
    return f"{head}{'  ' + outcome if outcome else ''}\n{board}\n"
