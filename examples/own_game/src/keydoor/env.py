"""KeyDoorEnv: Key and Door as a Gymnasium environment."""

from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces

from shoverworld.core.env import Event, GridEnv

from .game import GAME
from .rules import Maze

ROWS, COLS = 7, 9  # the size of the packaged levels and of the initial observation space
CHARACTERS = "#.AKDE"


class KeyDoorEnv(GridEnv):
    """
    ## Description
    A maze with keys and doors. The reward is 10 for the step that reaches the exit and -1 for every other step.

    ## Action space
    `Discrete(4)`: up, right, down, left.

    ## Observation space
    A `Dict`: `board`, uint8 (7, 9), contains, for each cell, the index of its character in "#.AKDE"; `keys`, uint8
    (1,), contains the number of keys that the player carries. For a level of another size, `reset` replaces the
    observation space. Such levels are meant for people and planners.
    """

    game = GAME

    def __init__(self, render_mode: str | None = None, max_steps: int = 200):
        super().__init__(render_mode)
        self.max_steps = max_steps
        self.action_space = spaces.Discrete(4)
        self.observation_space = self._space(ROWS, COLS)

    def _space(self, rows: int, cols: int) -> spaces.Dict:
        board = spaces.Box(0, len(CHARACTERS) - 1, (rows, cols), np.uint8)
        return spaces.Dict({"board": board, "keys": spaces.Box(0, 255, (1,), np.uint8)})

    def begin(self, options: dict[str, Any], seed: int | None) -> None:
        """Start on the given map, or on a packaged level chosen with the seed."""
        packaged = GAME.levels.packaged()
        text = options.get("map") or packaged[int(self.np_random.integers(len(packaged)))].level
        self._state = Maze.parse(GAME.levels.parse(text, "options['map']"))
        self.observation_space = self._space(len(self._state.cells), len(self._state.cells[0]))

    def apply(self, action: int) -> Event:
        state = self._state.after(action)
        if state.outcome is None and state.steps >= self.max_steps:
            state = replace(state, outcome="timeout")
        self._state = state
        return Event(10.0 if state.outcome == GAME.won else -1.0, state.outcome)

    def mark_valid(self, mask: np.ndarray) -> None:
        mask[:] = [self._state.after(action).valid for action in range(4)]

    @property
    def outcome(self) -> str | None:
        return self._state.outcome

    def make_observation(self) -> dict[str, np.ndarray]:
        rows = str(self._state).splitlines()
        board = np.array([[CHARACTERS.index(character) for character in row] for row in rows], np.uint8)
        return {"board": board, "keys": np.array([self._state.keys], np.uint8)}

    def make_info(self, event: Any) -> dict[str, Any]:
        state = self._state
        return {"steps": state.steps, "last_action_valid": state.valid, "outcome": self.outcome}

    def figures(self) -> dict[str, float]:
        return {"steps": self._state.steps, "keys": self._state.keys}

    def remark(self) -> str:
        return self._state.remark
