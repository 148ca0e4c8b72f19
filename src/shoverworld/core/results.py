"""Arrays for the results of a step, except for the observation. The kernels of all games write to these arrays."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import inner

PLAYING = 0  # the outcome number of a game in progress


class Results(NamedTuple):
    """The results of a step, with one row for each game."""

    reward: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    outcome: NDArray[np.int8]  # index into the game's OUTCOMES; PLAYING while the game is in progress


def new_results(games: int) -> Results:
    return Results(np.zeros(games), np.zeros(games, np.bool_), np.zeros(games, np.bool_), np.zeros(games, np.int8))


@inner
def write_result(results: Results, i: int, reward: float, outcome: int) -> None:
    """Write the reward and the outcome of a step in game i."""
    results.reward[i] = reward
    results.outcome[i] = outcome


@inner
def write_flags(results: Results, first: int, last: int, timeout: int) -> int:
    """Write `terminated` and `truncated` for the games in `range(first, last)`, and return how many of them are over.

    `timeout` is the outcome of a truncated episode. A separate loop lets the processor handle many games at once.
    """
    over = 0
    for i in range(first, last):
        outcome = results.outcome[i]
        results.terminated[i] = (outcome != PLAYING) & (outcome != timeout)
        results.truncated[i] = outcome == timeout
        over += outcome != PLAYING
    return over
