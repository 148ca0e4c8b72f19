"""The levels of the menu: a random one, single files, and a collection; with small pictures and records."""

from collections.abc import Sequence
from dataclasses import replace

from shoverworld.core.game import Game
from shoverworld.core.ui import Board, Score
from shoverworld.play.records import Records, standing
from shoverworld.play.shelf import Shelf

from .thumbnails import Thumbnails, rng
from .widgets import Item

RANDOM = "random"
SIZE = 76, 48  # of a small picture


class Catalogue:
    """Boards by the names the settings know them by: "random", the path of a file, or one of the collection's keys."""

    def __init__(self, game: Game, records: Records):
        self.game, self.records = game, records
        self.shelf = Shelf(game, "", records)
        self.thumbnails = Thumbnails(game)
        self._files: dict[str, Board] = {}
        self._dice = rng(SIZE)
        self._others: dict[tuple[int, str], Board] = {}

    def open(self, collection: str) -> None:
        """Another collection; an error when it cannot be read."""
        if collection != self.shelf.name:
            self.shelf = Shelf(self.game, collection, self.records, self.shelf.rules)

    def names(self) -> list[str]:
        return [RANDOM, *self._files, *self.shelf.keys]

    def add(self, board: Board) -> str:
        """A board from a file of its own; gives its name in the list. One of the room's own is there already."""
        if board.path is None:
            return board.name
        self._files[board.path] = board
        return board.path

    def board(self, name: str, preset: str, seed: int) -> Board:
        """`preset` and `seed` are for a random one."""
        if name == RANDOM:
            return self.game.levels.random(preset, seed)
        return self._files.get(name) or self.shelf.boards[self.shelf.keys.index(name)]

    def items(self, preset: str) -> "Items":
        """The lines of the list; `preset`: the rules that are chosen, "" when each level has its own."""
        self.shelf.rules = preset
        return Items(self, preset)

    def item(self, place: int, preset: str) -> Item:
        usual = preset or self.game.presets[0].name
        if place == 0:
            return Item(RANDOM, "Random level", picture=self._dice, below=f"from the seed; {usual}")
        files = list(self._files)
        if place <= len(files):
            name = files[place - 1]
            board = self._files[name]
            title, identity = board.title or board.name, self.game.levels.identity(board, preset or board.preset)
        else:
            there = place - 1 - len(files)
            name, board = self.shelf.keys[there], self.shelf.boards[there]
            title, identity = self.shelf.label(there), self.shelf.identity(there)
        rules = preset or board.preset
        shown = board if board.preset == rules else self._by(board, rules)
        rows, cols = self.thumbnails.shape(shown, SIZE)
        other = f" (made for {board.preset})" if board.preset != rules else ""
        below = f"{rows} x {cols}, {rules}{other}"
        note = _note(self.records.mine(identity), self.game.levels.best_known(identity))
        return Item(name, title, note, self.thumbnails.picture(shown, SIZE), below)

    def _by(self, board: Board, rules: str) -> Board:
        """The same board by other rules: what lies round it may be another thing."""
        key = id(board), rules
        if key not in self._others:
            self._others[key] = replace(board, preset=rules)
        return self._others[key]

    def told(self, board: Board, preset: str) -> list[str]:
        """The records of a board, in lines."""
        identity = self.game.levels.identity(board, preset)
        mine, known = self.records.mine(identity), self.game.levels.best_known(identity)
        lines = []
        if mine:
            lines.append(f"Your best: {mine.words}")
        if known:
            lines.append(f"{standing(known)}: {known.words}")
        return lines


class Items(Sequence[Item]):
    """Lines that are made when they are looked at: a collection may have a thousand."""

    def __init__(self, catalogue: Catalogue, preset: str):
        self._catalogue, self._preset = catalogue, preset
        self._count = len(catalogue.names())

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place):  # type: ignore[override]
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._catalogue.item(place % len(self), self._preset)


def _note(mine: Score | None, known: Score | None) -> str:
    if mine is None:
        return ""
    own = f"{mine.numbers[0]:g}"
    if known is None:
        return f"your best {own}"
    if mine.numbers[0] <= known.numbers[0]:
        return f"your best {own} = {standing(known).lower()}"
    return f"your best {own} · {standing(known).lower()} {known.numbers[0]:g}"
