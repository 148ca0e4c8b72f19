"""Lets a game table copy levels, moves and links to the clipboard, and open pasted content."""

from collections.abc import Callable
from typing import Any

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.links import link_to
from shoverworld.core.replay import Replay

from .clipboard import Clipboard, PastedLevels, level_text, moves_in, pasted
from .levels import LevelList, LevelTour
from .links import position_of_session
from .table_levels import LevelTable


class ClipboardTable(LevelTable):
    """A game table with a clipboard, which the view supplies; without one, `clipboard` is None.

    `on_replay`: a function that shows a pasted replay. `on_other_game`: a function that opens pasted levels for another
    game; by default, the table itself changes to the other game.
    """

    clipboard: Clipboard | None = None
    on_replay: Callable[[Replay], Any] | None = None
    on_other_game: Callable[[PastedLevels], Any] | None = None

    @property
    def not_copied(self) -> tuple[str, ...]:
        """The names of the commands that this view or this game cannot carry out."""
        if self.clipboard is None:
            return "copy", "copy moves", "copy link", "paste"
        possible = {"copy moves": self.game.ui.notation, "copy link": self.game.web}
        return tuple(name for name, part in possible.items() if part is None)

    def copy_level(self) -> None:
        session = self.session
        preset = session.preset or session.board.preset
        self._copy(level_text(self.game, session.board, preset), self.game.level_word)

    def copy_moves(self) -> None:
        moves = self.moves()
        if moves is None or not any(moves.before):
            self.tell("no moves")
        else:
            self._copy(moves.separator.join(filter(None, moves.before)), "moves")

    def copy_link(self) -> None:
        try:
            link = link_to(position_of_session(self.session))
        except ShoverWorldError as reason:
            self.say(str(reason), "bad")
        else:
            self._copy(link, "link")

    def _copy(self, text: str, what: str) -> None:
        try:
            if self.clipboard is not None:
                self.clipboard.put(text)
                line = " ".join(text.split())
                self.tell("copied", what=what, text=f"{line[:30]}…" if len(line) > 30 else line)
        except ShoverWorldError as reason:
            self.say(str(reason), "bad")

    def paste_clipboard(self) -> None:
        try:
            text = "" if self.clipboard is None else self.clipboard.get()
        except ShoverWorldError as reason:
            self.say(str(reason), "bad")
        else:
            self.paste(text)

    def paste(self, text: str) -> None:
        """Open a pasted level, or show pasted moves or a pasted replay."""
        self.pilot.give_way()
        try:
            found = pasted(text, self.game, lambda text: moves_in(text, self.session))
            if isinstance(found, PastedLevels):
                self._open_pasted(found)
            elif self.on_replay is not None:
                self.on_replay(found)
        except ShoverWorldError as reason:
            self.say(str(reason), "bad")

    def _open_pasted(self, found: PastedLevels) -> None:
        if found.game is not self.game and self.on_other_game is not None:
            self.on_other_game(found)
            return
        if found.collection:
            self.open_level(LevelList(found.game, found.collection, self.records, ""), 0)
            self.tell("pasted many", count=str(len(found.boards)), path=found.collection)
            return
        if found.game is not self.game:
            self._change_game(found.game)
            self.tour = LevelTour(found.game, LevelList(found.game, "", self.records))
        self.open_board(found.boards[0], found.boards[0].preset)
        self.tell("pasted")
