"""A game in a terminal: a view of the game table (play/table.py), and the pages that can cover it."""

from collections.abc import Callable
from typing import NamedTuple

from rich.text import Text

from shoverworld.core.replay import Replay
from shoverworld.core.ui import Cell, Colour
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.commands import buttons, key_names
from shoverworld.play.players import PlayersSetup
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.table import GameTable
from shoverworld.play.table_content import LogEntry

from .help import CURSOR_LINE, SCROLL_LINE, help_lines
from .levels_page import LevelsPage
from .moves import move_lines
from .page import TONES, TableText, TerminalPage, page
from .players_page import PlayersPage
from .replay_page import ReplayPage

LEAVE = "Leave the game? Press Y or Q to leave, Esc or any other key to stay."
CONTINUE = "You left a game on this {level} after {moves}. Press T to continue it, any other key to start a new one."
ARROWS = ("↖", "↑", "↗", "←", "•", "→", "↙", "↓", "↘")
FIRST_KEYS, OTHER_KEYS = (
    ("help", "quit"),
    ("continue", "players", "cursor", "undo", "hint", "levels", "agent", "restart", "next"),
)


class Question(NamedTuple):
    """A question in the message line, with one function for `keys` and one for any other key."""

    text: str
    keys: tuple[str, ...]
    yes: Callable[[], object]
    no: Callable[[], object]


