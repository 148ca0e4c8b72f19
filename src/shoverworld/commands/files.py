"""The game that the files, folders and names on a command line belong to."""

from collections.abc import Sequence


def game_at(places: Sequence[str], asked: str | None = None) -> str:
    """The game of all these places, or the game that was asked for. Places of two games are a ConfigError."""
    from shoverworld.core.errors import ConfigError
    from shoverworld.games import all_games, game_named

    if asked is not None:
        return game_named(asked).name
    games = {place: _game_of(place, only=len(places) == 1) for place in places}
    found = list(dict.fromkeys(games.values()))
    if len(found) > 1:
        first, other = (next(place for place in places if games[place] == game) for game in found[:2])
        raise ConfigError(
            f"{first} is for {game_named(found[0]).title} and {other} is for {game_named(found[1]).title}: name places "
            "of one game at a time, or choose the game with --game"
        )
    return found[0] if found else next(iter(all_games()))


def _game_of(place: str, only: bool) -> str:
    """The game of a place. If nothing can be read there, the `only` place raises an error at once; others raise later."""
    from pathlib import Path

    from shoverworld.core.errors import MapNotFound, ShoverWorldError
    from shoverworld.games import all_games
    from shoverworld.play.places import find, game_of_file, game_of_name, level_files, numbered

    path, usual = Path(numbered(place)[0]), next(iter(all_games()))
    if (game := game_of_file(path)) is not None:
        return game.name
    if path.is_dir() and not level_files(path):
        if only:
            raise MapNotFound.at("the folder has no level file of any game", place)
        return usual
    try:
        return find(str(path)).game.name
    except ShoverWorldError:
        if not path.exists() and (game := game_of_name(place)) is not None:
            return game.name
        if only and not path.is_dir():
            raise
        return usual
