"""RaceVectorEnv: a batch of N races that are stepped together."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from shoverworld.core.jit import resolve
from shoverworld.core.vector import GridVectorEnv

from . import engine
from .checking import checked_state
from .observation import new_buffers
from .reasons import CODES, FAULTS, FINE
from .rules import ACTIONS
from .setup import RaceSetup, RaceStart
from .state import OUTCOMES, RaceState, new_state

_FAULTS = np.array(FAULTS, object)


class RaceVectorEnv(GridVectorEnv):
    """The environment that `gym.make_vec` returns. It takes the arguments of RaceEnv and GridVectorEnv.

    The batch plays the same races as single environments with the same seeds. The kernel that plays a step also writes
    the observations. Info arrays have one row for each game. `reset(options=...)` takes `track`, `map` (one of the
    batch's tracks) and `starts`, which apply to all games that are reset.
    """

    outcomes, invalid_reasons = OUTCOMES, CODES
    rebuilt = ("_step_rows",)

    def __init__(
        self,
        track: Any = None,
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        **keywords: Any,
    ):
        super().__init__(num_envs, autoreset_mode, track=track, **keywords)

    def make_setup(self, keywords: dict[str, Any]) -> RaceSetup:
        setup = RaceSetup(keywords)
        self.tracks, self.observation = setup.tracks, setup.observation
        return setup

    def make_spaces(self) -> tuple[spaces.Space, spaces.Space]:
        return self._setup.observation_space(self._setup.bank), spaces.Discrete(ACTIONS)

    def allocate(self) -> None:
        bank = self._setup.bank
        self._state = new_state(self.num_envs, self.rules.cars, bank)
        self._buffers = new_buffers(self.observation, self.num_envs, self._setup.view, bank)
        self._all, self._first_car = np.arange(self.num_envs), np.zeros(self.num_envs, np.int32)

    def connect(self) -> None:
        actions = np.zeros(self.num_envs, np.int64)
        self._step_rows = resolve(engine.step_rows, 0, 0, *self._step_arguments(actions, self._none))

    def _step_arguments(self, actions: np.ndarray, over: np.ndarray) -> tuple:
        return self._state, self._rules, self._reward, actions, over, self._buffers, self._results

    def prepare(self, options: dict[str, Any]) -> RaceStart:
        return self._setup.start(options, self._state.bank)

    def begin(self, chosen: np.ndarray, start: RaceStart) -> None:
        rest = np.array(chosen), self._buffers, self._results
        if start.cells is None:
            self.run_parallel(engine.reset_rows, self._state, self._rules, start.place, *rest)
        else:
            self.run_parallel(engine.reset_rows_at, self._state, self._rules, start.place, start.cells, *rest)

    def advance(self, actions: np.ndarray, over: np.ndarray) -> None:
        self.run_parallel(self._step_rows, *self._step_arguments(actions, over))

    def make_observation(self, state: RaceState) -> dict[str, np.ndarray]:
        """Return the observations that the last kernel call wrote."""
        shown = self._buffers.shown()
        return {name: array.copy() for name, array in shown.items()} if self.copy else shown

    def make_info(self, state: RaceState) -> dict[str, np.ndarray]:
        game = state.game
        if self.rules.cars == 1:
            who = self._first_car.copy() if self.copy else self._first_car
            cars, numbers = state.cars[:, 0], state.car_numbers()[:, 0]
        else:
            who = np.maximum(game["car"], 0)
            cars, numbers = state.cars[self._all, who], state.car_numbers()[self._all, who]
        return {
            "car": who,
            "steps": cars["steps"],
            "penalties": cars["penalties"],
            "waiting": cars["wait"],
            "position": numbers[:, :2],
            "velocity": numbers[:, 2:4],
            "last_action_valid": game["fault"] == FINE,
            "invalid_reason": game["fault"],
            "fault": _FAULTS[game["fault"]],
            "finished": cars["place"] > 0,
            "place": cars["place"],
            "turn": game["turn"],
            "round": game["rounds"],
            "track": game["track"],
            "outcome": self.outcome_words(),
        }

    def mark_valid(self, mask: np.ndarray) -> None:
        """Write the action mask of the car whose turn it is in each game."""
        engine.mark_legal(self._state, self._rules, mask)

    def check_state(self, state: RaceState) -> None:
        checked_state(state, self.rules, self._state)

    def set_state(self, state: RaceState) -> None:
        super().set_state(state)
        self.run_parallel(engine.look_rows, self._state, self._rules, self._buffers)
