"""The environment with the course's API: `obs = env.reset()`, a 4-tuple from `step` and an int32 grid.

It accepts the argument names from the specification and from the README (grid_size, n_boxes, n_barriers, n_lava). The
observation has the keys from the specification and from the README (agent_pos, last_position,
last_action).
"""

from typing import Any

import numpy as np
from gymnasium import spaces

import shoverworld

README_KEYWORDS = {"n_boxes": "number_of_boxes", "n_barriers": "number_of_barriers", "n_lava": "number_of_lavas"}
README_NAMES = {"agent_pos": "agent", "last_position": "previous_selected_position", "last_action": "previous_action"}
SCALARS = ("stamina", "previous_action")  # scalars in the course's API, arrays of length 1 in the package


class ShoverWorldEnv:
    """A thin wrapper around shoverworld.ShoverWorldEnv. `env.modern` is the wrapped Gymnasium environment."""

    def __init__(self, render_mode: str | None = None, grid_size: tuple[int, int] | None = None, **keywords: Any):
        for theirs, ours in README_KEYWORDS.items():
            if theirs in keywords:
                keywords[ours] = keywords.pop(theirs)
        if grid_size is not None:
            keywords["n_rows"], keywords["n_cols"] = grid_size
        self.modern = shoverworld.ShoverWorldEnv(render_mode=render_mode, **keywords)
        if keywords.get("seed") is not None:
            self.modern.action_space.seed(keywords["seed"])

    @property
    def action_space(self) -> Any:
        return self.modern.action_space

    @property
    def observation_space(self) -> Any:
        """The space of each entry in an observation, with the shape and type that the course uses."""
        modern: Any = self.modern.observation_space
        parts = dict(modern.spaces)
        parts["grid"] = spaces.Box(-100, 100, parts["grid"].shape, np.int32)
        for name in SCALARS:
            low, high, kind = parts[name].low[0], parts[name].high[0], parts[name].dtype
            parts[name] = spaces.Box(low, high, (), kind)
        return spaces.Dict(parts | {theirs: parts[ours] for theirs, ours in README_NAMES.items()})

    def reset(self) -> dict[str, Any]:
        obs, self.info = self.modern.reset()
        return _course_view(obs)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, dict[str, Any]]:
        """Play the action `(x, y, z)` or `((x, y), z)`.

        `done` is true when the game has ended for any reason; info["outcome"] is the reason.
        """
        obs, reward, terminated, truncated, self.info = self.modern.step(action)
        return _course_view(obs), reward, terminated or truncated, self.info

    def render(self) -> Any:
        return self.modern.render()

    def close(self) -> None:
        self.modern.close()


def _course_view(obs: dict[str, Any]) -> dict[str, Any]:
    obs["grid"] = obs["grid"].astype(np.int32)
    obs.update({name: obs[name][0, ...] for name in SCALARS})
    obs.update({theirs: obs[ours] for theirs, ours in README_NAMES.items()})
    return obs
