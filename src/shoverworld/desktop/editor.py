"""The level editor: paint, rotate, check, test and solve a level. play/edit_session.py handles undo and files."""

import os
from collections.abc import Callable
from typing import Any

import pygame
from pygame import Rect

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Draft, KeyHelp, Mark
from shoverworld.play.clipboard import pasted, replay_of_moves
from shoverworld.play.commands import worded
from shoverworld.play.edit_session import EditSession, Revision, editor_of
from shoverworld.play.planning import DraftSolver
from shoverworld.play.session import Session

from . import theme
from .app import App, WindowScreen
from .brush_tool import BrushTool
from .clipboard import CLIPBOARD
from .dialog import Ask
from .editor_view import EditorView
from .help import EVERYWHERE, HelpScreen
from .input import named, shifted
from .level_files import AskOpen, AskSave
from .panel import Block, Words
from .start import offer, ready
from .widgets import TextField

KEYS = (
    KeyHelp(("u", "ctrl+z"), "undo; a stroke counts as one step"),
    KeyHelp(("y", "ctrl+y", "shift+u"), "redo"),
    KeyHelp(("f",), "flip horizontally"),
    KeyHelp(("r",), "rotate by 90 degrees"),
    KeyHelp(("ctrl+right", "ctrl+left"), "add or remove a column"),
    KeyHelp(("ctrl+down", "ctrl+up"), "add or remove a row"),
    KeyHelp(("f2",), "choose the rules of the {level}"),
    KeyHelp(("t", "f5"), "test the {level}; Esc goes back"),
    KeyHelp(("p", "f6"), "look for the best plan in the background; P again or Esc stops the search"),
    KeyHelp(("v", "f7"), "go to the next problem"),
    KeyHelp(("ctrl+s",), "save"),
    KeyHelp(("ctrl+shift+s",), "save under another name or in another format"),
    KeyHelp(("ctrl+o", "ctrl+n"), "open another {level}, or start a new one"),
    KeyHelp(("ctrl+c", "ctrl+v"), "copy the {level} as text; paste a {level}, or moves to watch on this {level}"),
    KeyHelp(("escape", "ctrl+q"), "leave the editor, or quit the program"),
)
HANDS = (
    KeyHelp(("click", "drag"), "paint with the brush"),
    KeyHelp(("right button",), "erase"),
    KeyHelp(("middle button", "c"), "pick the brush that matches this cell"),
    KeyHelp(("wheel", "[", "]"), "previous or next brush"),
    KeyHelp(("arrows",), "move the cursor"),
    KeyHelp(("space", "return"), "paint at the cursor"),
    KeyHelp(("delete", "backspace"), "erase at the cursor"),
)
FAULT, DOUBT = (200, 30, 40), (214, 130, 0)
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class EditorScreen(WindowScreen):
    """Shows an `EditSession`. Every change is written to the autosave file before the change is shown."""

    def __init__(self, app: App, edit: EditSession):
        super().__init__(app)
        self.edit, self.game = edit, edit.game
        self.solver = DraftSolver(self.game)
        self.question: WindowScreen | None = None  # the dialog about unsaved work
        self.unwanted: Revision | None = None  # the revision whose changes the player does not want to save
        self._seen: tuple[Revision, Any] | None = None
        acts: dict[str, Callable[[], Any]] = {
            "new": self.new, "open": self.open, "save": self.save, "save_as": self.save_as,
            "undo": self.undo, "redo": self.redo, "flip": self.flip, "rotate": self.rotate,
            "test": self.test, "solve": self.solve, "rules": self.next_rules, "help": self.help,
            "more_rows": lambda: self.grow(1, 0), "fewer_rows": lambda: self.grow(-1, 0),
            "more_cols": lambda: self.grow(0, 1), "fewer_cols": lambda: self.grow(0, -1),
            "higher": lambda: self.tool.step_number(1), "lower": lambda: self.tool.step_number(-1),
        }  # fmt: skip
        self.layout = EditorView(self.game, acts, self.choose, self._resize_as_typed)
        self.view = self.layout.view
        self.tool = BrushTool(edit, self.view)
        self.keys = self._commands()
        self.view.show(edit.draft.scene(edit.preset))

    def _commands(self) -> dict[str, Callable[[], Any]]:
        """Return a dict that maps keys to commands. The brush keys, which the game defines, take precedence."""
        keys: dict[str, Callable[[], Any]] = {
            "u": self.undo, "ctrl+z": self.undo, "y": self.redo, "ctrl+y": self.redo, "shift+u": self.redo,
            "ctrl+shift+z": self.redo, "f": self.flip, "r": self.rotate, "f2": self.next_rules,
            "t": self.test, "f5": self.test, "p": self.solve, "f6": self.solve,
            "v": self.next_problem, "f7": self.next_problem, "c": self.tool.pick,
            "ctrl+s": self.save, "ctrl+shift+s": self.save_as, "ctrl+o": self.open, "ctrl+n": self.new,
            "ctrl+right": lambda: self.grow(0, 1), "ctrl+left": lambda: self.grow(0, -1),
            "ctrl+down": lambda: self.grow(1, 0), "ctrl+up": lambda: self.grow(-1, 0),
            "[": lambda: self.tool.step(-1), "]": lambda: self.tool.step(1),
            "space": lambda: self.tool.paint(self.tool.brush), "return": lambda: self.tool.paint(self.tool.brush),
            "delete": lambda: self.tool.paint(self.tool.eraser), "backspace": lambda: self.tool.paint(self.tool.eraser),
            "ctrl+c": self.copy, "ctrl+v": self.paste,
            "escape": self.escape, "q": self.escape, "ctrl+q": self.app.ask_to_quit, "f1": self.help,
        }  # fmt: skip
        for name, way in ARROWS.items():
            keys[name] = lambda way=way: self.tool.walk(*way)
        for brush in editor_of(self.game).brushes:
            for each in (brush, *brush.variants):
                keys[each.key] = lambda name=each.name: self.choose(name)
        return keys

    def choose(self, name: str) -> None:
        self.tool.choose(name)

    # --- changes

    def undo(self) -> None:
        if not self.edit.undo():
            self.app.say("There is nothing to undo.")

    def redo(self) -> None:
        if not self.edit.redo():
            self.app.say("There is nothing to redo.")

    def flip(self) -> None:
        self.change_draft(lambda draft: draft.flipped())

    def rotate(self) -> None:
        self.change_draft(lambda draft: draft.rotated())

    def grow(self, rows: int, cols: int) -> None:
        """Add or remove rows at the bottom and columns on the right."""
        self.change_draft(lambda draft: draft.resized(draft.rows + rows, draft.cols + cols))

    def _resize_as_typed(self) -> None:
        rows, cols = (int(field.text or "0") for field in (self.layout.rows, self.layout.cols))
        self.change_draft(lambda draft: draft.resized(rows, cols))
        self.layout.form.focus(None)

    def change_draft(self, change: Callable[[Draft], Draft]) -> None:
        self.tool.let_go()
        self.edit.change(change)

    def next_rules(self) -> None:
        """Choose the next preset, or the first preset if the rules are modified. Undo restores the modified rules."""
        names = [preset.name for preset in self.game.presets]
        place = names.index(self.edit.preset) + 1 if self.edit.preset in names else 0
        self.edit.choose(names[place % len(names)])
        self.app.say(next(preset.about for preset in self.game.presets if preset.name == self.edit.preset))

    # --- testing

    def test(self) -> None:
        """Play the level. Esc goes back to the editor."""
        from .table import TestTable

        self.tool.let_go()
        session = Session(self.game, self.edit.board(), seed=self.app.settings.seed)
        session.known = self.solver.best(self.edit)
        self.app.push(TestTable(self.app, session))

    def solve(self) -> None:
        self.tool.let_go()
        if self.solver.busy:
            self.solver.stop()
        else:
            self.solver.begin(self.edit, self.app.settings.seed)

    def next_problem(self) -> None:
        """Move the cursor to the next cell with a problem."""
        cells = sorted({problem.cell for problem in self.edit.problems() if problem.cell is not None})
        if cells:
            at = self.tool.at
            self.tool.at = next((cell for cell in cells if at is None or cell > at), cells[0])
        self.app.say(self._problem_here() or ("There are no problems." if not self.edit.problems() else ""))

    def _problem_here(self) -> str:
        problems = self.edit.problems()
        here = [problem for problem in problems if problem.cell is not None and problem.cell == self.tool.at]
        return _sentence((here or problems)[0].text) if problems else ""

    # --- files

    def save(self, then: Callable[[], Any] | None = None) -> None:
        self.tool.let_go()
        if self.edit.path is None:
            self.save_as(then)
        else:
            self.edit.save()
            self._saved(then)

    def save_as(self, then: Callable[[], Any] | None = None) -> None:
        self.tool.let_go()
        self.app.push(AskSave(self.app, self.edit, lambda: self._saved(then)))

    def _saved(self, then: Callable[[], Any] | None) -> None:
        self.app.say(f"Saved {self.edit.path} (format {self.edit.format})")
        if then is not None:
            then()

    def copy(self) -> None:
        CLIPBOARD.put(self.edit.draft.text(self.edit.format, self.edit.preset))
        self.app.say(f"Copied the {self.game.level_word} to the clipboard (format {self.edit.format}).")

    def paste(self) -> None:
        """Replace the drawing with a pasted level (the player can undo this), or show pasted moves on this level."""
        from .table import open_pasted, watch

        self.tool.let_go()
        play = lambda text: replay_of_moves(self.game, self.edit.board(), text, self.edit.preset)  # noqa: E731
        found = pasted(CLIPBOARD.get(), self.game, play)
        if isinstance(found, Replay):
            watch(self.app, found)
        elif found.game is not self.game:
            open_pasted(self.app, found)
        else:
            self.edit.replace(found.boards[0])
            self.app.say(f"Pasted a {self.game.level_word}. Press U to undo.")

    def open(self) -> None:
        self.tool.let_go()
        self.app.push(AskOpen(self.app, self.edit, self.open_file))

    def open_file(self, path: str) -> None:
        """Open a level file, or a packaged level by its name."""
        found = EditSession.open(self.game, os.path.expanduser(path.strip().strip('"')))
        self._if_done_with_it(lambda: self.take(found))

    def new(self) -> None:
        self._if_done_with_it(lambda: self.take(EditSession.blank(self.game, self.edit.preset)))

    def take(self, edit: EditSession) -> None:
        """Replace the level in this editor with another one."""
        self._put_away()
        self.edit = edit
        self.tool.take_over(edit)
        self.solver.stop()

    def _put_away(self) -> None:
        """Keep unsaved changes for the next run of the program, unless the player has discarded them."""
        self.edit.end()
        if self.edit.changed and self.unwanted is not self.edit.revision:
            self._keep()
            self.edit.release()
        else:
            self.edit.discard()

    def _if_done_with_it(self, then: Callable[[], Any]) -> None:
        """Call `then`. If there are unsaved changes, ask the player first."""
        self.tool.let_go()
        if not self.edit.changed:
            then()
            return

        def throw_away() -> None:
            self.unwanted = self.edit.revision
            then()

        name = f"This {self.game.level_word}" if self.edit.path is None else self.edit.name
        answers = [("Save", lambda: self.save(then)), ("Don't save", throw_away), ("Cancel", None)]
        self.question = Ask(self.app, "Save the changes?", f"{name} has unsaved changes.", answers)
        self.app.push(self.question)

    def escape(self) -> None:
        if self.solver.busy:
            self.solver.stop()
        else:
            self._if_done_with_it(self._leave)

    def _leave(self) -> None:
        self.app.remove(self)

    def closing(self) -> bool:
        if not self.edit.changed or self.unwanted is self.edit.revision:
            return True
        if self.question not in self.app.screens:
            while self.app.screen is not self and self.app.screen.over:  # close any other dialog
                self.app.pop()
            self._if_done_with_it(self.app.ask_to_quit)
        return False

    def opened(self) -> None:
        self._seen = None
        offer(self.app, self._restore)

    def _restore(self, edits: list[EditSession]) -> None:
        """Open unsaved levels from earlier runs, with the latest on top. If this editor contains an empty new level,
        the first level that is opened replaces it, unless it belongs to another game."""
        for edit in reversed(edits):
            empty = self.edit.path is None and not self.edit.changed and not self.edit.can_undo
            if empty and edit.game is self.game:
                self.take(edit)
            else:
                self.app.push(EditorScreen(self.app, edit))

    def closed(self) -> None:
        self.solver.close()
        self._put_away()

    def crashed(self) -> None:
        self._keep()

    def _keep(self) -> None:
        """Write the autosave file."""
        try:
            self.edit.keep()
        except ShoverWorldError as reason:
            self.app.say(f"{reason}. Unsaved changes are lost if the program ends.")

    def help(self) -> None:
        self.tool.let_go()
        brushes: list[KeyHelp] = []
        for brush in editor_of(self.game).brushes:
            brushes.append(KeyHelp((brush.key,), f"{brush.name}: {brush.about}"))
            if brush.variants:
                keys = tuple(variant.key for variant in brush.variants)
                brushes.append(KeyHelp(keys, f"{brush.name}: choose the {brush.numbers.lower()}"))
        text = f"Paint a {self.game.level_word}. Unsaved changes can be restored later, even after a crash."
        sections = [
            ("Mouse and cursor", HANDS),
            ("Brushes", brushes),
            (self.game.level_word.capitalize(), worded(KEYS, self.game)),
            ("Everywhere", EVERYWHERE),
        ]
        self.app.push(HelpScreen(self.app, "Level editor", text, sections))

    # --- events

    def handle(self, event: pygame.event.Event) -> None:
        form = self.layout.form
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            used = self.tool.stroke is None and form.handle(event)
            if not isinstance(form.focused, TextField) or (event.type == pygame.MOUSEBUTTONDOWN and not used):
                form.focus(None)
            if not used:
                self.tool.handle(event)
        elif event.type == pygame.MOUSEWHEEL and event.y:
            self.tool.step(-1 if event.y > 0 else 1)
        elif event.type == pygame.DROPFILE:
            self.open_file(event.file)
        elif event.type == pygame.WINDOWLEAVE:
            self.tool.at = None
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.tool.let_go()
        elif form.focused is not None and form.handle(event):
            pass
        elif event.type == pygame.KEYDOWN:
            self._key(event)

    def _key(self, event: pygame.event.Event) -> None:
        name = named(event)
        if name == "escape" and self.layout.form.focused is not None:
            self.layout.form.focus(None)
            return
        if name == "tab":
            self.layout.form.handle(event)
            return
        if event.mod & pygame.KMOD_ALT:
            return
        control = "ctrl+" if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META) else ""
        shift = "shift+" if shifted(event) and f"{control}shift+{name}" in self.keys else ""
        command = self.keys.get(f"{control}{shift}{name}")
        if command is not None:
            command()

    # --- drawing

    def update(self, seconds: float) -> None:
        self.solver.update(self.edit, seconds)
        self.view.update(seconds)

    def lay_out(self, size: tuple[int, int]) -> None:
        self.layout.lay_out(size)

    def note_bottom(self) -> int:
        return self.layout.view.area.bottom

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        self._keep()
        self._look()
        return self.layout.draw(surface, self.stale)

    def _look(self) -> None:
        """Show what has changed since the last frame."""
        edit, draft, tool, layout = self.edit, self.edit.draft, self.tool, self.layout
        same = self._seen is not None and self._seen[0] is edit.revision
        if not same:
            self.view.show(draft.scene(edit.preset))
            layout.show_size(draft.rows, draft.cols)
        problems = edit.problems() if ready(self.game) else []
        seen = tool.at, tool.brush, edit.path, edit.changed, self.solver.text, len(problems)
        if same and self._seen is not None and self._seen[1] == seen:
            return
        self._seen = edit.revision, seen
        marks = [Mark("frame", p.cell, FAULT if p.serious else DOUBT, "!") for p in problems if p.cell is not None]
        self.view.marks(marks + tool.marks())
        star = " *" if edit.changed else ""
        theme.set_caption(f"{edit.name}{star} - {self.game.title} editor")
        layout.title.set(text=f"{edit.name}{star}")
        there = edit.path is not None and os.path.exists(edit.path)
        state = "not saved" if edit.changed else "saved" if there else "no changes"
        about = f"{draft.rows} x {draft.cols}, format {edit.format}\n{state}"
        layout.about.set(text=about, colour=theme.WARN if edit.changed else theme.SOFT)
        layout.rules.set(text=f"Rules: {edit.preset}")
        layout.show_brush(tool.brush, tool.family)
        layout.tools["undo"].set(enabled=edit.can_undo)
        layout.tools["redo"].set(enabled=edit.can_redo)
        layout.tools["solve"].set(text="Stop" if self.solver.busy else "Solve", on=self.solver.busy)
        layout.notes.show(self._notes())

    def _notes(self) -> list[Block]:
        blocks: list[Block] = []
        if self.solver.text:
            blocks.append(Words(self.solver.text, tone=self.solver.tone, rank=0))
        if not ready(self.game):
            return [
                *blocks,
                Words(f"Getting ready; the {self.game.level_word} will be checked in a moment …", tone="soft", rank=0),
            ]
        problems = self.edit.problems()
        if len(problems) > 1:
            tone = "bad" if problems[0].serious else "warn"
            blocks.append(Words(f"{len(problems)} problems. Press V to go to the next one.", tone=tone, rank=0))
        for place, problem in enumerate(problems):
            blocks.append(Words(_sentence(problem.text), tone="bad" if problem.serious else "warn", rank=1 + place))
        moves = self.solver.moves(self.edit)
        if moves:
            blocks.append(Words(f"Plan: {moves}", tone="soft", rank=1))
        if not problems:
            planned = "" if moves or self.solver.busy else " or P for a plan"
            text = f"There are no problems. Press T to test the {self.game.level_word}{planned}."
            blocks.append(Words(text, tone="good", rank=1))
        if "," in self.edit.preset:  # the button may be too narrow for changed rules
            blocks.append(Words(f"Rules: {self.edit.preset}", tone="soft", rank=2))
        return blocks


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
