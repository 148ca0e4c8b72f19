"""Task: a level to play under given rules, and how to make its environment again, in another process too."""

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import gymnasium

from .env import GridEnv

if TYPE_CHECKING:
    from .game import Game
    from .ui import Board

Recipe = tuple[str, dict[str, Any]]  # an environment id and keywords, see GridEnv.recipe


@dataclass(frozen=True)
class Task:
    """A level to solve, and the rules it is played by."""

    name: str  # unique within a run
    game: "Game"
    board: "Board"
    recipe: Recipe
    options: dict[str, Any] = field(repr=False)  # of the reset
    title: str = ""
    seed: int = 0  # of the reset

    def start(self) -> GridEnv:
        """A new environment at the start of the game."""
        env = made(self.recipe)
        env.reset(seed=self.seed, options=self.options)
        return env

    def change(self, keywords: dict[str, Any], **options: Any) -> "Task":
        """The same task with other keywords of the environment and options of the reset."""
        env_id, usual = self.recipe
        return replace(self, recipe=(env_id, {**usual, **keywords}), options={**self.options, **options})


def recipe_of(env: Any) -> Recipe:
    """The id and keywords of an environment with the same rules and observations."""
    env_id, keywords = env.unwrapped.recipe()
    observation = getattr(env.unwrapped, "observation", None)  # not a rule, so `recipe` leaves it out
    return env_id, keywords if observation is None else {**keywords, "observation": observation}


def made(recipe: Recipe) -> GridEnv:
    """The environment of a recipe, before its reset."""
    spec = deepcopy(gymnasium.spec(recipe[0]))
    spec.kwargs.update(recipe[1])  # in the spec, Gymnasium takes none of the keywords for its own
    return gymnasium.make(spec, disable_env_checker=True).unwrapped  # type: ignore[return-value]
