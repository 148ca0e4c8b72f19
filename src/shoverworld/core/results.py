"""What Gymnasium wants of a step beside the observation."""

from typing import NamedTuple

import numpy as np

PLAYING = 0  # the first of every game's outcomes: it goes on


class Results(NamedTuple):
    """One row a game; kernels write them."""

    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    outcome: np.ndarray  # the place in the game's own OUTCOMES; PLAYING while it goes on


def new_results(games: int) -> Results:
    return Results(np.zeros(games), np.zeros(games, np.bool_), np.zeros(games, np.bool_), np.zeros(games, np.int8))
