"""A race of several cars as a PettingZoo environment: `env` (car by car) and `parallel_env` (a round at a time).

    from shoverworld.race import aec

    env = aec.env(track="01-straight", cars=3)
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(info["action_mask"]))

Behind both stands one `RaceEnv(cars=n)`: the same tracks, rules, rewards and seeds.
Importing this tells PettingZoo the id: `pettingzoo.make("aec", "shoverworld/Race-v0", cars=3)`.
"""

from copy import deepcopy
from operator import index
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from shoverworld.core.env import game_over
from shoverworld.core.errors import ActionError
from shoverworld.core.zoo import AECEnv, OrderEnforcingWrapper, ParallelEnv, known_options

from .config import RaceRules
from .env import CAR_NAMES, RaceEnv
from .rules import ACTIONS
from .observation import DEFAULT_PARTS, checked_parts
from .state import RaceState

USUAL_CARS = 4
OPTIONS = ("track", "map", "starts")
FIGURES = ("col", "row", "dcol", "drow", "wait", "steps", "penalties", "place")  # of a car, in `state()`

NAME = "race_v0"


class Field:
    """
    ## Description
    Several cars with inertia on one track, each for itself: to the finish in the fewest steps. The agents are `car_0`,
    `car_1`, ... in the order of their turns. A car that has made an illegal move, into another car too, skips its next turns.
    Car by car (`env`): each agent sees where those before it in the round have gone.
    Parallel (`parallel_env`): in each round all choose, then they move in their order; so a car may find that another
    one stands where it wanted to land, and that is an illegal move. A car that waits has no choice: its action may be
    left out, and is not used. When all wait, the rounds in which nobody moves pass at once.

    ## Action space
    `Discrete(9)` for each agent, as in `RaceEnv`.

    ## Observation space
    That of `RaceEnv` for the same `observation`, from the agent's own car. `state()` is the same for everybody: int32
    (cars, 9), for each car x, y, velocity x, velocity y, turns to wait, steps, penalties, place (0 while it races), and 1
    for the car that moves next.

    The infos are the agent's own: `position`, `velocity`, `waiting`, `steps` (turns taken or skipped), `penalties`,
    `finished`, `place` (0 while it races), `last_action_valid` and `fault` (of its own last move), `moves_this_round` (its turn
    in this round is still to come), `action_mask` (int8, 1 where an action would be legal if it moved now); and the race's:
    `round` (from 1), `track`, `outcome`, and `ranking`: (place, agent, steps, penalties, finished) from the first car to the
    last. Cars that have not finished share the last place.

    ## Rewards
    -1 for each step of the agent's car, a turn that it skips too, so that the sum is minus its steps; see `RaceReward`.
    A turn is skipped when it comes: `last()` tells all that was earned since the agent's own last move. In `parallel_env` turns
    that are skipped before the first move of the next round count with the round before.

    ## Episode end
    For each agent when its car has finished (terminated): the car leaves the track and the others go on. For all who still
    race after `max_rounds` (truncated).

    ## Arguments
    The keywords of `RaceEnv`; `cars` is 4 when neither it nor `rules` says how many. `reset` takes the options `track`, `map`
    and `starts`; others are ignored with a warning.

    ## Version history
    - v0: the first.
    """

    metadata: ClassVar[dict[str, Any]] = {**RaceEnv.metadata, "name": NAME, "is_parallelizable": False}

    def __init__(self, track: Any = None, cars: int | None = None, observation: Any = None, **keywords: Any):
        if cars is None and not isinstance(keywords.get("rules"), RaceRules):
            cars = USUAL_CARS
        self.observation = checked_parts(DEFAULT_PARTS if observation is None else observation)
        parts = {*self.observation, "action_mask"}  # for the infos
        self.race = RaceEnv(track, cars, observation=tuple(parts), **keywords)  # the game itself, for recorders
        self.render_mode = self.race.render_mode
        self.possible_agents = [f"car_{number}" for number in range(self.race.rules.cars)]
        self._numbers = {agent: number for number, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._begun = False
        self._faults: list[str | None] = []
        self._action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        lowest, highest = np.iinfo(np.int32).min, np.iinfo(np.int32).max
        self.state_space = spaces.Box(lowest, highest, (len(self.possible_agents), len(FIGURES) + 1), np.int32)
        self._show_spaces()

    # --- what both environments share with PettingZoo

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def state(self) -> np.ndarray:
        """All cars, the same for everybody: int32 (cars, 9)."""
        self._must_have_begun()
        cars = self.race.cars
        columns = [cars[name] for name in FIGURES]
        moves_next = (np.arange(len(cars)) == self.race.turn) & (self.race.outcome is None)
        return np.stack([*columns, moves_next.astype(np.int32)], axis=1)

    def render(self) -> Any:
        return self.race.render()

    def close(self) -> None:
        self.race.close()

    # --- beyond PettingZoo

    def get_state(self) -> RaceState:
        """A copy of the whole race, dice included: what `RaceEnv` gives."""
        return self.race.get_state()

    def set_state(self, state: RaceState) -> None:
        """Go on from a state that `get_state` gave, here or in a `RaceEnv` with as many cars. Those who have finished are
        no agents any more. Nothing is earned yet."""
        self.race.set_state(state)
        self._take_seats(self.race.observe()[1])

    # --- the game

    def _show_spaces(self) -> None:
        """The observation spaces; they change only with a track of another size."""
        self._shown = self.race.observation_space
        assert isinstance(self._shown, spaces.Dict)
        own = {name: self._shown[name] for name in self.observation}
        self._observation_spaces = {agent: spaces.Dict(deepcopy(own)) for agent in self.possible_agents}

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        _, info = self.race.reset(seed=seed, options=known_options(options, OPTIONS))
        self._take_seats(info)

    def _take_seats(self, info: dict[str, Any]) -> None:
        if self.race.observation_space is not self._shown:
            self._show_spaces()
        self._begun = True
        self._faults = [None] * len(self.possible_agents)
        self._look(info)
        self.agents = [agent for agent, number in self._numbers.items() if not self._cars[number]["place"]]

    def _look(self, info: dict[str, Any]) -> None:
        """Keep what the agents are told: the cars, what each sees, and the race."""
        self._faults[info["car"]] = info["fault"]
        self._cars = [dict(zip(CAR_NAMES, car, strict=True)) for car in self.race.cars.tolist()]
        self._seen = [self.race.observe_car(number) for number in range(len(self._cars))]
        names = self.possible_agents
        ranking = [(s.place, names[s.car], s.steps, s.penalties, s.finished) for s in self.race.ranking()]
        self._race_info = {name: info[name] for name in ("round", "track", "outcome")} | {"ranking": ranking}

    def _must_have_begun(self) -> None:
        if not self._begun:
            raise game_over(None)

    def _must_be_playing(self) -> None:
        if not self.agents:
            raise game_over(self.race.outcome if self._begun else None)

    def _checked(self, agent: str, action: Any) -> int:
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < ACTIONS:
            raise ActionError(
                f"{agent}: action {action!r:.60} is outside the action space; "
                f"expected a whole number from 0 to {ACTIONS - 1}"
            )
        return number

    def _moves_this_round(self, agent: str) -> bool:
        number = self._numbers[agent]
        car = self._cars[number]
        return self.race.outcome is None and car["place"] == car["wait"] == 0 and number >= self.race.turn

    def _observation_of(self, agent: str) -> dict[str, np.ndarray]:
        self._must_have_begun()
        seen = self._seen[self._numbers[agent]]
        return {name: seen[name].copy() for name in self.observation}

    def _info_of(self, agent: str) -> dict[str, Any]:
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
            "fault": fault,
            "moves_this_round": self._moves_this_round(agent),
            "action_mask": self._seen[number]["action_mask"].copy(),
            **self._race_info,
        }

    def _ends(self) -> tuple[dict[str, bool], dict[str, bool]]:
        """Who has finished, and whose time is up."""
        finished = {agent: self._cars[self._numbers[agent]]["place"] > 0 for agent in self.agents}
        late = self.race.outcome == "timeout"
        return finished, {agent: late and not done for agent, done in finished.items()}


