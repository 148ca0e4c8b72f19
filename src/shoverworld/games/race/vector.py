"""RaceVectorEnv: a batch of N races that are stepped together."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from shoverworld.core.vector import GridVectorEnv

from . import engine
from .checking import checked_state
from .observation import ObservationBuffers, new_buffers
from .reasons import CODES
from .rules import ACTIONS
from .setup import RaceSetup, RaceStart
from .state import OUTCOMES, RaceState, new_state


class RaceVectorEnv(GridVectorEnv):
    """The environment that `gym.make_vec` returns. It takes the arguments of RaceEnv and GridVectorEnv.

    The batch plays the same races as single environments with the same seeds. The kernel that plays a step also writes
    the observations. Info arrays have one row for each game; there is no `fault`, because `invalid_reason` contains the
    same information. `reset(options=...)` takes `track`, `map` (one of the batch's tracks) and `starts`, which apply to
    all games that are reset.
    """

    outcomes, invalid_reasons = OUTCOMES, CODES
    step_kernel, convert_kernel = staticmethod(engine.step_rows), staticmethod(engine.convert)

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
        self._buffers = self.new_buffers()
        self._all = np.arange(self.num_envs)

    def step_arguments(self) -> tuple:
        return self._state, self._rules, self._reward, self._buffers

    def prepare(self, options: dict[str, Any]) -> RaceStart:
        return self._setup.start(options, self._state.bank)

    def begin(self, chosen: np.ndarray, start: RaceStart) -> None:
        rest = chosen, self._buffers
        if start.cells is None:
            self.run_parallel(engine.reset_rows, self._state, self._rules, start.place, *rest)
        else:
            self.run_parallel(engine.reset_rows_at, self._state, self._rules, start.place, start.cells, *rest)

    def make_views(
        self, state: RaceState, buffers: ObservationBuffers
    ) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        game = state.game
        info = {
            "last_action_valid": game["valid"],
            "invalid_reason": game["fault"],
            "finished": game["finished"],
            "turn": game["turn"],
            "round": game["rounds"],
            "track": game["track"],
        }
        if self.rules.cars == 1:
            info |= {"car": np.zeros(self.num_envs, np.int32), **_car_info(state.cars[:, 0], state.car_numbers()[:, 0])}
        return buffers.shown(), info

    @property
    def gathers(self) -> bool:
        return self.rules.cars > 1

    def gathered_info(self, state: RaceState) -> dict[str, np.ndarray]:
        who = np.maximum(state.game["car"], 0)
        return {"car": who, **_car_info(state.cars[self._all, who], state.car_numbers()[self._all, who])}

    def new_buffers(self) -> ObservationBuffers:
        return new_buffers(self.observation, self.num_envs, self._setup.view, self._setup.bank)

    def buffer_arrays(self, buffers: ObservationBuffers) -> list[np.ndarray]:
        return list(buffers.shown().values())

    def use_arrays(self, observation: dict[str, np.ndarray]) -> None:
        self._buffers = self._buffers.with_arrays(observation)

    def mark_valid(self, mask: np.ndarray) -> None:
        """Write the action mask of the car whose turn it is in each game."""
        engine.mark_legal(self._state, self._rules, mask)

    def check_state(self, state: RaceState) -> None:
        checked_state(state, self.rules, self._state)

    def set_state(self, state: RaceState) -> None:
        super().set_state(state)
        self.run_parallel(engine.look_rows, self._state, self._rules, self._buffers)


def _car_info(cars: np.ndarray, numbers: np.ndarray) -> dict[str, np.ndarray]:
    """Return the info about one car of each game. `numbers` contains the fields of these cars as an array."""
    return {
        "steps": cars["steps"],
        "penalties": cars["penalties"],
        "waiting": cars["wait"],
        "position": numbers[:, :2],
        "velocity": numbers[:, 2:4],
        "place": cars["place"],
    }
