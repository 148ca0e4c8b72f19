"""BatchEnv: N games behind one Gymnasium VectorEnv, one kernel call for all of them.

A game fills in the methods below; the three autoreset modes, masks and final observations are done here, once.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .checks import seed_number, truth, whole
from .errors import ConfigError, ResetNeeded
from .grid import seed_rng
from .results import PLAYING, new_results


class GridVectorEnv(VectorEnv):
    """
    Keywords of every batched environment:
        num_envs: how many games.
        autoreset_mode: "NextStep" (default), "SameStep" or "Disabled", as in Gymnasium.
        copy: True gives fresh arrays at every step; False gives the engine's own, which the next step overwrites.
        num_threads: over how many threads the games are split.
        seed: for the first reset, when that is given none.
    """

    def __init__(
        self,
        num_envs: int,
        autoreset_mode: str | AutoresetMode,
        copy: bool,
        num_threads: int,
        seed: int | None,
        render_mode: None,
        spaces: Any,
        outcomes: tuple[str | None, ...],
    ):
        if render_mode is not None:
            raise ConfigError(f"render_mode={render_mode!r}: a batch is not drawn; render a single environment instead")
        self.num_envs = whole("num_envs", num_envs, 1, 2**31 - 1)
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise ConfigError(f"autoreset_mode={autoreset_mode!r}: must be one of {modes}") from None
        self.copy = truth("copy", copy)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.single_observation_space, self.single_action_space = spaces
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._done = np.zeros(self.num_envs, np.bool_)
        self._nobody = np.zeros(self.num_envs, np.bool_)
        self._everybody = _frozen(np.ones(self.num_envs, np.bool_))
        self._begun = False
        self._copies: list[Any] = []
        self._report = new_results(self.num_envs)
        self._outcomes = np.array(outcomes, object)
        self._words = np.full(self.num_envs, None, object)  # the outcome of each game, ...
        self._told = np.zeros(0, np.int64)  # ... and the games that have one
        self._first_seed = seed_number(seed)
        threads = min(whole("num_threads", num_threads, 1, 1024), self.num_envs)
        self.threads, self._helpers = threads, threads - 1
        self._pool = _Threads(self._helpers) if threads > 1 else None
        parts = min(self.num_envs, 16 * threads if threads > 1 else 1)
        self._shares = list(pairwise(np.linspace(0, self.num_envs, parts + 1).astype(int).tolist()))

    # --- for games to fill in

    _state: Any  # the engine's own: a NamedTuple of arrays and numbers with `copy` and `copy_to`; `game` has the dice

    def _setup_for(self, options: dict[str, Any]) -> Any:
        """How games begin with these options of `reset`, which are checked here."""
        raise NotImplementedError

    def _begin(self, chosen: np.ndarray, setup: Any) -> None:
        """Begin the chosen games anew."""
        raise NotImplementedError

    def _advance(self, actions: Any, over: np.ndarray) -> None:
        """One step of every game; those that are over begin anew instead. A bad action is an error, and no game has moved."""
        raise NotImplementedError

    def _observation(self, state: Any) -> dict[str, np.ndarray] | np.ndarray:
        """The observation, a dict or one array: views of this state."""
        raise NotImplementedError

    def _info(self, state: Any) -> dict[str, np.ndarray]:
        """The info: views of this state."""
        raise NotImplementedError

    # --- shared

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin all games, or those of `options["reset_mask"]`. An int seeds game i with seed + i."""
        if not isinstance(options, dict | None):
            raise ConfigError(f"options={options!r}: must be a dict or None")
        options = dict(options or {})
        chosen = self._reset_mask(options.pop("reset_mask", None))
        setup = self._setup_for(options)
        seeds = self._seeds(seed if seed is not None or self._begun else self._first_seed)
        for i in np.flatnonzero(chosen).tolist():
            if seeds[i] is not None or not self._begun:
                seed_rng(self._state.game[i], seeds[i])
        self._begin(chosen, setup)
        self._begun = True
        self._done[chosen] = False
        state = self._snapshot()
        return self._observation(state), _masked(self._info(state), chosen)

    def _must_have_begun(self) -> None:
        if not self._begun:
            raise ResetNeeded("the games have not begun: call reset() first")

    def _reset_mask(self, mask: Any) -> np.ndarray:
        if mask is None:
            return self._everybody
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ConfigError(f"options['reset_mask'] must be a bool array of shape ({self.num_envs},), not {mask!r}")
        if not mask.any():
            raise ConfigError("options['reset_mask'] chooses no game: at least one must be True")
        if not self._begun and not mask.all():
            raise ResetNeeded("the games have not begun: call reset() without a reset_mask first")
        return mask

    def _seeds(self, seed: Any) -> list[int | None]:
        if not isinstance(seed, (list, tuple, np.ndarray)):
            first = seed_number(seed)
            return [None if first is None else first + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ConfigError(f"seed: a list of {len(seed)} for {self.num_envs} games; expected one seed a game")
        return [seed_number(one) for one in seed]

    def step(self, actions: Any) -> Any:
        self._must_have_begun()
        if self.autoreset_mode == AutoresetMode.DISABLED and self._done.any():
            raise ResetNeeded(
                f"games {np.flatnonzero(self._done)[:8].tolist()} are over: reset them with options['reset_mask'] first"
            )
        self._advance(actions, self._done if self.autoreset_mode == AutoresetMode.NEXT_STEP else self._nobody)
        rewards, terminated, truncated = (array.copy() for array in self._report[:3])
        self._done = terminated | truncated

        final = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._done.any():
            final = self._final(self._done)
            self._begin(self._done, self._setup_for({}))
        state = self._snapshot()
        info = _masked(self._info(state), self._everybody)
        info.update(final)
        return self._observation(state), rewards, terminated, truncated, info

    def _final(self, done: np.ndarray) -> dict[str, Any]:
        """The last observation and info of the games that are over, in Gymnasium's layout."""
        state = self._snapshot()
        observations = np.full(self.num_envs, None, object)
        shown = self._observation(state)
        rows = {key: array[done] for key, array in (shown if isinstance(shown, dict) else {"": shown}).items()}
        for place, i in enumerate(np.flatnonzero(done).tolist()):
            row = {key: array[place, ...] for key, array in rows.items()}
            observations[i] = row if isinstance(shown, dict) else row[""]
        info = {key: array if self.copy else array.copy() for key, array in self._info(state).items()}
        mask = done.copy()
        return {"final_obs": observations, "_final_obs": mask, "final_info": _masked(info, mask), "_final_info": mask}

    def _snapshot(self) -> Any:
        """The state that what is handed out consists of views of: with `copy`, a copy that nobody else looks at.

        Fresh memory is slow, so copies that the user has let go of are used again.
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

    def _outcome_words(self) -> np.ndarray:
        """The outcome of each game in a word, None while it goes on."""
        self._words[self._told] = None
        self._told = np.flatnonzero(self._report.outcome)
        self._words[self._told] = self._outcomes[self._report.outcome[self._told]]
        return self._words.copy() if self.copy else self._words

    def get_state(self) -> Any:
        """A copy of all games, dice included."""
        self._must_have_begun()
        return self._state.copy()

    def _goes_on_from(self, state: Any) -> None:
        """The end of every `set_state`: the games are as in this state, which was checked."""
        state.copy_to(self._state)
        self._begun = True
        self._done = self._state.game["outcome"] != PLAYING

    def _shared_out(self, kernel: Any, *arguments: Any, workspaces: Sequence[Any] = ()) -> None:
        """Call a kernel (first, last, ...) for every share of the games, on all threads.

        `desks`: scratch memory that no two threads may use at once, one a thread (`threads` of them): the last argument.
        """
        shares = iter(self._shares)

        def work(thread: int) -> None:
            own = workspaces[thread : thread + 1]
            for share in shares:
                kernel(*share, *arguments, *own)

        # Waking a thread takes a while, so this one begins at once, and whoever is free takes the next share.
        calls = [self._pool.submit(work, 1 + i) for i in range(self._helpers)] if self._pool else []
        work(0)
        for call in calls:
            if not call.cancel():
                call.result()

    def close_extras(self, **kwargs: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown()


class _Threads(ThreadPoolExecutor):
    """Threads cannot be copied: the copy of an environment gets as many of its own."""

    def __reduce__(self) -> Any:
        return _Threads, (self._max_workers,)


def _masked(info: dict[str, np.ndarray], mask: np.ndarray) -> dict[str, Any]:
    """Gymnasium's layout: beside each key, which games it speaks of."""
    masked: dict[str, Any] = {}
    for key, array in info.items():
        masked[key] = array
        masked["_" + key] = mask
    return masked


def _is_idle(state: Any) -> bool:
    """Does nobody but its own tuple refer to these arrays?"""
    return all(sys.getrefcount(part) <= _IDLE for part in state if isinstance(part, np.ndarray))


_IDLE = max(sys.getrefcount(part) for part in (np.zeros(1), np.zeros(1)) if isinstance(part, np.ndarray))


def _frozen(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array
