"""SokobanEnv: one game of Sokoban as a Gymnasium environment."""

from collections.abc import Sequence
from functools import partial
from operator import index
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import known, seed_number, whole, word
from shoverworld.core.env import GridEnv, game_over
from shoverworld.core.errors import ActionError, ConfigError
from shoverworld.core.grid import seed_dice
from shoverworld.core.jit import resolve
from shoverworld.core.results import new_results

from . import engine, record
from .config import SokobanReward, SokobanRules
from .hashing import game_numbers, state_hash
from .levels import Level
from .state import BOX, OUTCOMES, PLAYING, TARGET, TIMEOUT, SokobanState, checked_state, new_state
from .store import Bank, stored

OBSERVATIONS = ("planes", "grid")
DICE_NAMES = ("a", "b", "c", "rolls")
ANY = -1  # a level by the dice


def rules_of(rules: SokobanRules | None, keywords: dict[str, Any]) -> SokobanRules:
    if not isinstance(rules, SokobanRules | None):
        raise ConfigError(f"rules={rules!r}: must be a SokobanRules")
    changes = {name: value for name, value in keywords.items() if value is not None}
    if isinstance(reward := changes.get("reward"), dict):
        known(reward, SokobanReward.__dataclass_fields__, "part of the reward")
        changes["reward"] = SokobanReward(**reward)
    return (rules or SokobanRules()).change(**changes)


def checked_levels(levels: Any) -> tuple[Level, ...]:
    given = (levels,) if isinstance(levels, Level) else levels
    if not isinstance(given, Sequence) or not given or not all(isinstance(level, Level) for level in given):
        raise ConfigError(f"levels={levels!r:.60}: must be a Level, or a list of them")
    return tuple(given)


def observation_space(kind: str, bank: Bank) -> spaces.Box:
    """Of one game that begins from this bank."""
    if kind == "grid":
        return spaces.Box(0, engine.PLAYER_CODE, bank.size, np.uint8)
    shape = (bank.planes.shape[1], *bank.size)
    high = np.ones(shape, np.uint8)
    high[[TARGET, BOX]] = max(1, int(bank.planes[:, [TARGET, BOX]].max()))  # with fixed targets the largest number
    return spaces.Box(np.zeros(shape, np.uint8), high, dtype=np.uint8)


