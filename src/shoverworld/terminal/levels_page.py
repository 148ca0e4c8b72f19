"""The level browser in a terminal: a collection as a list, with a picture of the chosen level."""

from rich.text import Text

from shoverworld.core.errors import ShoverWorldError
from shoverworld.games import all_games, game_named
from shoverworld.play.board import focus_of
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.guard import thumbnail
from shoverworld.play.settings import Settings

from . import cells
from .help import wrapped

KEYS = "Enter: play · Esc: {back} · N: next un{solved} · /: search · [ ]: collection · G: game"
SEARCHING = "Type a number or a title · Enter: play the first match · Esc: end the search"
BESIDE = 70  # minimum number of columns to show the picture beside the list


class LevelsPage:
    """The page for the level browser. `done`: whether the page has been closed. `accepted`: whether the player has
    chosen a level to play. `searching`: whether the player is typing search words. `is_first`: whether there is no game
    to go back to."""

    def __init__(self, browser: LevelBrowser, settings: Settings, is_first: bool = False):
        self.browser, self.settings, self.is_first = browser, settings, is_first
        self.searching = False
        self.message = browser.levels.skipped
        self.done = self.accepted = False
        self._page = 10  # number of levels that fit on the page

    # --- keys

    def press(self, key: str) -> None:
        self.message, browser = "", self.browser
        last = len(browser.places)
        steps = {"up": -1, "down": 1, "page up": -self._page, "page down": self._page, "home": -last, "end": last}
        if key in steps:
            browser.step(steps[key])
        elif key == "return":
            self.done = self.accepted = browser.place is not None
        elif self.searching:
            self._type(key)
        elif key in ("escape", "l", "q"):
            self.done = True
        else:
            self._command(key)

    def _command(self, key: str) -> None:
        browser = self.browser
        try:
            if key in ("/", "f"):
                self.searching = True
            elif key == "n":
                self.message = "" if browser.next_unsolved() else browser.all_solved
            elif key in ("[", "]"):
                browser.next_collection(1 if key == "]" else -1)
                self.message = browser.levels.skipped
            elif key == "g":
                games = list(all_games())
                game = games[(games.index(browser.game.name) + 1) % len(games)]
                own = self.settings.others.get(game, {}) if game != self.settings.game else {}
                self.message = browser.open_game(game_named(game), own.get("collection", ""))
        except ShoverWorldError as reason:
            self.message = str(reason)

    def _type(self, key: str) -> None:
        browser = self.browser
        if key == "escape":
            self.searching = False
            browser.search("")
        elif key == "backspace":
            browser.search(browser.words[:-1])
        elif key == "space" or len(key) == 1:
            browser.search(browser.words + (" " if key == "space" else key))

    # --- the page

    def lines(self, columns: int, rows: int) -> list[Text]:
        browser, levels = self.browser, self.browser.levels
        head = f"{browser.game.title} · {levels.title}"
        top = [Text.assemble((_cut(head, max(8, columns - len(levels.progress) - 2)), "bold"), f"  {levels.progress}")]
        about = [Text(line, "dim") for line in wrapped(levels.collection.about, columns)[:1]] if rows >= 14 else []
        if self.searching:
            found = f"  {len(browser.places)} found"
            about = [Text.assemble(("Search: ", "bold"), browser.words, ("_", "blink"), found)]
        keys = (
            SEARCHING if self.searching else KEYS.format(back="quit" if self.is_first else "back", **browser.game.words)
        )
        foot = [
            Text(_cut(self.message or browser.description, columns)),
            Text(_cut(keys, columns), "dim"),
        ]
        self._page = max(1, rows - len(top) - len(about) - len(foot))
        first = min(max(0, browser.chosen - self._page // 2), max(0, len(browser.places) - self._page))
        wide = columns // 2 if columns >= BESIDE else columns
        seen = [self._line(at, wide) for at in range(first, min(first + self._page, len(browser.places)))]
        seen += [Text() for _ in range(self._page - len(seen))]
        drawn = self._picture(columns - wide - 2, self._page) if wide < columns else []
        for row, part in enumerate(drawn):
            seen[row] = Text.assemble(seen[row], " " * (wide + 1 - seen[row].cell_len), part)
        return [*top, *about, *seen, *foot]

    def _picture(self, columns: int, rows: int) -> list[Text]:
        """Return a picture of the chosen level, or the part of it that fits."""
        game, board = self.browser.game, self.browser.board
        if board is None:
            return []
        scene = thumbnail(game, board, self.browser.guard)
        if scene is None:
            return []
        return cells.lines(game, scene, cells.part_of(scene, columns, rows, focus_of(scene)))

    def _line(self, at: int, columns: int) -> Text:
        levels, place = self.browser.levels, self.browser.places[at]
        board, best = levels.boards[place], levels.best(place)
        number = str(place + 1).rjust(len(str(len(levels))))
        result = best.words if best else ""
        room = max(4, columns - len(number) - 6 - (len(result) + 2 if result else 0))
        name = board.title or board.name
        text = f"{'✓' if best else ' '} {number}  {_cut(name, room).ljust(room)}  {result}"
        style = "reverse" if at == self.browser.chosen else "green3" if best else ""
        return Text(_cut(text, columns).ljust(columns - 1), style)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: max(0, width - 1)]}…"
