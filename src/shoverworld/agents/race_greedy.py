"""The report's player of the grid race: it goes where the zombie array is lowest."""

from typing import Any

import numpy as np

from shoverworld.games.race.planner.rivals import NEVER, weigh_by_zombie
from shoverworld.games.race.rules import KEEP

from .race_ready import tiny_race


class RaceGreedyAgent:
    """Of the cells it could land on, the nearest to the finish whose line is legal and on which nobody stands; else the
    second nearest, and so on. It looks no further, so it is often too fast for the next bend; but as long as it has a legal
    move it makes one. Ties are decided by the seed. A car without a legal move has to take the penalty."""

    def __init__(self, env: Any, seed: int | None = None):
        self.env = env.unwrapped
        self.rng = np.random.default_rng(seed)
        self.costs = np.zeros(9, np.int64)
        tiny = tiny_race()
        weigh_by_zombie(tiny.get_state(), 0, tiny.rules.numbers(), self.costs)  # compiled now, which is no thinking

    def reset(self, info: dict[str, Any]) -> None:
        pass

    def act(self, obs: Any, info: dict[str, Any]) -> int:
        weigh_by_zombie(self.env.get_state(), 0, self.env.rules.numbers(), self.costs)
        best = self.costs.min()
        return int(self.rng.choice(np.flatnonzero(self.costs == best))) if best < NEVER else KEEP
