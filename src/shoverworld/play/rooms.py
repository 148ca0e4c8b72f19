"""The rooms people can play in: one table, a game to its front. Nothing is imported until it is asked for."""

from importlib import import_module

from shoverworld.core.checks import word
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError
from shoverworld.core.ui import Front

FRONTS = {  # a module with a FRONT
    "shover": "shoverworld.games.shover.ui",
    "sokoban": "shoverworld.games.sokoban.ui",
    "race": "shoverworld.games.race.ui",
}


def front_of(game: str) -> Front:
    """The front of a game."""
    return import_module(FRONTS[word("game", game, FRONTS)]).FRONT


def front_of_env(env: GridEnv) -> Front:
    """The front of the game that an environment plays: that of the room its class stands in."""
    for kind in type(env).__mro__:
        for game, front in FRONTS.items():
            if kind.__module__.startswith(front.removesuffix("ui")):
                return front_of(game)
    raise ConfigError(f"{type(env).__name__} is of no game that can be shown; there are {', '.join(FRONTS)}")
