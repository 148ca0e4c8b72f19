"""The observations of a game: a dict, the codes of the cells, planes, or a picture.

The drawing shows four planes of a map; from left to right, these are barrier, lava, box and shover. The last four
planes mark the boxes that the last step moved up, right, down or left. Pushing one of these boxes again in the same
direction saves the initial force (1.3).

    # . L     1 0 0   0 0 1   0 0 0   0 0 0
    A B .     0 0 0   0 0 0   0 1 0   1 0 0
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from shoverworld.core.grid import ahead, cell_at, col_of, index, row_of
from shoverworld.core.jit import inner, kernel
from shoverworld.core.painter import Painter

from . import draw
from .config import Rules
from .rules import is_box
from .state import BARRIER, EMPTY, LAVA, State
from .tiles import SHOVER_TILE, tile

OBSERVATIONS = ("dict", "grid", "planes", "rgb")
SHOVER_CODE = 50  # the code of the shover's cell, which is always empty, in the observation "grid"
BARRIERS, LAVAS, BOXES, SHOVER, MOVED = range(5)  # planes; MOVED is the first of four
PLANES = MOVED + 4
CELL_SIZE = 16  # the side length of a cell in the observation "rgb", in pixels


def observation_space(kind: str, rules: Rules, rows: int, cols: int) -> spaces.Space[Any]:
    """Return the observation space for maps of this size (1.7)."""
    if kind == "grid":
        return spaces.Box(LAVA, BARRIER, (rows, cols), np.int8)
    if kind != "dict":
        return spaces.Box(0, 1 if kind == "planes" else 255, _shape(kind, rows, cols), np.uint8)
    corner = np.array([rows - 1, cols - 1], np.int64)
    return spaces.Dict(
        {
            "grid": spaces.Box(LAVA, BARRIER, (rows, cols), np.int8),
            "agent": spaces.Box(np.zeros(2, np.int64), corner, dtype=np.int64),
            "direction": spaces.Discrete(4),
            "stamina": spaces.Box(-np.inf, np.inf, (1,), np.float64),
            "previous_selected_position": spaces.Box(np.full(2, -1, np.int64), corner, dtype=np.int64),
            "previous_action": spaces.Box(-1, rules.first_z + rules.z_count - 1, (1,), np.int64),
        }
    )


def _shape(kind: str, rows: int, cols: int) -> tuple[int, ...]:
    shapes = {"planes": (PLANES, rows, cols), "rgb": (rows * CELL_SIZE, cols * CELL_SIZE, 3)}
    return shapes.get(kind, (rows, cols))


def views(state: State) -> dict[str, np.ndarray]:
    """Return the observation "dict" as views of the state, with one row for each game."""
    return {
        "grid": state.grid(),
        "agent": state.pair("row"),
        "direction": state.game["direction"],
        "stamina": state.game["stamina"][:, np.newaxis],
        "previous_selected_position": state.pair("previous_row"),
        "previous_action": state.game["previous_action"][:, np.newaxis],
    }


def painter_for(kind: str, state: State) -> Painter | None:
    """Return the painter for any observation except "dict", which consists of views of the state."""
    if kind == "dict":
        return None
    write, looks, dtype = {
        "grid": (write_grid, (), np.int8),
        "planes": (write_planes, (), np.uint8),
        "rgb": (write_rgb, (atlas(),), np.uint8),
    }[kind]
    rows, cols = state.grid().shape[1:]
    return Painter(write, state, looks, _shape(kind, rows, cols), dtype)


class DictRows(NamedTuple):
    """Several observations of the kind "dict", without `direction`, which is a number and not an array."""

    grid: np.ndarray  # int8 (N, rows, cols)
    agent: np.ndarray  # int64 (N, 2)
    stamina: np.ndarray  # float64 (N, 1)
    previous_selected_position: np.ndarray  # int64 (N, 2)
    previous_action: np.ndarray  # int64 (N, 1)


def dict_rows(count: int, rows: int, cols: int) -> tuple[DictRows, list[dict[str, Any]]]:
    """Return arrays for this many observations, and the observations as views of these arrays."""
    # The arrays share one block of memory, because the environment checks the references to each block (compiled_env.py).
    numbers, used = np.empty(count * 6 + -(-count * rows * cols // 8), np.int64), count * np.array([2, 3, 5, 6])
    agent, stamina, position, action, cells = np.split(numbers, used)
    arrays = DictRows(
        cells.view(np.int8)[: count * rows * cols].reshape(count, rows, cols),
        agent.reshape(count, 2),
        stamina.view(np.float64).reshape(count, 1),
        position.reshape(count, 2),
        action.reshape(count, 1),
    )
    observations: list[dict[str, Any]] = [
        {
            "grid": grid,
            "agent": agent,
            "direction": None,
            "stamina": stamina,
            "previous_selected_position": position,
            "previous_action": action,
        }
        for grid, agent, stamina, position, action in zip(*arrays, strict=True)
    ]
    return arrays, observations


# ---------------------------------------------------------------- writing


@inner
def write_dict(state, i, shown, k):
    """Write row k of a `DictRows` for game i."""
    board, game, grid = state.board[i], state.game[i], shown.grid[k]
    for row in range(grid.shape[0]):
        for col in range(grid.shape[1]):
            grid[row, col] = board[index(cell_at(row, col, state.width))]
    shown.agent[k, 0], shown.agent[k, 1] = game.row, game.col
    shown.stamina[k, 0] = game.stamina
    shown.previous_selected_position[k, 0] = game.previous_row
    shown.previous_selected_position[k, 1] = game.previous_col
    shown.previous_action[k, 0] = game.previous_action


@kernel
def write_dict_rows(first, last, state, shown, direction):
    """Write the observation "dict" of the games in `range(first, last)`. `direction` is int64 (N,)."""
    for i in range(index(first), index(last)):
        write_dict(state, i, shown, i)
        direction[i] = state.game[i].direction


@kernel
def write_grid(state, first, last, shown):
    """Write the codes of the cells. `shown` is int8 (N, rows, cols)."""
    for i in range(first, last):
        board, game = state.board[i], state.game[i]
        for row in range(shown.shape[1]):
            for col in range(shown.shape[2]):
                shown[i, row, col] = board[cell_at(row, col, state.width)]
        shown[i, game.row, game.col] = SHOVER_CODE


@kernel
def write_planes(state, first, last, shown):
    """Write the planes. `shown` is uint8 (N, PLANES, rows, cols)."""
    for i in range(first, last):
        board, game, planes = state.board[i], state.game[i], shown[i]
        for row in range(planes.shape[1]):
            for col in range(planes.shape[2]):
                content = board[cell_at(row, col, state.width)]
                planes[BARRIERS, row, col] = content == BARRIER
                planes[LAVAS, row, col] = content == LAVA
                planes[BOXES, row, col] = is_box(content)
                for plane in range(SHOVER, PLANES):
                    planes[plane, row, col] = 0
        planes[SHOVER, game.row, game.col] = 1
        cell = game.moving_cell
        for _ in range(game.moving):
            # A moving box may have dissolved with its square.
            planes[MOVED + game.moving_direction, row_of(cell, state.width), col_of(cell, state.width)] = is_box(
                board[cell]
            )
            cell += ahead(game.moving_direction, state.width)


class Atlas(NamedTuple):
    """The tiles, as arrays for the kernel."""

    cells: np.ndarray  # uint8 (tiles, 16, 16, 3): empty, boxes of strength 1 to 10, lava, barrier
    shovers: np.ndarray  # uint8 (4, 16, 16, 3): the shover on an empty cell, by direction
    mark: np.ndarray  # uint8 (3,): the colour of the border around a perfect square


@lru_cache(maxsize=1)
def atlas() -> Atlas:
    cells = np.stack([tile(content, CELL_SIZE)[..., :3] for content in (EMPTY, *range(1, 11), LAVA, BARRIER)])
    shovers = np.stack([cells[0]] * 4)
    for direction, cell in enumerate(shovers):
        draw.overlay(cell, 0, 0, tile(SHOVER_TILE + direction, CELL_SIZE))
    return Atlas(cells, shovers, np.array(draw.SQUARE_MARK, np.uint8))


@inner
def put_tile(pixels, row, col, picture):
    """Copy a tile to a cell."""
    for y in range(CELL_SIZE):
        for x in range(CELL_SIZE):
            for part in range(3):
                pixels[row * CELL_SIZE + y, col * CELL_SIZE + x, part] = picture[y, x, part]


@inner
def outline(pixels, row, col, n, colour):
    """Draw a border, one pixel wide, around n x n cells."""
    top, left, side = row * CELL_SIZE, col * CELL_SIZE, n * CELL_SIZE - 1
    for place in range(side + 1):
        for part in range(3):
            pixels[top, left + place, part] = pixels[top + side, left + place, part] = colour[part]
            pixels[top + place, left, part] = pixels[top + place, left + side, part] = colour[part]


@kernel
def write_rgb(state, first, last, atlas, shown):
    """Write the pictures that draw.py draws with 16 pixels per cell. `shown` is uint8 (N, rows * 16, cols * 16, 3)."""
    for i in range(first, last):
        board, game, pixels = state.board[i], state.game[i], shown[i]
        for row in range(shown.shape[1] // CELL_SIZE):
            for col in range(shown.shape[2] // CELL_SIZE):
                content = int(board[cell_at(row, col, state.width)])
                number = 11 if content == LAVA else 12 if content == BARRIER else content
                put_tile(pixels, row, col, atlas.cells[number])
        put_tile(pixels, game.row, game.col, atlas.shovers[game.direction])
        for place in range(game.squares):
            square = state.squares[i, place]
            outline(pixels, int(square.row), int(square.col), int(square.n), atlas.mark)
