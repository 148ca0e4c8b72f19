"""SokobanEnv: one game of Sokoban as a Gymnasium environment."""

from collections.abc import Sequence
from functools import partial
from os import PathLike
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from shoverworld.core.compiled_env import CompiledEnv, row_count
from shoverworld.core.results import new_results

from . import draw, engine, record, rooms
from .checking import checked_state
from .config import SokobanReward, SokobanRules
from .game import GAME
from .levels import Level
from .observation import painter_for, plane_rows
from .reasons import CODES
from .setup import SokobanSetup, SokobanStart, workspace_of
from .state import OUTCOMES, SokobanState, SokobanStep, new_state
from .store import solution_of

WINDOW_CELL_SIZE = 48  # the side length of a cell in a window, in pixels
_ONE = np.ones(1, np.bool_)
_INFO: dict[str, Any] = dict.fromkeys(  # copying a dict and replacing its values is faster than building a new dict
    (
        "steps", "moves", "pushes", "pulls", "boxes", "boxes_on_target", "all_boxes_on_target", "last_action_valid",
        "invalid_reason", "level", "outcome",
    )
)  # fmt: skip


class SokobanEnv(CompiledEnv):
    """
    ## Description
    A warehouse keeper pushes boxes, one at a time, until every box is on a target. Each reset generates a new solvable
    room or uses one of the given levels. Arguments select variants: two players, pulling, a separate target for every
    box, or four actions instead of separate pushes and moves.

    ## Action space
    `Discrete`. The order of directions is up, down, left, right.

    | action | meaning |
    |---|---|
    | 0 | no-op |
    | 1-4 | push the box ahead; if no box is ahead, move |
    | 5-8 | move onto a free cell, without pushing |
    | 9-12 | with `pull=True`: step onto a free cell and pull the box behind the player, if any |

    With `players=2`, the same actions except the no-op follow for the second player: 9-16, or 13-24 with pulls.
    With `moves="four"`, there are only the actions 0-3 (and 4-7 for the second player): moves that push if possible.

    ## Observation space
    `observation="planes"`: uint8 (4 or 5, rows, cols), with one plane each for walls, targets, boxes, the player and,
    if there is one, the second player. A plane has a 1 in each cell that contains the object, and a 0 elsewhere.
    With `fixed_targets=True`, the planes of targets and boxes contain numbers, counting from 1; a box and its target
    have the same number.
    `observation="grid"`: uint8 (rows, cols), 0 wall, 1 floor, 2 target, 3 box on target, 4 box, 5 player.
    `observation="rgb"`: uint8 (16 * rows, 16 * cols, 3), the picture that `rgb_array` renders.
    `observation="tiny_rgb"`: uint8 (rows, cols, 3), one pixel per cell.

    The info dict has `steps`, `moves`, `pushes`, `pulls`, `boxes`, `boxes_on_target`, `all_boxes_on_target`,
    `last_action_valid`, `invalid_reason`, `level` (the level's index in `levels`; -1 for a generated room or a `map`
    from the options), `outcome` and, after a reset, `solution`: a string of moves in LURD notation that solves the
    room. Every generated room comes with a solution; a given level may have none.
    In a batch, each value is an array with one entry per game. These entries differ:

    | single | batch |
    |---|---|
    | `invalid_reason`: a code | a number: the code is `envs.unwrapped.invalid_reasons[number]` |
    | `solution` after a reset | none; `sokoban.solve(envs.unwrapped.get_state().row(i))` finds one for game i |

    ## Rewards
    -0.1 for each step, +1 for moving a box onto its target, -1 for moving a box off its target, and +10 when all
    boxes are on their targets; see `SokobanReward`.

    ## Episode end
    `"solved"` (terminated), or `"timeout"` after `max_steps` steps (truncated). Stepping after the end raises
    `ResetNeeded`.

    ## Arguments
    | argument | default | meaning |
    |---|---|---|
    | `levels` | `None` | the levels on which games start: a `Level`, a list of levels, the path to a level file or to a folder of level files, the name of a packaged set (`"easy"`), or a part of Boxoban (`"boxoban:unfiltered/valid"`); each reset picks a level at random. `None` or `"random"`: each reset generates a new room |
    | `rules` | `"Sokoban-v0"` | all rules at once: a `SokobanRules`, or an environment id; the arguments below change individual rules |
    | `dim_room`, `num_boxes` | (10, 10), 3 | size (rows, columns) of a generated room and number of boxes in it |
    | `min_score`, `min_pushes` | 0 | generate only rooms with at least this score and a solution with at least this many pushes; if none of 1,000 rooms qualifies, use the best of them |
    | `players`, `pull`, `fixed_targets`, `moves` | 1, `False`, `False`, `"push_and_move"` | the variant of the game |
    | `max_steps` | 200 | number of steps until the timeout |
    | `reward` | | a `SokobanReward`, or a dict of the components to change, e.g. `{"step": 0}` |
    | `observation` | `"planes"` | `"planes"`, `"grid"`, `"rgb"` or `"tiny_rgb"` |
    | `render_mode` | `None` | `"human"`, `"rgb_array"`, `"tiny_human"`, `"tiny_rgb_array"` or `"ansi"` |
    | `seed` | `None` | the seed for the first reset, if `reset` is called without a seed |
    | `cell_size` | 16 | side length of a cell in pixels (default in a window: 48) |
    | `tiny_scale` | 1 | side length of a cell in pixels in tiny pictures (default in a window: 16) |

    The levels may differ in size: smaller levels are padded with walls to the size of the largest level, or to
    `dim_room` if it is given. If `num_boxes` is given along with levels, every level must have that number of boxes.
    With `players=2`, a level for one player gets a second player, who starts on the nearest cell that the level's
    solution does not use. If the solution uses every free cell, the second player starts far from the first, and
    there is no `solution`. `reset(options=...)` takes `level` (an index into `levels`) or `map` (a string or a `Level`
    of any size, for this episode only).

    ## Version history
    - v0: the first version. The ids use gym-sokoban's version numbers, where each version stands for a room size.
    """

    game, record, draw = GAME, record, draw
    figure_fields: ClassVar[dict[str, str]] = {name: name for name in ("steps", "moves", "pushes")}
    outcomes, invalid_reasons = OUTCOMES, CODES
    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "rgb_array", "tiny_human", "tiny_rgb_array", "ansi"],
        "render_fps": 30,
    }

    def __init__(
        self,
        levels: Level | Sequence[Level] | str | PathLike[str] | None = None,
        render_mode: str | None = None,
        observation: str | None = None,
        seed: int | None = None,
        rules: str | SokobanRules | None = None,
        dim_room: tuple[int, int] | None = None,
        num_boxes: int | None = None,
        max_steps: int | None = None,
        players: int | None = None,
        pull: bool | None = None,
        fixed_targets: bool | None = None,
        moves: str | None = None,
        reward: SokobanReward | dict[str, float] | None = None,
        min_score: int | None = None,
        min_pushes: int | None = None,
        cell_size: int | None = None,
        tiny_scale: int | None = None,
        **unknown: Any,
    ):
        super().__init__(render_mode)
        self._setup = SokobanSetup(
            dict(
                unknown, levels=levels, observation=observation, rules=rules, dim_room=dim_room, num_boxes=num_boxes,
                max_steps=max_steps, players=players, pull=pull, fixed_targets=fixed_targets, moves=moves, reward=reward,
                min_score=min_score, min_pushes=min_pushes,
            )
        )  # fmt: skip
        self.rules, self.observation = self._setup.rules, self._setup.observation
        usual = (WINDOW_CELL_SIZE, draw.CELL_SIZE) if self._in_window else (draw.CELL_SIZE, 1)
        self.cell_size = draw.checked_cell_size(usual[0] if cell_size is None else cell_size)
        self.tiny_scale = draw.checked_scale(usual[1] if tiny_scale is None else tiny_scale)
        self.action_space = spaces.Discrete(self.rules.action_count)
        self._solution = ""
        self._shown: tuple = ()  # the values that determine the observation space
        bank = self._setup.bank
        self._largest = self._setup.largest_number(bank)
        self.start_with(new_state(1, *bank.size, self.rules.players), seed)

    def connect(self, state: SokobanState) -> None:
        super().connect(state)
        painter = painter_for(self.observation, state, self._largest)
        count = row_count(state.planes.nbytes) if painter is None else 0
        self.connect_kernel(engine, partial(plane_rows, count, state), 1)
        if painter is not None:
            self.make_observation = partial(painter.paint_one, state)
        if self._shown != (state.size, self._largest):
            self._shown = state.size, self._largest
            self.observation_space = self._setup.observation_space(*self._shown)

    @property
    def levels(self) -> Sequence[Level] | None:
        """The levels on which games start, or None if rooms are generated."""
        return self._setup.levels

    @property
    def level(self) -> Level:
        """The room in its current state, as a level."""
        self.require_started()
        return record.level_of(self._state)

    # --- the methods that core/env.py requires

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Start a game. The options are `level` (an index into `levels`) or `map` (a string or a Level)."""
        observation, info = super().reset(seed=seed, options=options)
        if self._solution:
            info["solution"] = self._solution
        return observation, info

    def prepare(self, options: dict[str, Any]) -> SokobanStart:
        return self._setup.start(options)

    def state_for(self, start: SokobanStart) -> SokobanState:
        largest = self._setup.largest_number(start.bank)
        if start.bank.size == self._state.size and largest == self._largest:
            return self._state
        self._largest = largest
        return new_state(1, *start.bank.size, self.rules.players)

    def lay_out(self, start: SokobanStart) -> None:
        self._solution = ""
        numbers = self._setup.numbers
        if numbers is not None and start.level is None:
            workspace = workspace_of(numbers)
            if rooms.draw_rows(0, 1, self._state, numbers, _ONE, workspace, new_results(1)):
                raise rooms.nothing_found(numbers)
            self._solution = rooms.lurd_of(workspace)
            return
        engine.reset_rows(0, 1, self._state, start.bank, start.place, _ONE)
        if start.level is None:
            self._solution = self._setup.solution(int(self._record.level))
        else:
            self._record.level = -1
            self._solution = solution_of(start.level, self.rules)

    def make_info(self, event: SokobanStep) -> dict[str, Any]:
        info = _INFO.copy()
        (
            _, info["steps"], info["moves"], info["pushes"], info["pulls"], boxes, on_target, info["last_action_valid"],
            reason, info["level"], outcome,
        ) = event  # fmt: skip
        info["boxes"], info["boxes_on_target"], info["all_boxes_on_target"] = boxes, on_target, on_target == boxes
        info["invalid_reason"], info["outcome"] = CODES[reason], OUTCOMES[outcome]
        return info

    def mark_valid(self, mask: np.ndarray) -> None:
        engine.mark_valid(self._state, self._rules, mask[np.newaxis])

    def check_state(self, state: SokobanState) -> None:
        checked_state(state, self.rules)

    def restore(self, state: SokobanState) -> None:
        largest = int(state.planes.max())
        if state.size == self._state.size and largest <= self._largest:
            state.copy_to(self._state)
        else:
            self._largest = largest
            self.connect(state.copy())

    def remark(self) -> str:
        return record.remark(self._state, self.rules)

    def why_invalid(self, state: SokobanState | None = None) -> str:
        return record.why_invalid(self._state if state is None else state, self.rules)

    def tiny_picture(self) -> np.ndarray:
        return draw.tiny(self._state, 0, self.tiny_scale)
