"""SokobanVectorEnv: N games of Sokoban, played with one kernel call per step."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from shoverworld.core.jit import resolve
from shoverworld.core.vector import GridVectorEnv

from . import engine, rooms
from .checking import checked_state
from .observation import painter_for
from .reasons import CODES
from .setup import SokobanSetup, SokobanStart
from .state import OUTCOMES, SokobanState, new_state


class SokobanVectorEnv(GridVectorEnv):
    """The batched environment that `gym.make_vec` returns.

    It takes the arguments of SokobanEnv and GridVectorEnv, and plays the same games as single environments with the same
    seeds. Kernels generate the room of each game with that game's random number generator.

    The info dict contains arrays with one entry for each game, but no `solution`. `reset(options=...)` takes `level`
    (an index into `levels`) or `map` (no larger than the rooms in this batch). The option applies to all games that are
    reset.
    """

    outcomes, invalid_reasons = OUTCOMES, CODES
    step_kernel, convert_kernel = staticmethod(engine.step_rows), staticmethod(engine.convert)
    rebuilt = ("_reset_rows", "_painter", "_workspaces")

    def __init__(
        self,
        levels: Any = None,
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        **keywords: Any,
    ):
        super().__init__(num_envs, autoreset_mode, levels=levels, **keywords)

    def make_setup(self, keywords: dict[str, Any]) -> SokobanSetup:
        setup = SokobanSetup(keywords)
        self.levels, self.observation = setup.levels, setup.observation
        self._largest = setup.largest_number(setup.bank)
        return setup

    def make_spaces(self) -> tuple[spaces.Space, spaces.Space]:
        shown = self._setup.observation_space(self._setup.bank.size, self._largest)
        return shown, spaces.Discrete(self.rules.action_count)

    def allocate(self) -> None:
        rows, cols = self._setup.bank.size
        self._state = new_state(self.num_envs, rows, cols, self.rules.players)

    def connect(self) -> None:
        self._painter = painter_for(self.observation, self._state, self._largest)
        numbers = self._setup.numbers
        self._workspaces = (
            [rooms.new_workspace(numbers, with_solution=False) for _ in range(self.threads)]
            if numbers is not None
            else []
        )
        usual = self._reset_arguments(self._setup.usual, np.zeros(self.num_envs, np.bool_))
        self._reset_rows = resolve(engine.reset_rows, 0, 0, *usual)

    def step_arguments(self) -> tuple:
        return self._state, self._rules, self._reward, self._setup.bank

    def _reset_arguments(self, start: SokobanStart, chosen: np.ndarray) -> tuple:
        return self._state, start.bank, start.place, chosen

    def prepare(self, options: dict[str, Any]) -> SokobanStart:
        return self._setup.start(options, self._state.size)

    def begin(self, chosen: np.ndarray, start: SokobanStart) -> None:
        if self._setup.is_drawn and start.level is None:
            self._draw(chosen)
            return
        self.run_parallel(self._reset_rows, *self._reset_arguments(start, chosen))
        if start.level is not None:
            self._state.game["level"][chosen] = -1
            self._allow_numbers(start.bank.largest_number)

    def _draw(self, chosen: np.ndarray) -> None:
        numbers: Any = self._setup.numbers
        failed = []

        def draw(first: int, last: int, workspace: Any) -> None:
            failed.append(rooms.draw_rows(first, last, self._state, numbers, chosen, workspace, self._results))

        self.run_parallel(draw, workspaces=self._workspaces)
        if any(failed):
            raise rooms.nothing_found(numbers)

    def _allow_numbers(self, largest: int) -> None:
        """Update the painter if a map or a state contains larger box numbers than before."""
        if largest > self._largest and self._painter is not None:
            self._largest = largest
            self._painter = painter_for(self.observation, self._state, largest)

    def redraws(self) -> bool:
        return self._setup.is_drawn

    def redraw(self, begun: np.ndarray) -> None:
        self._draw(begun)

    def shown_fields(self) -> tuple[str, ...]:
        return ("planes", "game") if self._painter is None else ("game",)

    def make_views(self, state: SokobanState, buffers: Any) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        game = state.game
        return state.rooms() if self._painter is None else buffers[0], {
            "steps": game["steps"],
            "moves": game["moves"],
            "pushes": game["pushes"],
            "pulls": game["pulls"],
            "boxes": game["boxes"],
            "boxes_on_target": game["on_target"],
            "all_boxes_on_target": game["all_on_target"],
            "last_action_valid": game["valid"],
            "invalid_reason": game["reason"],
            "level": game["level"],
        }

    def use_arrays(self, observation: np.ndarray) -> None:
        if self._painter is None:
            planes = observation.reshape(self._state.planes.shape)
            planes[...] = self._state.planes
            self._state = self._state._replace(planes=planes)

    def mark_valid(self, mask: np.ndarray) -> None:
        engine.mark_valid(self._state, self._rules, mask)

    def check_state(self, state: SokobanState) -> None:
        checked_state(state, self.rules, self._state)

    def set_state(self, state: SokobanState) -> None:
        super().set_state(state)
        self._allow_numbers(int(state.planes.max()))
