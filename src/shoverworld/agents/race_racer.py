"""The player of the grid race that sees the other cars."""

from typing import Any

import numpy as np

from shoverworld.games.race.planner import values_of
from shoverworld.games.race.planner.rivals import LookaheadTree, look_ahead, new_tree, play_on
from shoverworld.games.race.rules import KEEP

from .race_ready import tiny_race

MOST_RIVALS = 3  # cars that are thought about; the others are taken to drive on as if they were alone
SPITE = 0.5  # what a step more of each of the others is worth, all together, in own steps
WIDTH = 5  # actions of each car that are tried
POSITIONS = 4000  # that may be looked at, about
ROUNDS = 3  # to look ahead, at most
TIMES, FAR_AHEAD = 40, 12  # equal moves are told apart by so many drives of so many rounds


class RaceRacerAgent:
    """Knows the fewest moves from everywhere, and plays the next turns of the cars around it through: each does what is best
    for itself. So it takes the cell that another needs, passes where it will be free, and does not drive to where it
    could be left without a legal move. Among moves that are equal by that, it takes the one with which it fares best on
    average when all drive on. The same race gives the same moves."""

    def __init__(self, env: Any, spite: float = SPITE, positions: int = POSITIONS):
        self.spite, self.positions = spite, positions
        self.env: Any = tiny_race()
        self.reset({})
        self.act(None, {})  # compiled now, which is no thinking
        self.env = env.unwrapped

    def reset(self, info: dict[str, Any]) -> None:
        rules = self.env.rules
        self.values = values_of(self.env.track, rules.line, rules.finish)

    def act(self, obs: Any, info: dict[str, Any]) -> int:
        answer = self._think(self.env.get_state())
        return int(answer.argmax()) if answer.max() > -np.inf else KEEP

    def _think(self, state: Any) -> np.ndarray:
        """What each action is worth; -inf: it is illegal, or there are better ones."""
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
        """How many turns can be looked ahead: the positions multiply with each."""
        turns, positions = 1, 9
        while turns < ROUNDS * racing:
            positions *= int(width[(self.env.turn + turns) % len(width)])
            if positions > self.positions:
                break
            turns += 1
        return turns


def rivals_of(state: Any, who: int) -> list[int]:
    """The cars that can meet this one within two rounds, the nearest first."""
    numbers = state.car_numbers()[0].astype(np.int64)
    place, velocity = numbers[:, :2], numbers[:, 2:4]
    gaps = [np.abs(place + n * velocity - place[who] - n * velocity[who]).max(axis=1) for n in (1, 2)]
    near = ((gaps[0] <= 2) | (gaps[1] <= 6)) & (state.cars["place"][0] == 0)
    near[who] = False
    return sorted(np.flatnonzero(near).tolist(), key=lambda car: (min(gaps[0][car], gaps[1][car]), car))[:MOST_RIVALS]
