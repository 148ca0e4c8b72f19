"""The editor without a window: a level that is being edited, with undo, files and autosave.

A level with problems of any kind can be edited and autosaved, but a level with serious problems can be neither saved
nor played.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from shoverworld.core.errors import ConfigError, SaveError, ShoverWorldError
from shoverworld.core.files import NotText, Unreadable, decoded, read_bounded, write_safely
from shoverworld.core.game import Game
from shoverworld.core.rules_text import asked_rules, rules_on
from shoverworld.core.ui import Board, Cell, Draft, DraftProblem, Editor
from shoverworld.games import game_named

from . import files
from .autosave import AutosaveSlot, left_behind

VERSION = 1  # version of the autosave format
UNTITLED = "untitled"
MOST_REVISIONS = 1000  # number of revisions kept for undo


def editor_of(game: Game) -> Editor:
    """Return the level editor for a game. Raise ConfigError if the game has no editor."""
    if game.ui.editor is None:
        raise ConfigError(f"{game.title} has no level editor")
    return game.ui.editor


class Revision(NamedTuple):
    """The level at one point in time."""

    draft: Draft
    preset: str


class EditSession:
    """A level that is being edited. The changes between `begin` and `end` form one stroke, which a single undo
    reverts."""

    def __init__(self, game: Game, draft: Draft, preset: str, path: str | None = None, format: str | None = None):
        self.game, self.path = game, path
        self.called = UNTITLED  # the name of the level while it has no path
        self.format = format or game.levels.formats[0][0]
        self._revisions, self._at = [Revision(draft, preset)], 0
        self._stroke: Revision | None = None  # the level as it was when the stroke began
        self._saved: Revision | None = self.revision
        self._slot: AutosaveSlot | None = None
        self._kept: Revision | None = self.revision  # the revision that `keep` handled last
        self._found: tuple[Revision, list[DraftProblem]] | None = None  # the last checked revision, and its problems
        self._compared: tuple[Revision, Revision, bool] = (
            self.revision,
            self.revision,
            False,
        )  # two revisions, and whether they differ

    @classmethod
    def blank(cls, game: Game, preset: str | None = None) -> "EditSession":
        preset = rules_on(game, game.presets[0].name, preset)
        return cls(game, editor_of(game).blank(preset), preset)

    @classmethod
    def open(cls, game: Game, path: str, preset: str | None = None) -> "EditSession":
        """Edit a level, given the path to its file or the name of a packaged level. For packaged levels and pictures,
        `path` is None, so they must be saved to a new file."""
        board = game.levels.read(path)
        edit = cls.of(game, board, preset)
        if edit.path is not None:
            edit.format = _format_of(game, edit.revision, edit.path)
        return edit

    @classmethod
    def of(cls, game: Game, board: Board, preset: str | None = None) -> "EditSession":
        path = None if board.path is None or not _is_text(board.path) else os.path.abspath(board.path)
        edit = cls(game, editor_of(game).draft_of(board), rules_on(game, board.preset, preset), path)
        edit.called = board.name
        return edit

    # --- the level

    @property
    def revision(self) -> Revision:
        return self._revisions[self._at]

    @property
    def draft(self) -> Draft:
        return self.revision.draft

    @property
    def preset(self) -> str:
        return self.revision.preset

    @property
    def name(self) -> str:
        return Path(self.path).stem if self.path else self.called

    @property
    def changed(self) -> bool:
        """Whether there are unsaved changes."""
        if self._saved is None:
            return True
        revision, saved, _ = self._compared
        if revision is not self.revision or saved is not self._saved:
            self._compared = self.revision, self._saved, not _same(self.revision, self._saved)
        return self._compared[2]

    def problems(self) -> list[DraftProblem]:
        """Return the problems with the level, the serious ones first."""
        if self._found is None or self._found[0] is not self.revision:
            found = self.draft.problems(self.preset)
            self._found = self.revision, sorted(found, key=lambda problem: not problem.serious)
        return self._found[1]

    def board(self) -> Board:
        """Return the level as a board to play on. Raise ConfigError if the level has a serious problem."""
        self._must_be_sound("played")
        return self.draft.board(self.preset, self.name)

    # --- changes

    def begin(self) -> None:
        """Begin a stroke. Call this when the mouse button is pressed."""
        if self._stroke is None:
            self._stroke = self.revision

    def end(self) -> None:
        """End the stroke. A stroke that changed nothing is discarded."""
        before, self._stroke = self._stroke, None
        if before is not None and self.revision is not before and _same(self.revision, before):
            del self._revisions[self._at :]
            self._at -= 1

    def paint(self, cell: Cell, brush: str, start: Cell | None = None) -> None:
        """Paint a cell. With `start`, paint all cells on the line from `start` to `cell`, because a fast mouse skips
        cells."""
        draft = self.draft
        for at in _line(start or cell, cell):
            draft = draft.painted(at, brush)
        self._put(Revision(draft, self.preset))

    def change(self, change: Callable[[Draft], Draft]) -> None:
        """Change the whole level, for example by rotating or resizing it. A single undo reverts the change."""
        self.end()
        self._put(Revision(change(self.draft), self.preset))

    def replace(self, board: Board) -> None:
        """Replace the whole level with another one. A single undo reverts the change."""
        self.end()
        self._put(Revision(editor_of(self.game).draft_of(board), board.preset or self.preset))

    def choose(self, preset: str) -> None:
        """Choose the rules for the level: a preset, possibly with changes."""
        self.end()
        if preset != self.preset:
            self._put(Revision(self.draft, preset))

    def _put(self, revision: Revision) -> None:
        if revision.draft is self.draft and revision.preset == self.preset:
            return
        if self._stroke is not None and self.revision is not self._stroke:  # the stroke continues
            self._revisions[self._at :] = [revision]
            return
        if self._stroke is None and _same(revision, self.revision):
            return
        self._revisions[self._at + 1 :] = [revision]
        del self._revisions[: max(0, len(self._revisions) - MOST_REVISIONS)]
        self._at = len(self._revisions) - 1

    @property
    def can_undo(self) -> bool:
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        return self._at + 1 < len(self._revisions)

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
        """Write the level to a file, and use that file's path and format from now on. Return the path."""
        self.end()
        path, format = path or self.path, format or self.format
        if not path:
            raise SaveError("the level has no file yet; enter a file name, for example my-level.txt")
        path = os.path.abspath(os.path.expanduser(path))
        if os.path.isdir(path):
            raise SaveError(
                f"{path} is a folder; expected a file name, for example {os.path.join(path, 'my-level.txt')}"
            )
        if not os.path.isdir(os.path.dirname(path)):
            raise SaveError(f"the folder {os.path.dirname(path)} does not exist")
        self._must_be_sound("saved")
        write_safely(path, self.draft.text(format, self.preset))
        self.path, self.format, self._saved, self._kept = path, format, self.revision, None
        self.keep()
        return path

    def overwrites(self, path: str) -> bool:
        """Return whether saving to this path would replace another file."""
        path = os.path.abspath(os.path.expanduser(path))
        return os.path.exists(path) and path != self.path

    def _must_be_sound(self, what: str) -> None:
        serious = [problem for problem in self.problems() if problem.serious]
        if serious:
            more = f" (and {len(serious) - 1} more)" if len(serious) > 1 else ""
            raise ConfigError(f"the level cannot be {what} yet: {serious[0].text}{more}")

    # --- autosave

    def keep(self) -> None:
        """Write unsaved changes to the autosave slot if the level has changed since the last call. Call this before
        every frame.

        Raise SaveError if writing fails; later calls do not try to write the same revision again.
        """
        if self.revision is self._kept:
            return
        self._kept = self.revision
        if not self.changed:
            if self._slot is not None:
                self._slot.clear()
            return
        if self._slot is None:
            self._slot = AutosaveSlot.new()
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
        """Close the session and discard the unsaved changes."""
        if self._slot is not None:
            self._slot.clear()
        self.release()

    def release(self) -> None:
        """Close the session, but keep unsaved changes, which are offered the next time the program starts."""
        if self._slot is not None:
            self._slot.close()
            self._slot = None
        self._kept = None


