"""RaceVectorEnv: N races, one kernel call a step."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from shoverworld.core.errors import ActionError
from shoverworld.core.jit import resolve
from shoverworld.core.vector import GridVectorEnv

from . import engine
from .checking import checked_state
from .rules import ACTIONS
from .setup import Circuit, Start
from .sight import new_sight
from .state import FAULTS, FINE, OUTCOMES, RaceState, new_state

_FAULTS = np.array(FAULTS, object)


class RaceVectorEnv(GridVectorEnv):
    """What `gym.make_vec` gives: the keywords of RaceEnv and of BatchEnv, the same races as single environments with the
    same seeds. What is seen is written by the kernel that makes the step.

    Info arrays have one row a game. `reset(options=...)` takes `track`, `map` (one of the batch's own tracks) and
    `starts`, for all games that begin.
    """

    def __init__(
        self,
        track: Any = None,
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int = 1,
        seed: int | None = None,
        render_mode: None = None,
        **keywords: Any,
    ):
        self._circuit = Circuit(dict(keywords, track=track))
        self.rules, self.tracks, self.observation = self._circuit.rules, self._circuit.tracks, self._circuit.observation
        bank = self._circuit.bank
        shown = self._circuit.observation_space(bank), spaces.Discrete(ACTIONS)
        super().__init__(num_envs, autoreset_mode, copy, num_threads, seed, render_mode, shown, OUTCOMES)
        self._rules, self._reward = self.rules.numbers(), self.rules.reward_numbers()
        self._state = new_state(self.num_envs, self.rules.cars, bank)
        self._sight = new_sight(self.observation, self.num_envs, self._circuit.view, bank)
        self._all, self._first_car = np.arange(self.num_envs), np.zeros(self.num_envs, np.int32)
        actions = np.zeros(self.num_envs, np.int64)
        self._step_rows = resolve(engine.step_rows, 0, 0, *self._step_arguments(actions, self._nobody))

    def _step_arguments(self, actions: np.ndarray, over: np.ndarray) -> tuple:
        return self._state, self._rules, self._reward, actions, over, self._sight, self._report

    def _setup_for(self, options: dict[str, Any]) -> Start:
        return self._circuit.start(options, self._state.bank)

    def _begin(self, chosen: np.ndarray, setup: Start) -> None:
        rest = np.array(chosen), self._sight, self._report
        if setup.cells is None:
            self._shared_out(engine.reset_rows, self._state, self._rules, setup.place, *rest)
        else:
            self._shared_out(engine.reset_rows_at, self._state, self._rules, setup.place, setup.cells, *rest)

    def _advance(self, actions: Any, over: np.ndarray) -> None:
        try:
            given = np.asarray(actions)
            if given.dtype.kind not in "iu" or given.shape != (self.num_envs,):
                raise ValueError
        except ValueError:
            raise ActionError(f"expected {self.num_envs} whole numbers: an action a game") from None
        bad = engine.first_outside(given)
        if bad >= 0:
            raise ActionError(
                f"action {given[bad]} of game {bad} is outside the action space; expected 0 to {ACTIONS - 1}"
            )
        given = np.ascontiguousarray(given, np.int64)
        self._shared_out(self._step_rows, *self._step_arguments(given, over))

    def _observation(self, state: RaceState) -> dict[str, np.ndarray]:
        """What the last kernel has written."""
        shown = self._sight.shown()
        return {name: array.copy() for name, array in shown.items()} if self.copy else shown

    def _info(self, state: RaceState) -> dict[str, np.ndarray]:
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
            "fault": _FAULTS[game["fault"]],
            "finished": cars["place"] > 0,
            "place": cars["place"],
            "turn": game["turn"],
            "round": game["rounds"],
            "track": game["track"],
            "outcome": self._outcome_words(),
        }

    # --- beyond Gymnasium

    def action_mask(self) -> np.ndarray:
        """Which actions would be legal for the car whose turn it is: bool (N, 9)."""
        self._must_have_begun()
        mask = np.zeros((self.num_envs, ACTIONS), np.bool_)
        engine.mark_legal(self._state, self._rules, mask)
        return mask

    def set_state(self, state: RaceState) -> None:
        """Go on from a state that `get_state` of a batch of this size gave."""
        checked_state(state, self.rules, self._state)
        self._goes_on_from(state)
