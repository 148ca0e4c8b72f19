"""What agents, referees and tables have to know of each game: a line a game, and how to make its environments again."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import gymnasium

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import AgentError

Recipe = tuple[str, dict[str, Any]]  # an id and keywords, see GridEnv.recipe

TITLES = {"shover": "Shover-World", "sokoban": "Sokoban", "race": "the grid race"}
WON = {"shover": "cleared", "sokoban": "solved", "race": "finished"}  # the outcome that everybody wants
LEFT: dict[str, Callable[[dict[str, Any]], int]] = {  # boxes that something has still to be done about, by an info
    "shover": lambda info: info["number_of_boxes"],
    "sokoban": lambda info: info["boxes"] - info["boxes_on_target"],
    "race": lambda info: not info["finished"],  # the car itself
}
# How well it was played: the figure of which fewer is better, and another one to be told beside it.
FIGURES = {"shover": ("steps", "stamina"), "sokoban": ("pushes", "moves"), "race": ("steps", "penalties")}
PLACES = {"shover": "map", "sokoban": "level", "race": "track"}
_ROOMS = "shoverworld.games."


def game_of(env: Any) -> str:
    """The game that an environment plays: that of the room its class stands in."""
    for kind in type(env.unwrapped).__mro__:
        game = kind.__module__.removeprefix(_ROOMS).partition(".")[0]
        if kind.__module__.startswith(_ROOMS) and game in TITLES:
            return game
    raise AgentError(f"agents play {', '.join(TITLES.values())}; {type(env.unwrapped).__name__} is none of them")


def recipe_of(env: Any) -> Recipe:
    """How to make an environment with the same rules, that shows the same things, in another process too."""
    env_id, keywords = env.unwrapped.recipe()
    seen = getattr(env.unwrapped, "observation", None)  # no rule, so the recipe leaves it out
    return env_id, keywords if seen is None else {**keywords, "observation": seen}


def made(recipe: Recipe) -> GridEnv:
    """The environment, before its reset."""
    spec = deepcopy(gymnasium.spec(recipe[0]))
    spec.kwargs.update(recipe[1])  # here Gymnasium does not take any of them for its own
    return gymnasium.make(spec, disable_env_checker=True).unwrapped  # type: ignore[return-value]
