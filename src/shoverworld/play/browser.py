"""The model of the level browser: the collections, the levels in one collection, the search, and the chosen level."""

import os

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.ui import Board, Collection

from .guard import Guard, thumbnail
from .levels import LevelList
from .records import standing


class LevelBrowser:
    """The level browser. `places` lists the visible levels by their index in the collection; `chosen` is an index into
    `places`."""

    def __init__(self, levels: LevelList, place: int | None = None, guard: Guard | None = None):
        self.guard = guard or Guard(lambda text: None)
        self.files: list[Collection] = [] if levels.collection in levels.packaged else [levels.collection]
        self._lists = {levels.name: levels}
        self.words = ""  # the search words
        self.places: list[int] = []
        self.chosen = 0
        self.show(levels, place)

    @property
    def game(self) -> Game:
        return self.levels.game

    @property
    def place(self) -> int | None:
        """The index of the chosen level in the collection; None if no level matches the search."""
        return self.places[self.chosen] if self.places else None

    @property
    def board(self) -> Board | None:
        return None if self.place is None else self.levels.boards[self.place]

    @property
    def collections(self) -> list[Collection]:
        return [*self.levels.packaged, *self.files]

    def show(self, levels: LevelList, place: int | None = None) -> None:
        """Show this collection and choose the level with the index `place`, by default the first unsolved level."""
        self.levels = levels
        self.search("")
        self.choose(levels.next_unsolved() if place is None else place)

    def choose(self, place: int | None) -> None:
        """Choose a level by its index in the collection."""
        self.chosen = self.places.index(place) if place in self.places else 0

    def step(self, by: int) -> None:
        self.chosen = min(max(0, self.chosen + by), max(0, len(self.places) - 1))

    def search(self, words: str) -> None:
        """Show only the levels that match `words`, which may be a number. An empty string shows all levels and keeps
        the chosen level."""
        before = None if words else self.place
        self.words, self.places, self.chosen = words, self.levels.search(words), 0
        self.choose(before)

    def next_unsolved(self) -> bool:
        """Choose the next unsolved level. Return False if all levels are solved."""
        place = self.levels.next_unsolved(self.place)
        if place is None:
            return False
        self.search("")
        self.choose(place)
        return True

    # --- collections

    def list_of(self, name: str) -> LevelList:
        """Return the levels in a collection, given its name or path. Raise an error if the collection cannot be
        read."""
        if name not in self._lists:
            self._lists[name] = LevelList(self.game, name, self.levels.records, self.levels.rules)
        return self._lists[name]

    def open(self, name: str) -> None:
        """Show a collection, given its name or path. Raise an error if the collection cannot be read."""
        levels = self.list_of(name)
        if levels.collection not in self.collections:
            self.files.append(levels.collection)
        self.show(levels)

    def next_collection(self, step: int) -> None:
        names = [one.name for one in self.collections]
        self.open(names[(names.index(self.levels.name) + step) % len(names)])

    def progress_of(self, collection: Collection) -> str:
        try:
            return self.list_of(collection.name).progress
        except ShoverWorldError as reason:  # the file may be gone
            return str(reason)

    def open_game(self, game: Game, collection: str = "") -> str:
        """Show one of this game's collections. If the collection cannot be read, show the game's first collection.
        Return a message about everything that could not be read, or ""."""
        rules = self.levels.rules if game is self.game else ""
        message, records = "", self.levels.records
        try:
            levels = LevelList(game, collection, records, rules)
        except ShoverWorldError as reason:
            message, levels = str(reason), LevelList(game, "", records, rules)
        self._lists = {levels.name: levels}
        from_file = levels.collection not in levels.packaged and os.path.exists(levels.name)
        self.files = [levels.collection] if from_file else []
        self.show(levels)
        return message or levels.skipped

    # --- text

    @property
    def all_solved(self) -> str:
        return "All {levels} in this collection are {solved}.".format(**self.game.words)

    @property
    def description(self) -> str:
        """The chosen level in one line: title, number, size and results."""
        place, levels = self.place, self.levels
        if place is None:
            return f"No {self.game.level_word} matches the search."
        board, best, known = levels.boards[place], levels.best(place), levels.known(place)
        scene = thumbnail(self.game, board, self.guard)
        parts = [board.title or board.name, f"{place + 1} of {len(levels)}"]
        parts += [] if scene is None else ["{} x {}".format(*scene.tiles.shape)]
        parts.append(f"your best: {best.words}" if best else f"not {self.game.solved_word} yet")
        parts += [f"{standing(known).lower()}: {known.words}"] if known else []
        return " · ".join(parts)
