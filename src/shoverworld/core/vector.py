"""The base class of all batched environments: a Gymnasium VectorEnv that steps N games with one kernel call."""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, ClassVar, TypeGuard, cast

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from .actions import action_count, action_sizes, action_starts, actions_at, expected_action, indices_of, numbers_at
from .checks import seed_number, truth, whole
from .errors import ActionError, ConfigError, ResetNeeded
from .grid import seed_rng
from .jit import kernel, resolve
from .painter import Painter
from .results import PLAYING, new_results


class GridVectorEnv(VectorEnv[Any, Any, Any]):
    """
    Keywords of every batched environment:
        num_envs: the number of games.
        autoreset_mode: "NextStep" (default), "SameStep" or "Disabled", as in Gymnasium.
        copy: if True, every step returns new arrays; if False, the engine's own arrays, which the next step overwrites.
        num_threads: the number of threads among which the games are divided.
        seed: the seed for the first reset, used if no seed is passed to `reset`.

    The info dict contains an array for each key. `invalid_reason` contains numbers, because writing
    words would take longer than the step itself: `envs.unwrapped.invalid_reasons[number]` is the word.

    A batch can be copied with `deepcopy` and `pickle`, even in the middle of its games.

    Action and option checks, the three autoreset modes, masks, final observations, states and threads are implemented
    here. A game supplies its kernels and the methods below.
    """

    outcomes: ClassVar[tuple[str | None, ...]]  # indexed by the record's `outcome` field
    invalid_reasons: ClassVar[tuple[str, ...]]  # codes; info["invalid_reason"] contains indices into this tuple
    single_observation_space: spaces.Space[Any]
    single_action_space: spaces.Space[Any]
    action_names: ClassVar[tuple[str, ...]] = ()  # names of the numbers in an action, for error messages
    rebuilt: ClassVar[tuple[str, ...]] = ()  # attributes that `connect` derives from the others; they are not copied
    rules: Any

    def __init__(
        self,
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int = 1,
        seed: int | None = None,
        render_mode: None = None,
        **keywords: Any,
    ):
        if render_mode is not None:
            raise ConfigError(
                f"render_mode={render_mode!r}: a batch cannot be rendered; render a single environment instead"
            )
        self._setup = self.make_setup(keywords)
        self.rules = self._setup.rules
        self._rules, self._reward = self.rules.numbers(), self.rules.reward_numbers()
        self.num_envs = whole("num_envs", num_envs, 1, 2**31 - 1)
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise ConfigError(f"autoreset_mode={autoreset_mode!r}: must be one of {modes}") from None
        self.copy = truth("copy", copy)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.single_observation_space, self.single_action_space = self.make_spaces()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._sizes = action_sizes(self.single_action_space)
        self._lowest = np.array(action_starts(self.single_action_space), np.int64)
        self._highest = self._lowest + np.array(self._sizes, np.int64) - 1
        self._done = np.zeros(self.num_envs, np.bool_)
        self._none = np.zeros(self.num_envs, np.bool_)
        self._all_games = np.ones(self.num_envs, np.bool_)
        self._started = False
        self._canvas: np.ndarray | None = None
        self._results = new_results(self.num_envs)
        self._outcome_table = np.array(self.outcomes, object)
        self._outcome_words = np.full(self.num_envs, None, object)  # the outcome of each game
        self._ended = np.zeros(0, np.int64)  # indices of the games with an outcome
        self._first_seed = seed_number(seed)
        threads = min(whole("num_threads", num_threads, 1, 1024), self.num_envs)
        self.threads, self._helpers = threads, threads - 1
        self._pool = _Threads(self._helpers) if threads > 1 else None
        parts = min(self.num_envs, 16 * threads if threads > 1 else 1)
        self._shares = list(pairwise(np.linspace(0, self.num_envs, parts + 1).astype(int).tolist()))
        self.allocate()
        self._connect()

    # --- required of every game

    _state: Any  # a NamedTuple of arrays and numbers with `copy` and `copy_to`; `game` holds a record per game

    def make_setup(self, keywords: dict[str, Any]) -> Any:
        """Check the game's keywords and return an object with the attribute `rules`."""
        raise NotImplementedError

    def make_spaces(self) -> tuple[spaces.Space[Any], spaces.Space[Any]]:
        """Return the observation space and the action space of a single game."""
        raise NotImplementedError

    def allocate(self) -> None:
        """Allocate `_state` and the other arrays to which the kernels of the game write."""
        raise NotImplementedError

    def connect(self) -> None:
        """Compile the kernels for the arrays, and set the attributes in `rebuilt`."""
        raise NotImplementedError

    def prepare(self, options: dict[str, Any]) -> Any:
        """Check the options of `reset`, and return the argument for `begin`."""
        raise NotImplementedError

    def begin(self, chosen: NDArray[np.bool_], start: Any) -> None:
        """Start the chosen games."""
        raise NotImplementedError

    def advance(self, actions: NDArray[np.int64], over: NDArray[np.bool_]) -> None:
        """Restart the games in `over`, and play one step in all other games. The actions are in the action space."""
        raise NotImplementedError

    def make_observation(self, state: Any) -> dict[str, np.ndarray] | np.ndarray:
        """Return the observation as a dict of arrays or as one array. All arrays are views of this state."""
        raise NotImplementedError

    def make_info(self, state: Any) -> dict[str, np.ndarray]:
        """Return the info, whose arrays are views of this state."""
        raise NotImplementedError

    def mark_valid(self, mask: NDArray[np.bool_]) -> None:
        """Set the entries for valid actions to True. `mask` has shape (N, ...): one axis per number in an action."""
        raise NotImplementedError

    def check_state(self, state: Any) -> None:
        """Raise ConfigError if this batch cannot continue from `state`."""
        raise NotImplementedError

    # --- Gymnasium's interface

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start all games, or only those in `options["reset_mask"]`. If `seed` is an integer, game i gets seed + i."""
        if not isinstance(options, dict | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"options={options!r}: must be a dict or None")
        options = dict(options or {})
        chosen = self._reset_mask(options.pop("reset_mask", None))
        start = self.prepare(options)
        seeds = self._seeds(seed if seed is not None or self._started else self._first_seed)
        for i in np.flatnonzero(chosen).tolist():
            if seeds[i] is not None or not self._started:
                seed_rng(self._state.game[i], seeds[i])
        self.begin(chosen, start)
        self._started = True
        self._done[chosen] = False
        state = self._snapshot()
        return self.make_observation(state), _masked(self.make_info(state), chosen)

    def step(
        self, actions: np.ndarray | Sequence[Any]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        self.require_started()
        if self.autoreset_mode == AutoresetMode.DISABLED and self._done.any():
            raise ResetNeeded(
                f"games {np.flatnonzero(self._done)[:8].tolist()} are over: reset them with options['reset_mask'] first"
            )
        self.advance(self.parse_actions(actions), self._done)
        results = self._results
        rewards, terminated, truncated = results.reward.copy(), results.terminated.copy(), results.truncated.copy()
        self._done = terminated | truncated

        final: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._done.any():
            final = self._final(self._done)
            self.begin(self._done, self.prepare({}))
            self._done = self._none.copy()
        state = self._snapshot()
        info = _masked(self.make_info(state), self._all_games)
        info.update(final)
        return self.make_observation(state), rewards, terminated, truncated, info

    def parse_actions(self, actions: np.ndarray | Sequence[Any]) -> NDArray[np.int64]:
        """Return the actions as a contiguous int64 array. Raise ActionError if any is outside the action space."""
        shape = (self.num_envs, *self.single_action_space.shape)  # type: ignore[misc]
        try:
            given = np.asarray(actions)
            if given.dtype.kind not in "iu" or given.shape != shape:
                raise ValueError
        except ValueError:
            raise ActionError(f"expected whole numbers of shape {shape}: one action for each game") from None
        # The kernels expect numbers in this layout. Unsigned numbers above the largest int64 become negative numbers,
        # which no action space contains.
        numbers = given.astype(np.int64, "C", copy=not given.flags.aligned)
        bad = self._first_outside(numbers.reshape(self.num_envs, -1), self._lowest, self._highest)
        if bad >= 0:
            expected = expected_action(self.single_action_space, self.action_names)
            raise ActionError(
                f"action {given[bad].tolist()} of game {bad} is outside the action space; expected {expected}"
            )
        return numbers

    def close_extras(self, **kwargs: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    # --- beyond Gymnasium

    def action_mask(self) -> NDArray[np.bool_]:
        """Return a bool array of shape (N, actions) whose rows are the action masks of the games."""
        self.require_started()
        mask = np.zeros((self.num_envs, *self._sizes), np.bool_)
        self.mark_valid(mask)
        return mask.reshape(self.num_envs, -1)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return `action_mask()`, under the name that MaskablePPO from sb3-contrib uses."""
        return self.action_mask()

    def valid_actions(self) -> list[list[Any]]:
        """Return each game's valid actions, as `valid_actions` of a single environment does."""
        masks = self.action_mask().reshape(self.num_envs, *action_sizes(self.single_action_space))
        self.mark_once(masks)
        return [actions_at(self.single_action_space, np.flatnonzero(mask)) for mask in masks]

    def mark_once(self, masks: NDArray[np.bool_]) -> None:
        """Unmark each action that has the same effect as another marked action of its game (`GridEnv.mark_once`)."""

    def action_of(self, indices: ArrayLike) -> NDArray[np.int64]:
        """Return the actions with these indices in the action masks, one for each game, as `step` accepts them."""
        numbers, count = np.asarray(indices), action_count(self.single_action_space)
        if numbers.dtype.kind not in "iu" or numbers.shape != (self.num_envs,):
            raise ActionError(f"expected whole numbers of shape ({self.num_envs},): an index for each game")
        bad = np.flatnonzero((numbers < 0) | (numbers >= count))
        if bad.size:
            game = int(bad[0])
            raise ActionError(
                f"action {numbers[game]} of game {game} is not an index; expected a whole number from 0 to {count - 1}"
            )
        return numbers_at(self.single_action_space, numbers)

    def index_of(self, actions: np.ndarray | Sequence[Any]) -> NDArray[np.int64]:
        """Return the indices of these actions, one for each game, in the action masks."""
        return indices_of(self.single_action_space, self.parse_actions(actions).reshape(self.num_envs, -1))

    def get_state(self) -> Any:
        """Return a copy of all games, including the states of their random number generators."""
        self.require_started()
        return self._state.copy()

    def set_state(self, state: Any) -> None:
        """Continue from a state that `get_state` returned for a batch of the same size."""
        self.check_state(state)
        state.copy_to(self._state)
        self._started = True
        self._results.outcome[:] = self._state.game["outcome"]
        self._done = self._results.outcome != PLAYING

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes that `deepcopy` and `pickle` keep: all except spare memory and those in `rebuilt`."""
        left_out = (*self.rebuilt, "_copies", "_first_outside")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._connect()

    # --- shared by the games

    def require_started(self) -> None:
        if not self._started:
            raise ResetNeeded("the games have not begun: call reset() first")

    def outcome_words(self) -> np.ndarray:
        """Return the outcome of each game in one word, or None while the game is in progress."""
        self._outcome_words[self._ended] = None
        self._ended = np.flatnonzero(self._results.outcome)
        self._outcome_words[self._ended] = self._outcome_table[self._results.outcome[self._ended]]
        return self._outcome_words.copy() if self.copy else self._outcome_words

    def painted(self, painter: Painter, state: Any) -> np.ndarray:
        """Return the observations that a painter writes: a new array or, if `copy` is False, always the same one."""
        shown = self._canvas
        if self.copy or shown is None or shown.shape[1:] != painter.shape:
            shown = painter.blank(self.num_envs)
            self._canvas = None if self.copy else shown
        self.run_parallel(painter.paint, state, shown)
        return shown

    def run_parallel(self, kernel: Any, *arguments: Any, workspaces: Sequence[Any] = ()) -> None:
        """Call a kernel with the arguments (first, last, ...) for each share of the games, using all threads.

        `workspaces` contains a workspace for each thread, that is, memory that no other thread may use. Each
        thread passes its workspace to the kernel as the last argument.
        """
        shares = iter(self._shares)

        def work(thread: int) -> None:
            own = workspaces[thread : thread + 1]
            for share in shares:
                kernel(*share, *arguments, *own)

        # Waking a thread takes time, so the calling thread starts working at once. A thread that has finished a share
        # of the games takes the next share.
        calls = [self._pool.submit(work, 1 + i) for i in range(self._helpers)] if self._pool else []
        work(0)
        for call in calls:
            if not call.cancel():
                call.result()

    # --- internals

    def _connect(self) -> None:
        """Prepare a new or copied batch for its first call."""
        self._all_games.setflags(write=False)
        self._copies: list[Any] = []
        actions = np.zeros((1, len(self._sizes)), np.int64)
        self._first_outside = resolve(first_outside, actions, self._lowest, self._highest)
        self.connect()

    def _reset_mask(self, mask: Any) -> NDArray[np.bool_]:
        if mask is None:
            return self._all_games
        if not _is_mask(mask, self.num_envs):
            raise ConfigError(f"options['reset_mask'] must be a bool array of shape ({self.num_envs},), not {mask!r}")
        if not mask.any():
            raise ConfigError("options['reset_mask'] selects no games: at least one must be True")
        if not self._started and not mask.all():
            raise ResetNeeded("the games have not begun: call reset() without a reset_mask first")
        return mask

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if not isinstance(seed, (list, tuple, np.ndarray)) or (isinstance(seed, np.ndarray) and seed.ndim == 0):
            first = seed_number(seed)
            return [None if first is None else first + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ConfigError(
                f"seed: got a list of {len(seed)} seeds for {self.num_envs} games; expected one seed for each game"
            )
        return [seed_number(one) for one in seed]

    def _final(self, done: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the final observation and info of the games that are over, in Gymnasium's layout."""
        state = self._snapshot()
        observations = np.full(self.num_envs, None, object)
        shown = self.make_observation(state)
        rows = {key: array[done] for key, array in (shown if isinstance(shown, dict) else {"": shown}).items()}
        for place, i in enumerate(np.flatnonzero(done).tolist()):
            row = {key: array[place, ...] for key, array in rows.items()}
            observations[i] = row if isinstance(shown, dict) else row[""]
        info = {key: array if self.copy else array.copy() for key, array in self.make_info(state).items()}
        mask = done.copy()
        return {"final_obs": observations, "_final_obs": mask, "final_info": _masked(info, mask), "_final_info": mask}

    def _snapshot(self) -> Any:
        """Return the state whose arrays the user receives. If `copy` is True, it is a copy that nothing else uses.

        Allocating memory is slow, so copies that the user has released are reused.
        """
        state = self._state
        if not self.copy:
            return state
        for spare in self._copies:
            if _is_idle(spare):
                state.copy_to(spare)
                return spare
        self._copies = [*self._copies[-7:], state.copy()]
        return self._copies[-1]


