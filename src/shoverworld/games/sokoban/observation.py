"""The observations of a game: the planes of its state, the codes of gym-sokoban's room_state, or pictures."""

import numpy as np
from gymnasium import spaces

from shoverworld.core.painter import Painter

from . import draw, engine
from .state import BOX, PLAYER, TARGET, SokobanState

OBSERVATIONS = ("planes", "grid", "rgb", "tiny_rgb")


def observation_space(kind: str, size: tuple[int, int], players: int, largest_number: int) -> spaces.Box:
    """Return the observation space for rooms of this size.

    `largest_number` is the largest box number, or 1 if boxes have no numbers.
    """
    shape = observation_shape(kind, size)
    if kind == "planes":
        high = np.ones((PLAYER + players, *size), np.uint8)
        high[[TARGET, BOX]] = largest_number
        return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
    return spaces.Box(0, engine.PLAYER_CODE if kind == "grid" else 255, shape, np.uint8)


def observation_shape(kind: str, size: tuple[int, int]) -> tuple[int, ...]:
    """Return the shape of an observation of any kind except `planes`."""
    rows, cols = size
    pictures = {"rgb": (rows * draw.CELL_SIZE, cols * draw.CELL_SIZE, 3), "tiny_rgb": (rows, cols, 3)}
    return pictures.get(kind, size)


def plane_rows(count: int, state: SokobanState) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return an array for this many observations of the kind `planes`, and the observations as views of this array."""
    planes = np.empty((count, *state.planes.shape[1:]), np.uint8)
    return planes, list(planes.reshape(*planes.shape[:2], *state.size))


def painter_for(kind: str, state: SokobanState, largest_number: int) -> Painter | None:
    """Return the painter for any observation except `planes`, which are views of the state."""
    if kind == "planes":
        return None
    write, looks = {
        "grid": (engine.write_grid, ()),
        "rgb": (draw.write_rgb, (draw.atlas(largest_number),)),
        "tiny_rgb": (draw.write_tiny, (draw.colours(largest_number),)),
    }[kind]
    return Painter(write, state, looks, observation_shape(kind, state.size), np.uint8)
