"""The protocol, and the agent that every other must beat, in every game."""

from typing import Any, Protocol

import numpy as np
from gymnasium import spaces


class Agent(Protocol):
    """A player. `reset` is called once a game, `act` once a step."""

    def reset(self, info: dict[str, Any]) -> None: ...

    def act(self, obs: Any, info: dict[str, Any]) -> Any: ...


class RandomAgent:
    """Any valid action, all equally likely."""

    def __init__(self, env: Any, seed: int | None = None):
        self.env = env.unwrapped
        self.rng = np.random.default_rng(seed)

    def reset(self, info: dict[str, Any]) -> None:
        pass

    def act(self, obs: Any, info: dict[str, Any]) -> Any:
        mask, space = self.env.action_mask(), self.env.action_space
        valid = np.flatnonzero(mask)
        chosen = int(self.rng.choice(valid if len(valid) else len(mask)))
        if isinstance(space, spaces.Discrete):
            return int(space.start) + chosen
        return np.array(np.unravel_index(chosen, space.nvec)) + space.start
