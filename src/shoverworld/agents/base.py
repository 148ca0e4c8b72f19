"""The protocol, and the agent that every other must beat."""

from typing import Any, Protocol

import numpy as np


class Agent(Protocol):
    """A player. `reset` is called once a game, `act` once a step."""

    def reset(self, info: dict[str, Any]) -> None: ...

    def act(self, obs: dict[str, Any], info: dict[str, Any]) -> Any: ...


class RandomAgent:
    """Any valid action, all equally likely."""

    def __init__(self, env: Any, seed: int | None = None):
        self.env = env.unwrapped
        self.dice = np.random.default_rng(seed)

    def reset(self, info: dict[str, Any]) -> None:
        pass

    def act(self, obs: dict[str, Any], info: dict[str, Any]) -> Any:
        valid = np.flatnonzero(self.env.action_mask())
        space = self.env.action_space
        if len(valid) == 0:
            return space.sample()
        return np.array(np.unravel_index(self.dice.choice(valid), space.nvec)) + space.start
