"""A race between several cars, as a PettingZoo environment: `env` (car by car) and `parallel_env` (round by round).

    from shoverworld.race import aec

    env = aec.env(track="01-straight", cars=3)
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(info["action_mask"]))

Both environments are based on `RaceEnv(cars=n)` and use its tracks, rules, rewards and seeds.
Importing this module registers the environment with PettingZoo, so that this call works:
`pettingzoo.make("aec", "shoverworld/Race-v0", cars=3)`.
"""

from copy import deepcopy
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from shoverworld.core.errors import ActionError
from shoverworld.core.zoo import (
    MultiplayerAECEnv,
    MultiplayerGame,
    MultiplayerParallelEnv,
    OrderEnforcingWrapper,
    register,
)

from .config import RaceRules
from .env import RaceEnv
from .observation import DEFAULT_PARTS, checked_parts
from .rules import ACTIONS
from .state import CAR_NAMES

DEFAULT_CARS = 4
FIGURES = ("col", "row", "dcol", "drow", "wait", "steps", "penalties", "place")  # the fields of a car in `state()`

NAME = "race_v0"


class RaceField(MultiplayerGame):
    """
    ## Description
    Several cars with inertia race on one track. The goal of each car is to reach the finish in the fewest steps. The
    agents are `car_0`, `car_1`, ... in the order of their turns. After an illegal move, such as a move onto another
    car, a car skips its next turns.
    In `env`, the cars move one at a time, and each agent observes the earlier moves of the round.
    In `parallel_env`, all agents choose their actions at the start of a round, then the cars move in order. A move is
    illegal if another car has already moved to the landing cell. The action of a waiting car is ignored and may be
    omitted. If all cars are waiting, the rounds without moves pass immediately.

    ## Action space
    `Discrete(9)` for each agent, as in `RaceEnv`.

    ## Observation space
    Each agent has the observation space of `RaceEnv` for the same `observation` and observes the race from the point of
    view of its own car.
    `state()` is the same for all agents: int32 (cars, 9), with a row for each car: x, y, velocity x, velocity y, turns
    to wait, steps, penalties, place (0 while the car is racing), and 1 if the car moves next, otherwise 0.

    The infos describe the agent's own car: `position`, `velocity`, `waiting`, `steps` (turns taken or skipped),
    `penalties`, `finished`, `place` (0 while the car is racing), `last_action_valid`, `invalid_reason` and `fault` (of
    the car's own last move), `moves_this_round` (whether the car will still move in this round), `action_mask` (int8, 1
    for each action that would be legal if the car moved now). The infos also describe the race: `round` (counted from
    1), `track`, `outcome`, and `ranking`, a list of (place, agent, steps, penalties, finished), sorted by place. Cars that
    have not finished share last place.

    ## Rewards
    -1 for each step of the agent's car, including skipped turns, so the sum is minus the car's number of steps.
    To change the rewards, use `RaceReward`. `last()` returns the sum of the rewards since the agent's own last move.
    In `parallel_env`, turns that are skipped before the first move of the next round count towards the previous round.

    ## Episode end
    An agent's episode ends when its car has finished (terminated). The car leaves the track, and the other
    cars continue. If a car is still racing after `max_rounds` rounds, its agent's episode is truncated.

    ## Arguments
    The arguments are those of `RaceEnv`. The default for `cars` is 4 unless `rules` is given. `reset` takes the
    options `track`, `map` and `starts`. Other options are ignored with a warning.

    ## Version history
    - v0: the first version.
    """

    metadata: ClassVar[dict[str, Any]] = {**RaceEnv.metadata, "name": NAME, "is_parallelizable": False}
    reset_options = ("track", "map", "starts")

    def __init__(self, track: Any = None, cars: int | None = None, observation: Any = None, **keywords: Any):
        if cars is None and not isinstance(keywords.get("rules"), RaceRules):
            cars = DEFAULT_CARS
        self.observation = checked_parts(DEFAULT_PARTS if observation is None else observation)
        parts = {*self.observation, "action_mask"}  # the infos include the mask
        self.race = RaceEnv(track, cars, observation=tuple(parts), **keywords)  # public, so that recorders can use it
        agents = [f"car_{number}" for number in range(self.race.rules.cars)]
        self._numbers = {agent: number for number, agent in enumerate(agents)}
        self._faults: list[str | None] = []
        lowest, highest = np.iinfo(np.int32).min, np.iinfo(np.int32).max
        self.state_space = spaces.Box(lowest, highest, (len(agents), len(FIGURES) + 1), np.int32)
        super().__init__(self.race, agents, ACTIONS)

    def state(self) -> np.ndarray:
        """Return the state of all cars, int32 (cars, 9), which is the same for all agents."""
        self.require_started()
        cars = self.race.cars
        columns = [cars[name] for name in FIGURES]
        moves_next = (np.arange(len(cars)) == self.race.turn) & (self.race.outcome is None)
        return np.stack([*columns, moves_next.astype(np.int32)], axis=1)

    # --- the methods that core/zoo.py requires

    def make_space(self, shown: spaces.Space) -> spaces.Dict:
        assert isinstance(shown, spaces.Dict)
        return spaces.Dict(deepcopy({name: shown[name] for name in self.observation}))

    def continue_from(self, observation: Any, info: dict[str, Any]) -> None:
        self._faults = [None] * len(self.possible_agents)
        super().continue_from(observation, info)

    def active_agents(self) -> list[str]:
        """Return the agents whose cars have not finished."""
        return [agent for agent, number in self._numbers.items() if not self._cars[number]["place"]]

    def look(self, observation: Any, info: dict[str, Any]) -> None:
        self._faults[info["car"]] = info["fault"]
        self._cars = [dict(zip(CAR_NAMES, car, strict=True)) for car in self.race.cars.tolist()]
        self._seen = [self.race.observe_car(number) for number in range(len(self._cars))]
        names = self.possible_agents
        ranking = [(s.place, names[s.car], s.steps, s.penalties, s.finished) for s in self.race.ranking()]
        self._race_info = {name: info[name] for name in ("round", "track", "outcome")} | {"ranking": ranking}

    def observation_of(self, agent: str) -> dict[str, np.ndarray]:
        self.require_started()
        seen = self._seen[self._numbers[agent]]
        return {name: seen[name].copy() for name in self.observation}

    def info_of(self, agent: str) -> dict[str, Any]:
        number = self._numbers[agent]
        car, fault = self._cars[number], self._faults[number]
        return {
            "position": (car["col"], car["row"]),
            "velocity": (car["dcol"], car["drow"]),
            "waiting": car["wait"],
            "steps": car["steps"],
            "penalties": car["penalties"],
            "finished": car["place"] > 0,
            "place": car["place"],
            "last_action_valid": fault is None,
            "invalid_reason": fault or "",
            "fault": fault,
            "moves_this_round": self._moves_this_round(agent),
            "action_mask": self._seen[number]["action_mask"].copy(),
            **self._race_info,
        }

    def ends(self) -> tuple[dict[str, bool], dict[str, bool]]:
        """Return which agents have finished, and which have run out of time."""
        finished = {agent: self._cars[self._numbers[agent]]["place"] > 0 for agent in self.agents}
        late = self.race.outcome == "timeout"
        return finished, {agent: late and not done for agent, done in finished.items()}

    def _moves_this_round(self, agent: str) -> bool:
        number = self._numbers[agent]
        car = self._cars[number]
        return self.race.outcome is None and car["place"] == car["wait"] == 0 and number >= self.race.turn

    def _rewards_of(self, earned: np.ndarray) -> dict[str, float]:
        return {agent: earned.tolist()[self._numbers[agent]] for agent in self.agents}


