"""A function that finds the game to which the files, folders and names on a command line belong."""

from collections.abc import Sequence
from pathlib import Path

from shoverworld.core.errors import ConfigError, MapNotFound, ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.games import all_games, game_named
from shoverworld.play.places import find, game_of_file, game_of_name, level_files, numbered


def game_at(places: Sequence[str], asked: str | None = None) -> Game:
    """Return the game named `asked`, or else the game that all places (files, folders and names) belong to.

    Raise ConfigError if the places belong to different games.
    """
    if asked is not None:
        return game_named(asked)
    games = {place: _game_of(place, only=len(places) == 1) for place in places}
    found = list(dict.fromkeys(games.values()))
    if len(found) > 1:
        first, other = (next(place for place in places if games[place] is game) for game in found[:2])
        raise ConfigError(
            f"{first} is for {found[0].title} and {other} is for {found[1].title}: name files of only one game at a time, or "
            "choose the game with --game"
        )
    return found[0] if found else next(iter(all_games().values()))


def _game_of(place: str, only: bool) -> Game:
    """Return the game that a place belongs to.

    If nothing can be read there and `only` is True (no other place was given), raise an error. If `only` is False,
    return the first game; the caller reports the error later.
    """
    path, usual = Path(numbered(place)[0]), next(iter(all_games().values()))
    if (game := game_of_file(path)) is not None:
        return game
    if path.is_dir() and not level_files(path):
        if only:
            raise MapNotFound.at("the folder contains no level files of any game", place)
        return usual
    try:
        return find(str(path)).game
    except ShoverWorldError:
        if not path.exists() and (game := game_of_name(place)) is not None:
            return game
        if only and not path.is_dir():
            raise
        return usual
