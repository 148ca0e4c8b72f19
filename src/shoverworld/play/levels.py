"""The levels in a collection: their order, the player's results, and navigation from one
level to the next."""

import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from shoverworld.core.game import Game
from shoverworld.core.level_files import FoundLevels, about_skipped, levels_in
from shoverworld.core.rules_text import rules_in_list
from shoverworld.core.ui import Board, Collection, Score

from .labels import LABELS
from .players import Player
from .records import Records
from .session import Session

MOST_KEPT = 4  # maximum number of collections from files that are kept in memory until the files change
MOST_SKIPPED = 40  # a folder with more unreadable files than this is opened only if it has at least as many levels
_READ: OrderedDict[tuple, FoundLevels] = OrderedDict()


class LevelList:
    """The levels in one collection. Indices start at 0; the numbers that people see start at 1.

    `rules`: rules that replace or change the rules of every level (core/rules_text.py); if "", each level has its own
    rules.
    """

    def __init__(self, game: Game, name: str = "", records: Records | None = None, rules: str = ""):
        """Read a collection. Raise an error if the collection does not exist. `name`: the name of a packaged
        collection, or the path to a file or folder; "" means the first packaged collection."""
        self.game, self.rules = game, rules
        self.records = records or Records()
        self.packaged = game.levels.collections()
        self.collection = next((known for known in self.packaged if known.name == name), None) or (
            Collection(name, Path(name).stem or name, name) if name else self.packaged[0]
        )
        found = levels_of(game, self.collection.name)
        self.boards, self.skipped = found.boards, about_skipped(found.skipped)  # `skipped`: a sentence about bad files
        names = [board.name for board in self.boards]
        self.keys = names if len(set(names)) == len(names) else [f"#{place + 1}" for place in range(len(names))]
        self._identities: dict[tuple[int, str], str] = {}
        self._solutions: dict[tuple[int, str], Score | None] = {}

    @property
    def name(self) -> str:
        return self.collection.name

    @property
    def title(self) -> str:
        return self.collection.title

    def __len__(self) -> int:
        return len(self.boards)

    def place_of(self, board: Board) -> int | None:
        """Return the index of a board, or None if the board is not in this collection."""
        for place, here in enumerate(self.boards):
            if here is board or (here.name, here.path, here.title) == (board.name, board.path, board.title):
                return place
        return None

    def label(self, place: int) -> str:
        """Return the number and title of a level, or only the title if it already begins or ends with the number."""
        board, number = self.boards[place], str(place + 1)
        title = board.title or board.name
        return title if number in (title.split() or [""])[-1:] + title.split()[:1] else f"{number}  {title}"

    def position(self, board: Board) -> str:
        """Describe the position of a board: "Lessons, 3 of 16"; "" if the board is not in the collection."""
        place = self.place_of(board)
        return "" if place is None else LABELS["position"].format(title=self.title, place=place + 1, count=len(self))

    def preset(self, place: int) -> str:
        return rules_in_list(self.game, self.boards[place].preset, self.rules)

    # --- results

    def identity(self, place: int) -> str:
        key = place, self.preset(place)
        if key not in self._identities:
            self._identities[key] = self.game.levels.identity(self.boards[place], key[1])
        return self._identities[key]

    def best(self, place: int) -> Score | None:
        """Return the player's best result on this level, or None if the level is unsolved."""
        return self.records.best(self.identity(place))

    def known(self, place: int) -> Score | None:
        """Return the best known result on this level, or None if no result is known. For a level from a file, this is
        the result of the solution in the file."""
        known = self.game.levels.best_known(self.identity(place))
        return self._solution_score(place) if known is None else known

    def _solution_score(self, place: int) -> Score | None:
        key = place, self.preset(place)
        if key not in self._solutions:
            self._solutions[key] = self.game.levels.solution_score(self.boards[place], key[1])
        return self._solutions[key]

    @property
    def solved(self) -> int:
        return sum(self.best(place) is not None for place in range(len(self)))

    @property
    def progress(self) -> str:
        return LABELS["progress"].format(solved=self.solved, count=len(self), word=self.game.solved_word)

    def next_unsolved(self, place: int | None = None) -> int | None:
        """Return the index of the first unsolved level after `place`, wrapping around, or None if all levels are
        solved."""
        first = 0 if place is None else place + 1
        order = [(first + step) % len(self) for step in range(len(self))]
        return next((there for there in order if self.best(there) is None), None)

    def search(self, words: str) -> list[int]:
        """Return the indices of the levels whose title or name contains `words`. If `words` is a number, the level with
        that number comes first, followed by the levels whose numbers begin with it."""
        words = words.strip().lower().removeprefix("#")
        if not words:
            return list(range(len(self)))
        named = [place for place, board in enumerate(self.boards) if words in f"{board.title} {board.name}".lower()]
        if words.isdigit():
            numbered = [place for place in range(len(self)) if str(place + 1).startswith(words)]
            exact = [place for place in numbered if place + 1 == int(words)]
            return list(dict.fromkeys([*exact, *numbered, *named]))
        return named


