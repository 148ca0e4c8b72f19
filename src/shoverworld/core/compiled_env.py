"""The base class for single (unbatched) environments with compiled rules."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from sys import getrefcount
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .caller_arrays import parts_of
from .checks import seed_number
from .env import GridEnv
from .grid import RNG, seed_rng
from .hashing import game_numbers
from .native import NO_ACTION, NativeArguments, entry

Scalar = tuple[str, NDArray[Any]]  # a key of a dict observation, and an array whose first number is the value
RNG_FIELDS = [name for name, _ in RNG]


class CompiledEnv(GridEnv):
    """A GridEnv for a game with compiled rules. The kernels treat its state as a batch of one game.

    The state is a NamedTuple of arrays with the methods `copy` and `copy_to`. Its record array `game` has the field
    `outcome` and the fields in `core.grid.RNG`. `connect` calls `connect_kernel`, which sets `apply` to a compiled call
    that returns an event as a plain tuple, because creating a named tuple would take longer than playing a step.
    Python finds the attributes of an object much faster if there are fewer than 30 of them.

    The compiled call also writes the observation, because copying several arrays with NumPy would take longer than the
    rest of a step. It writes into a row of larger arrays, and the observation consists of views of this row. A row that
    has been returned is overwritten only after the user has released all arrays that refer to it. A user who keeps one
    observation also keeps the other rows in memory, so the arrays are small (see `row_count`).
    """

    record: ClassVar[Any]  # the game's module record.py, for replays and text
    draw: ClassVar[Any]  # the game's module draw.py, for `picture`
    figure_fields: ClassVar[Mapping[str, str]] = {}  # the record field for each statistic
    cell_size: int
    outcomes: ClassVar[tuple[str | None, ...]]  # indexed by the record's `outcome` field
    invalid_reasons: ClassVar[tuple[str, ...]]  # the codes that info["invalid_reason"] may contain
    rebuilt = ("_outcome_number", "_native", "apply", "last_event", "make_observation")
    _outcome_number: Callable[[], int]

    def start_with(self, state: Any, seed: int | None) -> None:
        """Use this state and seed its random number generator for the first reset. Call this last in `__init__`."""
        self._rules, self._reward = self.rules.numbers(), self.rules.reward_numbers()
        self.connect(state)
        seed_rng(self._record, seed_number(seed))

    @property
    def _record(self) -> Any:
        return self._state.game[0]

    def connect(self, state: Any) -> None:
        self._state = state
        self._outcome_number = state.game["outcome"].item

    def connect_kernel(
        self, engine: Any, new_rows: Callable[[], tuple[Any, list[Any]]], numbers: int, scalar: Scalar | None = None
    ) -> None:
        """Let a kernel play steps from the current state and write the observations. `connect` calls this method.

        This sets `apply`, `last_event` and `make_observation`.

        `engine` is the game's module with the kernels `play_row` and `convert` (see `NativeArguments`). `play_row`
        takes NativeArguments (state, rules, reward, arrays, row) and the numbers of an action. It plays the action
        unless the last number is NO_ACTION, writes the observation to this row of the arrays, and returns the event.
        `new_rows` returns new arrays and the list of the observations in their rows. `scalar` is the part of the
        observation that is a number, if there is one.
        """
        row = np.zeros(1, np.int64)
        arrays, observations = new_rows()
        self._native = NativeArguments(engine.convert, self._state, self._rules, self._reward, arrays, row)
        no_action = (NO_ACTION,) * numbers
        self.apply = partial(entry(engine.play_row, self._native, *no_action), self._native)
        self.last_event = partial(self.apply, *no_action)
        self.make_observation = _written(self._native, observations, new_rows, row.data, scalar).__next__

    def begin(self, start: Any, seed: int | None) -> None:
        old, state = self._state, self.state_for(start)
        if state is not old:
            for name in RNG_FIELDS:
                state.game[name] = old.game[name]
            self.connect(state)
        if seed is not None:
            seed_rng(self._record, seed)
        self.lay_out(start)

    def state_for(self, start: Any) -> Any:
        """Return the current state if the new game fits into its arrays, otherwise a new state."""
        raise NotImplementedError

    def lay_out(self, start: Any) -> None:
        """Write the start of a game into the current state."""
        raise NotImplementedError

    def restore(self, state: Any) -> None:
        if self.fits(state):
            state.copy_to(self._state)
        else:
            self.connect(state.copy())

    def fits(self, state: Any) -> bool:
        """Return whether a state can be copied into the current state."""
        raise NotImplementedError

    @property
    def outcome(self) -> str | None:
        """How the game ended, or None while the game is in progress."""
        return self.outcomes[self._outcome_number()]

    def canonical(self) -> bytes:
        return self.record.canonical(self._state)

    def recipe(self) -> tuple[str, dict[str, Any]]:
        return self.record.recipe(self.rules, self.own_id())

    @classmethod
    def check_recipe(cls, env_id: str, keywords: Mapping[str, Any]) -> None:
        cls.record.check_recipe(env_id, keywords)

    def figures(self) -> dict[str, float]:
        self.require_started()
        numbers = game_numbers(self._state)
        return {name: numbers[field] for name, field in self.figure_fields.items()}

    def picture(self) -> NDArray[np.uint8]:
        return self.draw.picture(self._state, 0, self.cell_size)

    def text(self) -> str:
        return self.record.text(self._state)

    def map_text(self) -> str:
        self.require_started()
        return self.record.map_text(self._state)

    def remark(self) -> str:
        return self.record.remark(self._state)

    def why_invalid(self, state: Any = None) -> str:
        return self.record.why_invalid(self._state if state is None else state)

    def observe(self) -> tuple[Any, dict[str, Any]]:
        self.require_started()
        event = self.last_event()
        return self.make_observation(), self.make_info(event)


def row_count(size: int) -> int:
    """Return how many observations of this size (in bytes) share arrays: as many as fit in 16 KB, from 4 to 64."""
    return min(max(16384 // size, 4), 64)


def _written(
    native: NativeArguments,
    observations: list[Any],
    new_rows: Callable[[], tuple[Any, list[Any]]],
    row: memoryview,
    scalar: Scalar | None,
) -> Iterator[Any]:
    """Yield the observation that the kernel has written, after directing the kernel to a free row.

    The user usually holds only the last two observations, so the row before them is free again. Its arrays are checked
    for references, including those of arrays that the user derived from them: such an array refers to the row's base.
    """
    *fixed, _, place = native.arguments
    key, values = ("", np.zeros(0)) if scalar is None else scalar
    while True:
        is_dict = bool(observations) and isinstance(observations[0], dict)
        watched = [_arrays_of(observation) for observation in observations]
        idle = (
            sum(map(getrefcount, watched[0])) if watched else 0
        )  # the number of references to the arrays of a free row
        number, previous, oldest, unused = 0, -1, -1, 1
        while True:
            # The user gets a copy of the dict: a change to it must not appear in a later observation.
            observation = observations[number].copy() if is_dict else observations[number]
            if key:
                observation[key] = values[0]
            if oldest >= 0 and sum(map(getrefcount, watched[oldest])) == idle:
                following = oldest
            elif unused < len(observations):
                following = unused
                unused += 1
            else:
                break
            row[0] = following
            yield observation
            number, previous, oldest = following, number, previous
        arrays, observations = new_rows()
        native.replace((*fixed, arrays, place))
        row[0] = 0
        yield observation


def _arrays_of(observation: Any) -> tuple[NDArray[Any], ...]:
    """Return the arrays of an observation, and the arrays of which these are views."""
    parts: tuple[Any, ...] = parts_of(observation)
    known = {id(array): array for part in parts if part is not None for array in (part, part.base)}
    return tuple(known.values())
