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
def write_result(results: Results, i: int, reward: float, outcome: int, timeout: int) -> None:
    """Write the result of a step in game i. `timeout` is the outcome that truncates the episode."""
    results.reward[i] = reward
    results.terminated[i] = (outcome != PLAYING) & (outcome != timeout)
    results.truncated[i] = outcome == timeout
    results.outcome[i] = outcome
