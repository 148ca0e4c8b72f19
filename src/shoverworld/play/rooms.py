"""The rooms people can play in: one table, a game to its front. Nothing is imported until it is asked for."""

from importlib import import_module

from shoverworld.core.checks import word
from shoverworld.core.front import Front

FRONTS = {"shover": "shoverworld.games.shover.front"}  # a module with a FRONT


def front_of(game: str) -> Front:
    """The front of a game."""
    return import_module(FRONTS[word("game", game, FRONTS)]).FRONT
