"""Trained policies and their files.

A file stores only the weights that matter, as bytes with one scale, so that a packaged model is small.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from os import PathLike
from typing import Any

import numpy as np

from shoverworld.core.errors import ConfigError, ModelError
from shoverworld.core.game import Game
from shoverworld.core.learning import Learning
from shoverworld.games import all_games, game_named

from .archive import read_archive, write_archive

KIND = "model"
_LARGEST = 127  # of a stored weight


def learning_of(game: Game) -> Learning:
    """Return what a game brings for learning. Raise ConfigError if it brings nothing."""
    if game.learning is None:
        raise ConfigError(f"there is no learned policy for {game.title}; there is one for {', '.join(able_games())}")
    return game.learning


def able_games() -> list[str]:
    """Return the names of the games that can learn."""
    return [name for name, game in all_games().items() if game.learning is not None]


@dataclass(frozen=True)
class Model:
    """A policy for one game: a table of weights, and where it comes from.

    game, version: the game and the version of its features. table: float32, the size is a power of two.
    about: the seed, the data, the settings and the progress of the training, as plain values.
    """

    game: str
    version: int
    table: np.ndarray
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model, with its weights rounded to bytes. Equal models give equal files."""
        table = self.table
        largest = float(np.abs(table).max(initial=0.0))
        scale = np.float32(largest / _LARGEST if largest else 1.0)
        rounded = np.rint(table / scale).astype(np.int8)
        used = rounded != 0
        header = {"game": self.game, "version": self.version, "size": len(table), "about": dict(self.about)}
        arrays = {"used": np.packbits(used), "weights": rounded[used], "scale": np.array([scale], np.float32)}
        write_archive(path, KIND, header, arrays, compress=True)

    @classmethod
    def load(cls, path: str | PathLike[str], game: Game | str | None = None) -> "Model":
        """Read a model. Raise ModelError if the file is not a model, or not one for this game and its features."""
        header, arrays = read_archive(path, KIND)
        try:
            model = cls(
                str(header["game"]), int(header["version"]), _table(int(header["size"]), arrays), header["about"]
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path}: a damaged model file ({error}); train the model again") from None
        if game is not None:
            model.check(game_named(game) if isinstance(game, str) else game, str(path))
        return model

    def check(self, game: Game, source: str = "model") -> None:
        """Raise ModelError unless the model is for this game and for the current version of its features."""
        learning = learning_of(game)
        if self.game != game.name:
            raise ModelError(f"{source}: a model for the game {self.game!r:.40}; expected one for {game.name!r}")
        if self.version != learning.version:
            raise ModelError(
                f"{source}: made for version {self.version} of the features; this version of shoverworld has version "
                f"{learning.version}. Train the model again with `shover learn {game.name}`"
            )


def _table(size: int, arrays: dict[str, np.ndarray]) -> np.ndarray:
    """Return the table that the arrays of a file describe. Raise ValueError if they do not fit."""
    if size < 2 or size & (size - 1) or size > 1 << 28:
        raise ValueError(f"the size {size} is not a power of two up to 2^28")
    used, weights, scale = arrays["used"], arrays["weights"], arrays["scale"]
    if used.dtype != np.uint8 or used.shape != ((size + 7) // 8,) or weights.dtype != np.int8 or scale.shape != (1,):
        raise ValueError("the arrays have wrong shapes or types")
    places = np.flatnonzero(np.unpackbits(used, count=size))
    if weights.shape != places.shape or not np.isfinite(scale).all():
        raise ValueError("the number of weights is wrong")
    table = np.zeros(size, np.float32)
    table[places] = weights.astype(np.float32) * scale.astype(np.float32)
    return table


@cache
def packaged_model(name: str) -> Model:
    """Return the model that comes with the package for a game."""
    game = game_named(name)
    return Model.load(learning_of(game).model, game)
