"""Which game a file, a folder or a name belongs to: the one place where commands ask it."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

ONLY_SOKOBAN = (".xsb", ".sok")
OWN = set("$@*+")  # letters of a Sokoban board that no map of Shover-World has
BOARD = OWN | set("# .-_0123456789|()")  # runs too


def game_at(places: Sequence[str], asked: str | None = None) -> str:
    """The game of all these places, or the one that was asked for. Places of two games are a ConfigError."""
    from shoverworld.agents.games import TITLES
    from shoverworld.core.checks import word
    from shoverworld.core.errors import ConfigError

    if asked is not None:
        return word("game", asked, TITLES)
    games = {place: _game_of(place, only=len(places) == 1) for place in places}
    found = list(dict.fromkeys(games.values()))
    if len(found) > 1:
        first, other = (next(place for place in places if games[place] == game) for game in found[:2])
        raise ConfigError(
            f"{first} is of {TITLES[found[0]]} and {other} of {TITLES[found[1]]}: name places of one game at a time, "
            "or say which by --game"
        )
    return found[0] if found else "shover"


def _game_of(place: str, only: bool) -> str:
    """By the letters that only Sokoban's boards have; else by which room can read it. That none can read it, or that there
    is no such thing, is said at once when it is the `only` one, later when there are more."""
    from pathlib import Path

    from shoverworld.agents.tasks import numbered
    from shoverworld.core.errors import MapNotFound, ShoverWorldError
    from shoverworld.games.sokoban.formats import SUFFIXES
    from shoverworld.play.places import find

    path = Path(numbered(place)[0])
    files = [path] if path.is_file() else []
    if path.is_dir():  # a few tell: it may hold a million levels
        files = list(islice((f for f in path.rglob("*") if f.suffix.lower() in SUFFIXES and f.is_file()), 20))
    if any(map(_looks_like_sokoban, files)) or path.suffix.lower() in ONLY_SOKOBAN:
        return "sokoban"
    if path.is_dir() and not files:
        if only:
            raise MapNotFound.at("there is no map (*.txt) and no level (*.txt, *.xsb, *.sok) in this folder", place)
        return "shover"
    try:
        return find(str(files[0] if files else path)).front.game
    except ShoverWorldError:
        if only and not path.is_dir():
            raise
        return "shover"


def sure_game_of(place: str) -> str | None:
    """The game of a file that no other one could read; None: it has to be tried, or is no file."""
    from pathlib import Path

    from shoverworld.agents.tasks import numbered

    path = Path(numbered(place)[0])
    return "sokoban" if path.is_file() and _looks_like_sokoban(path) else None


def _looks_like_sokoban(path: Any) -> bool:
    """A player, a box or a box on its target in Sokoban's letters, in a line that could be of a board."""
    if path.suffix.lower() in ONLY_SOKOBAN:
        return True
    try:
        with open(path, "rb") as file:
            text = file.read(100_000).decode("utf-8", "replace")
    except OSError:
        return False
    return any(set(row) <= BOARD and set(row) & OWN for row in text.splitlines())