@kernel
def first_outside(actions: np.ndarray, lowest: np.ndarray, highest: np.ndarray) -> int:
    """Return the index of the first action that contains a number outside its range, or -1 if all actions are valid."""
    for i in range(len(actions)):
        for k in range(len(lowest)):
            if not lowest[k] <= actions[i, k] <= highest[k]:
                return i
    return -1


def _is_mask(mask: Any, games: int) -> TypeGuard[NDArray[np.bool_]]:
    if not isinstance(mask, np.ndarray):
        return False
    array = cast("np.ndarray", mask)
    return array.shape == (games,) and array.dtype == np.bool_


class _Threads(ThreadPoolExecutor):
    """A thread pool. Threads cannot be copied, so a copy of an environment gets the same number of new threads."""

    def __reduce__(self) -> Any:
        return _Threads, (self._max_workers,)


def _masked(info: dict[str, np.ndarray], mask: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the info in Gymnasium's layout: for each key, `_key` marks the games that have a value."""
    masked: dict[str, Any] = {}
    for key, array in info.items():
        masked[key] = array
        masked["_" + key] = mask
    return masked


def _is_idle(state: Any) -> bool:
    """Return whether the arrays of this state are referenced only by the state itself."""
    return all(sys.getrefcount(part) <= _IDLE for part in state if isinstance(part, np.ndarray))


_IDLE = max(sys.getrefcount(part) for part in (np.zeros(1), np.zeros(1)) if isinstance(part, np.ndarray))  # pyright: ignore[reportUnnecessaryIsInstance]
