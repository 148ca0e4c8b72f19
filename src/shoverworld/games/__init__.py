"""The registry of games: those of this package, and those that other distributions add.

A distribution adds a game through the entry point group `shoverworld.games`, whose value names a `Game` object.
"""

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from shoverworld.core.checks import word
from shoverworld.core.errors import ConfigError
from shoverworld.core.game import Game, resolve

BUILT_IN = ("shover", "sokoban", "race")
GROUP = "shoverworld.games"


@cache
def all_games() -> dict[str, Game]:
    """Every game by its name: the built-in ones first, then plug-ins by their names."""
    found = {name: resolve(f"{__name__}.{name}.game:GAME") for name in BUILT_IN}
    for point in sorted(entry_points(group=GROUP)):
        game = point.load()
        found.setdefault(game.name, game)
    return found


def game_named(name: str) -> Game:
    """The game with this name; a ConfigError lists the games if there is none."""
    return all_games()[word("game", name, all_games())]


def game_of(env: Any) -> Game:
    """The game that an environment plays; a ConfigError if it is not an environment of a game."""
    game = getattr(getattr(env, "unwrapped", env), "game", None)
    if not isinstance(game, Game):
        raise ConfigError(
            f"{type(env).__name__} is not an environment of a game; the games are {', '.join(all_games())}"
        )
    return game
