"""The player of the grid race that knows the fewest moves from everywhere, and thinks that it is alone."""

from typing import Any

import numpy as np

from shoverworld.games.race.planner import values_of
from shoverworld.games.race.planner.rivals import NEVER, weigh
from shoverworld.games.race.rules import KEEP


class RaceOptimalAgent:
    """Makes the move after which the fewest are left, of those that are legal now; with nobody in the way that is an optimal
    run. Another car is an obstacle where it stands, and nothing more. Of equal moves it takes the first."""

    def __init__(self, env: Any):
        self.env = env.unwrapped
        self.costs = np.zeros(9, np.int64)

    def reset(self, info: dict[str, Any]) -> None:
        rules = self.env.rules
        self.values = values_of(self.env.track, rules.line, rules.finish)
        weigh(self.env.get_state(), 0, rules.numbers(), self.values.table, self.costs)  # compiled now

    def act(self, obs: Any, info: dict[str, Any]) -> int:
        weigh(self.env.get_state(), 0, self.env.rules.numbers(), self.values.table, self.costs)
        return int(self.costs.argmin()) if self.costs.min() < NEVER else KEEP
