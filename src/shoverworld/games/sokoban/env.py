"""SokobanEnv: one game of Sokoban as a Gymnasium environment."""

from collections.abc import Sequence
from functools import partial
from operator import index
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import seed_number
from shoverworld.core.env import GridEnv, game_over
from shoverworld.core.errors import ActionError
from shoverworld.core.grid import RNG, seed_rng
from shoverworld.core.jit import resolve
from shoverworld.core.results import new_results

from . import draw, engine, record, rooms
from .game import GAME
from .hashing import game_numbers, state_hash
from .levels import Level
from .setup import Start, Warehouse, workspace_of
from .sight import Painter
from .state import OUTCOMES, PLAYING, TIMEOUT, SokobanState, checked_state, new_state
from .store import solution_of

RNG_FIELDS = [name for name, _ in RNG]
WINDOW_CELL_SIZE = 48  # pixels, where a person looks at it
_ONE = np.ones(1, np.bool_)


class SokobanEnv(GridEnv):
    """
    ## Description
    A warehouse keeper pushes boxes, one at a time, until each stands on a target. Each reset draws a fresh room that can
    be solved, or takes one of the levels that are given. Variants by keyword: two players, pulling, a target of its own
    for every box, four moves instead of pushes and moves.

    ## Action space
    `Discrete`. The order of directions is up, down, left, right.

    | action | meaning |
    |---|---|
    | 0 | no-op |
    | 1-4 | push a box; with no box before him, the player moves |
    | 5-8 | move, onto a free cell only |
    | 9-12 | `pull=True`: step away and pull the box behind along; with no box behind, just step |

    With `players=2` the same actions but the no-op follow for the second player: 9-16, with pulls 13-24.
    With `moves="four"` there are 0-3 only (and 4-7 for the second player): a move that pushes when it can.

    ## Observation space
    `observation="planes"`: uint8 (4 or 5, rows, cols), 1 where there is a wall, a target, a box, the player, the second
    player. With `fixed_targets=True` targets and boxes are numbers from 1 on, and those that belong together are equal.
    `observation="grid"`: uint8 (rows, cols), 0 wall, 1 floor, 2 target, 3 box on target, 4 box, 5 player.
    `observation="rgb"`: uint8 (16 rows, 16 cols, 3), the picture of `rgb_array`; `"tiny_rgb"`: uint8 (rows, cols, 3), a
    pixel a cell.

    The info dict has `steps`, `moves`, `pushes`, `pulls`, `boxes`, `boxes_on_target`, `all_boxes_on_target`,
    `last_action_valid`, `level` (its place in `levels`, -1 for a drawn room or a map of `options`), `outcome`, and after a
    reset `solution`: the moves in LURD letters that solve the room, which every drawn room has and a level may have.

    ## Rewards
    -0.1 a step, +1 when one more box is on its target, -1 when one less is, +10 when all are; see `SokobanReward`.

    ## Episode end
    `"solved"` (terminated), or `"timeout"` after `max_steps` (truncated). A step after the end raises `ResetNeeded`.

    ## Arguments
    | keyword | default | meaning |
    |---|---|---|
    | `levels` | `None` | where games begin: a `Level`, a list of them, the path of a file or a folder of levels, the name of a packaged set (`"easy"`), a part of Boxoban (`"boxoban:unfiltered/valid"`); each reset takes one by the dice. `None` or `"random"`: each reset draws a fresh room |
    | `rules` | `"Sokoban-v0"` | all rules at once: a `SokobanRules`, or the name of an id; those below change single ones |
    | `dim_room`, `num_boxes` | (10, 10), 3 | rows and columns, and boxes, of a room that is drawn |
    | `min_score`, `min_pushes` | 0 | only rooms with at least this room score, and this many pushes in their solution; if 1,000 tries find none, the best of them |
    | `players`, `pull`, `fixed_targets`, `moves` | 1, `False`, `False`, `"push_and_move"` | the variants |
    | `max_steps` | 200 | steps until the timeout |
    | `reward` | | a `SokobanReward`, or a dict of what differs, e.g. `{"step": 0}` |
    | `observation` | `"planes"` | `"grid"`, `"rgb"`, `"tiny_rgb"` |
    | `render_mode` | `None` | `"human"`, `"rgb_array"`, `"tiny_human"`, `"tiny_rgb_array"`, `"ansi"` |
    | `seed` | `None` | for the first reset, when that is given none |
    | `cell_size` | 16 | pixels a cell in pictures (in a window 48) |
    | `tiny_scale` | 1 | pixels a cell in the tiny world (in a window 16) |

    `levels` may be of different sizes: smaller ones are filled up with walls to the largest, or to a `dim_room` that is
    given with them. `num_boxes` given with levels must be what they have. When two play a level for one, the second
    stands on the nearest cell that its solution leaves alone; if there is none, far off, and there is no `solution`.
    `reset(options=...)` takes `level` (a place in `levels`) or `map` (text or `Level`: this episode only, any size).

    ## Version history
    - v0: the first. The ids have the version numbers of gym-sokoban, where a version is a size.
    """

    game = GAME
    title = "Sokoban"
    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "rgb_array", "tiny_human", "tiny_rgb_array", "ansi"],
        "render_fps": 30,
    }
    held = ("_game", "_planes", "_play", "_painter")

    def __init__(
        self,
        levels: Any = None,
        render_mode: str | None = None,
        observation: str | None = None,
        seed: int | None = None,
        rules: Any = None,
        dim_room: tuple[int, int] | None = None,
        num_boxes: int | None = None,
        max_steps: int | None = None,
        players: int | None = None,
        pull: bool | None = None,
        fixed_targets: bool | None = None,
        moves: str | None = None,
        reward: Any = None,
        min_score: int | None = None,
        min_pushes: int | None = None,
        cell_size: int | None = None,
        tiny_scale: int | None = None,
        **unknown: Any,
    ):
        super().__init__(render_mode)
        self._house = Warehouse(
            dict(
                unknown,
                levels=levels,
                observation=observation,
                rules=rules,
                dim_room=dim_room,
                num_boxes=num_boxes,
                max_steps=max_steps,
                players=players,
                pull=pull,
                fixed_targets=fixed_targets,
                moves=moves,
                reward=reward,
                min_score=min_score,
                min_pushes=min_pushes,
            )
        )
        self.rules, self.observation = self._house.rules, self._house.observation
        usual = WINDOW_CELL_SIZE if self._in_window else draw.CELL_SIZE, draw.CELL_SIZE if self._in_window else 1
        self.cell_size = draw.checked_cell_size(usual[0] if cell_size is None else cell_size)
        self.tiny_scale = draw.checked_scale(usual[1] if tiny_scale is None else tiny_scale)
        self._rules, self._reward = self.rules.numbers(), self.rules.reward_numbers()
        self._actions = self.rules.action_count
        self.action_space = spaces.Discrete(self._actions)
        self._results = new_results(1)
        self._solution = ""
        self._shown: tuple = ()
        bank = self._house.bank
        self._largest = self._house.largest_number(bank)
        self._hold(new_state(1, *bank.size, self.rules.players))
        self._show()
        seed_rng(self._game, seed_number(seed))

    def _hold(self, state: SokobanState) -> None:
        """Play on this state from now on: views for the observation, the kernel for its types."""
        self._state = state
        self._game: Any = state.game[0]
        self._planes = state.rooms()[0]
        self._painter = None if self.observation == "planes" else Painter(self.observation, state, self._largest)
        fixed = state, 0, self._rules, self._reward
        self._play = partial(resolve(engine.play, *fixed, 0), *fixed)

    def _show(self) -> None:
        """The observation space for the present size, and for boxes with numbers up to the largest."""
        if self._shown != (self._state.size, self._largest):
            self._shown = self._state.size, self._largest
            self.observation_space = self._house.observation_space(*self._shown)

    # --- Gymnasium's interface

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Begin a game. `options` may name a `level` by its place in `levels`, or a `map` (text or Level)."""
        start = self._house.start(options)
        super().reset(seed=seed_number(seed))
        largest = self._house.largest_number(start.bank)
        if start.bank.size != self._state.size or largest != self._largest:
            rng = {name: self._game[name] for name in RNG_FIELDS}
            self._largest = largest
            self._hold(new_state(1, *start.bank.size, self.rules.players))
            self._show()
            for name, value in rng.items():
                self._game[name] = value
        if seed is not None:
            seed_rng(self._game, seed)
        self._solution = self._begin(start)
        observation, info = self._has_begun(seed)
        if self._solution:
            info["solution"] = self._solution
        return observation, info

    def _begin(self, start: Start) -> str:
        """Begin the game; returns the solution, as far as it is known."""
        numbers = self._house.numbers
        if numbers is not None and start.level is None:
            workspace = workspace_of(numbers)
            if rooms.draw_rows(0, 1, self._state, numbers, _ONE, workspace, self._results):
                raise rooms.nothing_found(numbers)
            return rooms.lurd_of(workspace)
        engine.reset_rows(0, 1, self._state, start.bank, start.place, _ONE, self._results)
        if start.level is not None:
            self._game.level = -1
            return solution_of(start.level, self.rules)
        return self._house.solution(int(self._game.level))

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict]:
        """One step. An action outside the action space is an ActionError, and nothing has changed."""
        if not self._playing:
            raise game_over(self.outcome if self._begun else None)
        try:
            number = index(action)
        except TypeError:
            raise self._bad_action(action) from None
        if not 0 <= number < self._actions:
            raise self._bad_action(action)
        told = self._play(number)
        outcome = told[-1]
        terminated = truncated = False
        if outcome != PLAYING:
            self._playing = False
            truncated = outcome == TIMEOUT
            terminated = not truncated
        for listener in self.listeners:
            listener.stepped((number,), told[0])
        if self._in_window:
            self.render()
        return self._observation(), told[0], terminated, truncated, self._info(told)

    def _bad_action(self, action: Any) -> ActionError:
        return ActionError(
            f"action {action!r:.60} is outside the action space; expected a whole number from 0 to {self._actions - 1}"
        )

    def _observation(self) -> np.ndarray:
        if self._painter is None:
            return self._planes.copy()
        shown = self._painter.blank(1)
        self._painter.paint(0, 1, self._state, shown)
        return shown[0]

    def _info(self, told: tuple) -> dict[str, Any]:
        _, steps, moves, pushes, pulls, boxes, on_target, valid, level, outcome = told
        return {
            "steps": steps,
            "moves": moves,
            "pushes": pushes,
            "pulls": pulls,
            "boxes": boxes,
            "boxes_on_target": on_target,
            "all_boxes_on_target": on_target == boxes,
            "last_action_valid": valid,
            "level": level,
            "outcome": OUTCOMES[outcome],
        }

    # --- beyond Gymnasium

    def observe(self) -> tuple[np.ndarray, dict]:
        """The observation and info of the game as it stands."""
        self._must_have_begun()
        game = game_numbers(self._state)
        told = ("steps", "moves", "pushes", "pulls", "boxes", "on_target", "valid", "level", "outcome")
        return self._observation(), self._info((0.0, *(game[name] for name in told)))

    @property
    def outcome(self) -> str | None:
        """None while the game goes on, else how it ended."""
        return OUTCOMES[self._game.outcome]

    @property
    def levels(self) -> Sequence[Level] | None:
        """Those that games begin on; None: rooms are drawn."""
        return self._house.levels

    @property
    def level(self) -> Level:
        """The room as it stands."""
        self._must_have_begun()
        return record.level_of(self._state)

    def action_mask(self) -> np.ndarray:
        """Which actions would be valid now: a bool for each. All False when the game is over."""
        self._must_have_begun()
        mask = np.zeros((1, self._actions), np.bool_)
        engine.mark_valid(self._state, self._rules, mask)
        return mask[0]

    def set_state(self, state: SokobanState) -> None:
        """Go on from a state that `get_state` gave. The rules stay those of this environment."""
        checked_state(state, self.rules)
        largest = int(state.planes.max())
        if state.size == self._state.size and largest <= self._largest:
            state.copy_to(self._state)
        else:
            self._largest = largest
            self._hold(state.copy())
            self._show()
        self._begun = True
        self._playing = self._game.outcome == PLAYING
        for listener in self.listeners:
            listener.state_was_set()

    # --- for replays

    def state_hash(self) -> str:
        """16 hexadecimal digits for all that matters in this game."""
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
        return {name: game[name] for name in ("steps", "moves", "pushes")}

    def remark(self) -> str:
        return record.remark(self._state, self.rules)

    def _picture(self) -> np.ndarray:
        return draw.picture(self._state, 0, self.cell_size)

    def _tiny_picture(self) -> np.ndarray:
        return draw.tiny(self._state, 0, self.tiny_scale)

    def _text(self) -> str:
        return str(self.level) + "\n"
