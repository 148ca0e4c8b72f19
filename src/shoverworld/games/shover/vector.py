"""ShoverWorldVectorEnv: N games of Shover-World, all advanced by one kernel call per step."""

from typing import Any

import numpy as np
from gymnasium import spaces

from shoverworld.core.errors import ConfigError
from shoverworld.core.jit import resolve
from shoverworld.core.vector import GridVectorEnv

from . import engine
from .checking import checked_state
from .env import ACTION_NAMES
from .generate import make_solvable
from .observation import DictRows, painter_for, views, write_dict_rows
from .reasons import CODES
from .setup import ShoverSetup, mark_at_shover
from .state import OUTCOMES, ShoverStart, State, adopt_rules, new_state


class ShoverWorldVectorEnv(GridVectorEnv):
    """The vector environment that `gym.make_vec` returns.

    It accepts the arguments of ShoverWorldEnv and GridVectorEnv, and plays the same games as single environments with
    the same seeds.

    Info arrays have one row for each game. The squares are stored in arrays: `perfect_squares_available` (N, M, 3)
    contains n, row and col of each square, oldest first, where M is the maximum number of squares on a map. Only the
    first `number_of_squares` (N,) entries of a row are squares. `square_born` (N, M) contains the timestep at which
    each square appeared, so the age of a square is `timestep - square_born`.
    """

    outcomes, invalid_reasons = OUTCOMES, CODES
    action_names = ACTION_NAMES
    step_kernel, convert_kernel = staticmethod(engine.step_rows), staticmethod(engine.convert)
    rebuilt = ("_reset_rows", "_painter")

    def make_setup(self, keywords: dict[str, Any]) -> ShoverSetup:
        setup = ShoverSetup(keywords)
        self.maps, self.observation = setup.maps, setup.observation
        return setup

    def make_spaces(self) -> tuple[spaces.Space, spaces.Space]:
        return self._setup.spaces(*self._setup.size)

    def allocate(self) -> None:
        self._state = new_state(self.num_envs, *self._setup.size)
        self._start, _ = self._setup.start({})

    def connect(self) -> None:
        self._painter = painter_for(self._setup.observation, self._state)
        usual = self._reset_arguments(self._start, np.zeros(self.num_envs, np.bool_))
        self._reset_rows = resolve(engine.reset_rows, 0, 0, *usual)

    def step_arguments(self) -> tuple:
        return self._state, self._rules, self._reward, self._start

    def _reset_arguments(self, start: ShoverStart, chosen: np.ndarray) -> tuple:
        return self._state, self._rules, start, chosen

    def prepare(self, options: dict[str, Any]) -> ShoverStart:
        if not options:
            return self._start
        start, size = self._setup.start(options)
        if size != self._setup.size:
            rows, cols = self._setup.size
            raise ConfigError(
                f"options['map'] is {size[0]} x {size[1]}, but the batch plays on {rows} x {cols}; "
                "create the batch with the map's n_rows and n_cols, or with map_path"
            )
        return start

    def begin(self, chosen: np.ndarray, start: ShoverStart) -> None:
        self.run_parallel(self._reset_rows, *self._reset_arguments(start, chosen))
        self._make_solvable(chosen, start)

    def redraws(self) -> bool:
        return self._setup.solvable

    def redraw(self, begun: np.ndarray) -> None:
        self._make_solvable(begun, self._start)

    def _make_solvable(self, begun: np.ndarray, start: ShoverStart) -> None:
        """If the maps must be solvable, generate new maps for the games that have just begun on an unsolvable map."""
        if self._setup.solvable:
            for i in np.flatnonzero(begun).tolist():
                make_solvable(self._state, i, self._rules, start)

    def shown_fields(self) -> tuple[str, ...]:
        return ("board", "game", "squares") if self._painter is None else ("game", "squares")

    def make_views(
        self, state: State, buffers: Any
    ) -> tuple[dict[str, np.ndarray] | np.ndarray, dict[str, np.ndarray]]:
        game = state.game
        return views(state) if self._painter is None else buffers[0], {
            "timestep": game["timestep"],
            "stamina": game["stamina"],
            "number_of_boxes": game["boxes"],
            "number_destroyed": game["destroyed"],
            "last_action_valid": game["valid"],
            "invalid_reason": game["reason"],
            "chain_length": game["chain"],
            "initial_force_charged": game["charged"],
            "lava_destroyed_this_step": game["burnt"],
            "perfect_squares_available": state.squares_found(),
            "square_born": state.squares["born"],
            "number_of_squares": game["squares"],
            "map": game["map"],
        }

    def write_observation(self, observation: Any) -> None:
        if self._painter is None:
            shown = DictRows(*(observation[name] for name in DictRows._fields))
            self.run_parallel(write_dict_rows, self._state, shown, observation["direction"])
        else:
            super().write_observation(observation)

    def mark_valid(self, mask: np.ndarray) -> None:
        engine.mark_valid(self._state, self._rules, self.rules.first_z, mask)

    def mark_once(self, masks: np.ndarray) -> None:
        mark_at_shover(masks, self._state, self.rules)

    def check_state(self, state: State) -> None:
        checked_state(state, self._state)

    def set_state(self, state: State) -> None:
        super().set_state(state)
        adopt_rules(self._state, self.rules)
