"""RaceEnv: one race as a Gymnasium environment, with one car or with several cars that take turns."""

from collections.abc import Sequence
from functools import partial
from os import PathLike
from typing import Any

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import whole
from shoverworld.core.compiled_env import CompiledEnv, row_count
from shoverworld.core.hashing import game_numbers

from . import draw, engine, record
from .checking import checked_state, same_bank
from .config import RaceReward, RaceRules
from .game import GAME
from .observation import new_buffers, new_rows
from .reasons import CODES, FAULTS, FINE
from .record import CarStanding
from .rules import ACTIONS
from .setup import RaceSetup, RaceStart
from .state import OUTCOMES, RaceState, RaceStep, new_state
from .store import copied_bank
from .tracks import Track

WINDOW_CELL_SIZE = 32  # default side length of a cell in a window, in pixels
_ONE = np.ones(1, np.bool_)

_INFO: dict[str, Any] = dict.fromkeys(  # copying a dict and replacing its values is faster than building a new dict
    (
        "car", "steps", "penalties", "waiting", "position", "velocity", "last_action_valid", "invalid_reason", "fault",
        "finished", "place", "turn", "round", "track", "outcome",
    )
)  # fmt: skip


class RaceEnv(CompiledEnv):
    """
    ## Description
    Cars with inertia drive on a track of cells. In each turn, a car repeats its last displacement, changed by at most
    one cell horizontally and at most one cell vertically. The goal is to drive from a start cell to the finish in the
    fewest steps.

    ## Action space
    `Discrete(9)`: the change (x, y) in velocity, in reading order. x increases to the right, and y increases downwards.

    | 0 (-1, -1) | 1 (0, -1) | 2 (1, -1) |
    |---|---|---|
    | 3 (-1, 0) | 4 (0, 0) | 5 (1, 0) |
    | 6 (-1, 1) | 7 (0, 1) | 8 (1, 1) |

    A move is illegal if it lands off the track, if its line leaves the track, or if another car is on the landing cell.
    After an illegal move, the car stays where it is, with velocity 0, and skips its next turns (5 by default, see
    `penalty`). If there is only one car, it skips these turns immediately.

    ## Observation space
    A `Dict` with the parts named in `observation`, for the car whose turn it is:

    | part | contents |
    |---|---|
    | `view` | int8 (side, side), where side = 2 * `view` + 1: the cells around the car; -1 off the track, 0 track, 1 start, 100 finish, 2 another car |
    | `distances` | int32 (side, side): the zombie array around the car: the number of horizontal and vertical steps from each cell to the finish; -1 if the finish is unreachable |
    | `velocity`, `position` | int32 (2,): (x, y) |
    | `landing` | int32 (9,): the zombie array at the landing cell of each action; -1 if the action is illegal |
    | `waiting` | int32 (1,): turns that the car still has to skip |
    | `action_mask` | int8 (9,): 1 for each legal action, 0 for the others |

    The info dict describes the car that moved last: `car` (counted from 0), `steps` (turns taken or skipped),
    `penalties`, `waiting`, `position`, `velocity`, `last_action_valid`, `invalid_reason` (`""`, `"off_track"`,
    `"line"`, `"occupied"`), `fault` (the same code, but `None` after a legal move), `finished` and `place` (0 while
    racing). It also describes the game: `turn` (the car that moves next), `round` (counted from 1), `track` (index
    into the list) and `outcome`. In a batch, each value is an array with one entry per game. These entries differ:

    | single | batch |
    |---|---|
    | `invalid_reason`: a code | a number: the code is `envs.unwrapped.invalid_reasons[number]` |
    | `fault`: a code or `None` | none; `invalid_reason` contains the same information |
    | `position`, `velocity`: tuples (x, y) | arrays of shape (games, 2) |

    ## Rewards
    -1 for each step taken by the car that moved, including any turns it then skips. With one car, the sum of the
    rewards is therefore minus the number of steps. `RaceReward` can change the rewards. With several cars,
    `rewards()` returns the reward of each car for the last step.

    ## Episode end
    The episode ends with `"finished"` (terminated) when all cars have finished, or `"timeout"` (truncated) after
    `max_rounds` rounds. A step after the end raises `ResetNeeded`.

    ## Arguments
    | argument | default | meaning |
    |---|---|---|
    | `track` | `"01-straight"` | the name of a bundled track, the path to a file, a `Track`, or a list of these; each reset chooses a track from the list at random |
    | `cars` | 1 | the number of cars; each car needs a start cell. Without `track`, this is checked at reset, which may provide a larger map |
    | `line` | `"valid_line"` | which cells along a move must be track: `"valid_line"`, `"supercover"`, `"landing"` |
    | `finish` | `"land"` | `"land"`: a car must land on a finish cell; `"cross"`: crossing a finish cell is enough |
    | `penalty` | 5 | turns that a car skips after an illegal move |
    | `max_rounds` | 500 | rounds before the timeout |
    | `rules` | those of the track, or `RaceRules()` | all rules: a `RaceRules`, or a string such as `"cross, penalty=3"` |
    | `observation` | `("view", "velocity")` | one or more of the parts above |
    | `view` | 5 | how many cells the view extends on each side of the car |
    | `reward` | `RaceReward()` | a `RaceReward`, or a dict of its fields |
    | `seed` | `None` | the seed for the first reset if `reset` is called without a seed |
    | `render_mode` | `None` | `"ansi"`, `"rgb_array"`, `"human"` |
    | `cell_size` | 16 | the side length of a cell in pixels (default: 16, or 32 in a window) |

    `reset(options=...)` takes either `track`, an index into the list of tracks, or `map`, a `Track` or a string, for
    one race only. It also takes `starts`, a cell (x, y) for each car.
    """

    game, record, draw = GAME, record, draw
    outcomes, invalid_reasons = OUTCOMES, CODES
    rebuilt = (*CompiledEnv.rebuilt, "_unseen")

    def __init__(
        self,
        track: Track | Sequence[Track] | str | PathLike[str] | None = None,
        cars: int | None = None,
        line: str | None = None,
        finish: str | None = None,
        penalty: int | None = None,
        max_rounds: int | None = None,
        rules: str | RaceRules | None = None,
        observation: str | Sequence[str] | None = None,
        view: int | None = None,
        reward: RaceReward | dict[str, float] | None = None,
        seed: int | None = None,
        render_mode: str | None = None,
        cell_size: int | None = None,
    ):
        super().__init__(render_mode)
        self._setup = RaceSetup(
            {
                "track": track, "cars": cars, "line": line, "finish": finish, "penalty": penalty, "max_rounds": max_rounds,
                "rules": rules, "observation": observation, "view": view, "reward": reward,
            }
        )  # fmt: skip
        self.rules, self.observation = self._setup.rules, self._setup.observation
        usual = WINDOW_CELL_SIZE if self._in_window else draw.CELL_SIZE
        self.cell_size = draw.checked_cell_size(usual if cell_size is None else cell_size)
        self.action_space = spaces.Discrete(ACTIONS)
        self._shown: tuple = ()  # the values that determine the observation space
        self.start_with(new_state(1, self.rules.cars, self._setup.bank), seed)

    def connect(self, state: RaceState) -> None:
        super().connect(state)
        self._unseen = new_buffers((), 1, 1, state.bank)
        buffers = new_buffers(self.observation, 1, self._setup.view, state.bank)
        count = row_count(sum(array.nbytes for array in buffers.shown().values()))
        self.connect_kernel(engine, partial(new_rows, buffers, count), 1)
        if self._shown != state.bank.size:
            self._shown = state.bank.size
            self.observation_space = self._setup.observation_space(state.bank)

    @property
    def turn(self) -> int:
        """The number of the car that moves next, counted from 0."""
        return int(self._record.turn)

    @property
    def cars(self) -> np.ndarray:
        """A copy of the cars, with one record for each car (`CAR` in state.py)."""
        return self._state.cars[0].copy()

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The tracks on which races take place."""
        return self._setup.tracks

    @property
    def track(self) -> Track:
        """The track of the current race."""
        self.require_started()
        own = self._state.bank is self._setup.bank
        return self.tracks[int(self._record.track)] if own else record.track_of(self._state)

    def observe_car(self, car: int) -> dict[str, np.ndarray]:
        """Return the observation for this car (numbered from 0), whether or not it is the car's turn."""
        self.require_started()
        engine.look(self._native, whole("car", car, 0, self.rules.cars - 1))
        return self.make_observation()

    def ranking(self) -> list[CarStanding]:
        """Return the cars in order: first those that have finished, by steps, then the others.

        Tied cars share a place.
        """
        self.require_started()
        return record.ranking(self._state)

    def rewards(self) -> np.ndarray:
        """Return the reward of each car for the last step, including the turns that the car skipped."""
        self.require_started()
        engine.earnings(self._state, 0, self._reward, earned := np.zeros(self.rules.cars))
        return earned

    def prepare(self, options: dict[str, Any]) -> RaceStart:
        return self._setup.start(options)

    def state_for(self, start: RaceStart) -> RaceState:
        return self._state if start.bank is self._state.bank else new_state(1, self.rules.cars, start.bank)

    def lay_out(self, start: RaceStart) -> None:
        rest = _ONE, self._unseen
        if start.cells is None:
            engine.reset_rows(0, 1, self._state, self._rules, start.place, *rest)
        else:
            engine.reset_rows_at(0, 1, self._state, self._rules, start.place, start.cells, *rest)

    def make_info(self, event: RaceStep) -> dict[str, Any]:
        info = _INFO.copy()
        (
            _, info["car"], info["steps"], info["penalties"], info["waiting"], col, row, dcol, drow, fault, place,
            info["turn"], info["round"], info["track"], outcome,
        ) = event  # fmt: skip
        info["position"], info["velocity"] = (col, row), (dcol, drow)
        info["last_action_valid"], info["invalid_reason"], info["fault"] = fault == FINE, CODES[fault], FAULTS[fault]
        info["finished"], info["place"], info["outcome"] = place > 0, place, OUTCOMES[outcome]
        return info

    def mark_valid(self, mask: np.ndarray) -> None:
        """Write the action mask of the car whose turn it is."""
        engine.mark_legal(self._state, self._rules, mask[np.newaxis])

    def check_state(self, state: RaceState) -> None:
        checked_state(state, self.rules, own=self._state.bank)

    def restore(self, state: RaceState) -> None:
        if same_bank(state.bank, self._state.bank):
            state.copy_to(self._state)
        else:
            self.connect(state.copy()._replace(bank=copied_bank(state.bank)))

    def figures(self) -> dict[str, float]:
        """Return the total steps and penalties; with several cars, also the rounds and the number of finished cars."""
        self.require_started()
        cars, game = self._state.cars[0], game_numbers(self._state)
        figures: dict[str, float] = {name: int(cars[name].sum()) for name in ("steps", "penalties")}
        if self.rules.cars > 1:
            figures |= {"rounds": game["rounds"], "finished": self.rules.cars - game["racing"]}
        return figures
