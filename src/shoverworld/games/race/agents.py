"""The agents for the grid race: greedy, optimal and racer.

When an agent is created, it first runs once on a tiny race, so that compilation does not count as thinking time.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from .env import RaceEnv
from .planner import values_of
from .planner.rivals import NEVER, LookaheadTree, look_ahead, new_tree, play_on, weigh, weigh_by_zombie
from .rules import KEEP
from .tracks import Track

MOST_RIVALS = 3  # maximum number of rivals to consider; all other cars are assumed to drive as if they were alone
SPITE = 0.5  # value of delaying every other car by one step, relative to one step of the agent's own car
WIDTH = 5  # maximum number of actions to try for each car that is considered
POSITIONS = 4000  # approximate maximum number of positions to evaluate
ROUNDS = 3  # maximum number of rounds to look ahead
TIMES, FAR_AHEAD = 40, 12  # equally good moves are compared by TIMES simulated drives of FAR_AHEAD rounds each


@lru_cache(maxsize=1)
def tiny_race() -> RaceEnv:
    """Return a tiny race between two cars, which agents use to compile the kernels."""
    env = RaceEnv(Track.parse("S...F\nS...F"), cars=2)
    env.reset(seed=0)
    return env


class RaceGreedyAgent:
    """The agent from the race report, which moves to the cell with the lowest value in the zombie array.

    Among the cells that the car can reach with a legal move, the agent chooses the one nearest to the finish. It looks
    only one move ahead, so the car is often too fast for the next bend. The seed determines how ties are broken. If
    there is no legal move, the agent keeps the velocity of the car and incurs the penalty.
    """

    def __init__(self, env: Any, seed: int | None = None):
        self.env = env.unwrapped
        self.rng = np.random.default_rng(seed)
        self.costs = np.zeros(9, np.int64)
        tiny = tiny_race()
        weigh_by_zombie(tiny.get_state(), 0, tiny.rules.numbers(), self.costs)  # compile the kernel

    def reset(self, info: dict[str, Any]) -> None:
        pass

    def act(self, obs: Any, info: dict[str, Any]) -> int:
        weigh_by_zombie(self.env.get_state(), 0, self.env.rules.numbers(), self.costs)
        best = self.costs.min()
        return int(self.rng.choice(np.flatnonzero(self.costs == best))) if best < NEVER else KEEP


class _LookupAgent:
    """The base class of agents that look up the minimum number of moves from the car's current state to the finish."""

    def __init__(self, env: Any):
        self.env: Any = tiny_race()
        self.reset({})
        self.act(None, {})  # compile the kernels
        self.env = env.unwrapped

    def reset(self, info: dict[str, Any]) -> None:
        rules = self.env.rules
        self.values = values_of(self.env.track, rules.line, rules.finish)

    def act(self, obs: Any, info: dict[str, Any]) -> int:
        raise NotImplementedError


class RaceOptimalAgent(_LookupAgent):
    """An agent that drives to the finish in the fewest moves, as if its car were alone on the track.

    It chooses the legal move that leaves the fewest moves to the finish. It treats other cars only as obstacles on the
    cells where they are now. If several moves are equally good, it chooses the move with the lowest action number.
    """

    def __init__(self, env: Any):
        self.costs = np.zeros(9, np.int64)
        super().__init__(env)

    def act(self, obs: Any, info: dict[str, Any]) -> int:
        weigh(self.env.get_state(), 0, self.env.rules.numbers(), self.values.table, self.costs)
        return int(self.costs.argmin()) if self.costs.min() < NEVER else KEEP


class RaceRacerAgent(_LookupAgent):
    """An agent that plans around the other cars.

    It knows the minimum number of moves to the finish from every position and velocity. It searches the next turns of
    its own car and of nearby cars, assuming that each car does what is best for itself. As a result, it takes cells
    that a rival needs, overtakes where the track will be clear, and avoids positions that could leave its car without a
    legal move. Among equally good moves, it chooses the one with the best average result in simulated drives. In the
    same situation, it always makes the same move.
    """

    def __init__(self, env: Any, spite: float = SPITE, positions: int = POSITIONS):
        self.spite, self.positions = spite, positions
        super().__init__(env)

    def act(self, obs: Any, info: dict[str, Any]) -> int:
        answer = self._think(self.env.get_state())
        return int(answer.argmax()) if answer.max() > -np.inf else KEEP

    def _think(self, state: Any) -> np.ndarray:
        """Return the value of each action; -inf for actions that are illegal or not among the best."""
        numbers, table = self.env.rules.numbers(), self.values.table
        cars, racing = state.car_count, int(state.game["racing"][0])
        width = np.ones(cars, np.int64)
        width[[self.env.turn, *rivals_of(state, self.env.turn)]] = WIDTH
        turns = self._turns(width, racing)
        tree: LookaheadTree = new_tree(state, turns)
        state.copy_to(tree.state.row(0))
        spite = self.spite / max(1, cars - 1)
        look_ahead(tree, numbers, table, turns, width, spite)
        tree.answer[tree.answer < tree.answer.max()] = -np.inf
        if racing > 1 and np.isfinite(tree.answer).sum() > 1:
            play_on(tree, numbers, table, FAR_AHEAD * racing, TIMES, spite)
        return tree.answer

    def _turns(self, width: np.ndarray, racing: int) -> int:
        """Return the number of turns to look ahead. Each additional turn multiplies the number of positions."""
        turns, positions = 1, 9
        while turns < ROUNDS * racing:
            positions *= int(width[(self.env.turn + turns) % len(width)])
            if positions > self.positions:
                break
            turns += 1
        return turns


def rivals_of(state: Any, who: int) -> list[int]:
    """Return up to MOST_RIVALS cars that could meet car `who` within two rounds, nearest first."""
    numbers = state.car_numbers()[0].astype(np.int64)
    place, velocity = numbers[:, :2], numbers[:, 2:4]
    gaps = [np.abs(place + n * velocity - place[who] - n * velocity[who]).max(axis=1) for n in (1, 2)]
    near = ((gaps[0] <= 2) | (gaps[1] <= 6)) & (state.cars["place"][0] == 0)
    near[who] = False
    return sorted(np.flatnonzero(near).tolist(), key=lambda car: (min(gaps[0][car], gaps[1][car]), car))[:MOST_RIVALS]
