"""The observations of a game: the planes of its state, the codes of gym-sokoban's room_state, or pictures."""

import numpy as np
from gymnasium import spaces

from shoverworld.core.jit import resolve

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


class ObservationPainter:
    """A painter that writes the observations of games into arrays. Observations of kind `planes` need no painter."""

    def __init__(self, kind: str, state: SokobanState, largest_number: int):
        self.shape = observation_shape(kind, state.size)
        self._flat = kind == "grid"
        writers = {
            "grid": (engine.write_grid,),
            "rgb": (draw.write_rgb, draw.atlas),
            "tiny_rgb": (draw.write_tiny, draw.colours),
        }
        write, *looks = writers[kind]
        self._looks = [look(largest_number) for look in looks]
        self._write = resolve(write, state, 0, 1, *self._looks, self._canvas(self.blank(1)))

    def blank(self, games: int) -> np.ndarray:
        return np.empty((games, *self.shape), np.uint8)

    def paint(self, first: int, last: int, state: SokobanState, shown: np.ndarray) -> None:
        """Paint the observations of the games in `range(first, last)`."""
        self._write(state, first, last, *self._looks, self._canvas(shown))

    def _canvas(self, shown: np.ndarray) -> np.ndarray:
        return shown.reshape(len(shown), -1) if self._flat else shown