def recover() -> tuple[list[EditSession], list[str]]:
    """Return the unsaved levels from editors that were killed, latest first, and messages about levels that cannot
    be read.

    Each level is now locked: edit it, delete it with `discard`, or leave it for the next start with `release`.
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
        messages += [f"Unsaved work cannot be restored: {message}"] if message else []
    return found, messages


def _restored(kept: Any, slot: AutosaveSlot) -> EditSession:
    if not isinstance(kept, dict) or kept.get("autosave") != VERSION:
        raise ConfigError(f"not an autosave file in format version {VERSION}")
    game = game_named(kept["game"])
    formats = [name for name, _ in game.levels.formats]
    preset, format, path = kept["preset"], kept["format"], kept["path"]
    if format not in formats or not (path is None or isinstance(path, str)):
        raise ConfigError(f"the format {format!r} or the path {path!r} is not valid")
    asked_rules(game, preset)  # raises an error if the rules are unknown
    edit = EditSession(game, editor_of(game).restore(kept["draft"]), preset, path, format)
    edit._saved, edit._slot = None, slot
    return edit


def _same(revision: Revision, other: Revision) -> bool:
    if revision.preset != other.preset:
        return False
    return revision.draft is other.draft or revision.draft.to_json() == other.draft.to_json()


def _is_text(path: str) -> bool:
    """Return False if the file at this path is not a text file; return True for text files and for missing files."""
    try:
        decoded(read_bounded(path))
    except NotText:
        return False
    except (OSError, Unreadable):
        pass
    return True


def _format_of(game: Game, revision: Revision, path: str) -> str:
    """Return the format of a level file: the format in which the level has the most lines in common with the file."""
    lines = set(decoded(read_bounded(path)).splitlines())
    shared = {
        name: len(lines & set(revision.draft.text(name, revision.preset).splitlines()))
        for name, _ in game.levels.formats
    }
    return max(shared, key=lambda name: shared[name])


def _line(start: Cell, end: Cell) -> list[Cell]:
    """Return the cells on the line between two cells, including both ends."""
    down, right = end[0] - start[0], end[1] - start[1]
    steps = max(abs(down), abs(right), 1)
    return [(start[0] + round(down * i / steps), start[1] + round(right * i / steps)) for i in range(steps + 1)]
