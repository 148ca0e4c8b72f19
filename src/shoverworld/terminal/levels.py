"""The level browser of a terminal: a collection as a list that can be paged through, searched and chosen from."""

import os

from rich.text import Text

from shoverworld.core.errors import ShoverWorldError
from shoverworld.games import all_games, game_named
from shoverworld.play.aim import focus_of
from shoverworld.play.records import Records, standing
from shoverworld.play.settings import Settings
from shoverworld.play.shelf import Shelf

from . import cells
from .help import wrapped

KEYS = "Enter plays · Esc back · N next unsolved · / search · [ ] collection · G game · Page Up, Page Down"
BESIDE = 70  # columns from which the chosen level is seen beside the list
SEARCHING = "Type a number or a title · Enter plays the first · Esc ends the search"


class LevelList:
    """`picked`: the place on the shelf that was chosen; `over`: the player goes back to the game."""

    def __init__(self, shelf: Shelf, place: int | None, settings: Settings, records: Records):
        self.settings, self.records = settings, records
        self.files = [shelf.name] if shelf.collection not in shelf.packaged else []
        self.words: str | None = None  # what is searched for, while it is
        self.said = ""
        self.picked: int | None = None
        self.over = False
        self._page = 10  # lines that are seen
        self._show(shelf, place)

    def _show(self, shelf: Shelf, place: int | None = None) -> None:
        self.shelf, self.words = shelf, None
        place = shelf.next_unsolved() if place is None else place
        self.places = list(range(len(shelf)))
        self.chosen = place or 0

    # --- keys

    def press(self, key: str) -> None:
        self.said = ""
        last = max(0, len(self.places) - 1)
        steps = {"up": -1, "down": 1, "page up": -self._page, "page down": self._page, "home": -last, "end": last}
        if key in steps:
            self.chosen = min(max(0, self.chosen + steps[key]), last)
        elif key == "return":
            self.picked = self.places[self.chosen] if self.places else None
        elif self.words is not None:
            self._type(key)
        elif key in ("escape", "l", "q"):
            self.over = True
        else:
            self._command(key)

    def _command(self, key: str) -> None:
        if key == "/":
            self.words = ""
        elif key == "n":
            here = self.places[self.chosen] if self.places else None
            place = self.shelf.next_unsolved(here)
            if place is None:
                self.said = "All of them are solved."
            else:
                self._show(self.shelf, place)
        elif key in ("[", "]"):
            names = [*(known.name for known in self.shelf.packaged), *self.files]
            at = (names.index(self.shelf.name) + (1 if key == "]" else -1)) % len(names)
            self._open(self.shelf.game.name, names[at])
        elif key == "g":
            games = list(all_games())
            game = games[(games.index(self.shelf.game.name) + 1) % len(games)]
            own = self.settings.others.get(game, {}) if game != self.settings.game else {}
            self.files = []
            self._open(game, own.get("collection", ""))

    def _open(self, called: str, name: str) -> None:
        game = game_named(called)
        rules = self.shelf.rules if game is self.shelf.game else ""
        try:
            shelf = Shelf(game, name, self.records, rules)
        except ShoverWorldError as reason:
            self.said = str(reason)
            shelf = Shelf(game, "", self.records, rules)
        if os.path.exists(shelf.name) and shelf.name not in self.files and shelf.collection not in shelf.packaged:
            self.files.append(shelf.name)
        self._show(shelf)

    def _type(self, key: str) -> None:
        words = self.words or ""
        if key == "escape":
            self._show(self.shelf, self.places[self.chosen] if self.places else 0)
            return
        if key == "backspace":
            words = words[:-1]
        elif key == "space":
            words += " "
        elif len(key) == 1:
            words += key
        self.words, self.places, self.chosen = words, self.shelf.search(words), 0

    # --- what there is to see

    def lines(self, columns: int, rows: int) -> list[Text]:
        shelf = self.shelf
        head = f"{shelf.game.title} · {shelf.title}"
        top = [Text.assemble((_cut(head, max(8, columns - len(shelf.progress) - 2)), "bold"), f"  {shelf.progress}")]
        about = [Text(line, "dim") for line in wrapped(shelf.collection.about, columns)[:1]] if rows >= 14 else []
        if self.words is not None:
            about = [Text.assemble(("Search: ", "bold"), self.words, ("_", "blink"), f"  {len(self.places)} found")]
        foot = [
            Text(_cut(self._told(), columns)),
            Text(_cut(SEARCHING if self.words is not None else KEYS, columns), "dim"),
        ]
        self._page = max(1, rows - len(top) - len(about) - len(foot))
        first = min(max(0, self.chosen - self._page // 2), max(0, len(self.places) - self._page))
        wide = columns // 2 if columns >= BESIDE else columns
        seen = [self._line(at, wide) for at in range(first, min(first + self._page, len(self.places)))]
        seen += [Text() for _ in range(self._page - len(seen))]
        drawn = self._picture(columns - wide - 2, self._page) if wide < columns and self.places else []
        for row, part in enumerate(drawn):
            seen[row] = Text.assemble(seen[row], " " * (wide + 1 - seen[row].cell_len), part)
        return [*top, *about, *seen, *foot]

    def _picture(self, columns: int, rows: int) -> list[Text]:
        """The chosen level, as far as there is room."""
        scene = self.shelf.game.ui.drawing.thumbnail(self.shelf.boards[self.places[self.chosen]])
        return cells.lines(self.shelf.game, scene, cells.view_of(scene, columns, rows, focus_of(scene)))

    def _line(self, at: int, columns: int) -> Text:
        place = self.places[at]
        board, mine = self.shelf.boards[place], self.shelf.mine(place)
        number = str(place + 1).rjust(len(str(len(self.shelf))))
        best = mine.words if mine else ""
        room = max(4, columns - len(number) - 6 - (len(best) + 2 if best else 0))
        name = board.title or board.name
        text = f"{'✓' if mine else ' '} {number}  {_cut(name, room).ljust(room)}  {best}"
        return Text(
            _cut(text, columns).ljust(columns - 1), "reverse" if at == self.chosen else "green3" if mine else ""
        )

    def _told(self) -> str:
        """The chosen level in words."""
        if self.said or not self.places:
            return self.said or "No level fits."
        place = self.places[self.chosen]
        board, mine, known = self.shelf.boards[place], self.shelf.mine(place), self.shelf.known(place)
        rows, cols = self.shelf.game.ui.drawing.thumbnail(board).tiles.shape
        parts = [f"{place + 1} of {len(self.shelf)}", f"{rows} x {cols}"]
        parts.append(f"your best: {mine.words}" if mine else "not solved yet")
        parts += [f"{standing(known).lower()}: {known.words}"] if known else []
        return " · ".join(parts)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: max(0, width - 1)]}…"
