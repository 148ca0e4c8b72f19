"""`VecEnv`: a batch of games for Stable-Baselines3, stepped with one kernel call.

    from stable_baselines3 import PPO
    from shoverworld.learn.sb3 import VecEnv

    PPO("MlpPolicy", VecEnv("shoverworld/Sokoban-v0", num_envs=64)).learn(100_000)

`DummyVecEnv` and `SubprocVecEnv` call each game in Python, and copy its info dict. This class does neither.
"""

import time
from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv

from shoverworld.core.checks import word
from shoverworld.core.errors import ConfigError, MissingExtra
from shoverworld.core.game import registered_ids
from shoverworld.core.vector import GridVectorEnv
from shoverworld.core.wrappers import FlatVectorActions

try:
    from stable_baselines3.common.monitor import Monitor  # pyright: ignore[reportMissingImports]  # optional
    from stable_baselines3.common.vec_env import VecEnv as BaseVecEnv  # pyright: ignore[reportMissingImports]
except ImportError:
    raise MissingExtra.of("shoverworld.learn.sb3", "Stable-Baselines3", "train") from None

ROW_METHODS = ("action_mask", "action_masks", "valid_actions")  # batch methods that return a row for each game
INFOS = ("ends", "all")


class VecEnv(BaseVecEnv):
    """
    Arguments:
        env: an environment id of this package, or a batched environment that `gym.make_vec` returned. A batch must have
            been made with `autoreset_mode="SameStep"`, the only mode that Stable-Baselines3 knows, and `copy=True`.
        num_envs: the number of games, if `env` is an id.
        seed: the seed for the first reset; game i gets seed + i. `seed()` sets the seeds for the next reset.
        infos: "ends" (default): a complete info dict only for the last step of an episode, since Stable-Baselines3 reads
            no other; the other dicts contain only "TimeLimit.truncated". "all": a complete dict for every step.
        **keywords: further arguments for the environment, if `env` is an id, such as `observation` or `num_threads`.

    Actions are numbered from 0, in the order of the action masks (`FlatVectorActions`), so MaskablePPO runs on every
    environment. `env_method("action_masks")` computes all masks with one kernel call.

    The games, observations, rewards and seeds are those of a `DummyVecEnv` of `FlatActions` environments wrapped in
    `Monitor`: the info dict at the end of an episode contains "terminal_observation" and "episode". The values in the
    info dict are those of a batch, for example `perfect_squares_available` in Shover-World is an array; only
    `invalid_reason` is a word, as in a single environment.
    """

    def __init__(
        self,
        env: str | VectorEnv[Any, Any, Any],
        num_envs: int = 1,
        seed: int | None = None,
        infos: Literal["ends", "all"] = "ends",
        **keywords: Any,
    ):
        self._batch = batch = _batch(env, num_envs, keywords)
        self._envs = FlatVectorActions(batch)
        self._all_infos = word("infos", infos, INFOS) == "all"
        self._attributes: dict[str, list[Any]] = {}  # set by `set_attr`, with one value for each game
        self._actions: Any = None
        super().__init__(batch.num_envs, batch.single_observation_space, self._envs.single_action_space)
        self._returns, self._lengths = np.zeros(self.num_envs), np.zeros(self.num_envs, np.int64)
        self._began = time.time()
        if seed is not None:
            self.seed(seed)

    # --- steps

    def reset(self) -> Any:
        seeds = None if self._seeds[0] is None else self._seeds
        observation, info = self._envs.reset(seed=seeds, options=self._common_options())
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = self._rows(info, range(self.num_envs))
        self._returns[:], self._lengths[:] = 0, 0
        return self._shown(observation)

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observation, rewards, terminated, truncated, info = self._envs.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        over = terminated | truncated
        games = over.nonzero()[0].tolist()
        infos = self._rows(info, range(self.num_envs)) if self._all_infos else [{} for _ in range(self.num_envs)]
        for row in infos:
            row["TimeLimit.truncated"] = False
        if games:
            self._note_ends(games, info, infos, truncated & ~terminated)
        return self._shown(observation), rewards.astype(np.float32), over, infos

    def _note_ends(self, games: list[int], info: dict[str, Any], infos: list[dict[str, Any]], cut: np.ndarray) -> None:
        """Write the infos of the games that have ended, and those of the games that followed."""
        now = round(time.time() - self._began, 6)
        for i, last, first in zip(games, self._rows(info["final_info"], games), self._rows(info, games), strict=True):
            episode = {"r": round(float(self._returns[i]), 6), "l": int(self._lengths[i]), "t": now}
            last["TimeLimit.truncated"] = bool(cut[i])
            infos[i] = {**last, "terminal_observation": info["final_obs"][i], "episode": episode}
            self.reset_infos[i] = first
        self._returns[games], self._lengths[games] = 0, 0

    def _shown(self, observation: Any) -> Any:
        """Return the observation in contiguous arrays, which torch requires."""
        if isinstance(self.observation_space, spaces.Dict):
            return {key: np.ascontiguousarray(observation[key], space.dtype) for key, space in self._parts.items()}
        return observation

    @property
    def _parts(self) -> dict[str, Any]:
        space: Any = self.observation_space
        return space.spaces

    def _rows(self, info: dict[str, Any], games: Sequence[int]) -> list[dict[str, Any]]:
        """Return the info dicts of these games."""
        chosen, reasons = np.asarray(games, np.intp), self._batch.invalid_reasons
        columns: dict[str, Any] = {}
        for key, values in info.items():
            if key.startswith(("_", "final_")):
                continue
            column = values[chosen]
            columns[key] = list(column) if column.ndim > 1 else column.tolist()
        columns["invalid_reason"] = [reasons[code] for code in columns["invalid_reason"]]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _common_options(self) -> dict[str, Any]:
        """Return the options for the next reset, which must be the same for all games."""
        first = self._options[0]
        if any(options is not first and (options or first) for options in self._options):
            raise ConfigError("set_options: expected one dict, because the games of a batch have the same options")
        return first

    # --- the rest of the interface

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method for all games at once and return the rows of these games."""
        if method_name not in ROW_METHODS:
            raise AttributeError(
                f"env_method({method_name!r}): the games of a batch are not separate environments; expected "
                f"{', '.join(map(repr, ROW_METHODS))}. `unwrapped_batch` is the batched environment itself."
            )
        rows = getattr(self._batch, method_name)(*method_args, **method_kwargs)
        return list(rows) if indices is None else [rows[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the batch, which all games share, or the values that `set_attr` stored."""
        games = list(self._get_indices(indices))
        if attr_name in self._attributes:
            return [self._attributes[attr_name][i] for i in games]
        return [getattr(self._batch, attr_name) for _ in games]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Store a value for these games under a new name. The attributes of the batch itself cannot be changed."""
        if hasattr(self._batch, attr_name):
            raise AttributeError(
                f"set_attr({attr_name!r}): the games share one batch, which is fixed when it is created; "
                f"pass the setting to VecEnv instead"
            )
        values = self._attributes.setdefault(attr_name, [None] * self.num_envs)
        for i in self._get_indices(indices):
            values[i] = value

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """Return True for `Monitor`, whose records are part of this class, and False for every other wrapper."""
        return [issubclass(wrapper_class, Monitor) for _ in self._get_indices(indices)]

    @property
    def unwrapped_batch(self) -> GridVectorEnv:
        """The batched environment."""
        return self._batch

    def get_images(self) -> list[np.ndarray | None]:
        return [None for _ in range(self.num_envs)]  # a batch cannot be rendered

    def close(self) -> None:
        self._envs.close()


def _batch(env: str | VectorEnv[Any, Any, Any], num_envs: int, keywords: dict[str, Any]) -> GridVectorEnv:
    """Make the batch, or check a batch that was passed."""
    if isinstance(env, str):
        modes = {"autoreset_mode": AutoresetMode.SAME_STEP, "copy": True}
        clash = sorted(modes.keys() & keywords)
        if clash:
            raise ConfigError(f"{clash[0]}: VecEnv sets this argument itself; omit it")
        if gymnasium.spec(env).id not in registered_ids:
            raise ConfigError(f"env={env!r}: expected an environment id or a batched environment from this package")
        batch = gymnasium.make_vec(env, num_envs, "vector_entry_point", **keywords, **modes)
    else:
        batch = env.env if isinstance(env, FlatVectorActions) else env
        if keywords or num_envs != 1:
            raise ConfigError("num_envs and further arguments go to gym.make_vec if env is a batched environment")
    if not isinstance(batch, GridVectorEnv):
        raise ConfigError(f"env={env!r}: expected an environment id or a batched environment from this package")
    if batch.autoreset_mode is not AutoresetMode.SAME_STEP or not batch.copy:
        raise ConfigError('env: expected a batch made with autoreset_mode="SameStep" and copy=True')
    return batch
