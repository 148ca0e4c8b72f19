"""What people name to play on: a file, a collection, a level by its name or number. Which game it is of is found out."""

import os
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from shoverworld.core.checks import whole
from shoverworld.core.errors import ConfigError, MapNotFound, ShoverWorldError
from shoverworld.core.ui import Board, Front

from .levels import boards_of
from .rooms import FRONTS, front_of


class Found(NamedTuple):
    """A collection of a room, and a level of it; `place` None: which one was not said."""

    front: Front
    collection: str
    boards: list[Board]
    place: int | None

    @property
    def board(self) -> Board:
        return self.boards[self.place or 0]


def find(what: str, game: str | None = None, level: int | None = None) -> Found:
    """`what`: a file or a folder, the name of a packaged collection or of a level in one; `#12` at its end, or `level`,
    says which level of a collection. `game`: only this one is asked. An error tells what each room had against it."""
    what, number = _numbered(what)
    number = number if level is None else level
    fronts = [front_of(name) for name in ([game] if game else FRONTS)]
    if os.path.exists(what):
        return _chosen(_read(what, fronts), number, what)
    for front in fronts:
        if what in [known.name for known in front.collections()]:
            return _chosen(Found(front, what, front.boards(what), None), number, what)
    for front in fronts:
        for known in front.collections():
            boards = front.boards(known.name)
            for place, board in enumerate(boards):
                if board.name == what and number is None:
                    return Found(front, known.name, boards, place)
    raise MapNotFound.at(f"there is no such file, collection or level{_near(what, fronts)}", what)


def _numbered(what: str) -> tuple[str, int | None]:
    head, sign, number = what.rpartition("#")
    if sign and head and number.isdecimal() and not os.path.exists(what):
        return head, int(number)
    return what, None


def _read(path: str, fronts: list[Front]) -> Found:
    """By the first room that can read it."""
    against: list[tuple[Front, ShoverWorldError]] = []
    for front in fronts:
        try:
            return Found(front, path, boards_of(front, path), None)
        except ShoverWorldError as reason:
            against.append((front, reason))
    if len(against) == 1:
        raise against[0][1]
    told = "; ".join(f"for {front.title}: {_without(str(reason), path)}" for front, reason in against)
    raise ConfigError(f"{path}: no game can read it ({told})")


def _without(reason: str, path: str) -> str:
    return reason.removeprefix(path).lstrip(":, ")


def _chosen(found: Found, number: int | None, what: str) -> Found:
    if number is None:
        return found._replace(place=0 if len(found.boards) == 1 else None)
    if len(found.boards) < number or number < 1:
        raise ConfigError(f"{what} has no level {number}; its levels are 1 to {len(found.boards)}")
    return found._replace(place=whole("level", number, 1, len(found.boards)) - 1)


def _near(name: str, fronts: list[Front]) -> str:
    """A question after names that are like this one; else those of the collections."""
    known = [collection.name for front in fronts for collection in front.collections()]
    boards = [board.name for front in fronts for one in front.collections() for board in front.boards(one.name)]
    named = [board for board in boards if "#" not in board]  # the others are but numbers of a collection
    near = get_close_matches(Path(name).stem, [*known, *named], 3, 0.6)
    if near:
        return f"; did you mean {' or '.join(near)}?"
    return f"; the collections are {', '.join(known)}"
