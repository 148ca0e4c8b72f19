"""A wrapper for learning libraries that need a Discrete action space and Box observations."""

import math
from typing import Any, SupportsFloat, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .env import ActionLike, action_sizes, action_starts


class FlatActions(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A wrapper that numbers the actions from 0, in the order of `action_mask()`.

    Scalars in the observation become arrays of length one. MaskablePPO from sb3-contrib calls `action_masks()`,
    which is an alias for `action_mask()`.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]):
        super().__init__(env)
        if not isinstance(env.action_space, spaces.MultiDiscrete):
            raise TypeError(f"FlatActions requires a MultiDiscrete action space, not {env.action_space}")
        self._read_spaces()

    def _read_spaces(self) -> None:
        """Read the spaces of the wrapped environment. Their sizes may change when a map is given to `reset`."""
        self._sizes = action_sizes(self.env.action_space)
        self.action_space: spaces.Discrete = spaces.Discrete(math.prod(self._sizes))
        self.observation_space = _with_axes(self.env.observation_space)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        if action_sizes(self.env.action_space) != self._sizes:
            self._read_spaces()
        return self._flat(observation), info

    def step(self, action: int | np.integer[Any]) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(self.unflatten(action))
        return self._flat(observation), reward, terminated, truncated, info

    def unflatten(self, action: int | np.integer[Any]) -> NDArray[np.int64]:
        """Return the wrapped environment's action with this number."""
        space: Any = self.env.action_space
        if not self.action_space.contains(np.int64(action)):
            return space.start + space.nvec  # outside the space, so the environment raises an error
        return np.array(np.unravel_index(int(action), space.nvec)) + space.start

    def flatten(self, action: ActionLike) -> int:
        """Return the number of an action of the wrapped environment."""
        space: Any = self.env.action_space
        return int(np.ravel_multi_index(tuple(np.asarray(action) - space.start), tuple(space.nvec)))

    def action_mask(self) -> NDArray[np.bool_]:
        """Return a bool array that marks the actions that are valid now."""
        base: Any = self.unwrapped
        return base.action_mask()

    action_masks = action_mask

    def _flat(self, observation: dict[str, Any]) -> dict[str, np.ndarray]:
        return {key: np.atleast_1d(value) for key, value in observation.items()}


def _with_axes(space: Any) -> spaces.Dict:
    """Return the same Dict space with every scalar space replaced by a Box of shape (1,)."""
    parts: dict[str, spaces.Space[Any]] = {}
    for key, part in space.spaces.items():
        if isinstance(part, spaces.Discrete):
            numbers = cast("spaces.Space[Any]", part)
            first, count = *action_starts(numbers), *action_sizes(numbers)
            part = spaces.Box(first, first + count - 1, (1,), np.int64)
        elif part.shape == ():
            part = spaces.Box(part.low.item(), part.high.item(), (1,), part.dtype)
        parts[key] = part
    return spaces.Dict(parts)