class TerminalGame:
    """A game in a terminal. Call `press`, `click` and `drag` for the player's input; `page` returns what the terminal
    shows. `over`: whether the player has left."""

    def __init__(self, table: GameTable):
        self.table = table
        self.over = False
        self.overlay: LevelsPage | PlayersPage | ReplayPage | None = None  # a page that covers the game
        self.help_line: int | None = None  # the first visible line of the help page while it is open
        self.question: Question | None = None  # the question that the next key answers
        self.back = 0  # number of lines by which the log is scrolled up
        table.offer(
            {
                "levels": self.browse, "players": self.ask_players, "help": self._help, "leave": self._ask,
                "quit": self._quit, "scroll up": lambda: self._scroll(5), "scroll down": lambda: self._scroll(-5),
                "redraw": lambda: None, "watch": self._watch_game,
            }
        )  # fmt: skip
        table.on_replay = self._watch

    def close(self) -> str:
        """Stop everything and store unfinished games. Return an error message if a game cannot be stored."""
        return self.table.close()

    # --- what the player does

    def press(self, key: str) -> None:
        letter = key.removeprefix("shift+")
        shift = letter != key and len(letter) == 1  # whether the key is a capital letter
        key = letter if shift else key
        if self.overlay is not None:
            self.overlay.press(key)
            self._close_overlay()
        elif self.help_line is not None:
            step = {"up": -1, "down": 1}.get(key)
            self.help_line = None if step is None else max(0, self.help_line + step)
        elif self.question is not None:
            question, self.question = self.question, None
            (question.yes if key in question.keys else question.no)()
        else:
            self.table.press(key, shift)

    def _close_overlay(self) -> None:
        """If the page that covers the game is done, close it and apply the player's choice."""
        overlay = self.overlay
        if overlay is None or not overlay.done:
            return
        self.overlay = None
        if isinstance(overlay, ReplayPage):
            return
        if isinstance(overlay, PlayersPage):
            if overlay.accepted:
                self.table.change_players(tuple(overlay.setup.players))
        elif overlay.accepted and overlay.browser.place is not None:
            self.table.open_level(overlay.browser.levels, overlay.browser.place)
        elif overlay.is_first:
            self._quit()

    @property
    def _plays(self) -> bool:
        return self.overlay is None and self.help_line is None and self.question is None

    def click(self, cell: Cell) -> None:
        if self._plays:
            self.table.click(cell)

    def drag(self, cell: Cell, direction: int) -> None:
        if self._plays:
            self.table.drag(cell, direction)

    def paste(self, text: str) -> None:
        """Handle pasted text: insert it into the search field or, in a game, open what it contains."""
        if self._plays:
            self.table.paste(text)
        elif isinstance(self.overlay, (LevelsPage, PlayersPage)):
            for letter in " ".join(text.split())[:100]:
                self.overlay.press("space" if letter == " " else letter.lower())

    # --- time

    @property
    def is_active(self) -> bool:
        """Whether the page can change without a key press."""
        return self.table.is_active or (isinstance(self.overlay, ReplayPage) and self.overlay.playing)

    def update(self, seconds: float) -> bool:
        """Advance the clock. Return whether the page that covers the game has changed."""
        self.table.update(seconds)
        return isinstance(self.overlay, ReplayPage) and self.overlay.update(seconds)

    # --- commands of the terminal

    def _watch(self, replay: Replay) -> None:
        """Play a replay on a page of its own."""
        self.overlay = ReplayPage(ReplayCursor(replay), self.table.guard)

    def _watch_game(self) -> None:
        self.table.pilot.give_way()
        cursor = ReplayCursor(self.table.session.replay(self.table.settings.player))
        self.overlay = ReplayPage(cursor, self.table.guard, self.table.title)

    def browse(self, is_first: bool = False) -> None:
        """Open the list of levels. `is_first`: whether the program begins with it, so that leaving it ends the program."""
        table = self.table
        table.pilot.give_way()
        browser = LevelBrowser(table.levels, table.tour.place, table.guard)
        self.overlay = LevelsPage(browser, table.settings, is_first)

    def ask_players(self) -> None:
        table, session = self.table, self.table.session
        table.pilot.give_way()
        self.overlay = PlayersPage(PlayersSetup(table.game, session.board, session.players, table.agent))

    def begin_with_players(self) -> None:
        """Ask for the players in a new game. If there is an unfinished game, first offer to continue it."""
        left = self.table.unfinished
        if left is None:
            self.ask_players()
        else:
            text = CONTINUE.format(moves=left.moves, **self.table.game.words)
            self.question = Question(text, ("t",), self.table.continue_unfinished, self.ask_players)

    def _help(self) -> None:
        self.table.pilot.give_way()
        self.help_line = 0

    def _ask(self) -> None:
        self.table.pilot.give_way()
        session = self.table.session
        if session.outcome is None and (session.moves or session.can_redo):
            self.question = Question(LEAVE, ("y", "q"), self._quit, lambda: None)
        else:  # there are no moves to lose
            self._quit()

    def _quit(self) -> None:
        self.over = True

    def _scroll(self, lines: int) -> None:
        self.back = min(max(0, self.back + lines), max(0, self.table.session.moves - 1))

    # --- what the terminal shows

    def page(self, columns: int, rows: int) -> TerminalPage:
        if isinstance(self.overlay, ReplayPage):
            return self.overlay.page(columns, rows)
        if self.overlay is not None:
            return TerminalPage(self.overlay.lines(columns - 1, rows))
        if self.help_line is None:
            return page(self.text(), columns, rows)
        lines = help_lines(self.table, self.text().message, columns - 1)
        self.help_line = min(self.help_line, max(0, len(lines) - (rows - 1)))
        seen = lines[self.help_line : self.help_line + rows - 1]
        return TerminalPage([*seen, *[Text()] * (rows - 1 - len(seen)), Text(SCROLL_LINE, "dim")])

    def text(self) -> TableText:
        """Return everything that the game's page shows."""
        table = self.table
        message, tone = table.message
        if table.hint_is_newest:
            message, tone = f"Hint: {table.hints.text}", "good"
        if self.question is not None:
            message, tone = self.question.text, "warn"
        over = table.session.outcome is not None
        self._scroll(0)
        return TableText(
            table.game,
            table.scene,
            title=" · ".join(filter(None, (table.game.title, table.title, table.rules, table.position))),
            figures=table.ending() if over else [*table.figures(), *table.standings(), *table.best_results()],
            notes=[*self._move_buttons(), *self._notes(), *([] if table.log() else move_lines(table.moves()))],
            log=[_log_line(entry) for entry in table.log()],
            back=self.back,
            message=message,
            tone=tone,
            keys=CURSOR_LINE if table.cursor.cell else self._key_line(),
            marks=table.marks(),
            cursor=table.cursor.cell,
        )

    def _key_line(self) -> str:
        """Return the line that lists the most important keys. If it is too long, the keys at its end are left out."""
        choices, offered = self.table.choices(), self.table.offered
        keys = sorted(choice.key for choice in choices)
        moves = f"{keys[0]} to {keys[-1]}: move" if keys else "Arrows: move"
        first, others = (buttons(keys, offered, self.table.game) for keys in (FIRST_KEYS, OTHER_KEYS))
        words = [f"{key_names([key])} {word}" for key, word in (*first, *others)]
        return " · ".join([*words[: len(first)], moves, *words[len(first) :]])

    def _move_buttons(self) -> list[Text]:
        """Return the moves, arranged as on the number pad. An illegal move is marked with an x."""
        choices = () if self.table.session.waits_for is not None else self.table.choices()
        rows = []
        for first in range(0, len(choices), 3):
            row = Text("  ")
            for choice in choices[first : first + 3]:
                down, right = choice.offset
                sign = f"{choice.key}{ARROWS[3 * (down + 1) + right + 1]}"
                row.append(f"{sign}  " if choice.legal else f"{sign}x ", "bold" if choice.legal else "red1")
            rows.append(row)
        return [Text(), *rows] if rows else []

    def _notes(self) -> list[Text]:
        """Return the active overlays, and what the planner and the agent are doing."""
        table = self.table
        shown = [overlay for overlay in table.game.ui.overlays.overlays if overlay.key in table.overlays]
        notes = [Text(f"{key_names([overlay.key])} {overlay.name}", "dim") for overlay in shown]
        if table.hints.plan_ahead:
            notes.append(Text(f"  {table.hints.plan_ahead}", "dim"))
        if table.agent_status:
            notes.append(Text(table.agent_status, "bold"))
        return [Text(), *notes] if notes else []


def _log_line(entry: LogEntry) -> Text:
    colour = "" if entry.colour is None else rgb(entry.colour)
    number, _, words = entry.text.partition("  ")
    return Text.assemble(("● ", colour), (f"{number} {words}", TONES[entry.tone]))


def rgb(colour: Colour) -> str:
    """Return a colour as a rich style."""
    red, green, blue = colour
    return f"rgb({red},{green},{blue})"
