"""Points and ratios: pure functions of a game's result, the reference result and what the exam says."""

from shoverworld.core.game import Game

from .exam import Points


def more_is_better(game: Game, measure: str) -> bool:
    return measure in game.maximised


def ratio_to(reference: float | None, result: float | None, more: bool) -> float | None:
    """Return how close a result came to the reference, from 0 to 1. `more`: whether larger results are better.

    Return None if one of the two is unknown. A result that is better than the reference counts as equally good.
    """
    if reference is None or result is None:
        return None
    if (result >= reference) if more else (result <= reference):
        return 1.0
    best, other = (reference, result) if more else (result, reference)
    # For example, 8 steps instead of 6 give 6 / 8. With zero or negative numbers, there is no such ratio.
    return max(0.0, other / best) if best > 0 else 0.0


def points_of(points: Points, won: bool, ratio: float | None, invalid: int, failed: bool) -> float:
    """Return the points that a game earns. Without a reference, a won game gets all points for quality."""
    earned = points.solved + points.quality * (1.0 if ratio is None else ratio) if won else 0.0
    earned -= points.invalid * invalid + (points.failure if failed else 0.0)
    return round(max(0.0, earned), 6)  # rounded, so that sums do not depend on the last bits