class RaceAECEnv(Field, AECEnv):
    __doc__ = f"Several cars, one after the other.\n{Field.__doc__}"

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed, options)

    def _take_seats(self, info: dict[str, Any]) -> None:
        super()._take_seats(info)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._tell()

    def _tell(self) -> None:
        """The agents hear how things stand, and one of them is next: those for whom the race has ended come first."""
        self.terminations, self.truncations = self._ends()
        self.infos = {agent: self._info_of(agent) for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.race.turn]
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return self._observation_of(agent)

    def step(self, action: Any) -> None:
        """The move of `agent_selection`. An agent whose race has ended steps a last time, with None."""
        self._must_be_playing()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        *_, info = self.race.step(self._checked(agent, action))
        self._look(info)
        earned = self.race.rewards().tolist()
        self.rewards = {agent: earned[self._numbers[agent]] for agent in self.agents}
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        self._tell()


class RaceParallelEnv(Field, ParallelEnv):
    __doc__ = f"Several cars, a round at a time.\n{Field.__doc__}"

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict, dict]:
        self._begin(seed, options)
        return self._told()

    def _take_seats(self, info: dict[str, Any]) -> None:
        super()._take_seats(info)
        if self.race.outcome:  # a state in which the race is over
            self.agents = []

    def step(self, actions: dict[str, Any]) -> tuple[dict, dict, dict, dict, dict]:
        """A round. When one of the actions is bad, nobody has moved."""
        self._must_be_playing()
        moves = self._checked_round(actions)
        total = np.zeros(len(self.possible_agents))
        this_round = info = self._race_info
        while self.race.outcome is None and info["round"] == this_round["round"]:
            *_, info = self.race.step(moves[self.race.turn])
            self._faults[info["car"]] = info["fault"]
            total += self.race.rewards()
        self._look(info)
        observations, infos = self._told()
        earned = total.tolist()
        rewards = {agent: earned[self._numbers[agent]] for agent in self.agents}
        terminated, truncated = self._ends()
        self.agents = [agent for agent in self.agents if not (terminated[agent] or truncated[agent])]
        return observations, rewards, terminated, truncated, infos

    def _checked_round(self, actions: Any) -> dict[int, int]:
        """The moves of a round by the number of the car. Cars that have to wait need none."""
        movers = [agent for agent in self.agents if self._moves_this_round(agent)]
        if not isinstance(actions, dict) or not set(movers) <= set(actions) <= set(self.agents):
            others = [agent for agent in self.agents if agent not in movers]
            more = f" (and, if you like, for {', '.join(others)}, who must wait)" if others else ""
            raise ActionError(
                f"actions {actions!r:.80}: expected a dict with one for each of {', '.join(movers)}{more}"
            )
        for agent, action in actions.items():
            if action is not None or agent in movers:
                self._checked(agent, action)
        return {self._numbers[agent]: self._checked(agent, actions[agent]) for agent in movers}

    def _told(self) -> tuple[dict, dict]:
        observations = {agent: self._observation_of(agent) for agent in self.agents}
        return observations, {agent: self._info_of(agent) for agent in self.agents}


raw_env, parallel_env = RaceAECEnv, RaceParallelEnv  # PettingZoo's names


def env(track: Any = None, cars: int | None = None, **keywords: Any) -> OrderEnforcingWrapper:
    """Cars one after the other, in PettingZoo's wrapper that says when calls come in the wrong order; see `RaceAECEnv`."""
    return OrderEnforcingWrapper(RaceAECEnv(track, cars, **keywords))


def tell_pettingzoo() -> None:
    """The id in PettingZoo's own table, which its newer versions have."""
    import pettingzoo

    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", "shoverworld/Race-v0", env)
        pettingzoo.register("parallel", "shoverworld/Race-v0", parallel_env)


tell_pettingzoo()
