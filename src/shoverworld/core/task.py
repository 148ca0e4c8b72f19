"""Tasks. A task is a level with its rules. The environment for a task can be recreated, even in another process."""

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import gymnasium

from .env import GridEnv

if TYPE_CHECKING:
    from .game import Game
    from .ui import Board

Recipe = tuple[str, dict[str, Any]]  # an environment id and keyword arguments; see GridEnv.recipe


@dataclass(frozen=True)
class Task:
    """A level to solve and the rules that apply to it."""

    name: str  # a name that is unique within a run
    game: "Game"
    board: "Board"
    recipe: Recipe
    options: dict[str, Any] = field(repr=False)  # options for `reset`
    title: str = ""
    seed: int = 0  # seed for `reset`
    rules: str = ""  # the rules as text (core/rules_text.py)

    def start(self) -> GridEnv:
        """Return a new environment at the start of the game."""
        env = made(self.recipe)
        env.reset(seed=self.seed, options=self.options)
        return env

    def change(self, keywords: dict[str, Any], **options: Any) -> "Task":
        """Return a copy of the task with some environment arguments and reset options changed."""
        env_id, usual = self.recipe
        return replace(self, recipe=(env_id, {**usual, **keywords}), options={**self.options, **options})


def recipe_of(env: Any) -> Recipe:
    """Return the id and the keyword arguments that create an environment with the same rules and observations."""
    env_id, keywords = env.unwrapped.recipe()
    observation = getattr(env.unwrapped, "observation", None)  # `recipe` omits the observation, which is not a rule
    return env_id, keywords if observation is None else {**keywords, "observation": observation}


def made(recipe: Recipe) -> GridEnv:
    """Create the environment that a recipe describes, without resetting it."""
    spec = deepcopy(gymnasium.spec(recipe[0]))
    spec.kwargs.update(recipe[1])  # gymnasium.make(spec, **keywords) would treat some arguments as its own options
    return gymnasium.make(spec, disable_env_checker=True).unwrapped  # type: ignore[return-value]
