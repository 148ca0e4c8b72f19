"""SokobanVectorEnv: N games of Sokoban, one kernel call a step."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from shoverworld.core.checks import known, whole, word
from shoverworld.core.errors import ActionError
from shoverworld.core.jit import resolve
from shoverworld.core.vector import BatchEnv

from . import engine
from .config import SokobanRules
from .env import ANY, OBSERVATIONS, checked_levels, observation_space, rules_of
from .levels import Level
from .state import OUTCOMES, SokobanState, checked_state, new_state
from .store import stored


class SokobanVectorEnv(BatchEnv):
    """The keywords of SokobanEnv and of BatchEnv, the same games as single environments with the same seeds.

    Levels of different sizes are filled up with walls to the largest. Info arrays have one row a game.
    `reset(options=...)` takes `level`, a place in `levels`, for all games that begin.
    """

    def __init__(
        self,
        levels: Level | Sequence[Level],
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int = 1,
        seed: int | None = None,
        render_mode: None = None,
        observation: str = "planes",
        rules: SokobanRules | None = None,
        **keywords: Any,
    ):
        self.rules = rules_of(rules, keywords)
        self.levels = checked_levels(levels)
        self.observation = word("observation", observation, OBSERVATIONS)
        self._bank = stored(self.levels, self.rules)
        shown = observation_space(self.observation, self._bank), spaces.Discrete(self.rules.action_count)
        super().__init__(num_envs, autoreset_mode, copy, num_threads, seed, render_mode, shown, OUTCOMES)
        self._rules, self._reward = self.rules.numbers(), self.rules.reward_numbers()
        self._state = new_state(self.num_envs, *self._bank.size, self.rules.players)
        actions = np.zeros(self.num_envs, np.int64)
        self._step_rows = resolve(engine.step_rows, 0, 0, *self._step_arguments(actions, self._nobody))
        self._reset_rows = resolve(engine.reset_rows, 0, 0, *self._reset_arguments(ANY, self._nobody))

    def _step_arguments(self, actions: np.ndarray, over: np.ndarray) -> tuple:
        return self._state, self._rules, self._reward, actions, over, self._bank, self._report

    def _reset_arguments(self, level: int, chosen: np.ndarray) -> tuple:
        return self._state, self._bank, level, chosen, self._report

    def _setup_for(self, options: dict[str, Any]) -> int:
        """The place of the level that games begin on."""
        known(options, ["level"], "option")
        place = options.get("level")
        return ANY if place is None else whole("options['level']", place, 0, len(self.levels) - 1)

    def _begin(self, chosen: np.ndarray, setup: int) -> None:
        self._shared_out(self._reset_rows, *self._reset_arguments(setup, np.array(chosen)))

    def _advance(self, actions: Any, over: np.ndarray) -> None:
        try:
            given = np.asarray(actions)
            if given.dtype.kind not in "iu" or given.shape != (self.num_envs,):
                raise ValueError
        except ValueError:
            raise ActionError(f"expected {self.num_envs} whole numbers: an action a game") from None
        bad = engine.first_outside(given, self.rules.action_count)
        if bad >= 0:
            raise ActionError(
                f"action {given[bad]} of game {bad} is outside the action space; "
                f"expected 0 to {self.rules.action_count - 1}"
            )
        given = np.ascontiguousarray(given, np.int64)
        self._shared_out(self._step_rows, *self._step_arguments(given, over))

    def _observation(self, state: SokobanState) -> np.ndarray:
        """The planes are the state's own; the grid is always written anew."""
        if self.observation == "planes":
            return state.rooms()
        grid = np.empty((self.num_envs, state.planes.shape[2]), np.uint8)
        self._shared_out(lambda first, last: engine.write_grid(state, first, last, grid))
        return grid.reshape(self.num_envs, *state.size)

    def _info(self, state: SokobanState) -> dict[str, np.ndarray]:
        game = state.game
        return {
            "steps": game["steps"],
            "moves": game["moves"],
            "pushes": game["pushes"],
            "pulls": game["pulls"],
            "boxes": game["boxes"],
            "boxes_on_target": game["on_target"],
            "all_boxes_on_target": game["on_target"] == game["boxes"],
            "last_action_valid": game["valid"],
            "level": game["level"],
            "outcome": self._outcome_words(),
        }

    # --- beyond Gymnasium

    def action_mask(self) -> np.ndarray:
        """Which actions would be valid: bool (N, actions)."""
        self._must_have_begun()
        mask = np.zeros((self.num_envs, self.rules.action_count), np.bool_)
        engine.mark_valid(self._state, self._rules, mask)
        return mask

    def set_state(self, state: SokobanState) -> None:
        """Go on from a state that `get_state` of a batch of this size gave."""
        checked_state(state, self.rules, self._state)
        self._goes_on_from(state)
