"""The player of the grid race that knows the fewest moves from everywhere, and thinks that it is alone."""

from typing import Any

import numpy as np

from shoverworld.games.race.planner import values_of
from shoverworld.games.race.planner.rivals import NEVER, weigh
from shoverworld.games.race.rules import KEEP

from .race_ready import tiny_race


class RaceOptimalAgent:
    """Makes the move after which the fewest are left, of those that are legal now; with nobody in the way that is an optimal
    run. Another car is an obstacle where it stands, and nothing more. Of equal moves it takes the first."""

    def __init__(self, env: Any):
        self.costs = np.zeros(9, np.int64)
        self.env: Any = tiny_race()
        self.reset({})
        self.act(None, {})  # compiled now, which is no thinking
        self.env = env.unwrapped

    def reset(self, info: dict[str, Any]) -> None:
        rules = self.env.rules
        self.values = values_of(self.env.track, rules.line, rules.finish)

    def act(self, obs: Any, info: dict[str, Any]) -> int:
        weigh(self.env.get_state(), 0, self.env.rules.numbers(), self.values.table, self.costs)
        return int(self.costs.argmin()) if self.costs.min() < NEVER else KEEP
