"""SokobanVectorEnv: N games of Sokoban, one kernel call a step."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from shoverworld.core.errors import ActionError
from shoverworld.core.jit import resolve
from shoverworld.core.vector import GridVectorEnv

from . import engine, rooms
from .setup import Start, Warehouse
from .sight import Painter
from .state import OUTCOMES, SokobanState, checked_state, new_state


class SokobanVectorEnv(GridVectorEnv):
    """What `gym.make_vec` gives: the keywords of SokobanEnv and of BatchEnv, the same games as single environments with
    the same seeds. Rooms are drawn inside the kernels, by each game's own dice.

    Info arrays have one row a game; there is no `solution` among them. `reset(options=...)` takes `level`, a place in
    `levels`, or `map`, no larger than the rooms of this batch, for all games that begin.
    """

    def __init__(
        self,
        levels: Any = None,
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int = 1,
        seed: int | None = None,
        render_mode: None = None,
        **keywords: Any,
    ):
        self._house = Warehouse(dict(keywords, levels=levels))
        self.rules, self.levels, self.observation = self._house.rules, self._house.levels, self._house.observation
        bank = self._house.bank
        self._largest = self._house.largest_number(bank)
        shown = self._house.observation_space(bank.size, self._largest), spaces.Discrete(self.rules.action_count)
        super().__init__(num_envs, autoreset_mode, copy, num_threads, seed, render_mode, shown, OUTCOMES)
        self._rules, self._reward = self.rules.numbers(), self.rules.reward_numbers()
        self._state = new_state(self.num_envs, *bank.size, self.rules.players)
        self._painter = None if self.observation == "planes" else Painter(self.observation, self._state, self._largest)
        numbers = self._house.numbers
        self._workspaces = [rooms.new_workspace(numbers) for _ in range(self.threads)] if numbers is not None else []
        actions = np.zeros(self.num_envs, np.int64)
        self._step_rows = resolve(engine.step_rows, 0, 0, *self._step_arguments(actions, self._nobody))
        self._reset_rows = resolve(engine.reset_rows, 0, 0, *self._reset_arguments(self._house.usual, self._nobody))

    def _step_arguments(self, actions: np.ndarray, over: np.ndarray) -> tuple:
        return self._state, self._rules, self._reward, actions, over, self._house.bank, self._report

    def _reset_arguments(self, start: Start, chosen: np.ndarray) -> tuple:
        return self._state, start.bank, start.place, chosen, self._report

    def _setup_for(self, options: dict[str, Any]) -> Start:
        return self._house.start(options, self._state.size)

    def _begin(self, chosen: np.ndarray, setup: Start) -> None:
        if self._house.is_drawn and setup.level is None:
            self._draw(np.array(chosen))
            return
        self._shared_out(self._reset_rows, *self._reset_arguments(setup, np.array(chosen)))
        if setup.level is not None:
            self._state.game["level"][chosen] = -1
            self._numbers_up_to(setup.bank.largest_number)

    def _draw(self, chosen: np.ndarray) -> None:
        numbers: Any = self._house.numbers
        failed = []

        def draw(first: int, last: int, workspace: Any) -> None:
            failed.append(rooms.draw_rows(first, last, self._state, numbers, chosen, workspace, self._report))

        self._shared_out(draw, workspaces=self._workspaces)
        if any(failed):
            raise rooms.nothing_found(numbers)

    def _numbers_up_to(self, largest: int) -> None:
        """Boxes with larger numbers than before have come, from a map or a state: they are painted, too."""
        if largest > self._largest and self._painter is not None:
            self._largest = largest
            self._painter = Painter(self.observation, self._state, largest)

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
        if self._house.is_drawn and over.any():
            self._draw(over)

    def _observation(self, state: SokobanState) -> np.ndarray:
        """The planes are the state's own; anything else is always written anew."""
        if self._painter is None:
            return state.rooms()
        shown = self._painter.blank(self.num_envs)
        self._shared_out(self._painter.paint, state, shown)
        return shown

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
        self._numbers_up_to(int(state.planes.max()))
