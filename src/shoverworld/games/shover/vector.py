"""ShoverWorldVectorEnv: N games of Shover-World, one kernel call a step."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from shoverworld.core.errors import ActionError, ConfigError
from shoverworld.core.jit import resolve
from shoverworld.core.vector import GridVectorEnv

from . import engine
from .env import ACTION_SHAPE
from .generate import begin
from .setup import Dock
from .state import OUTCOMES, Setup, State, checked_state, new_state, set_frame


class ShoverWorldVectorEnv(GridVectorEnv):
    """What `gym.make_vec` gives: the keywords of ShoverWorldEnv and of BatchEnv, the same games as single environments
    with the same seeds.

    Info arrays have one row a game. The squares are arrays here: `perfect_squares_available` (N, most, 3) holds
    n, row, col, oldest first, of which the first `number_of_squares` (N,) count; `square_born` (N, most) is the timestep
    they were found at, so that their age is `timestep - square_born`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int = 1,
        seed: int | None = None,
        render_mode: None = None,
        **keywords: Any,
    ):
        self._dock = Dock(keywords)
        self.rules = self._dock.rules
        self._rows, self._cols = self._dock.size
        spaces = self._dock.spaces(*self._dock.size)
        super().__init__(num_envs, autoreset_mode, copy, num_threads, seed, render_mode, spaces, OUTCOMES)
        self._rules, self._reward = self.rules.numbers(), self.rules.reward_numbers()
        self._state = new_state(self.num_envs, *self._dock.size)
        self._setup, _ = self._dock.setup({})
        actions = np.zeros((self.num_envs, 3), np.int64)
        self._step_rows = resolve(engine.step_rows, 0, 0, *self._step_arguments(actions, self._nobody))
        self._reset_rows = resolve(engine.reset_rows, 0, 0, *self._reset_arguments(self._setup, self._nobody))

    def _step_arguments(self, actions: np.ndarray, over: np.ndarray) -> tuple:
        return self._state, self._rules, self._reward, actions, over, self._setup, self._report

    def _reset_arguments(self, setup: Any, chosen: np.ndarray) -> tuple:
        return self._state, self._rules, setup, chosen, self._report

    def _setup_for(self, options: dict[str, Any]) -> Setup:
        if not options:
            return self._setup
        setup, size = self._dock.setup(options)
        if size != (self._rows, self._cols):
            raise ConfigError(
                f"options['map'] is {size[0]} x {size[1]}, the batch plays on {self._rows} x {self._cols}; "
                "make the batch with n_rows and n_cols of the map, or with map_path"
            )
        return setup

    def _begin(self, chosen: np.ndarray, setup: Setup) -> None:
        if self._dock.solvable and setup.boxes >= 0:
            self._begin_solvable(chosen, setup)
        else:
            self._shared_out(self._reset_rows, *self._reset_arguments(setup, np.array(chosen)))

    def _begin_solvable(self, chosen: np.ndarray, setup: Setup) -> None:
        for i in np.flatnonzero(chosen).tolist():
            begin(self._state, i, self._rules, setup, self._dock.solvable)

    def _advance(self, actions: Any, over: np.ndarray) -> None:
        try:
            given = np.asarray(actions)
            if given.dtype.kind not in "iu" or given.shape != (self.num_envs, 3):
                raise ValueError
        except ValueError:
            raise ActionError(
                f"expected whole numbers of shape ({self.num_envs}, 3): a row {ACTION_SHAPE} a game"
            ) from None
        bad = engine.first_outside(given, self._rows, self._cols, self.rules.first_z, self.rules.z_count)
        if bad >= 0:
            raise ActionError(
                f"action {given[bad].tolist()} of game {bad} is outside the action space; expected row 0-{self._rows - 1}, "
                f"col 0-{self._cols - 1}, z {self.rules.first_z}-{self.rules.first_z + self.rules.z_count - 1}"
            )
        given = np.ascontiguousarray(given, np.int64)
        self._shared_out(self._step_rows, *self._step_arguments(given, over))
        if self._dock.solvable and self._setup.boxes >= 0:
            self._begin_solvable(over, self._setup)

    def _observation(self, state: State) -> dict[str, np.ndarray]:
        return engine.views(state)

    def _info(self, state: State) -> dict[str, np.ndarray]:
        game = state.game
        return {
            "timestep": game["timestep"],
            "stamina": game["stamina"],
            "number_of_boxes": game["boxes"],
            "number_destroyed": game["destroyed"],
            "last_action_valid": game["valid"],
            "chain_length": game["chain"],
            "initial_force_charged": game["charged"],
            "lava_destroyed_this_step": game["burnt"],
            "perfect_squares_available": state.squares_found(),
            "square_born": state.squares["born"],
            "number_of_squares": game["squares"],
            "outcome": self._outcome_words(),
        }

    # --- beyond Gymnasium

    def action_mask(self) -> np.ndarray:
        """Which actions would be valid: bool (N, rows * cols * z), flat as in the single environment."""
        self._must_have_begun()
        mask = np.zeros((self.num_envs, self._rows, self._cols, self.rules.z_count), np.bool_)
        engine.mark_valid(self._state, self._rules, self.rules.first_z, mask)
        return mask.reshape(self.num_envs, -1)

    def set_state(self, state: State) -> None:
        """Go on from a state that `get_state` of a batch of this size gave."""
        checked_state(state, self._state)
        self._goes_on_from(state)
        set_frame(self._state, self.rules.edge)
