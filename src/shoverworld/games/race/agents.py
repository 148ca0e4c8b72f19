"""The agents for the grid race: greedy, optimal, racer and tactician.

When an agent is created, it first runs once on a tiny race, so that compilation does not count as thinking time.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from .env import RaceEnv
from .planner import Values, paranoid, sampling, values_of
from .planner.costs import NEVER, weigh, weigh_by_zombie
from .planner.racer import RacerSearch, decision, new_racer
from .planner.regrets import RaceGround, new_ground
from .planner.response import (
    ALL_ACTIONS,
    ALONE,
    RACER,
    Line,
    best_line,
    drive_on,
    new_response,
    play_round,
    safe_actions,
)
from .planner.turns import DONE, set_root
from .rules import KEEP
from .tracks import Track

# The constants of the agent `racer`.
MOST_RIVALS = 3  # maximum number of rivals to consider; all other cars are assumed to drive as if they were alone
SPITE = 0.5  # value of delaying every other car by one step, relative to one step of the agent's own car
WIDTH = 5  # maximum number of actions to try for each car that is considered
POSITIONS = 4000  # approximate maximum number of positions to evaluate
ROUNDS = 3  # maximum number of rounds to look ahead
TIMES, FAR_AHEAD = 40, 12  # equally good moves are compared by TIMES simulated drives of FAR_AHEAD rounds each

# The constants of the agent `tactician`.
VISITS = 40_000  # maximum number of positions to visit for one move
SLACK = 2  # steps that a car may lose during the search without being forced to
DEEPEST = 16  # maximum number of rounds to look ahead
MEETING = 4  # a rival takes part in the search if it could meet the car within this number of rounds
DRIVES, DRIVE_ROUNDS = 2000, 16  # equally good moves are compared by this number of drives of this number of rounds
ENTRIES = 1 << 16  # positions in the table of the search
RARELY = 12  # a model of the rivals may be wrong once in this number of rounds
TRIAL = (
    5  # predicted rounds before the tactician relies on a model; until then, it prefers moves with the best worst case
)
BEAM = 300  # positions that the search for the best response keeps after each move
PREDICTIONS = 2000  # moves of rivals that the search predicts for one move of the car, if there is one rival


@lru_cache(maxsize=1)
def tiny_race() -> RaceEnv:
    """Return a tiny race between two cars, which agents use to compile the kernels."""
    env = RaceEnv(Track.parse("S...F\nS...F"), cars=2)
    env.reset(seed=0)
    return env


def ground_of(state: Any, values: Values) -> RaceGround:
    bank, track = state.bank, int(state.game["track"][0])
    return new_ground(bank.ground[track], bank.rows, bank.cols, values.table)


def racer_of(state: Any, spite: float = SPITE, positions: int = POSITIONS) -> RacerSearch:
    return new_racer(state, spite, WIDTH, positions, ROUNDS, TIMES, FAR_AHEAD, MOST_RIVALS)


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
        self._compile()
        self.env = env.unwrapped

    def _compile(self) -> None:
        """Call every kernel once."""
        self.act(None, {})

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

    def reset(self, info: dict[str, Any]) -> None:
        super().reset(info)
        state = self.env.get_state()
        self.ground = ground_of(state, self.values)
        self.everyone = np.arange(state.car_count)
        self.search = racer_of(state, self.spite, self.positions)

    def act(self, obs: Any, info: dict[str, Any]) -> int:
        rules = self.env.rules.numbers()
        return int(decision(self.search, self.env.get_state(), rules, self.ground, self.everyone))


class RaceTacticianAgent(_LookupAgent):
    """An agent that plans against the other cars.

    As long as the rivals move as the agent `racer` or `optimal` would, it plays the best response to these moves, which it
    finds with a beam search up to the end of the race. Otherwise, or if this line loses, it looks up to 16 rounds ahead in
    an alpha-beta search and assumes that the nearby rivals play against it. A lead of one step decides a race, so the agent
    blocks a rival if this costs the rival more, and does not rely on a cell that a rival can take first.

    The numbers of predictions (`beam=0` turns them off) and of positions (`visits`) for a move are limited, so the moves do
    not depend on the speed of the machine. The same race always leads to the same moves.
    """

    def __init__(
        self,
        env: Any,
        visits: int = VISITS,
        slack: int = SLACK,
        rounds: int = DEEPEST,
        drives: int = DRIVES,
        beam: int = BEAM,
    ):
        self.visits, self.slack, self.rounds, self.drives, self.beam = visits, slack, rounds, drives, beam
        super().__init__(env)

    def reset(self, info: dict[str, Any]) -> None:
        super().reset(info)
        state = self.env.get_state()
        self.ground = ground_of(state, self.values)
        self.trees: dict[int, paranoid.SearchTree] = {}
        self.samples = sampling.new_samples(DRIVE_ROUNDS * (MOST_RIVALS + 1), ENTRIES >> 2)
        self.responder = _Responder(state, self.env.rules.numbers(), self.ground, self.beam, self.slack)

    def act(self, obs: Any, info: dict[str, Any]) -> int:
        state, me = self.env.get_state(), self.env.turn
        if not self.beam:
            return self._defend(state, me)
        action = self.responder.choose(state, me, self._careful)
        if action is None:
            action = self._defend(state, me)
        self.responder.play(me, action)
        return action

    def _compile(self) -> None:
        super()._compile()
        self._defend(self.env.get_state(), self.env.turn)
        self.responder.drive_on(self.env.turn)

    def _defend(self, state: Any, me: int) -> int:
        """Return the action with the best worst case. Among equal actions, the best one against selfish rivals."""
        answer, tree = self._worst_cases(state, me)
        cars = tree.positions.cars.shape[1]
        mean = np.where(answer == answer.max(), 0.0, -np.inf)
        if cars > 1 and np.isfinite(mean).sum() > 1:
            rules, turns = self.env.rules.numbers(), DRIVE_ROUNDS * cars
            sampling.sample(self.samples, tree.positions, rules, self.ground, turns, self.drives, 1, mean)
        return int(mean.argmax())

    def _careful(self, state: Any, me: int) -> int:
        """Return the actions with the best worst case, as bits."""
        answer, _ = self._worst_cases(state, me)
        return sum(1 << action for action in np.flatnonzero(answer == answer.max()).tolist())

    def _worst_cases(self, state: Any, me: int) -> tuple[np.ndarray, paranoid.SearchTree]:
        """Return the worst case of each action, and the tree with the position at its root."""
        chosen = sorted([me, *rivals_of(state, me, MEETING)])
        tree = self._tree(len(chosen))
        set_root(tree.positions, state, self.env.rules.numbers(), self.ground, np.array(chosen))
        return self._search(tree, len(chosen)), tree

    def _tree(self, cars: int) -> paranoid.SearchTree:
        if cars not in self.trees:
            self.trees[cars] = paranoid.new_tree(cars, max(2, self.rounds * cars), ENTRIES)
        return self.trees[cars]

    def _search(self, tree: paranoid.SearchTree, cars: int) -> np.ndarray:
        """Return the values of the actions in the deepest search that was completed, one round deeper each time."""
        paranoid.clear(tree)
        rules, answer, best = self.env.rules.numbers(), tree.answer, paranoid.NO_ACTION
        deepest, slack = (self.rounds, self.slack) if cars > 1 else (1, 0)  # alone, only the best moves count
        for rounds in range(1, deepest + 1):
            limit = self.visits if rounds > 1 else paranoid.INFINITE
            found = paranoid.search(tree, rules, self.ground, rounds * cars, slack, limit, best)
            if found < 0:
                break
            answer, best = tree.answer.copy(), found
        return answer


class _Responder:
    """The part of the tactician that predicts the rivals and plays the best response.

    It compares every round with the predictions of two models of the rivals. It uses the first model that has not surprised
    it too often, and none if both have.
    """

    def __init__(self, state: Any, rules: Any, ground: RaceGround, beam: int, slack: int):
        self.rules, self.ground, self.beam, self.slack = rules, ground, beam, slack
        self.tree = new_response(racer_of(state), max(1, beam))
        self.cars = self.tree.positions.cars[0].copy()
        self.expected: dict[int, np.ndarray] = {}  # for each model, the predicted position at the agent's next turn
        self.surprises = {RACER: 0, ALONE: 0}
        self.rounds = 0  # rounds that were predicted
        self.predicting = True
        self.line: Line | None = None  # the best line against the model in use

    def choose(self, state: Any, me: int, careful: Callable[[Any, int], int]) -> int | None:
        """Return an action if the rivals are predictable and the best line does not lose.

        `careful` returns the actions with the best worst case, as bits.
        """
        positions = self.tree.positions
        set_root(positions, state, self.rules, self.ground, np.arange(state.car_count))
        self.cars = positions.cars[0].copy()
        surprised = {model for model, cars in self.expected.items() if not np.array_equal(cars, self.cars)}
        for model in surprised:
            self.surprises[model] += 1
        self.rounds += len(self.expected) > 0
        self.expected = {}
        trusted = [model for model, count in self.surprises.items() if count <= self.rounds // RARELY]
        before = int(self.tree.model[0])
        racing = int((self.cars[:, DONE] == 0).sum())
        self.predicting = len(trusted) > 0 and 1 < racing <= MOST_RIVALS + 1
        if not self.predicting:
            self.line = None
            return None
        self.tree.model[0] = trusted[0]
        if before in surprised or before != trusted[0]:
            self.line = None
        if self.rounds < TRIAL:
            preferred = careful(state, me)
        else:
            preferred = safe_actions(self.tree, self.rules, self.ground, self.cars, me) or ALL_ACTIONS
        self.line = self._best(me, racing, preferred)
        return self.line.actions[0] if self.line.value >= 0 else None

    def play(self, me: int, action: int) -> None:
        """Note the agent's own action, and predict the position at its next turn."""
        if not self.predicting:
            return
        if self.line is not None:
            follows = self.line.actions[0] == action
            self.line = self.line._replace(actions=self.line.actions[1:]) if follows else None
        used = int(self.tree.model[0])
        for model in (RACER, ALONE):
            self.tree.model[0] = model
            self.expected[model] = self.cars.copy()
            play_round(self.tree, self.rules, self.ground, self.expected[model], me, action)
        self.tree.model[0] = used

    def drive_on(self, me: int) -> int:
        """Return the number of moves to the finish if all cars drive as predicted."""
        return int(drive_on(self.tree, self.rules, self.ground, self.cars, me))

    def _best(self, me: int, racing: int, preferred: int) -> Line:
        """Return the current line, or a better one. Among equal lines, choose one that starts with a preferred action."""
        line = self.line
        if line is None or not line.actions or not (line.won or line.complete):
            more = self._search(me, racing)
            line = line if line is not None and line.actions and line.value >= more.value else more
        if not preferred >> line.actions[0] & 1:
            other = self._search(me, racing, preferred)
            line = other if other.value >= line.value or (other.won and line.won) else line
        return line

    def _search(self, me: int, racing: int, allowed: int = ALL_ACTIONS) -> Line:
        most = PREDICTIONS // (racing - 1)
        return best_line(self.tree, self.rules, self.ground, self.cars, me, self.beam, self.slack, most, allowed)


def rivals_of(state: Any, who: int, rounds: int = 2) -> list[int]:
    """Return up to MOST_RIVALS cars that could meet car `who` within this number of rounds, nearest first.

    In n rounds, two cars can change the distance between them by n (n + 1) cells compared with their velocities now.
    """
    numbers = state.car_numbers()[0].astype(np.int64)
    place, velocity = numbers[:, :2], numbers[:, 2:4]
    ahead = np.arange(1, rounds + 1)[:, None, None]
    gaps = np.abs(place + ahead * velocity - place[who] - ahead * velocity[who]).max(axis=2)
    near = (gaps <= (ahead * (ahead + 1))[:, :, 0]).any(axis=0) & (state.cars["place"][0] == 0)
    near[who] = False
    return sorted(np.flatnonzero(near).tolist(), key=lambda car: (gaps[:, car].min(), car))[:MOST_RIVALS]