class LevelTour:
    """Takes the player to the next level, the previous level or a random level, and keeps the unfinished games on other
    levels.

    `rules`: rules that replace or change the rules of every level; if "", each level has its own rules. `make_random`:
    a function that makes a random level from a seed.
    """

    def __init__(
        self, game: Game, levels: LevelList, rules: str = "", make_random: Callable[[int], Board] | None = None
    ):
        self.game, self.levels, self.rules, self.make_random = game, levels, rules, make_random
        self.place: int | None = None  # index of the level in this collection that was played last
        self._left: dict[tuple, Session] = {}  # unfinished games by board and preset

    def visit(self, board: Board) -> int | None:
        """Record that this board is being played. Return the index of the board, or None if it is not in the
        collection."""
        here = self.levels.place_of(board)
        self.place = self.place if here is None else here
        return here

    def has_next(self, board: Board) -> bool:
        """Return whether the collection contains this board and has another level after it."""
        here = self.levels.place_of(board)
        return here is not None and here + 1 < len(self.levels)

    def neighbour(self, board: Board, step: int) -> int:
        """Return the index of the next or previous level, wrapping around. A board outside the collection counts as a
        detour from the level that was played last: `previous` returns to that level."""
        if self.place is None:
            return 0 if step > 0 else len(self.levels) - 1
        inside = self.levels.place_of(board) is not None
        return (self.place + (step if inside or step > 0 else 0)) % len(self.levels)

    def random(self, preset: str, seed: int) -> Board:
        return self.make_random(seed) if self.make_random else self.game.levels.random(preset, seed)

    @property
    def left(self) -> list[Session]:
        """The games that the player has left."""
        return list(self._left.values())

    def exchange(self, old: Session, board: Board, preset: str, players: tuple[Player, ...]) -> Session | None:
        """Store the old game. Return the stored game for these players on this board with this preset, or None if no
        such game is stored."""
        self._left[_key_of(old.board, old.preset)] = old
        waiting = self._left.pop(_key_of(board, preset), None)
        return waiting if waiting is not None and waiting.players == players else None


def _key_of(board: Board, preset: str) -> tuple:
    return board.name, board.path, board.title, board.seed, preset


def levels_of(game: Game, name: str) -> FoundLevels:
    """Return the levels in a collection, a file or a folder. A file that has not changed is not read again."""
    try:
        status = os.stat(name)
    except (OSError, ValueError):
        return levels_in(game, name)
    if os.path.isdir(name):
        return levels_in(game, name, MOST_SKIPPED)
    key = game.name, os.path.abspath(name), status.st_mtime_ns, status.st_size
    if key not in _READ:
        _READ[key] = levels_in(game, name)
        while len(_READ) > MOST_KEPT:
            _READ.popitem(last=False)
    _READ.move_to_end(key)
    return _READ[key]


def forget() -> None:
    """Read all files again, for example because the colours in pictures now have other meanings."""
    _READ.clear()
