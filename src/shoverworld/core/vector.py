"""The base class of all batched environments: a Gymnasium VectorEnv that steps N games with one kernel call."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, ClassVar, TypeGuard, cast

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, create_empty_array
from numpy.typing import ArrayLike, NDArray

from .actions import actions_at
from .batch_actions import BatchActions
from .caller_arrays import CallerArrays, check_arrays
from .checks import seed_number, truth, whole
from .errors import ConfigError, ResetNeeded
from .grid import seed_rng
from .jit import resolve
from .native import NativeArguments
from .painter import Painter
from .results import PLAYING, Results, new_results
from .snapshots import Snapshot, Snapshots, copy_all, masked, spans_of
from .workers import CALLER, REFUSED, Workers, new_work

SHARE_TO_COPY = 128  # the games whose rows are copied together, while they are still in the processor's cache
SHARES_PER_THREAD = 8


class GridVectorEnv(VectorEnv[Any, Any, Any]):
    """
    Arguments of every batched environment:
        num_envs: the number of games.
        autoreset_mode: "NextStep" (default), "SameStep" or "Disabled", as in Gymnasium.
        copy: if True, every step returns arrays that later steps do not change; if False, the engine's own arrays, which
            the next step overwrites. Do not change these arrays: they may be the state of the games.
        num_threads: the number of threads among which the games are divided.
        seed: the seed for the first reset, used if no seed is passed to `reset`.

    The info dict contains an array for each key. `invalid_reason` contains numbers, because writing
    words would take longer than the step itself: `envs.unwrapped.invalid_reasons[number]` is the word.

    `step_into` writes the results of a step into the caller's arrays and returns nothing.

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
        self._batch_actions = BatchActions(self.single_action_space, self.num_envs, self.action_names)
        self._all_games = np.ones(self.num_envs, np.bool_)
        self._started = False
        self._over = 0  # the number of games that are over
        self._results: Results = new_results(self.num_envs)
        self._outcome_table = np.array(self.outcomes, object)
        self._first_seed = seed_number(seed)
        self.threads = min(whole("num_threads", num_threads, 1, 1024), self.num_envs)
        self._pool = _Threads(self.threads - 1) if self.threads > 1 else None
        parts = min(self.num_envs, 2 * SHARES_PER_THREAD * self.threads if self.threads > 1 else 1)
        self._shares = list(pairwise(np.linspace(0, self.num_envs, parts + 1).astype(int).tolist()))
        self.allocate()
        self._connect()

    # --- required of every game

    _state: Any  # a NamedTuple of arrays and numbers with `copy` and `copy_to`; `game` holds a record per game
    _buffers: Any = ()  # a tuple of the arrays to which the step kernel writes observations that are not in the state
    _painter: Painter | None = None  # writes the observations if neither the state nor the buffers contain them
    step_kernel: ClassVar[Any]  # arguments: work, worker (core/workers.py), actions, NativeArguments (core/native.py)
    convert_kernel: ClassVar[Any]  # the game's kernel that converts NativeArguments

    def make_setup(self, keywords: dict[str, Any]) -> Any:
        """Check the arguments of the game and return an object with the attribute `rules`."""
        raise NotImplementedError

    def make_spaces(self) -> tuple[spaces.Space[Any], spaces.Space[Any]]:
        """Return the observation space and the action space of a single game."""
        raise NotImplementedError

    def allocate(self) -> None:
        """Allocate `_state` and the other arrays to which the kernels of the game write."""
        raise NotImplementedError

    def prepare(self, options: dict[str, Any]) -> Any:
        """Check the options of `reset`, and return the argument for `begin`."""
        raise NotImplementedError

    def begin(self, chosen: NDArray[np.bool_], start: Any) -> None:
        """Start the chosen games."""
        raise NotImplementedError

    def step_arguments(self) -> tuple[Any, ...]:
        """Return the native arguments of `step_kernel`. The results, spans and action bounds are appended."""
        raise NotImplementedError

    def make_views(self, state: Any, buffers: Any) -> tuple[Any, dict[str, np.ndarray]]:
        """Return the observation (an array or a dict of arrays) and the info. All arrays are views of the arguments.

        The info does not contain the outcome. If there is a painter, `buffers` contains the array that it paints.
        """
        raise NotImplementedError

    def mark_valid(self, mask: NDArray[np.bool_]) -> None:
        """Set the entries for valid actions to True. `mask` has shape (N, ...): one axis per number in an action."""
        raise NotImplementedError

    def check_state(self, state: Any) -> None:
        """Raise ConfigError if this batch cannot continue from `state`."""
        raise NotImplementedError

    # --- optional

    def connect(self) -> None:
        """Compile the kernels for the arrays, and set the attributes in `rebuilt`."""

    def new_buffers(self) -> Any:
        """Return buffers like `_buffers` with new observation arrays."""
        return ()

    def buffer_arrays(self, buffers: Any) -> list[np.ndarray]:
        """Return the observation arrays in buffers such as `_buffers`, with one row for each game."""
        return []

    def shown_fields(self) -> tuple[str, ...]:
        """Return the names of the state's arrays that the views show. Only these arrays are copied for the user."""
        return tuple(name for name, part in self._state._asdict().items() if isinstance(part, np.ndarray))

    def redraws(self) -> bool:
        """Return whether starting a game takes more than the step kernel does; see `redraw`."""
        return False

    def redraw(self, begun: NDArray[np.bool_]) -> None:
        """Finish resetting these games, which had ended before the last step."""

    gathers = False  # whether `gathered_info` is called

    def gathered_info(self, state: Any) -> dict[str, np.ndarray]:
        """Return the part of the info that is not a view of the state and must be computed after each step."""
        raise NotImplementedError

    def use_arrays(self, observation: Any) -> None:
        """Replace arrays of `_state` or `_buffers` with the caller's arrays, to which the step kernel then writes."""

    def write_observation(self, observation: Any) -> None:
        """Write the observation into the caller's arrays, unless `use_arrays` makes the step kernel write it."""
        if self._painter is not None:
            self.run_parallel(self._painter.paint, self._state, observation)

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
        self._use_own_arrays()
        for i in np.flatnonzero(chosen).tolist():
            if seeds[i] is not None or not self._started:
                seed_rng(self._state.game[i], seeds[i])
        self._begin(chosen, start)
        self._started = True
        snapshot = self._snapshot() if self.copy else self._own
        self._refresh(snapshot)
        observation, info = self._shown(snapshot)
        return observation, info if chosen is self._all_games else masked(_without_masks(info), chosen)

    def step(
        self, actions: np.ndarray | Sequence[Any]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        if self._bound is not None:
            self._use_own_arrays()
        numbers = self._batch_actions.convert(actions)
        snapshot = self._snapshot() if self.copy else self._own
        if self._advance(numbers):
            self._refresh(snapshot)
        if self._over and self._restarts_at_once:
            final = self._final(snapshot)
            self._restart()
            self._refresh(snapshot)
            observation, info = self._shown(snapshot)
            info.update(final)
        else:
            observation, info = self._shown(snapshot)
        return observation, *snapshot.flags, info

    def close_extras(self, **kwargs: Any) -> None:
        self._workers.stop()
        if self._pool is not None:
            self._pool.shutdown()

    # --- beyond Gymnasium

    def make_buffers(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Return arrays for `step_into`: observations, rewards, terminated and truncated."""
        flags = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        observation: Any = create_empty_array(self.single_observation_space, self.num_envs, np.zeros)
        return observation, np.zeros(self.num_envs, np.float32), *flags

    def step_into(
        self,
        actions: np.ndarray | Sequence[Any],
        obs: Any,
        rewards: NDArray[np.floating],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
    ) -> None:
        """Play a step like `step`, but write the results into these arrays and return nothing.

        `make_buffers` returns arrays of the right shapes and types. `obs` has the form of the observation space: an array
        or a dict of arrays. `rewards` is float32 or float64; `terminated` and `truncated` are bool or uint8.

        Pass the same arrays in every call, and do not change them between two calls: the kernels may store the games in
        `obs` itself and write only what changes. Different arrays may be passed at any time; the first call with new
        arrays takes longer.
        """
        if not (self._bound is not None and self._bound.holds(obs, rewards, terminated, truncated)):
            self._use_arrays_of_caller(obs, rewards, terminated, truncated)
        self._advance(self._batch_actions.convert(actions))
        if self._over and self._restarts_at_once:
            self._restart()
        if self._writes_observation:
            self.write_observation(obs)

    def action_mask(self) -> NDArray[np.bool_]:
        """Return a bool array of shape (N, actions) whose rows are the action masks of the games."""
        self.require_started()
        mask = np.zeros((self.num_envs, *self._batch_actions.sizes), np.bool_)
        self.mark_valid(mask)
        return mask.reshape(self.num_envs, -1)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return `action_mask()`, under the name that MaskablePPO from sb3-contrib uses."""
        return self.action_mask()

    def valid_actions(self) -> list[list[Any]]:
        """Return each game's valid actions, as `valid_actions` of a single environment does."""
        masks = self.action_mask().reshape(self.num_envs, *self._batch_actions.sizes)
        self.mark_once(masks)
        return [actions_at(self.single_action_space, np.flatnonzero(mask)) for mask in masks]

    def mark_once(self, masks: NDArray[np.bool_]) -> None:
        """Unmark each action that has the same effect as another marked action of its game (`GridEnv.mark_once`)."""

    def action_of(self, indices: ArrayLike) -> NDArray[np.int64]:
        """Return the actions with these indices in the action masks, one for each game, as `step` accepts them."""
        return self._batch_actions.at(indices)

    def index_of(self, actions: np.ndarray | Sequence[Any]) -> NDArray[np.int64]:
        """Return the indices of these actions, one for each game, in the action masks."""
        return self._batch_actions.indices(actions)

    def get_state(self) -> Any:
        """Return a copy of all games, including the states of their random number generators."""
        self.require_started()
        return self._state.copy()

    def set_state(self, state: Any) -> None:
        """Continue from a state that `get_state` returned for a batch of the same size."""
        self.check_state(state)
        state.copy_to(self._state)
        self._started = True
        self._count_over()

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes that `deepcopy` and `pickle` keep: all except spare memory and those in `rebuilt`."""
        self._use_own_arrays()
        return {name: value for name, value in self.__dict__.items() if name not in (*_REBUILT, *self.rebuilt)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._connect()

    # --- shared by the games

    def require_started(self) -> None:
        if not self._started:
            raise ResetNeeded("the games have not begun: call reset() first")

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
        calls = [self._pool.submit(work, 1 + i) for i in range(self.threads - 1)] if self._pool else []
        work(0)
        for call in calls:
            if not call.cancel():
                call.result()

    # --- internals

    def _connect(self) -> None:
        """Prepare a new or copied batch for its first call."""
        self._all_games.setflags(write=False)
        self.connect()
        # Every step reads these values, and an attribute is faster to read than an enum or the result of a method.
        self._restarts_at_once = self.autoreset_mode is AutoresetMode.SAME_STEP
        self._stops_or_redraws = self.autoreset_mode is AutoresetMode.DISABLED or self.redraws()
        self._writes_observation = (
            self._painter is not None or type(self).write_observation is not GridVectorEnv.write_observation
        )
        self._bound: CallerArrays | None = None
        self._own = self._views_of(self._state, self._painted(self._buffers), self._results)
        self._snapshots = Snapshots(self._make_copy)
        self._prepare_kernel(len(self._copied(self._own)) if self.copy else 0)

    def _prepare_kernel(self, copied: int) -> None:
        """Compile the step kernel for the current arrays. `copied` is the number of arrays that it copies."""
        self._spans = np.zeros((copied, 3), np.int64)
        shared = self._results, self._spans, self._batch_actions.bounds
        native = NativeArguments(self.convert_kernel, *self.step_arguments(), *shared)
        if self.threads > 1:
            share = -(-self.num_envs // (SHARES_PER_THREAD * self.threads))
        else:
            share = min(self.num_envs, SHARE_TO_COPY) if copied else self.num_envs
        self._work = new_work(self.num_envs, share, self.threads)
        example = np.zeros(self._batch_actions.shape, np.int64)
        self._native = native
        self._step = resolve(self.step_kernel, self._work, CALLER, example, native)
        self._workers = Workers(self._step, self._work, example, (native,), self.threads)

    def _advance(self, actions: NDArray[np.int64]) -> bool:
        """Play a step. Return whether games have changed since the step kernel made its copies."""
        if not self._started:
            self.require_started()
        begun = self._games_to_redraw() if self._over and self._stops_or_redraws else None
        if self.threads > 1:
            over = self._workers.run(actions)
        else:
            over = self._step(self._work, CALLER, actions, self._native)
        if over == REFUSED:
            self._batch_actions.check(actions)
        self._over = over
        if begun is None:
            return False
        self.redraw(begun)
        return True

    def _games_to_redraw(self) -> NDArray[np.bool_]:
        """Return the games that are over and must be redrawn. Raise ResetNeeded if the user has to reset them."""
        over = self._over_mask()
        if self.autoreset_mode is AutoresetMode.DISABLED:
            first = np.flatnonzero(over)[:8].tolist()
            raise ResetNeeded(f"games {first} are over: reset them with options['reset_mask'] first")
        return over

    def _restart(self) -> None:
        """Restart the games that have just ended, without changing the results of the step."""
        kept = [array.copy() for array in self._results[:3]]
        self._begin(self._over_mask(), self.prepare({}))
        for array, values in zip(self._results[:3], kept, strict=True):
            array[...] = values

    def _begin(self, chosen: NDArray[np.bool_], start: Any) -> None:
        self.begin(np.array(chosen), start)
        self._count_over()

    def _over_mask(self) -> NDArray[np.bool_]:
        return self._results.outcome != PLAYING

    def _count_over(self) -> None:
        self._results.outcome[:] = self._state.game["outcome"]
        self._over = int(np.count_nonzero(self._over_mask()))

    # --- internals: what the user receives

    def _snapshot(self) -> Snapshot:
        """Return arrays for the user, into which the step kernel will copy the results of the next step."""
        snapshot = self._snapshots.take()
        self._spans[...] = snapshot.spans
        return snapshot

    def _refresh(self, snapshot: Snapshot) -> None:
        """Copy the current state of all games into the snapshot."""
        if self.copy:
            copy_all(self.num_envs, snapshot.spans)

    def _shown(self, snapshot: Snapshot) -> tuple[Any, dict[str, Any]]:
        """Return the observation and the info of the current state, which the snapshot already contains."""
        if self._painter is not None:
            self.run_parallel(self._painter.paint, self._state, snapshot.buffers[0])
        if self._over or snapshot.has_outcomes:
            snapshot.note_outcomes(self._results.outcome, self._outcome_table)
        info = snapshot.info.copy()
        if self.gathers:
            info.update(masked(self.gathered_info(snapshot.state), self._all_games))
        return snapshot.observation.copy() if snapshot.has_parts else snapshot.observation, info

    def _final(self, snapshot: Snapshot) -> dict[str, Any]:
        """Return the final observation and info of the games that are over, in Gymnasium's layout."""
        over = self._over_mask()
        shown, info = self._shown(snapshot)
        observations = np.full(self.num_envs, None, object)
        parts: dict[str, np.ndarray] = shown if snapshot.has_parts else {"": shown}
        rows = {key: array[over] for key, array in parts.items()}
        for place, i in enumerate(np.flatnonzero(over).tolist()):
            row = {key: array[place, ...] for key, array in rows.items()}
            observations[i] = row if snapshot.has_parts else row[""]
        final_info = masked({key: array.copy() for key, array in _without_masks(info).items()}, over)
        return {"final_obs": observations, "_final_obs": over, "final_info": final_info, "_final_info": over}

    def _make_copy(self) -> Snapshot:
        """Allocate a snapshot for copies of the arrays that the user receives."""
        own = self._own
        state = own.state._replace(**{name: np.empty_like(getattr(own.state, name)) for name in self.shown_fields()})
        snapshot = self._views_of(state, self._painted(self.new_buffers()), new_results(self.num_envs))
        snapshot.spans = spans_of(self._copied(own), self._copied(snapshot))
        return snapshot

    def _copied(self, snapshot: Snapshot) -> list[np.ndarray]:
        """Return the arrays of a snapshot that the step kernel copies."""
        state = [getattr(snapshot.state, name) for name in self.shown_fields()]
        buffers = self.buffer_arrays(snapshot.buffers) if self._painter is None else []
        return [*state, *buffers, *snapshot.results[:3]]

    def _views_of(self, state: Any, buffers: Any, results: Results) -> Snapshot:
        snapshot = Snapshot(state, buffers, results)
        snapshot.show(*self.make_views(state, buffers), self._all_games)
        snapshot.watch(self._copied(snapshot))
        return snapshot

    def _painted(self, buffers: Any) -> Any:
        return buffers if self._painter is None else (self._painter.blank(self.num_envs),)

    # --- internals: arrays of the caller

    def _use_own_arrays(self) -> None:
        """Switch back from the arrays passed to `step_into` to the engine's own arrays."""
        if self._bound is None:
            return
        self._workers.stop()
        self._state.copy_to(self._own.state)
        self._own.results.outcome[...] = self._results.outcome
        self._state, self._results = self._own.state, self._own.results
        if self._painter is None:
            for array, own in zip(
                self.buffer_arrays(self._buffers), self.buffer_arrays(self._own.buffers), strict=True
            ):
                own[...] = array
            self._buffers = self._own.buffers
        self._bound = None
        self._prepare_kernel(len(self._copied(self._own)) if self.copy else 0)

    def _use_arrays_of_caller(self, obs: Any, rewards: Any, terminated: Any, truncated: Any) -> None:
        """Let the kernels write into the arrays of a caller of `step_into`."""
        self.require_started()
        space: Any = self.observation_space  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        check_arrays(space, obs, rewards, terminated, truncated)
        self._use_own_arrays()
        self._workers.stop()
        self._results = Results(rewards, terminated.view(np.bool_), truncated.view(np.bool_), self._results.outcome)
        self.use_arrays(obs)
        self._prepare_kernel(0)
        self._bound = CallerArrays(obs, rewards, terminated, truncated)

    # --- internals: resets

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


_REBUILT = (
    "_restarts_at_once", "_stops_or_redraws", "_writes_observation",
    "_bound", "_own", "_snapshots", "_spans", "_native", "_work", "_step", "_workers",
)  # fmt: skip


def _is_mask(mask: Any, games: int) -> TypeGuard[NDArray[np.bool_]]:
    if not isinstance(mask, np.ndarray):
        return False
    array = cast("np.ndarray", mask)
    return array.shape == (games,) and array.dtype == np.bool_


class _Threads(ThreadPoolExecutor):
    """A thread pool. Threads cannot be copied, so a copy of an environment gets the same number of new threads."""

    def __reduce__(self) -> Any:
        return _Threads, (self._max_workers,)


def _without_masks(info: dict[str, Any]) -> dict[str, Any]:
    return {key: array for key, array in info.items() if not key.startswith("_")}
