"""A level that is being drawn: what can be undone, what is saved, and what a crash must not take away.

The editor without its window. A drawing can be wrong in any way that can be drawn; it is kept all the same.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from shoverworld.core.errors import ConfigError, SaveError, ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.ui import Board, Cell, Draft, DraftProblem, Editor
from shoverworld.games import game_named

from . import files
from .autosave import Slot, left_behind

VERSION = 1  # of what autosave files hold
UNTITLED = "untitled"
MOST_PAGES = 1000  # that can be undone


def editor_of(game: Game) -> Editor:
    """The level editor of a game; a ConfigError if it has none."""
    if game.ui.editor is None:
        raise ConfigError(f"{game.title} has no level editor")
    return game.ui.editor


class Page(NamedTuple):
    """A drawing at one moment."""

    draft: Draft
    preset: str


class Drawing:
    """One level on the drawing board. Changes between `begin` and `end` are one stroke, which is undone as one."""

    def __init__(self, game: Game, draft: Draft, preset: str, path: str | None = None, format: str | None = None):
        self.game, self.path = game, path
        self.called = UNTITLED  # as long as it has no path
        self.format = format or game.levels.formats[0][0]
        self._pages, self._at = [Page(draft, preset)], 0
        self._stroke: Page | None = None  # what the page was when the stroke began
        self._saved: Page | None = self.page
        self._slot: Slot | None = None
        self._kept: Page | None = self.page  # what a new start would find: in the slot, in the file, or nothing at all
        self._found: tuple[Page, list[DraftProblem]] | None = None  # the problems of a page
        self._compared: tuple[Page, Page, bool] = (self.page, self.page, False)  # does the one differ from the other?

    @classmethod
    def blank(cls, game: Game, preset: str | None = None) -> "Drawing":
        preset = preset or game.presets[0].name
        return cls(game, editor_of(game).blank(preset), preset)

    @classmethod
    def open(cls, game: Game, path: str, preset: str | None = None) -> "Drawing":
        """A level file, or a level that comes with the room, by its name; the latter has no path to be saved to, and
        neither has a picture."""
        board = game.levels.read(path)
        drawing = cls.of(game, board, preset)
        if drawing.path is not None:
            drawing.format = _format_of(game, drawing.page, drawing.path)
        return drawing

    @classmethod
    def of(cls, game: Game, board: Board, preset: str | None = None) -> "Drawing":
        path = None if board.path is None or not _is_text(board.path) else os.path.abspath(board.path)
        drawing = cls(game, editor_of(game).draft_of(board), preset or board.preset, path)
        drawing.called = board.name
        return drawing

    # --- the page

    @property
    def page(self) -> Page:
        return self._pages[self._at]

    @property
    def draft(self) -> Draft:
        return self.page.draft

    @property
    def preset(self) -> str:
        return self.page.preset

    @property
    def name(self) -> str:
        return Path(self.path).stem if self.path else self.called

    @property
    def changed(self) -> bool:
        """Is there something that would be lost without the autosave?"""
        if self._saved is None:
            return True
        page, saved, _ = self._compared
        if page is not self.page or saved is not self._saved:
            self._compared = self.page, self._saved, not _same(self.page, self._saved)
        return self._compared[2]

    def problems(self) -> list[DraftProblem]:
        """What is wrong with it, the worst first."""
        if self._found is None or self._found[0] is not self.page:
            found = self.draft.problems(self.preset)
            self._found = self.page, sorted(found, key=lambda problem: not problem.serious)
        return self._found[1]

    def board(self) -> Board:
        """To be played; a ConfigError says what stands against it."""
        self._must_be_sound("played")
        return self.draft.board(self.preset, self.name)

    # --- changes

    def begin(self) -> None:
        """A stroke begins: the mouse button is down."""
        if self._stroke is None:
            self._stroke = self.page

    def end(self) -> None:
        """The stroke is over. One that changed nothing was none."""
        before, self._stroke = self._stroke, None
        if before is not None and self.page is not before and _same(self.page, before):
            del self._pages[self._at :]
            self._at -= 1

    def paint(self, cell: Cell, brush: str, start: Cell | None = None) -> None:
        """Put a brush down at a cell, or draw with it from the one at `start`: a fast mouse leaves cells out."""
        draft = self.draft
        for at in _line(start or cell, cell):
            draft = draft.painted(at, brush)
        self._put(Page(draft, self.preset))

    def change(self, change: Callable[[Draft], Draft]) -> None:
        """Turn it, flip it, give it another size, …: one step that can be undone."""
        self.end()
        self._put(Page(change(self.draft), self.preset))

    def choose(self, preset: str) -> None:
        """The rules it is made for."""
        self.end()
        if preset != self.preset:
            self._put(Page(self.draft, preset))

    def _put(self, page: Page) -> None:
        if page.draft is self.draft and page.preset == self.preset:
            return
        if self._stroke is not None and self.page is not self._stroke:  # the same stroke goes on
            self._pages[self._at :] = [page]
            return
        if self._stroke is None and _same(page, self.page):
            return
        self._pages[self._at + 1 :] = [page]
        del self._pages[: max(0, len(self._pages) - MOST_PAGES)]
        self._at = len(self._pages) - 1

    @property
    def can_undo(self) -> bool:
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        return self._at + 1 < len(self._pages)

    def undo(self) -> bool:
        self.end()
        could = self.can_undo
        self._at -= could
        return could

    def redo(self) -> bool:
        self.end()
        could = self.can_redo
        self._at += could
        return could

    # --- files

    def save(self, path: str | None = None, format: str | None = None) -> str:
        """Write it as a level file; from then on it is saved there, in this format. Returns the path."""
        self.end()
        path, format = path or self.path, format or self.format
        if not path:
            raise SaveError("the drawing has no file yet: give it a name, like my-level.txt")
        path = os.path.abspath(os.path.expanduser(path))
        if os.path.isdir(path):
            raise SaveError(
                f"{path} is a folder; expected the name of a file, like {os.path.join(path, 'my-level.txt')}"
            )
        if not os.path.isdir(os.path.dirname(path)):
            raise SaveError(f"there is no folder {os.path.dirname(path)}")
        self._must_be_sound("saved")
        files.write_safely(path, self.draft.text(format, self.preset))
        self.path, self.format, self._saved, self._kept = path, format, self.page, None
        self.keep()
        return path

    def overwrites(self, path: str) -> bool:
        """Is there another file at this path, which saving would replace?"""
        path = os.path.abspath(os.path.expanduser(path))
        return os.path.exists(path) and path != self.path

    def _must_be_sound(self, what: str) -> None:
        serious = [problem for problem in self.problems() if problem.serious]
        if serious:
            more = f" (and {len(serious) - 1} more)" if len(serious) > 1 else ""
            raise ConfigError(f"it cannot be {what} yet: {serious[0].text}{more}")

    # --- what a crash must not take away

    def keep(self) -> None:
        """Have on disk what is about to be shown: called before every frame, it writes only what is new.

        A SaveError when it cannot; the same page is not tried again.
        """
        if self.page is self._kept:
            return
        self._kept = self.page
        if not self.changed:
            if self._slot is not None:
                self._slot.clear()
            return
        if self._slot is None:
            self._slot = Slot.new()
        self._slot.write(
            {
                "autosave": VERSION,
                "game": self.game.name,
                "preset": self.preset,
                "path": self.path,
                "format": self.format,
                "draft": self.draft.to_json(),
            }
        )

    def discard(self) -> None:
        """The player is done with it: what is not saved is not wanted."""
        if self._slot is not None:
            self._slot.clear()
        self.release()

    def release(self) -> None:
        """Leave it for now: unsaved work is offered at the next start."""
        if self._slot is not None:
            self._slot.close()
            self._slot = None
        self._kept = None


def recover() -> tuple[list[Drawing], list[str]]:
    """What editors that were killed have left, the latest first, and messages about what could not be read.

    Each drawing is ours now: go on with it, `discard` it, or `release` it, which leaves it for the next start.
    """
    found, messages = [], []
    for slot in left_behind():
        kept, message = slot.read()
        try:
            if message is None and kept is not None:
                found.append(_restored(kept, slot))
                continue
        except (ShoverWorldError, TypeError, ValueError, KeyError, IndexError) as reason:
            message = files.set_aside(slot.path, str(reason) or type(reason).__name__)
        slot.close()
        messages += [f"Unsaved work is lost to view: {message}"] if message else []
    return found, messages


def _restored(kept: Any, slot: Slot) -> Drawing:
    if not isinstance(kept, dict) or kept.get("autosave") != VERSION:
        raise ConfigError(f"this is no autosave of version {VERSION}")
    game = game_named(kept["game"])
    presets, formats = [preset.name for preset in game.presets], [name for name, _ in game.levels.formats]
    preset, format, path = kept["preset"], kept["format"], kept["path"]
    if preset not in presets or format not in formats or not (path is None or isinstance(path, str)):
        raise ConfigError(f"preset {preset!r}, format {format!r} and path {path!r} make no sense")
    drawing = Drawing(game, editor_of(game).restore(kept["draft"]), preset, path, format)
    drawing._saved, drawing._slot = None, slot
    return drawing


def _same(page: Page, other: Page) -> bool:
    if page.preset != other.preset:
        return False
    return page.draft is other.draft or page.draft.to_json() == other.draft.to_json()


def _is_text(path: str) -> bool:
    """Is this a file that text could be written over? One that is not there, is."""
    try:
        Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    except OSError:
        pass
    return True


def _format_of(game: Game, page: Page, path: str) -> str:
    """The format a file is written in: the one that shares most lines with it."""
    lines = set(Path(path).read_text(encoding="utf-8-sig").splitlines())
    shared = {
        name: len(lines & set(page.draft.text(name, page.preset).splitlines())) for name, _ in game.levels.formats
    }
    return max(shared, key=lambda name: shared[name])


def _line(start: Cell, end: Cell) -> list[Cell]:
    """The cells from one to the other."""
    down, right = end[0] - start[0], end[1] - start[1]
    steps = max(abs(down), abs(right), 1)
    return [(start[0] + round(down * i / steps), start[1] + round(right * i / steps)) for i in range(steps + 1)]