class RaceAECEnv(RaceField, MultiplayerAECEnv):
    __doc__ = f"Several cars that take turns.\n{RaceField.__doc__}"

    def next_agent(self) -> str:
        return self.possible_agents[self.race.turn]

    def play(self, agent: str, action: int) -> dict[str, float]:
        observation, *_, info = self.race.step(action)
        self.look(observation, info)
        return self._rewards_of(self.race.rewards())


class RaceParallelEnv(RaceField, MultiplayerParallelEnv):
    __doc__ = f"Several cars that play round by round.\n{RaceField.__doc__}"

    def step(self, actions: dict[str, Any]) -> tuple[dict, dict, dict, dict, dict]:
        """Play a round. If any of the actions is invalid, raise an error before any car moves."""
        self.require_playing()
        moves = self._parse_round(actions)
        total = np.zeros(len(self.possible_agents))
        observation, info = None, self._race_info
        this_round = info["round"]
        while self.race.outcome is None and info["round"] == this_round:
            observation, *_, info = self.race.step(moves[self.race.turn])
            self._faults[info["car"]] = info["fault"]
            total += self.race.rewards()
        self.look(observation, info)
        return self.end_round(self._rewards_of(total))

    def _parse_round(self, actions: Any) -> dict[int, int]:
        """Return the actions of a round, with car numbers as keys. A waiting car needs no action."""
        movers = [agent for agent in self.agents if self._moves_this_round(agent)]
        if not isinstance(actions, dict) or not set(movers) <= set(actions) <= set(self.agents):
            others = [agent for agent in self.agents if agent not in movers]
            more = f" (and optionally for {', '.join(others)}, which must wait)" if others else ""
            raise ActionError(
                f"actions {actions!r:.80}: expected a dict with one action for each of {', '.join(movers)}{more}"
            )
        for agent, action in actions.items():
            if action is not None or agent in movers:
                self.parse_action(agent, action)
        return {self._numbers[agent]: self.parse_action(agent, actions[agent]) for agent in movers}


raw_env, parallel_env = RaceAECEnv, RaceParallelEnv  # the names that PettingZoo uses


def env(track: Any = None, cars: int | None = None, **keywords: Any) -> OrderEnforcingWrapper:
    """Return a `RaceAECEnv` inside PettingZoo's wrapper, which reports calls made in the wrong order."""
    return OrderEnforcingWrapper(RaceAECEnv(track, cars, **keywords))


register("shoverworld/Race-v0", env, parallel_env)
