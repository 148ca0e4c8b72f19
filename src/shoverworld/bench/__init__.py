"""`shover bench` runs the benchmarks of the games (games/NAME/bench.py)."""

from collections.abc import Iterator

from shoverworld.core.measuring import Measurement
from shoverworld.games import all_games, game_named

__all__ = ["Measurement", "figures"]


def figures(seconds: float, games: int, threads: int, game: str | None = None) -> Iterator[Measurement]:
    """Yield the measurements of all games, or only of `game`. `games`: the number of games in a batch."""
    for each in [game_named(game)] if game else all_games().values():
        if each.bench is not None:
            yield from each.bench.figures(seconds, games, threads)
