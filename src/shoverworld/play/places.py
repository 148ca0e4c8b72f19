"""Finds the file, collection or level that the user specifies, and the game that it belongs
to."""

import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from shoverworld.core.checks import whole
from shoverworld.core.errors import ConfigError, MapNotFound, ShoverWorldError
from shoverworld.core.files import Unreadable, read_head
from shoverworld.core.game import Game
from shoverworld.core.level_files import FoundLevels, files_in
from shoverworld.core.ui import Board
from shoverworld.games import all_games, game_named

from .levels import levels_of

CERTAIN = 0.85  # if a game has at least this score for a file, no other game tries to read the file
LIKELY = 0.5  # the minimum score at which an existing file or folder is attributed to a game
HEAD = 100_000  # number of bytes read from the start of a file to recognise its game
MOST_FILES = 20  # maximum number of files with each suffix that are examined in a folder


class Found(NamedTuple):
    """One of a game's collections. `place` is the index of the requested level, or None if no particular level was
    requested. `skipped` contains an error for each file in a folder, or each level in a file, that cannot be read."""

    game: Game
    collection: str
    boards: list[Board]
    place: int | None
    skipped: Sequence[ShoverWorldError] = ()

    @property
    def board(self) -> Board:
        return self.boards[self.place or 0]


class Votes(NamedTuple):
    """The number of files that seem to be levels for a game: text files, and other files such as pictures."""

    text: int
    other: int


def find(what: str, game: str | None = None, level: int | None = None) -> Found:
    """Return the level or collection that `what` refers to.

    what: the path to a file or folder, or the name of a packaged collection or level; `#12` at the end means level 12.
    game: the game to search; None means all games. If no game can read a file, the error message gives the reason for
    each game.
    level: the number of a level, as an alternative to `#12`.
    """
    what, number = numbered(what)
    number = number if level is None else level
    games = [game_named(game)] if game else list(all_games().values())
    if os.path.exists(what):
        return _chosen(*_read(what, games), number, what)
    for one in games:
        if what in [known.name for known in one.levels.collections()]:
            return _chosen(one, FoundLevels(one.levels.boards(what), []), number, what)
    for one in games:
        for known in one.levels.collections():
            boards = one.levels.boards(known.name)
            for place, board in enumerate(boards):
                if board.name == what and number is None:
                    return Found(one, known.name, boards, place)
    raise MapNotFound.at(f"no file, collection or level has this name{_suggestion(what, games)}", what)


def numbered(what: str) -> tuple[str, int | None]:
    """Split a name such as `levels.xsb#12` into a file and a level number, unless a file with the whole name exists."""
    head, sign, number = what.rpartition("#")
    if sign and head and number.isdecimal() and not os.path.exists(what):
        return head, int(number)
    return what, None


def game_of_file(path: str | Path) -> Game | None:
    """Return the game that a file or folder most likely belongs to, or None if no game is likely.

    If the file does not exist, only its suffix counts.
    """
    (best, _, score), *_ = _ranked(Path(path), all_games().values())
    return best if score >= (LIKELY if os.path.exists(path) else CERTAIN) else None


def game_of_name(name: str) -> Game | None:
    """Return the game that has a packaged level with a similar name, or None if there is no such level."""
    owners = {board: game for game in all_games().values() for board in _names(game)}
    near = get_close_matches(name, owners, 1, 0.7)
    return owners[near[0]] if near else None


def games_in(folder: str | Path) -> dict[Game, Votes]:
    """Return the games that have levels in a folder. The most likely game comes first."""
    return {game: votes for game, votes, _ in _ranked(Path(folder), all_games().values()) if any(votes)}


def level_files(path: Path) -> list[Path]:
    """Return the file itself or, for a folder, the first level files with each suffix, including subfolders."""
    if not path.is_dir():
        return [path]
    suffixes = {suffix for game in all_games().values() for suffix in game.levels.suffixes}
    files: dict[str, list[Path]] = {}
    for file in files_in(path, tuple(suffixes)):
        same = files.setdefault(file.suffix.lower(), [])
        if len(same) < MOST_FILES and file.is_file():
            same.append(file)
    return [file for same in files.values() for file in same]


def _ranked(path: Path, games: Iterable[Game]) -> list[tuple[Game, Votes, float]]:
    """Return each game, the number of files that seem to be its levels, and the game's highest score for a file.

    In a folder, the game with the most text files comes first, so that a few stray files or pictures do not change the
    game detected for the folder. A picture counts only if the game can read it, because it may be a screenshot.
    """
    best = dict.fromkeys(games, 0.0)
    votes = dict.fromkeys(best, Votes(0, 0))
    for file in level_files(path):
        head, suffix = _head(file), file.suffix.lower()
        scores = {game: game.levels.recognises(head, suffix) for game in best}
        for game, score in scores.items():
            best[game] = max(best[game], score)
            if score == max(scores.values()) and score >= LIKELY:
                text, other = votes[game]
                is_text = b"\0" not in head
                votes[game] = Votes(text + is_text, other + (not is_text and _reads(game, file)))
    order = sorted(best, key=lambda game: (-votes[game].text, -votes[game].other, -best[game]))
    return [(game, votes[game], best[game]) for game in order]


def _reads(game: Game, file: Path) -> bool:
    try:
        return bool(game.levels.boards(str(file)))
    except ShoverWorldError:
        return False


def _head(path: Path) -> bytes:
    try:
        return read_head(path, HEAD)
    except (OSError, Unreadable):
        return b""


def _read(path: str, games: list[Game]) -> tuple[Game, FoundLevels]:
    """Read a file or folder with the first game that can read it, trying the games with the highest scores first."""
    ranked = _ranked(Path(path), games)
    games = [game for game, _, _ in ranked]
    if ranked[0][2] >= CERTAIN and not os.path.isdir(path):
        games = games[:1]
    errors: list[tuple[Game, ShoverWorldError]] = []
    for game in games:
        try:
            return game, levels_of(game, path)
        except ShoverWorldError as reason:
            errors.append((game, reason))
    if len({str(reason) for _, reason in errors}) == 1:
        raise errors[0][1]
    reasons = "; ".join(f"for {game.title}: {str(reason).removeprefix(path).lstrip(':, ')}" for game, reason in errors)
    raise ConfigError(f"{path}: no game can read it ({reasons})")


def _chosen(game: Game, levels: FoundLevels, number: int | None, what: str) -> Found:
    if number is None:
        alone = len(levels.boards) == 1
        return Found(game, what, levels.boards, 0 if alone else None, levels.skipped)
    if levels.highest < number or number < 1:
        raise ConfigError(f"{what} has no level {number}; its levels are 1 to {levels.highest}")
    skipped = [] if levels.numbered else levels.skipped  # the other levels in the file do not matter
    return Found(game, what, levels.boards, levels.only(whole("level", number, 1, levels.highest)), skipped)


def _names(game: Game) -> list[str]:
    """Return the names of the packaged levels, except names that consist of a collection and a number."""
    boards = [board.name for known in game.levels.collections() for board in game.levels.boards(known.name)]
    return [name for name in boards if "#" not in name]


def _suggestion(name: str, games: list[Game]) -> str:
    """Suggest similar names; if no name is similar, list all collections."""
    known = [collection.name for game in games for collection in game.levels.collections()]
    near = get_close_matches(Path(name).stem, [*known, *(board for game in games for board in _names(game))], 3, 0.6)
    if near:
        return f"; did you mean {' or '.join(near)}?"
    return f"; the collections are {', '.join(known)}"
