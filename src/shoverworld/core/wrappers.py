"""Wrappers for learning libraries that need a `Discrete` action space."""

from typing import Any, SupportsFloat, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from .actions import action_count
from .env import GridEnv
from .vector import GridVectorEnv


class FlatActions(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A wrapper that numbers the actions from 0, in the order of `action_mask()`.

    MaskablePPO from sb3-contrib calls `action_masks()`. For a batch of games, use `FlatVectorActions`.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]):
        if isinstance(env, VectorEnv):
            raise TypeError("FlatActions wraps single environments; use FlatVectorActions for a batch")
        super().__init__(env)
        if not isinstance(env.unwrapped, GridEnv):
            raise TypeError(f"FlatActions wraps environments from this package, not {env.unwrapped}")
        self.action_space: spaces.Discrete = spaces.Discrete(action_count(env.action_space))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        result = self.env.reset(seed=seed, options=options)
        count = action_count(self.env.action_space)  # a map passed to `reset` may have a different size
        if count != self.action_space.n:
            self.action_space = spaces.Discrete(count)
        return result

    def step(self, action: SupportsIndex) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        return self.env.step(self.unflatten(action))

    def unflatten(self, action: SupportsIndex) -> Any:
        """Return the wrapped environment's action with this number."""
        base: Any = self.unwrapped
        return base.action_of(action)

    def flatten(self, action: Any) -> int:
        """Return the number of an action in the wrapped environment."""
        base: Any = self.unwrapped
        return base.index_of(action)

    def action_mask(self) -> NDArray[np.bool_]:
        """Return a Boolean array that marks the actions that are valid now."""
        base: Any = self.unwrapped
        return base.action_mask()

    action_masks = action_mask


class FlatVectorActions(VectorWrapper):
    """A wrapper that numbers the actions of a batch of games from 0, in the order of `action_mask()`."""

    def __init__(self, env: VectorEnv[Any, Any, Any]):
        super().__init__(env)
        if not isinstance(env.unwrapped, GridVectorEnv):
            raise TypeError(f"FlatVectorActions wraps batched environments from this package, not {env.unwrapped}")
        self.single_action_space = spaces.Discrete(action_count(env.unwrapped.single_action_space))
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def step(
        self, actions: ArrayLike
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        return self.env.step(self.unflatten(actions))

    def unflatten(self, actions: ArrayLike) -> NDArray[np.int64]:
        """Return the actions of the wrapped environment that have these numbers, one for each game."""
        base: Any = self.unwrapped
        return base.action_of(actions)

    def flatten(self, actions: ArrayLike) -> NDArray[np.int64]:
        """Return the numbers of these actions of the wrapped environment, one for each game."""
        base: Any = self.unwrapped
        return base.index_of(actions)

    def action_mask(self) -> NDArray[np.bool_]:
        """Return a Boolean array of shape (N, actions) that marks the actions that are valid now."""
        base: Any = self.unwrapped
        return base.action_mask()

    action_masks = action_mask
