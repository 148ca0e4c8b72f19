"""ShoverWorldEnv: one game of Shover-World as a Gymnasium environment."""

from functools import partial
from operator import index
from typing import Any

import numpy as np

from shoverworld.core.checks import seed_number
from shoverworld.core.env import GridEnv, game_over
from shoverworld.core.errors import ActionError
from shoverworld.core.grid import seed_rng
from shoverworld.core.jit import resolve

from . import draw, engine, record
from .game import GAME
from .generate import begin
from .hashing import game_numbers, state_hash
from .setup import Dock, free_path
from .state import (
    EMPTY,
    OUTCOMES,
    PLAYING,
    RNG_FIELDS,
    TIMEOUT,
    State,
    checked_state,
    new_state,
    set_frame,
)

ACTION_SHAPE = "(row, col, z) or ((row, col), z)"


class ShoverWorldEnv(GridEnv):
    """
    ## Description
    A shover in a dock pushes chains of boxes with limited stamina. He burns them in lava, builds perfect squares of
    boxes and turns those into barriers or into lava, and wants the dock empty. Three presets of the rules:
    `milestone1` (the shover leaps to the box he pushes), `walker` (he walks cell by cell) and `phase2` (there is no
    walking at all: select a box and push it; what leaves the map burns).

    ## Action space
    `MultiDiscrete`: `(row, col, z)`; `((row, col), z)` is taken too. The position is the cell to act on (with
    `walker` it is only recorded). z counts from `z_base`, which is 1, and 0 in `phase2`:

    | z - z_base | meaning |
    |---|---|
    | -1 | no-op (`walker` only) |
    | 0, 1, 2, 3 | up, right, down, left: push the box at the target, or stand on it when it is empty |
    | 4 | barrier maker: a perfect square (n >= 2) becomes barriers |
    | 5 | hellify: a perfect square (n >= 3) burns, its inside becomes lava |

    `env.unwrapped.action_mask()` tells which actions would be valid, flat over row, col, z.
    `shoverworld.FlatActions(env)` makes the action space `Discrete`, for libraries that want that.

    ## Observation space
    A `Dict`:

    | key | what | at reset |
    |---|---|---|
    | `grid` | int8 (rows, cols): -100 lava, 0 empty, 1-10 box, 100 barrier | the map |
    | `agent` | (row, col) of the shover | the start |
    | `direction` | the way he faces, the last direction tried: 0 up, 1 right, 2 down, 3 left | 2 |
    | `stamina` | what is left of it | `initial_stamina` |
    | `previous_selected_position` | (row, col) of the action before | (-1, -1) |
    | `previous_action` | z of the action before | -1 |

    The info dict has `timestep`, `stamina`, `number_of_boxes`, `number_destroyed`, `last_action_valid`,
    `chain_length` (boxes pushed by this step), `initial_force_charged`, `lava_destroyed_this_step`,
    `perfect_squares_available` (a list of `(n, (row, col))`, oldest first), `square_ages` (parallel to it) and
    `outcome`.

    ## Rewards
    `lava` for each box burnt + `barrier` for each cell the barrier maker converts + `hellify` for each cell hellify
    converts - `push_cost` times the stamina a push took + `invalid` for an invalid action; see `Reward`. The default
    is 40 a box, 10 a barrier cell and -1 for an invalid action; in `phase2` 40 a box minus the cost of the push.

    ## Episode end
    `info["outcome"]` is the first that holds: `"cleared"` (no boxes left; terminated), `"exhausted"` (stamina <= 0;
    terminated), `"timeout"` (`max_timestep` reached; truncated). A step after the end raises `ResetNeeded`.

    ## Arguments
    | keyword | default | meaning |
    |---|---|---|
    | `rules` | `"milestone1"` | a preset's name, or a `Rules` |
    | `render_mode` | `None` | `"human"` (window), `"rgb_array"`, `"ansi"` |
    | `map_path` | `None` | a map file, or the name of a bundled map; without one, maps are random |
    | `n_rows`, `n_cols` | 6 x 9 | size of a random map (walker 10 x 10, phase2 9 x 13), 1 to 256 |
    | `number_of_boxes` | 15 % of the cells | on a random map |
    | `number_of_barriers` | 8 % | on a random map |
    | `number_of_lavas` | 5 % | on a random map |
    | `solvable` | `False` | only random maps that the solver has cleared |
    | `max_timestep` | 400 | steps until the timeout |
    | `initial_stamina` | 1000 | |
    | `initial_force` | 40 | paid by a push that starts from rest; given back for each box burnt |
    | `unit_force` | 10 | paid for each box of the chain |
    | `perf_sq_initial_age` | 10 | steps until a perfect square dissolves (phase2 20) |
    | `reward` | of the preset | a `Reward`, e.g. `Reward(lava=1, invalid=-0.1)` |
    | `seed` | `None` | for the first reset, when that is given none |
    | `cell_size` | 48 | pixels a cell in pictures |

    Every other field of `Rules` (`actor`, `edge`, `stationary`, `pick`, `order`, `hellify`, ...) is a keyword too.
    `reset(options=...)` takes `map` (text, `Map` or array: this episode only, any size) and `agent` (row, col).

    ## Version history
    - v0: the first.
    """

    game = GAME
    held = ("_game", "_views", "_grid", "_play")

    def __init__(
        self,
        render_mode: str | None = None,
        n_rows: int | None = None,
        n_cols: int | None = None,
        max_timestep: int | None = None,
        number_of_boxes: int | None = None,
        number_of_barriers: int | None = None,
        number_of_lavas: int | None = None,
        initial_stamina: float | None = None,
        initial_force: float | None = None,
        unit_force: float | None = None,
        perf_sq_initial_age: int | None = None,
        map_path: Any = None,
        seed: int | None = None,
        rules: Any = "milestone1",
        reward: Any = None,
        solvable: bool = False,
        cell_size: int = draw.CELL_SIZE,
        **more_rules: Any,
    ):
        super().__init__(render_mode)
        self._dock = Dock(
            dict(
                more_rules,
                n_rows=n_rows,
                n_cols=n_cols,
                max_timestep=max_timestep,
                number_of_boxes=number_of_boxes,
                number_of_barriers=number_of_barriers,
                number_of_lavas=number_of_lavas,
                initial_stamina=initial_stamina,
                initial_force=initial_force,
                unit_force=unit_force,
                perf_sq_initial_age=perf_sq_initial_age,
                map_path=map_path,
                rules=rules,
                reward=reward,
                solvable=solvable,
            )
        )
        self.rules = self._dock.rules
        self.cell_size = draw.checked_cell_size(cell_size)
        self._rules, self._reward = self.rules.numbers(), self.rules.reward_numbers()
        self._first_z, self._last_z = self.rules.first_z, self.rules.first_z + self.rules.z_count - 1
        self._hold(new_state(1, *self._dock.size))
        seed_rng(self._game, seed_number(seed))

    def _hold(self, state: State) -> None:
        """Play on this state from now on: spaces of its size, views for the observation, the kernel for its types."""
        self._state = state
        self._game: Any = state.game[0]
        self._views = {key: view[0, ...] for key, view in engine.views(state).items()}
        self._grid = self._views["grid"]
        self._rows, self._cols = self._grid.shape
        self.observation_space, self.action_space = self._dock.spaces(self._rows, self._cols)
        fixed = state, 0, self._rules, self._reward
        self._play = partial(resolve(engine.play, *fixed, 0, 0, 0), *fixed)

    # --- Gymnasium's interface

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict, dict]:
        """Begin a game. `options` may name a `map` (text, Map or array; its size is taken over) and an `agent`."""
        setup, size = self._dock.setup({} if options is None else options)
        super().reset(seed=seed_number(seed))
        if size != (self._rows, self._cols):
            rng = {name: self._game[name] for name in RNG_FIELDS}
            self._hold(new_state(1, *size))
            for name, value in rng.items():
                self._game[name] = value
        if seed is not None:
            seed_rng(self._game, seed)
        begin(self._state, 0, self._rules, setup, self._dock.solvable)
        return self._has_begun(seed)

    def step(self, action: Any) -> tuple[dict, float, bool, bool, dict]:
        """One timestep. An action outside the action space is an ActionError, and nothing has changed."""
        if not self._playing:
            raise game_over(self.outcome)
        try:
            row, col, z = action.tolist() if isinstance(action, np.ndarray) else action
            row, col, z = index(row), index(col), index(z)
        except (TypeError, ValueError):
            row, col, z = self._numbers(action)
        if not (0 <= row < self._rows and 0 <= col < self._cols and self._first_z <= z <= self._last_z):
            raise self._bad_action(action)
        told = self._play(row, col, z)
        outcome = told[-1]
        terminated = truncated = False
        if outcome != PLAYING:
            self._playing = False
            truncated = outcome == TIMEOUT
            terminated = not truncated
        for listener in self.listeners:
            listener.stepped((row, col, z), told[0])
        if self._in_window:
            self.render()
        return self._observation(), told[0], terminated, truncated, self._info(told)

    def _numbers(self, action: Any) -> list[int]:
        """The numbers of an action that is not a plain (row, col, z)."""
        try:
            position, z = action
            row, col = position
            return [index(row), index(col), index(z)]
        except (TypeError, ValueError):
            raise self._bad_action(action) from None

    def _bad_action(self, action: Any) -> ActionError:
        return ActionError(
            f"action {action!r} is outside the action space; expected {ACTION_SHAPE} with row 0-{self._rows - 1}, "
            f"col 0-{self._cols - 1}, z {self._first_z}-{self._last_z}"
        )

    def _observation(self) -> dict[str, Any]:
        views = self._views
        return {
            "grid": views["grid"].copy(),
            "agent": views["agent"].copy(),
            "direction": views["direction"][()],  # a number: Discrete wants no array
            "stamina": views["stamina"].copy(),
            "previous_selected_position": views["previous_selected_position"].copy(),
            "previous_action": views["previous_action"].copy(),
        }

    def _info(self, told: tuple) -> dict[str, Any]:
        _, timestep, stamina, boxes, destroyed, valid, chain, charged, burnt, squares, outcome = told
        available, ages = [], []
        if squares:
            for n, row, col, _, born in self._state.squares[0, :squares].tolist():
                available.append((n, (row, col)))
                ages.append(timestep - born)
        return {
            "timestep": timestep,
            "stamina": stamina,
            "number_of_boxes": boxes,
            "number_destroyed": destroyed,
            "last_action_valid": valid,
            "chain_length": chain,
            "initial_force_charged": charged,
            "lava_destroyed_this_step": burnt,
            "perfect_squares_available": available,
            "square_ages": ages,
            "outcome": OUTCOMES[outcome],
        }

    # --- beyond Gymnasium

    def observe(self) -> tuple[dict, dict]:
        """The observation and info of the game as it stands."""
        self._must_have_begun()
        game = game_numbers(self._state)
        told = ("timestep", "stamina", "boxes", "destroyed", "valid", "chain", "charged", "burnt", "squares", "outcome")
        return self._observation(), self._info((0.0, *(game[name] for name in told)))

    @property
    def outcome(self) -> str | None:
        """None while the game goes on, else how it ended."""
        return OUTCOMES[self._game.outcome]

    def action_mask(self) -> np.ndarray:
        """Which actions would be valid now: bool, flat over row, col, z. All False when the game is over."""
        self._must_have_begun()
        mask = np.zeros((1, self._rows, self._cols, self.rules.z_count), np.bool_)
        engine.mark_valid(self._state, self._rules, self._first_z, mask)
        return mask.reshape(-1)

    def place(self, position: tuple[int, int]) -> None:
        """Put the shover on an empty cell, free of cost and time: the mouse click (1.1)."""
        if not self._playing:
            raise game_over(self.outcome)
        try:
            row, col = (index(x) for x in position)
        except (TypeError, ValueError):
            raise ActionError(f"place({position!r}): expected (row, col), two whole numbers") from None
        if not (0 <= row < self._rows and 0 <= col < self._cols):
            raise ActionError(f"place({position!r}): off the map of {self._rows} x {self._cols}")
        if self._grid[row, col] != EMPTY:
            raise ActionError(f"place({position!r}): the cell is not empty")
        here = int(self._game.row), int(self._game.col)
        if self.rules.actor == "walk" and not free_path(self._grid, here, (row, col)):
            raise ActionError(f"place({position!r}): no path of empty cells leads there from {here}")
        self._game.row, self._game.col = row, col
        for listener in self.listeners:
            listener.placed((row, col))

    def set_state(self, state: State) -> None:
        """Go on from a state that `get_state` gave. The rules stay those of this environment."""
        checked_state(state)
        self._hold(state.copy())
        set_frame(self._state, self.rules.edge)
        self._begun = True
        self._playing = self._game.outcome == PLAYING
        for listener in self.listeners:
            listener.state_was_set()

    # --- for replays

    def state_hash(self) -> str:
        """16 hexadecimal digits for all that matters in this game; docs/replays.md tells how they are made."""
        self._must_have_begun()
        return state_hash(self._state)

    def recipe(self) -> tuple[str, dict[str, Any]]:
        return record.recipe(self.rules, self.spec.id if self.spec else None)

    def map_text(self) -> str:
        self._must_have_begun()
        return record.map_text(self._state)

    def figures(self) -> dict[str, float]:
        self._must_have_begun()
        game = game_numbers(self._state)
        return {"steps": game["timestep"], "stamina": game["stamina"]}

    def remark(self) -> str:
        return record.remark(self._state, self.rules.z_base)

    def _picture(self) -> np.ndarray:
        return draw.picture(self._state, 0, self.cell_size)

    def _text(self) -> str:
        return draw.text(self._state, 0)
