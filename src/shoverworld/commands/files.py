"""Find the game that the files, folders and names on a command line belong to."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from shoverworld.core.errors import ConfigError, MapNotFound, ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.games import all_games, game_named
from shoverworld.play.places import find, game_of_file, game_of_name, games_in, level_files, numbered


def game_at(places: Sequence[str], asked: str | None = None, note: Callable[[str], Any] = lambda text: None) -> Game:
    """Return the game named `asked` or, if `asked` is None, the game that all places (files, folders, names) belong to.

    Raise ConfigError if the places, or the files in a folder, belong to different games. If only a few files in a folder
    belong to other games, call `note` with a sentence about them.
    """
    if asked is not None:
        return game_named(asked)
    for place in places:
        if Path(place).is_dir():
            _check_mixed(place, note)
    games = {place: _game_of(place, only=len(places) == 1) for place in places}
    found = list(dict.fromkeys(games.values()))
    if len(found) > 1:
        first, other = (next(place for place in places if games[place] is game) for game in found[:2])
        raise ConfigError(
            f"{first} is for {found[0].title} and {other} is for {found[1].title}: specify files for only one game at "
            "a time, or choose the game with --game"
        )
    return found[0] if found else next(iter(all_games().values()))


def _check_mixed(folder: str, note: Callable[[str], Any]) -> None:
    votes = games_in(folder)
    if len(votes) < 2:
        return
    (first, most), (_, next_most), *_ = votes.items()
    *others, last = (game.title for game in votes)
    there = f"{folder} contains levels for {', '.join(others)} and {last}"
    choose = f"choose the game with --game {' or --game '.join(game.name for game in votes)}"
    if most == next_most:
        raise ConfigError(f"{there}: {choose}")
    note(f"{there}; using those for {first.title} ({choose})")


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
            raise MapNotFound.at("the folder contains no level files for any game", place)
        return usual
    try:
        return find(str(path)).game
    except ShoverWorldError:
        if not path.exists() and (game := game_of_name(place)) is not None:
            return game
        if only and not path.is_dir():
            raise
        return usual
