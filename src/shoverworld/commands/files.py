"""Which game a file, a folder or a name belongs to: the one place where commands ask it."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

ONLY_SOKOBAN = (".xsb", ".sok")
OWN = set("$@*+")  # letters of a Sokoban board that no map of Shover-World has
BOARD = OWN | set("# .-_0123456789|()")  # runs too
PICTURES = (".png", ".bmp", ".ppm", ".gif", ".jpg", ".jpeg", ".webp")  # only tracks are drawn


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
    """By the letters and numbers that only Sokoban's boards or only tracks have; else by which room can read it. That none
    can read it, or that there is no such thing, is said at once when it is the `only` one, later when there are more."""
    from pathlib import Path

    from shoverworld.agents.tasks import numbered
    from shoverworld.core.errors import MapNotFound, ShoverWorldError
    from shoverworld.games.sokoban.formats import SUFFIXES
    from shoverworld.play.places import find

    path = Path(numbered(place)[0])
    files = [path] if path.is_file() else []
    if path.is_dir():  # a few tell: it may hold a million levels
        wanted = (*SUFFIXES, *PICTURES)
        files = list(islice((f for f in path.rglob("*") if f.suffix.lower() in wanted and f.is_file()), 20))
    tracks = [_looks_like_a_track(file) for file in files]
    others = [file for file, is_track in zip(files, tracks, strict=True) if not is_track]
    if any(map(_looks_like_sokoban, others)) or path.suffix.lower() in ONLY_SOKOBAN:
        return "sokoban"
    if any(tracks) or path.suffix.lower() in PICTURES:
        return "race"
    if path.is_dir() and not files:
        if only:
            what = (
                "there is no map (*.txt) and no level (*.txt, *.xsb, *.sok), nor a track (*.txt, *.png), in this folder"
            )
            raise MapNotFound.at(what, place)
        return "shover"
    try:
        return find(str(files[0] if files else path)).front.game
    except ShoverWorldError:
        if not path.exists() and _nearly_a_track(place):
            return "race"
        if only and not path.is_dir():
            raise
        return "shover"


def sure_game_of(place: str) -> str | None:
    """The game of a file that no other one could read; None: it has to be tried, or is no file."""
    from pathlib import Path

    from shoverworld.agents.tasks import numbered

    path = Path(numbered(place)[0])
    if not path.is_file():
        return None
    return "race" if _looks_like_a_track(path) else "sokoban" if _looks_like_sokoban(path) else None


def _looks_like_sokoban(path: Any) -> bool:
    """A player, a box or a box on its target in Sokoban's letters, in a line that could be of a board."""
    if path.suffix.lower() in ONLY_SOKOBAN:
        return True
    text = _beginning(path).decode("utf-8", "replace")
    return any(set(row) <= BOARD and set(row) & OWN for row in text.splitlines())


def _looks_like_a_track(path: Any) -> bool:
    """A picture; numbers of which one is -1; or symbols with a start or a finish, and none that a map of Shover-World has
    and a track has not. What else may be wrong with it, its reader tells."""
    from shoverworld.games.race.images import is_picture

    data = _beginning(path)
    if path.suffix.lower() in ONLY_SOKOBAN:
        return False
    if is_picture(data) or path.suffix.lower() in PICTURES:
        return True
    lines = data.decode("utf-8", "replace").splitlines()
    rows = [row.split() for row in lines if row.strip() and not row.startswith("//")]
    if not rows:
        return False
    if rows[0][0].lstrip("+-").isdecimal():
        return any("-1" in row for row in rows)
    symbols = "".join("".join(row) for row in rows)
    own = sum(map(symbols.count, "#.SF"))
    return bool(set(symbols) & set("SF")) and not set(symbols) & set("BAL$@") and own >= 0.8 * len(symbols)


def _nearly_a_track(name: str) -> bool:
    """A name that is more like that of a bundled track than that of a map."""
    from difflib import get_close_matches

    from shoverworld.games.race.tracks import bundled_names
    from shoverworld.games.shover.maps import bundled_names as map_names

    near = get_close_matches(name, [*map_names(), *bundled_names()], 1, 0.7)
    return bool(near) and near[0] in bundled_names()


def _beginning(path: Any) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(100_000)
    except OSError:
        return b""