class SokobanEnv(GridEnv):
    """
    ## Description
    A warehouse keeper pushes boxes, one at a time, until each stands on a target. Variants by keyword: two players,
    pulling, a target of its own for every box, four moves instead of pushes and moves.

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

    The info dict has `steps`, `moves`, `pushes`, `pulls`, `boxes`, `boxes_on_target`, `all_boxes_on_target`,
    `last_action_valid`, `level` (its place in `levels`, -1 for a map of `options`), `outcome`, and after a reset
    `solution` (LURD) when the level has one.

    ## Rewards
    -0.1 a step, +1 when one more box is on its target, -1 when one less is, +10 when all are; see `SokobanReward`.

    ## Episode end
    `"solved"` (terminated), or `"timeout"` after `max_steps` (truncated). A step after the end raises `ResetNeeded`.

    ## Arguments
    | keyword | default | meaning |
    |---|---|---|
    | `levels` | | a `Level` or a list of them; each reset takes one by the dice |
    | `rules` | `SokobanRules()` | all rules at once; those below change single ones |
    | `players`, `pull`, `fixed_targets`, `moves` | 1, `False`, `False`, `"push_and_move"` | the variants |
    | `max_steps` | 200 | steps until the timeout |
    | `reward` | | a `SokobanReward`, or a dict of what differs |
    | `observation` | `"planes"` | or `"grid"` |
    | `render_mode` | `None` | `"ansi"`: the room as XSB text |
    | `seed` | `None` | for the first reset, when that is given none |

    `reset(options=...)` takes `level` (a place in `levels`) or `map` (text or `Level`: this episode only, any size).

    ## Version history
    - v0: the first.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 30}
    held = ("_game", "_planes", "_grid", "_play", "_write_grid")

    def __init__(
        self,
        levels: Level | Sequence[Level],
        render_mode: str | None = None,
        observation: str = "planes",
        seed: int | None = None,
        rules: SokobanRules | None = None,
        **keywords: Any,
    ):
        super().__init__(render_mode)
        self.rules = rules_of(rules, keywords)
        self.levels = checked_levels(levels)
        self.observation = word("observation", observation, OBSERVATIONS)
        self._rules, self._reward = self.rules.numbers(), self.rules.reward_numbers()
        self._actions = self.rules.action_count
        self.action_space = spaces.Discrete(self._actions)
        self._stock = stored(self.levels, self.rules)
        self._results = new_results(1)
        self._solution = ""
        self._hold(new_state(1, *self._stock.size, self.rules.players))
        self._show(self._stock)
        seed_dice(self._game, seed_number(seed))

    def _hold(self, state: SokobanState) -> None:
        """Play on this state from now on: views for the observation, the kernel for its types."""
        self._state = state
        self._game: Any = state.game[0]
        self._planes = state.rooms()[0]
        self._grid = np.zeros((1, state.planes.shape[2]), np.uint8)
        fixed = state, 0, self._rules, self._reward
        self._play = partial(resolve(engine.play, *fixed, 0), *fixed)
        shown = state, 0, 1, self._grid
        self._write_grid = partial(resolve(engine.write_grid, *shown), *shown)

    def _show(self, bank: Bank) -> None:
        self._space_of: Bank | None = bank
        self.observation_space = observation_space(self.observation, bank)

    # --- Gymnasium's interface

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Begin a game. `options` may name a `level` by its place in `levels`, or a `map` (text or Level)."""
        bank, place, given = self._start({} if options is None else options)
        super().reset(seed=seed_number(seed))
        if bank.size != self._state.size:
            dice = {name: self._game[name] for name in DICE_NAMES}
            self._hold(new_state(1, *bank.size, self.rules.players))
            for name, value in dice.items():
                self._game[name] = value
        if bank is not self._space_of:
            self._show(bank)
        if seed is not None:
            seed_dice(self._game, seed)
        engine.reset_rows(0, 1, self._state, bank, place, np.ones(1, np.bool_), self._results)
        self._solution = (given or self.levels[self._game.level]).solution
        if given is not None:
            self._game.level = -1
        observation, info = self._has_begun(seed)
        if self._solution:
            info["solution"] = self._solution
        return observation, info

    def _start(self, options: dict[str, Any]) -> tuple[Bank, int, Level | None]:
        """Where a game with these options begins: the stored levels, a place among them, the map if one is given."""
        known(options, ["level", "map"], "option")
        if "map" not in options:
            place = options.get("level")
            most = len(self.levels) - 1
            return self._stock, ANY if place is None else whole("options['level']", place, 0, most), None
        if "level" in options:
            raise ConfigError("options: expected a 'level' or a 'map', not both")
        given = options["map"]
        if not isinstance(given, str | Level):
            raise ConfigError(f"options['map']={given!r:.60}: must be text or a Level")
        level = given if isinstance(given, Level) else record.read_map(given)
        return stored([level], self.rules), 0, level

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
        return self._observation(), told[0], terminated, truncated, self._info(told)

    def _bad_action(self, action: Any) -> ActionError:
        return ActionError(
            f"action {action!r:.60} is outside the action space; expected a whole number from 0 to {self._actions - 1}"
        )

    def _observation(self) -> np.ndarray:
        if self.observation == "planes":
            return self._planes.copy()
        self._write_grid()
        return self._grid.reshape(self._state.size).copy()

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
        if state.size == self._state.size:
            state.copy_to(self._state)
        else:
            self._hold(state.copy())
            self._space_of = None
            shape = self._planes.shape if self.observation == "planes" else state.size
            self.observation_space = spaces.Box(0, int(max(engine.PLAYER_CODE, self._planes.max())), shape, np.uint8)
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

    def _text(self) -> str:
        return str(self.level) + "\n"
