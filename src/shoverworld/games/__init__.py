"""The registry of games: those of this package, and those that other distributions add.

A distribution adds a game through the entry point group `shoverworld.games`, whose value names a `Game` object.
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
    """Every game by its name: the built-in ones first, then plug-ins by their names.

    A plug-in that cannot be loaded causes a warning and is left out.
    """
    found: dict[str, Game] = {name: resolve(f"{__name__}.{name}.game:GAME") for name in BUILT_IN}
    for point in sorted(entry_points(group=GROUP)):
        try:
            game = point.load()
            found.setdefault(game.name, game)
        except Exception as error:  # the code of another distribution can raise anything
            warnings.warn(f"the game {point.name!r} ({point.value}) cannot be loaded: {error!r}", stacklevel=2)
    return found


def game_named(name: str) -> Game:
    """The game with this name; a ConfigError lists the games if there is none."""
    from shoverworld.core.checks import word  # imports NumPy and Gymnasium, which descriptors do without

    return all_games()[word("game", name, all_games())]


def game_of(env: Any) -> Game:
    """The game that an environment plays; a ConfigError if it is not an environment of a game."""
    game = getattr(getattr(env, "unwrapped", env), "game", None)
    if isinstance(game, Game):
        return game
    from shoverworld.core.errors import ConfigError  # imports Gymnasium, which descriptors do without

    raise ConfigError(f"{type(env).__name__} is not an environment of a game; the games are {', '.join(all_games())}")
