"""ShoverWorldEnv: one game of Shover-World as a Gymnasium environment."""

from collections.abc import Sequence
from functools import partial
from operator import index
from os import PathLike
from typing import Any, ClassVar

import numpy as np
from numpy import ndarray

from shoverworld.core.compiled_env import CompiledEnv, row_count
from shoverworld.core.env import game_over
from shoverworld.core.native import entry

from . import draw, engine, record
from . import observation as seen
from . import rules as rulebook
from .checking import checked_state
from .config import Reward, Rules
from .game import GAME
from .generate import make_solvable
from .maps import Map
from .reasons import CODES
from .setup import ShoverSetup, checked_place, mark_at_shover
from .state import OUTCOMES, ShoverStart, ShoverStep, State, adopt_rules, new_state

ACTION_NAMES = ("row", "col", "z")
_INFO: dict[str, Any] = dict.fromkeys(  # copying a dict and replacing its values is faster than building a new dict
    (
        "timestep", "stamina", "number_of_boxes", "number_destroyed", "last_action_valid", "invalid_reason", "chain_length",
        "initial_force_charged", "lava_destroyed_this_step", "perfect_squares_available", "square_ages", "map", "outcome",
    )
)  # fmt: skip


class ShoverWorldEnv(CompiledEnv):
    """
    ## Description
    A shover with limited stamina pushes chains of boxes around a dock. The boxes can be burnt in lava, or arranged into
    perfect squares that are then turned into barriers or lava. The goal is an empty dock. The rules have three presets:
    `milestone1` (the shover leaps to the box it pushes), `walker` (the shover walks cell by cell) and `phase2`
    (each action selects a box and pushes it, without walking; boxes that leave the map burn).

    ## Action space
    `MultiDiscrete`: `(row, col, z)`; `((row, col), z)` is accepted as well. `row` and `col` specify the cell to act on.
    In `walker`, they are only recorded: actions affect the cell next to the shover. `z_base` is 0 in `phase2`,
    otherwise 1:

    | z - z_base | meaning |
    |---|---|
    | -1 | no-op (`walker` only) |
    | 0, 1, 2, 3 | up, right, down, left: push the box on the target cell, or move to the target cell if it is empty |
    | 4 | barrier maker: a perfect square (n >= 2) becomes barriers |
    | 5 | hellify: a perfect square (n >= 3) burns, and its interior becomes lava |

    `env.unwrapped.valid_actions()` lists the valid actions, and `action_mask()` marks them in a flat array over row, col
    and z. An action whose position does not matter is marked for every cell, but listed once, with the shover's own
    cell. `FlatActions(env)` converts the action space to `Discrete`, which some libraries require.

    ## Observation space
    `observation="dict"` (default): a `Dict`.

    | key | value | at reset |
    |---|---|---|
    | `grid` | int8 (rows, cols): -100 lava, 0 empty, 1-10 box, 100 barrier | the map |
    | `agent` | (row, col) of the shover | the start |
    | `direction` | the direction that the shover faces (the last one tried): 0 up, 1 right, 2 down, 3 left | 2 |
    | `stamina` | (1,): the stamina left | `initial_stamina` |
    | `previous_selected_position` | (row, col) of the previous action | (-1, -1) |
    | `previous_action` | (1,): z of the previous action | -1 |

    `observation="grid"`: int8 (rows, cols), as in the dict, with 50 on the cell of the shover.
    `observation="planes"`: uint8 (8, rows, cols), with a 1 in each cell that contains a barrier, lava, a box, the
    shover, or a box that the last step moved up, right, down or left (one plane for each). `observation="rgb"`: uint8
    (16 * rows, 16 * cols, 3), the picture that `rgb_array` renders with `cell_size=16`.

    The info dict contains `timestep`, `stamina`, `number_of_boxes`, `number_destroyed`, `last_action_valid`,
    `invalid_reason` (`""`, or a code such as `"barrier_beyond"`; see rule 1.7), `chain_length` (the number of boxes
    pushed by this step), `initial_force_charged`, `lava_destroyed_this_step`, `perfect_squares_available` (a list of
    `(n, (row, col))`, oldest first), `square_ages` (in that order), `map` (an index in `maps`, or -1) and `outcome`.
    In a batch, each value is an array with one entry per game. These entries differ:

    | single | batch |
    |---|---|
    | `invalid_reason`: a code | a number: the code is `envs.unwrapped.invalid_reasons[number]` |
    | `perfect_squares_available`: a list | rows of (n, row, col); the first `number_of_squares` of them are in use |
    | `square_ages` | `timestep - square_born`, where `square_born` is the timestep at which each square appeared |

    ## Rewards
    The reward for a step is `lava` for each box burnt + `barrier` for each cell that the barrier maker converts +
    `hellify` for each cell that hellify converts - `push_cost` times the stamina cost of a push + `invalid` for an
    invalid action; see `Reward`. The defaults are 40 for each box burnt, 10 for each cell that the barrier maker
    converts and -1 for an invalid action. In `phase2`, the reward is 40 for each box burnt minus the stamina cost of
    the push.

    ## Episode end
    `info["outcome"]` is None during the game. At the end, it is the first of these that applies: `"cleared"` (no boxes
    left; terminated), `"exhausted"` (stamina <= 0; terminated), `"timeout"` (`max_timestep` reached; truncated). After
    that, `step` raises `ResetNeeded`.

    ## Arguments
    | argument | default | meaning |
    |---|---|---|
    | `rules` | those of the map, or `"milestone1"` | a preset, a string such as `"phase2, unit_force=5"`, or a `Rules` |
    | `render_mode` | `None` | `"human"` (a window with statistics above the board), `"rgb_array"`, `"ansi"` |
    | `map_path` | `None` | the path to a map file, or the name of a bundled map; by default, maps are random |
    | `maps` | `None` | several maps, from which each reset draws one: a list of `Map`s, files and names of bundled maps, a folder, or the packaged set `"lessons"`; smaller maps are padded with the kind of cell that lies beyond their edge |
    | `observation` | `"dict"` | `"dict"`, `"grid"`, `"planes"` or `"rgb"` |
    | `n_rows`, `n_cols` | 6 x 9 | size of a random map, from 1 to 256 (10 x 10 in `walker`, 9 x 13 in `phase2`) |
    | `number_of_boxes`, `number_of_barriers`, `number_of_lavas` | 15%, 8% and 5% of the cells | the numbers of boxes, barriers and lava cells on a random map |
    | `solvable` | `False` | whether to use only random maps that the solver can clear |
    | `max_timestep` | 400 | steps until the timeout |
    | `initial_stamina` | 1000 | the stamina at reset |
    | `initial_force` | 40 | the extra stamina cost of a push from rest; regained for each box burnt |
    | `unit_force` | 10 | the stamina cost for each box in the pushed chain |
    | `perf_sq_initial_age` | 10 | the age in steps at which a perfect square dissolves (20 in `phase2`) |
    | `reward` | from the preset | a `Reward`, e.g. `Reward(lava=1, invalid=-0.1)` |
    | `seed` | `None` | the seed for the first `reset` if that call has none |
    | `cell_size` | 48 | the side length of a cell in pictures, in pixels |

    Every other field of `Rules` (`actor`, `edge`, `stationary`, `pick`, `order`, `hellify`, ...) is also a keyword
    argument. `reset(options=...)` accepts `map` (for this episode only: an index into `maps`, or a map of any size as a
    string, a `Map` or an array; the rules stay the same) and `agent` (the start cell of the shover, as (row, col)).

    ## Version history
    - v0: the first version
    """

    game, record, draw = GAME, record, draw
    figure_fields: ClassVar[dict[str, str]] = {"steps": "timestep", "stamina": "stamina"}
    outcomes, invalid_reasons = OUTCOMES, CODES
    action_names = ACTION_NAMES
    rebuilt = (*CompiledEnv.rebuilt, "_reset")

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
        map_path: Map | str | PathLike[str] | None = None,
        maps: Map | str | PathLike[str] | Sequence[Map | str | PathLike[str]] | None = None,
        observation: str | None = None,
        seed: int | None = None,
        rules: str | Rules | None = None,
        reward: Reward | dict[str, float] | None = None,
        solvable: bool = False,
        cell_size: int = draw.CELL_SIZE,
        **more_rules: Any,
    ):
        super().__init__(render_mode)
        self._setup = ShoverSetup(
            dict(
                more_rules, n_rows=n_rows, n_cols=n_cols, max_timestep=max_timestep, number_of_boxes=number_of_boxes,
                number_of_barriers=number_of_barriers, number_of_lavas=number_of_lavas, initial_stamina=initial_stamina,
                initial_force=initial_force, unit_force=unit_force, perf_sq_initial_age=perf_sq_initial_age,
                map_path=map_path, maps=maps, observation=observation, rules=rules, reward=reward, solvable=solvable,
            )
        )  # fmt: skip
        self.rules, self.observation = self._setup.rules, self._setup.observation
        self.cell_size = draw.checked_cell_size(cell_size)
        self.start_with(new_state(1, *self._setup.size), seed)

    def connect(self, state: State) -> None:
        super().connect(state)
        rows, cols = state.grid().shape[1:]
        self._bounds = rows, cols, self.rules.first_z, self.rules.first_z + self.rules.z_count - 1
        self.observation_space, self.action_space = self._setup.spaces(rows, cols)
        painter = seen.painter_for(self.observation, state)
        rows_of = partial(seen.dict_rows, row_count(rows * cols) if painter is None else 0, rows, cols)
        self.connect_kernel(engine, rows_of, 3, ("direction", state.game["direction"]))
        if painter is not None:
            self.make_observation = partial(painter.paint_one, state)
        self._reset = entry(rulebook.reset, state, 0, self._rules, self._setup.start({})[0])

    def prepare(self, options: dict[str, Any]) -> tuple[ShoverStart, tuple[int, int]]:
        return self._setup.start(options)

    def state_for(self, start: tuple[ShoverStart, tuple[int, int]]) -> State:
        return self._state if start[1] == self._bounds[:2] else new_state(1, *start[1])

    def lay_out(self, start: tuple[ShoverStart, tuple[int, int]]) -> None:
        self._reset(self._state, 0, self._rules, start[0])
        if self._setup.solvable:
            make_solvable(self._state, 0, self._rules, start[0])

    def parse_action(self, action: Any) -> tuple[int, int, int]:
        try:
            row, col, z = action.tolist() if isinstance(action, ndarray) else action
            row, col, z = index(row), index(col), index(z)
        except (TypeError, ValueError):
            try:
                (row, col), z = action
                row, col, z = index(row), index(col), index(z)
            except (TypeError, ValueError):
                raise self.bad_action(action) from None
        rows, cols, first_z, last_z = self._bounds
        if 0 <= row < rows and 0 <= col < cols and first_z <= z <= last_z:
            return row, col, z
        raise self.bad_action(action)

    def make_info(self, event: ShoverStep) -> dict[str, Any]:
        info = _INFO.copy()
        (
            _, info["timestep"], info["stamina"], info["number_of_boxes"], info["number_destroyed"],
            info["last_action_valid"], info["chain_length"], info["initial_force_charged"],
            info["lava_destroyed_this_step"], count, reason, info["map"], outcome,
        ) = event  # fmt: skip
        info["invalid_reason"], info["outcome"] = CODES[reason], OUTCOMES[outcome]
        squares = self._state.squares[0, :count].tolist() if count else ()
        info["perfect_squares_available"] = [(n, (row, col)) for n, row, col, _, _ in squares] if count else []
        info["square_ages"] = [info["timestep"] - born for *_, born in squares] if count else []
        return info

    def mark_valid(self, mask: np.ndarray) -> None:
        engine.mark_valid(self._state, self._rules, self.rules.first_z, mask[np.newaxis])

    def mark_once(self, mask: np.ndarray) -> None:
        mark_at_shover(mask[np.newaxis], self._state, self.rules)

    def check_state(self, state: State) -> None:
        checked_state(state)

    def fits(self, state: State) -> bool:
        return state.board.shape == self._state.board.shape and state.width == self._state.width

    def restore(self, state: State) -> None:
        super().restore(state)
        adopt_rules(self._state, self.rules)

    def place(self, position: Sequence[int]) -> None:
        """Put the shover on an empty cell, as a mouse click does (1.1). This costs no stamina and takes no timestep."""
        if not self._playing:
            raise game_over(self.outcome)
        here = int(self._record.row), int(self._record.col)
        row, col = checked_place(position, self._state.grid()[0], here if self.rules.actor == "walk" else None)
        self._record.row, self._record.col = row, col
        for listener in self.listeners:
            listener.placed((row, col))

    def window_picture(self) -> np.ndarray:
        return draw.window_picture(self._state, 0, self.cell_size)
