"""RaceEnv: one race as a Gymnasium environment, for one car or for several that move in turn."""

from functools import partial
from operator import index
from typing import Any, ClassVar, NamedTuple

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import seed_number, whole
from shoverworld.core.env import GridEnv, game_over
from shoverworld.core.errors import ActionError
from shoverworld.core.grid import RNG, seed_rng
from shoverworld.core.jit import resolve
from shoverworld.core.results import new_results

from . import draw, engine, record
from .checking import checked_state
from .game import GAME
from .hashing import game_numbers, state_hash
from .rules import ACTIONS
from .setup import Circuit, Start
from .sight import new_sight
from .state import CAR, FAULTS, FINE, OUTCOMES, PLAYING, TIMEOUT, RaceState, new_state
from .store import frozen
from .tracks import Track

RNG_FIELDS = [name for name, _ in RNG]
CAR_NAMES: tuple[str, ...] = CAR.names or ()
WINDOW_CELL_SIZE = 32  # pixels, where a person looks at it
_ONE = np.ones(1, np.bool_)


class Standing(NamedTuple):
    """A car in the ranking. Those that have not finished come last, and share a place."""

    place: int
    car: int
    steps: int
    penalties: int
    finished: bool


class RaceEnv(GridEnv):
    """
    ## Description
    Cars with inertia on a track of cells: a car goes as far again as it just came, and up to one cell more or less each
    way. From a start cell to the finish in the fewest steps.

    ## Action space
    `Discrete(9)`: what is added to the velocity, in reading order. x is the column, y the row, downwards.

    | 0 (-1, -1) | 1 (0, -1) | 2 (1, -1) |
    |---|---|---|
    | 3 (-1, 0) | 4 (0, 0) | 5 (1, 0) |
    | 6 (-1, 1) | 7 (0, 1) | 8 (1, 1) |

    A move that is illegal (it lands off the track, its line leaves it, or another car stands there) leaves the car where
    it is, with velocity 0, and it skips its next 5 turns. A car that is alone skips them at once.

    ## Observation space
    A `Dict` with the parts named in `observation`, of the car whose turn it is:

    | part | what |
    |---|---|
    | `view` | int8 (side, side), side = 2 * `view` + 1: the cells around it, -1 off the track, 0 track, 1 start, 100 finish, 2 another car |
    | `distances` | int32 (side, side): the zombie array around it: steps to the finish over four neighbours, -1 none |
    | `velocity`, `position` | int32 (2,): (x, y) |
    | `landing` | int32 (9,): the zombie array where each action lands, -1 where it would be illegal |
    | `waiting` | int32 (1,): turns it has still to skip |
    | `action_mask` | int8 (9,): 1 for each legal action |

    The info dict is about the car that moved last: `car` (from 0), `steps` (turns taken or skipped), `penalties`,
    `waiting`, `position`, `velocity`, `last_action_valid`, `fault` (`None`, `"off_track"`, `"line"`, `"occupied"`),
    `finished`, `place` (0 while it races); and the game: `turn` (the car that moves next), `round` (from 1), `track` (its
    place in the list), `outcome`.

    ## Rewards
    -1 for every step of the car that moved, turns that it skips at once too, so that the sum is minus its steps; see
    `RaceReward`. With several cars `rewards()` tells what the last step was worth to each.

    ## Episode end
    `"finished"` (terminated) when all cars have, or `"timeout"` after `max_rounds` (truncated). A step after the end
    raises `ResetNeeded`.

    ## Arguments
    | keyword | default | meaning |
    |---|---|---|
    | `track` | `"01-straight"` | where races are run: the name of a bundled track, the path of a file, a `Track`, or a list of these, of which each reset takes one by the dice |
    | `cars` | 1 | how many; each needs a start cell |
    | `line` | `"valid_line"` | which cells of a move must be track: `"valid_line"`, `"supercover"`, `"landing"` |
    | `finish` | `"land"` | `"cross"`: a finish cell on the line is enough |
    | `penalty` | 5 | turns that a car skips after an illegal move |
    | `max_rounds` | 500 | rounds until the timeout |
    | `rules` | `RaceRules()` | all of these at once |
    | `observation` | `("view", "velocity")` | one or more of the parts above |
    | `view` | 5 | how many cells the view reaches to each side |
    | `reward` | `RaceReward()` | a `RaceReward`, or a dict of its parts |
    | `seed` | `None` | for the first reset, when that is given none |
    | `render_mode` | `None` | `"ansi"`, `"rgb_array"`, `"human"` |
    | `cell_size` | 16 | pixels of a cell in a picture (32 in a window) |

    `reset(options=...)` takes `track`, a place in the list; or `map`, a `Track` or its text, for one race; and `starts`,
    a cell (x, y) for each car.
    """

    game = GAME
    title = "Grid race"
    held: ClassVar[tuple[str, ...]] = ("_game", "_parts", "_play", "_sight")

    def __init__(
        self,
        track: Any = None,
        cars: int | None = None,
        line: str | None = None,
        finish: str | None = None,
        penalty: int | None = None,
        max_rounds: int | None = None,
        rules: Any = None,
        observation: Any = None,
        view: int | None = None,
        reward: Any = None,
        seed: int | None = None,
        render_mode: str | None = None,
        cell_size: int | None = None,
    ):
        super().__init__(render_mode)
        self._circuit = Circuit(
            {
                "track": track, "cars": cars, "line": line, "finish": finish, "penalty": penalty, "max_rounds": max_rounds,
                "rules": rules, "observation": observation, "view": view, "reward": reward,
            }
        )  # fmt: skip
        self.rules, self.observation = self._circuit.rules, self._circuit.observation
        usual = WINDOW_CELL_SIZE if self._in_window else draw.CELL_SIZE
        self.cell_size = draw.checked_cell_size(usual if cell_size is None else cell_size)
        self._rules, self._reward = self.rules.numbers(), self.rules.reward_numbers()
        self.action_space = spaces.Discrete(ACTIONS)
        self._results = new_results(1)
        self._shown: tuple = ()
        self._hold(new_state(1, self.rules.cars, self._circuit.bank))
        seed_rng(self._game, seed_number(seed))

    def _hold(self, state: RaceState) -> None:
        """Play on this state from now on: the kernel for its types, the spaces for its size."""
        self._state = state
        self._game: Any = state.game[0]
        self._sight = new_sight(self.observation, 1, self._circuit.view, state.bank)
        self._parts = [(name, array[0]) for name, array in self._sight.shown().items()]
        fixed = state, 0, self._rules, self._reward, self._sight
        self._play = partial(resolve(engine.play, *fixed, 0), *fixed)
        if self._shown != state.bank.size:
            self._shown = state.bank.size
            self.observation_space = self._circuit.observation_space(state.bank)

    # --- Gymnasium's interface

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict, dict]:
        """Begin a race. `options` may name a `track` by its place, or a `map` (text or Track), and the `starts`."""
        start = self._circuit.start(options)
        super().reset(seed=seed_number(seed))
        if start.bank is not self._state.bank:
            rng = {name: self._game[name] for name in RNG_FIELDS}
            self._hold(new_state(1, self.rules.cars, start.bank))
            for name, value in rng.items():
                self._game[name] = value
        if seed is not None:
            seed_rng(self._game, seed)
        self._begin(start)
        return self._has_begun(seed)

    def _begin(self, start: Start) -> None:
        rest = _ONE, self._sight, self._results
        if start.cells is None:
            engine.reset_rows(0, 1, self._state, self._rules, start.place, *rest)
        else:
            engine.reset_rows_at(0, 1, self._state, self._rules, start.place, start.cells, *rest)

    def step(self, action: Any) -> tuple[dict, float, bool, bool, dict]:
        """The car whose turn it is moves. An action outside the action space is an ActionError, and nothing has changed."""
        if not self._playing:
            raise game_over(self.outcome if self._begun else None)
        try:
            number = index(action)
        except TypeError:
            raise _bad_action(action) from None
        if not 0 <= number < ACTIONS:
            raise _bad_action(action)
        told = self._play(number)
        earned, outcome = told[0], told[-1]
        terminated = truncated = False
        if outcome != PLAYING:
            self._playing = False
            truncated = outcome == TIMEOUT
            terminated = not truncated
        for listener in self.listeners:
            listener.stepped((number,), earned)
        if self._in_window:
            self.render()
        return self._seen(), earned, terminated, truncated, self._info(told)

    def _seen(self) -> dict[str, np.ndarray]:
        """What was last written to `_sight`."""
        return {name: part.copy() for name, part in self._parts}

    def _info(self, told: tuple) -> dict[str, Any]:
        _, car, steps, penalties, wait, x, y, dx, dy, fault, place, turn, rounds, track, outcome = told
        return {
            "car": car,
            "steps": steps,
            "penalties": penalties,
            "waiting": wait,
            "position": (x, y),
            "velocity": (dx, dy),
            "last_action_valid": fault == FINE,
            "fault": FAULTS[fault],
            "finished": place > 0,
            "place": place,
            "turn": turn,
            "round": rounds,
            "track": track,
            "outcome": OUTCOMES[outcome],
        }

    # --- beyond Gymnasium

    def observe(self) -> tuple[dict, dict]:
        """The observation and info of the game as it stands."""
        self._must_have_begun()
        game = game_numbers(self._state)
        who = max(game["car"], 0)
        x, y, dx, dy, wait, steps, _, penalties, place = self._state.cars[0, who].item()
        of_car = 0.0, who, steps, penalties, wait, x, y, dx, dy, game["fault"], place
        of_game = (game[name] for name in ("turn", "rounds", "track", "outcome"))
        return self.observe_car(self.turn), self._info((*of_car, *of_game))

    def observe_car(self, car: int) -> dict[str, np.ndarray]:
        """What this car (from 0) sees, whether it is its turn or not."""
        self._must_have_begun()
        engine.look(self._state, 0, self._rules, whole("car", car, 0, self.rules.cars - 1), self._sight)
        return self._seen()

    @property
    def outcome(self) -> str | None:
        """None while the race goes on, else how it ended."""
        return OUTCOMES[self._game.outcome]

    @property
    def turn(self) -> int:
        """The car that moves next, from 0."""
        return int(self._game.turn)

    @property
    def cars(self) -> np.ndarray:
        """The cars as they stand, a record each (state.py, CAR): a copy."""
        return self._state.cars[0].copy()

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Those that races begin on."""
        return self._circuit.tracks

    @property
    def track(self) -> Track:
        """The one of the present race."""
        self._must_have_begun()
        place = int(self._game.track)
        return self.tracks[place] if self._state.bank is self._circuit.bank else record.track_of(self._state)

    def ranking(self) -> list[Standing]:
        """The cars by place: finished ones by their steps, equal steps share a place; then those that still race."""
        self._must_have_begun()
        cars = [dict(zip(CAR_NAMES, car, strict=True)) for car in self._state.cars[0].tolist()]
        last = 1 + sum(car["place"] > 0 for car in cars)
        return sorted(
            Standing(car["place"] or last, who, car["steps"], car["penalties"], car["place"] > 0)
            for who, car in enumerate(cars)
        )

    def rewards(self) -> np.ndarray:
        """What the last step was worth to each car: its own move, and turns that it skipped."""
        self._must_have_begun()
        earned = np.zeros(self.rules.cars)
        engine.earnings(self._state, 0, self._reward, earned)
        return earned

    def action_mask(self) -> np.ndarray:
        """Which actions would be legal now for the car whose turn it is: bool (9,). All False when the race is over."""
        self._must_have_begun()
        mask = np.zeros((1, ACTIONS), np.bool_)
        engine.mark_legal(self._state, self._rules, mask)
        return mask[0]

    def set_state(self, state: RaceState) -> None:
        """Go on from a state that `get_state` gave. The rules stay those of this environment."""
        checked_state(state, self.rules)
        if state.bank is self._state.bank:
            state.copy_to(self._state)
        else:
            own = state.copy()
            self._hold(own._replace(bank=frozen(*own.bank)))
        self._begun = True
        self._playing = self._game.outcome == PLAYING
        for listener in self.listeners:
            listener.state_was_set()

    # --- for replays

    def state_hash(self) -> str:
        """16 hexadecimal digits for all that matters in this race."""
        self._must_have_begun()
        return state_hash(self._state)

    def recipe(self) -> tuple[str, dict[str, Any]]:
        return record.recipe(self.rules)

    def map_text(self) -> str:
        self._must_have_begun()
        return record.map_text(self._state)

    def figures(self) -> dict[str, float]:
        """Of the only car; of several, the steps of all, and how many have finished."""
        self._must_have_begun()
        cars, game = self._state.cars[0], game_numbers(self._state)
        figures: dict[str, float] = {"steps": int(cars["steps"].sum()), "penalties": int(cars["penalties"].sum())}
        if self.rules.cars > 1:
            figures.update(rounds=game["rounds"], finished=self.rules.cars - game["racing"])
        return figures

    def remark(self) -> str:
        return record.remark(self._state)

    def _picture(self) -> np.ndarray:
        return draw.race_picture(self._state, 0, self.cell_size)

    def _text(self) -> str:
        return record.text_of(self._state)


def _bad_action(action: Any) -> ActionError:
    return ActionError(
        f"action {action!r:.60} is outside the action space; expected a whole number from 0 to {ACTIONS - 1}"
    )
