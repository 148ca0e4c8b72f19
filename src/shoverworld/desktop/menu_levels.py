"""The levels in the menu: a random level, levels from files, and a collection, with thumbnails and results."""

from collections.abc import Sequence
from dataclasses import replace

from shoverworld.core.game import Game
from shoverworld.core.rules_text import rules_in_list
from shoverworld.core.ui import Board, Score
from shoverworld.play.guard import Guard
from shoverworld.play.levels import LevelList
from shoverworld.play.records import Records, standing

from .level_grid import Thumbnails, die
from .lists import ListItem

RANDOM = "random"
SIZE = 76, 48  # size of a thumbnail


class MenuLevels:
    """The boards, looked up by the names in the settings: "random", the path of a file, or a key in the collection."""

    def __init__(self, game: Game, records: Records, guard: Guard):
        self.game, self.records = game, records
        self.list = LevelList(game, "", records)
        self.thumbnails = Thumbnails(game, guard)
        self._files: dict[str, Board] = {}
        self._die = die(SIZE)
        self._others: dict[tuple[int, str], Board] = {}
        self._best: dict[str, Score | None] = {}  # the best known result by `identity`

    def open(self, collection: str) -> None:
        """Open another collection. Raise an error if the collection cannot be read."""
        if collection != self.list.name:
            self.list = LevelList(self.game, collection, self.records, self.list.rules)

    def names(self) -> list[str]:
        return [RANDOM, *self._files, *self.list.keys]

    def add(self, board: Board) -> str:
        """Add a board from a file, and return its name in the list. Packaged boards are already in the list."""
        if board.path is None:
            return board.name
        self._files[board.path] = board
        return board.path

    def board(self, name: str, preset: str, seed: int) -> Board:
        """Return a board by its name. `preset` and `seed` apply to a random level."""
        if name == RANDOM:
            return self.game.levels.random(preset, seed)
        return self._files.get(name) or self.list.boards[self.list.keys.index(name)]

    def items(self, preset: str, seed: int) -> "MenuItems":
        """Return the list items for the chosen rules. If `preset` is "", each level uses its own rules. `seed`
        is the seed for the random level."""
        self.list.rules = preset
        return MenuItems(self, preset, seed)

    def item(self, place: int, preset: str, seed: int) -> ListItem:
        usual = rules_in_list(self.game, self.game.presets[0].name, preset)
        if place == 0:
            title = f"Random {self.game.level_word}"
            return ListItem(RANDOM, title, picture=self._die, below=f"seed {seed}, {usual}")
        files = list(self._files)
        if place <= len(files):
            name = files[place - 1]
            board = self._files[name]
            title, identity = board.title or board.name, self._identity(board, preset)
        else:
            there = place - 1 - len(files)
            name, board = self.list.keys[there], self.list.boards[there]
            title, identity = self.list.label(there), self.list.identity(there)
        rules = rules_in_list(self.game, board.preset, preset)
        shown = board if board.preset == rules else self._by(board, rules)
        rows, cols = self.thumbnails.shape(shown, SIZE)
        other = f" (made for {board.preset})" if board.preset != rules else ""
        below = f"{rows} x {cols}, {rules}{other}"
        note = _note(self.records.best(identity), self._known(board, identity, rules))
        return ListItem(name, title, note, self.thumbnails.picture(shown, SIZE), below)

    def _known(self, board: Board, identity: str, preset: str) -> Score | None:
        if identity not in self._best:
            known = self.game.levels.best_known(identity)
            self._best[identity] = known or self.game.levels.solution_score(board, preset)
        return self._best[identity]

    def _identity(self, board: Board, preset: str) -> str:
        return self.game.levels.identity(board, rules_in_list(self.game, board.preset, preset))

    def _by(self, board: Board, rules: str) -> Board:
        """Return the board under other rules, which may change the rim of the board."""
        key = id(board), rules
        if key not in self._others:
            self._others[key] = replace(board, preset=rules)
        return self._others[key]

    def results(self, board: Board, preset: str) -> list[str]:
        """Return the results on a board, one per line."""
        identity = self.game.levels.identity(board, preset)
        best, known = self.records.best(identity), self._known(board, identity, preset)
        lines = []
        if best:
            lines.append(f"Your best: {best.words}")
        if known:
            lines.append(f"{standing(known)}: {known.words}")
        return lines


class MenuItems(Sequence[ListItem]):
    """The items in the list. They are created on demand, because a collection may have a thousand levels."""

    def __init__(self, levels: MenuLevels, preset: str, seed: int):
        self._catalogue, self._preset, self._seed = levels, preset, seed
        self._count = len(levels.names())

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place):  # type: ignore[override]
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._catalogue.item(place % len(self), self._preset, self._seed)


def _note(best: Score | None, known: Score | None) -> str:
    if best is None:
        return ""
    own = f"{best.numbers[0]:g}"
    if known is None:
        return f"your best {own}"
    if best.numbers[0] <= known.numbers[0]:
        return f"your best {own} = {standing(known).lower()}"
    return f"your best {own} · {standing(known).lower()} {known.numbers[0]:g}"
