"""How fast the engines are: used by `shover bench` and by benchmarks/. Each room's figures have a file of their own."""

from collections.abc import Iterator

from . import race, shover, sokoban
from .figure import Figure
from .shover import BOARD, batched, single

__all__ = ["BOARD", "GAMES", "Figure", "batched", "figures", "race", "shover", "single", "sokoban"]

GAMES = {"shover": shover.figures, "sokoban": sokoban.figures, "race": race.figures}


def figures(seconds: float, games: int, threads: int, game: str | None = None) -> Iterator[Figure]:
    """Everything, or all of one game, one figure at a time. `games`: in a batch."""
    for name in [game] if game else GAMES:
        yield from GAMES[name](seconds, games, threads)
