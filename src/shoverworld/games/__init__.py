"""The registry of games: the games in this package and those that other distributions add.

A distribution adds a game with an entry point in the group `shoverworld.games`. The value of the entry point refers to
a `Game` object.
"""

import warnings
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from shoverworld.core.game import Game, resolve

BUILT_IN = ("shover", "sokoban", "race")
GROUP = "shoverworld.games"


@cache
def all_games() -> dict[str, Game]:
    """Return a dict that maps names to games: first the built-in games, then the plug-ins in alphabetical order.

    A plug-in that cannot be loaded causes a warning and is left out.
    """
    found: dict[str, Game] = {name: resolve(f"{__name__}.{name}.game:GAME") for name in BUILT_IN}
    for point in sorted(entry_points(group=GROUP)):
        try:
            game = point.load()
            found.setdefault(game.name, game)
        except Exception as error:  # code from another distribution can raise any exception
            warnings.warn(f"the game {point.name!r} ({point.value}) cannot be loaded: {error!r}", stacklevel=2)
    return found


def game_named(name: str) -> Game:
    """Return the game with this name. If there is no such game, raise a ConfigError that lists all games."""
    from shoverworld.core.checks import word  # lazy: imports NumPy and Gymnasium, which descriptors do not need

    return all_games()[word("game", name, all_games())]


def game_of(env: Any) -> Game:
    """Return the game that an environment plays. Raise ConfigError if the environment does not belong to a game."""
    game = getattr(getattr(env, "unwrapped", env), "game", None)
    if isinstance(game, Game):
        return game
    from shoverworld.core.errors import ConfigError  # lazy: imports Gymnasium, which descriptors do not need

    raise ConfigError(f"{type(env).__name__} does not belong to any game; the games are {', '.join(all_games())}")
