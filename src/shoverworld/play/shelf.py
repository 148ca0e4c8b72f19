"""A collection as its player sees it: the boards in their order, which of them are won, and how well."""

import os
from collections import OrderedDict
from pathlib import Path

from shoverworld.core.game import Game
from shoverworld.core.ui import Board, Collection, Score

from .records import Records

MOST_KEPT = 4  # collections from files that are not read again as long as they do not change
_READ: OrderedDict[tuple, list[Board]] = OrderedDict()


class Shelf:
    """The boards of one collection. A place on it counts from 0, the number people see from 1.

    `rules`: the preset all of them are played by; "": each by its own.
    """

    def __init__(self, game: Game, name: str = "", records: Records | None = None, rules: str = ""):
        """`name`: of a packaged collection, or the path of a file or folder; "": the first. An error when it is none."""
        self.game, self.rules = game, rules
        self.records = records or Records()
        self.packaged = packaged(game)
        self.collection = next((known for known in self.packaged if known.name == name), None) or (
            Collection(name, Path(name).stem or name, name) if name else self.packaged[0]
        )
        self.boards = boards_of(game, self.collection.name)
        names = [board.name for board in self.boards]
        self.keys = names if len(set(names)) == len(names) else [f"#{place + 1}" for place in range(len(names))]
        self._identities: dict[tuple[int, str], str] = {}

    @property
    def name(self) -> str:
        return self.collection.name

    @property
    def title(self) -> str:
        return self.collection.title

    def __len__(self) -> int:
        return len(self.boards)

    def place_of(self, board: Board) -> int | None:
        """Where a board stands; None: not on this shelf."""
        for place, here in enumerate(self.boards):
            if here is board or (here.name, here.path, here.title) == (board.name, board.path, board.title):
                return place
        return None

    def label(self, place: int) -> str:
        """Its number and its title; one that begins or ends with its number stands alone."""
        board, number = self.boards[place], str(place + 1)
        title = board.title or board.name
        return title if number in (title.split() or [""])[-1:] + title.split()[:1] else f"{number}  {title}"

    def preset(self, place: int) -> str:
        return self.rules or self.boards[place].preset

    # --- how well

    def identity(self, place: int) -> str:
        key = place, self.preset(place)
        if key not in self._identities:
            self._identities[key] = self.game.levels.identity(self.boards[place], key[1])
        return self._identities[key]

    def mine(self, place: int) -> Score | None:
        """The player's own best."""
        return self.records.mine(self.identity(place))

    def known(self, place: int) -> Score | None:
        return self.game.levels.best_known(self.identity(place))

    @property
    def solved(self) -> int:
        return sum(self.mine(place) is not None for place in range(len(self)))

    @property
    def progress(self) -> str:
        return f"{self.solved} of {len(self)} solved"

    def next_unsolved(self, place: int | None = None) -> int | None:
        """The first after this place that the player has not won, in a circle; None: all are."""
        first = 0 if place is None else place + 1
        order = [(first + step) % len(self) for step in range(len(self))]
        return next((there for there in order if self.mine(there) is None), None)

    def search(self, words: str) -> list[int]:
        """The places that fit: those with this number, and those with these words in their titles or names."""
        words = words.strip().lower().removeprefix("#")
        if not words:
            return list(range(len(self)))
        named = [place for place, board in enumerate(self.boards) if words in f"{board.title} {board.name}".lower()]
        if words.isdigit():
            numbered = [place for place in range(len(self)) if str(place + 1).startswith(words)]
            exact = [place for place in numbered if place + 1 == int(words)]
            return list(dict.fromkeys([*exact, *numbered, *named]))
        return named


def packaged(game: Game) -> list[Collection]:
    return game.levels.collections()


def boards_of(game: Game, name: str) -> list[Board]:
    """The boards of a collection; a file that has not changed is not read again."""
    try:
        told = os.stat(name)
    except (OSError, ValueError):
        return game.levels.boards(name)
    if os.path.isdir(name):
        return game.levels.boards(name)
    key = game.name, os.path.abspath(name), told.st_mtime_ns, told.st_size
    if key not in _READ:
        _READ[key] = game.levels.boards(name)
        while len(_READ) > MOST_KEPT:
            _READ.popitem(last=False)
    _READ.move_to_end(key)
    return _READ[key]
