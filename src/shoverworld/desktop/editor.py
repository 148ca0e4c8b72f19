"""The editor: a map is painted, turned, checked, tried out and solved. The rules of undo and files are play/drawing.py."""

import os
from collections.abc import Callable
from typing import Any

import pygame
from pygame import Rect

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.ui import Draft, KeyHelp, Mark
from shoverworld.play.drawing import Drawing, Page, editor_of
from shoverworld.play.session import Session

from . import theme
from .app import App, Screen
from .brushwork import Brushwork
from .dialog import Ask
from .help import EVERYWHERE, HelpScreen
from .keys import named, shifted
from .map_files import AskOpen, AskSave
from .panel import Block, Words
from .recovery import offer
from .solving import Solving
from .start import ready
from .widgets import TextField
from .workbench import Workbench

KEYS = (
    KeyHelp(("u", "ctrl+z"), "undo; a stroke is undone as one"),
    KeyHelp(("y", "ctrl+y", "shift+u"), "redo"),
    KeyHelp(("f",), "flip: left becomes right"),
    KeyHelp(("r",), "rotate by a quarter turn"),
    KeyHelp(("ctrl+right", "ctrl+left"), "a column more, a column less"),
    KeyHelp(("ctrl+down", "ctrl+up"), "a row more, a row less"),
    KeyHelp(("f2",), "the rules it is made for"),
    KeyHelp(("t", "f5"), "test: play it; Esc comes back"),
    KeyHelp(("p", "f6"), "solve it in the background; Esc stops that"),
    KeyHelp(("v", "f7"), "go to the next problem"),
    KeyHelp(("ctrl+s",), "save"),
    KeyHelp(("ctrl+shift+s",), "save under another name, or in another format"),
    KeyHelp(("ctrl+o", "ctrl+n"), "open another level; begin a new one"),
    KeyHelp(("escape", "ctrl+q"), "leave; quit"),
)
HANDS = (
    KeyHelp(("click", "drag"), "paint with the brush"),
    KeyHelp(("right button",), "wipe"),
    KeyHelp(("middle button", "c"), "take the brush that paints what is there"),
    KeyHelp(("wheel", "[", "]"), "the brush before, the next brush"),
    KeyHelp(("arrows",), "move over the level without a mouse"),
    KeyHelp(("space", "return"), "paint there"),
    KeyHelp(("delete", "backspace"), "wipe there"),
)
FAULT, DOUBT = (200, 30, 40), (214, 130, 0)
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class EditorScreen(Screen):
    """Draws a `Drawing`. What is on the screen is on the disk: the autosave is written before a frame shows a change."""

    def __init__(self, app: App, drawing: Drawing):
        super().__init__(app)
        self.drawing, self.game = drawing, drawing.game
        self.solving = Solving(self.game)
        self.question: Screen | None = None  # about unsaved work
        self.unwanted: Page | None = None  # the player has said so
        self._seen: tuple[Page, Any] | None = None
        acts: dict[str, Callable[[], Any]] = {
            "new": self.new, "open": self.open, "save": self.save, "save_as": self.save_as,
            "undo": self.undo, "redo": self.redo, "flip": self.flip, "rotate": self.rotate,
            "test": self.test, "solve": self.solve, "rules": self.next_rules, "help": self.help,
            "more_rows": lambda: self.grow(1, 0), "fewer_rows": lambda: self.grow(-1, 0),
            "more_cols": lambda: self.grow(0, 1), "fewer_cols": lambda: self.grow(0, -1),
        }  # fmt: skip
        self.bench = Workbench(self.game, acts, self.choose, self._resize_as_typed)
        self.view = self.bench.view
        self.hand = Brushwork(drawing, self.view)
        self.keys = self._commands()
        self.view.show(drawing.draft.scene(drawing.preset))

    def _commands(self) -> dict[str, Callable[[], Any]]:
        """Keys of brushes come first: they are the room's choice."""
        keys: dict[str, Callable[[], Any]] = {
            "u": self.undo, "ctrl+z": self.undo, "y": self.redo, "ctrl+y": self.redo, "shift+u": self.redo,
            "ctrl+shift+z": self.redo, "f": self.flip, "r": self.rotate, "f2": self.next_rules,
            "t": self.test, "f5": self.test, "p": self.solve, "f6": self.solve,
            "v": self.next_problem, "f7": self.next_problem, "c": self.hand.pick,
            "ctrl+s": self.save, "ctrl+shift+s": self.save_as, "ctrl+o": self.open, "ctrl+n": self.new,
            "ctrl+right": lambda: self.grow(0, 1), "ctrl+left": lambda: self.grow(0, -1),
            "ctrl+down": lambda: self.grow(1, 0), "ctrl+up": lambda: self.grow(-1, 0),
            "[": lambda: self.hand.step(-1), "]": lambda: self.hand.step(1),
            "space": lambda: self.hand.paint(self.hand.brush), "return": lambda: self.hand.paint(self.hand.brush),
            "delete": lambda: self.hand.paint(self.hand.eraser), "backspace": lambda: self.hand.paint(self.hand.eraser),
            "escape": self.escape, "q": self.escape, "ctrl+q": self.app.ask_to_quit, "f1": self.help,
        }  # fmt: skip
        for name, way in ARROWS.items():
            keys[name] = lambda way=way: self.hand.walk(*way)
        for brush in editor_of(self.game).brushes:
            keys[brush.key] = lambda name=brush.name: self.choose(name)
        return keys

    def choose(self, name: str) -> None:
        self.hand.choose(name)

    # --- changes

    def undo(self) -> None:
        if not self.drawing.undo():
            self.app.say("There is nothing to undo.")

    def redo(self) -> None:
        if not self.drawing.redo():
            self.app.say("There is nothing to redo.")

    def flip(self) -> None:
        self._change(lambda draft: draft.flipped())

    def rotate(self) -> None:
        self._change(lambda draft: draft.rotated())

    def grow(self, rows: int, cols: int) -> None:
        """More or fewer rows or columns, at the bottom and at the right."""
        self._change(lambda draft: draft.resized(draft.rows + rows, draft.cols + cols))

    def _resize_as_typed(self) -> None:
        rows, cols = (int(field.text or "0") for field in (self.bench.rows, self.bench.cols))
        self._change(lambda draft: draft.resized(rows, cols))
        self.bench.form.focus(None)

    def _change(self, change: Callable[[Draft], Draft]) -> None:
        self.hand.let_go()
        self.drawing.change(change)

    def next_rules(self) -> None:
        names = [preset.name for preset in self.game.presets]
        self.drawing.choose(names[(names.index(self.drawing.preset) + 1) % len(names)])
        self.app.say(next(preset.about for preset in self.game.presets if preset.name == self.drawing.preset))

    # --- trying it out

    def test(self) -> None:
        """Play it; the way back leads here."""
        from .side_tables import TriedOut

        self.hand.let_go()
        session = Session(self.game, self.drawing.board(), seed=self.app.settings.seed)
        self.app.push(TriedOut(self.app, session))

    def solve(self) -> None:
        self.hand.let_go()
        if self.solving.busy:
            self.solving.stop()
        else:
            self.solving.begin(self.drawing, self.app.settings.seed)

    def next_problem(self) -> None:
        """Point at the next cell that something is wrong with."""
        cells = sorted({problem.cell for problem in self.drawing.problems() if problem.cell is not None})
        if cells:
            at = self.hand.at
            self.hand.at = next((cell for cell in cells if at is None or cell > at), cells[0])
        self.app.say(self._at_fault() or ("Nothing is wrong with it." if not self.drawing.problems() else ""))

    def _at_fault(self) -> str:
        problems = self.drawing.problems()
        here = [problem for problem in problems if problem.cell is not None and problem.cell == self.hand.at]
        return _sentence((here or problems)[0].text) if problems else ""

    # --- files

    def save(self, then: Callable[[], Any] | None = None) -> None:
        self.hand.let_go()
        if self.drawing.path is None:
            self.save_as(then)
        else:
            self.drawing.save()
            self._saved(then)

    def save_as(self, then: Callable[[], Any] | None = None) -> None:
        self.hand.let_go()
        self.app.push(AskSave(self.app, self.drawing, lambda: self._saved(then)))

    def _saved(self, then: Callable[[], Any] | None) -> None:
        self.app.say(f"Saved {self.drawing.path} (format {self.drawing.format})")
        if then is not None:
            then()

    def open(self) -> None:
        self.hand.let_go()
        self.app.push(AskOpen(self.app, self.drawing, self.open_file))

    def open_file(self, path: str) -> None:
        """A map file, or a map of the room by its name."""
        found = Drawing.open(self.game, os.path.expanduser(path.strip().strip('"')))
        self._if_done_with_it(lambda: self.take(found))

    def new(self) -> None:
        self._if_done_with_it(lambda: self.take(Drawing.blank(self.game, self.drawing.preset)))

    def take(self, drawing: Drawing) -> None:
        """Draw this one from now on; the one before is done with."""
        self._put_away()
        self.drawing = drawing
        self.hand.take_over(drawing)
        self.solving.stop()

    def _put_away(self) -> None:
        """What is unsaved stays for the next start, unless the player has said that it is not wanted."""
        self.drawing.end()
        if self.drawing.changed and self.unwanted is not self.drawing.page:
            self._keep()
            self.drawing.release()
        else:
            self.drawing.discard()

    def _if_done_with_it(self, then: Callable[[], Any]) -> None:
        """Ask about unsaved work before something else takes its place."""
        self.hand.let_go()
        if not self.drawing.changed:
            then()
            return

        def throw_away() -> None:
            self.unwanted = self.drawing.page
            then()

        name = "This level" if self.drawing.path is None else self.drawing.name
        answers = [("Save", lambda: self.save(then)), ("Don't save", throw_away), ("Cancel", None)]
        self.question = Ask(self.app, "Save the changes?", f"{name} has changes that are not saved.", answers)
        self.app.push(self.question)

    def escape(self) -> None:
        if self.solving.busy:
            self.solving.stop()
        else:
            self._if_done_with_it(self._leave)

    def _leave(self) -> None:
        self.app.remove(self)

    def closing(self) -> bool:
        if not self.drawing.changed or self.unwanted is self.drawing.page:
            return True
        if self.question not in self.app.screens:
            while self.app.screen is not self and self.app.screen.over:  # no question over another
                self.app.pop()
            self._if_done_with_it(self.app.ask_to_quit)
        return False

    def opened(self) -> None:
        self._seen = None
        offer(self.app, self._restore)

    def _restore(self, drawings: list[Drawing]) -> None:
        """Work of an earlier start. The latest lies on top; one takes the place of a drawing that has not been begun."""
        for drawing in reversed(drawings):
            if self.drawing.path is None and not self.drawing.changed and not self.drawing.can_undo:
                self.take(drawing)
            else:
                self.app.push(EditorScreen(self.app, drawing))

    def closed(self) -> None:
        self.solving.close()
        self._put_away()

    def crashed(self) -> None:
        self._keep()

    def _keep(self) -> None:
        """Have on disk what is about to be shown."""
        try:
            self.drawing.keep()
        except ShoverWorldError as reason:
            self.app.say(f"{reason}. What you draw is lost if the program ends before you save it.")

    def help(self) -> None:
        self.hand.let_go()
        brushes = [KeyHelp((brush.key,), f"{brush.name}: {brush.about}") for brush in editor_of(self.game).brushes]
        text = "Paint a level. What is not saved is offered at the next start, however the program ended."
        sections = [("Hands", HANDS), ("Brushes", brushes), ("The level", KEYS), ("Everywhere", EVERYWHERE)]
        self.app.push(HelpScreen(self.app, "Drawing a level", text, sections))

    # --- events

    def handle(self, event: pygame.event.Event) -> None:
        form = self.bench.form
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            used = self.hand.stroke is None and form.handle(event)
            if not isinstance(form.focused, TextField) or (event.type == pygame.MOUSEBUTTONDOWN and not used):
                form.focus(None)
            if not used:
                self.hand.handle(event)
        elif event.type == pygame.MOUSEWHEEL and event.y:
            self.hand.step(-1 if event.y > 0 else 1)
        elif event.type == pygame.DROPFILE:
            self.open_file(event.file)
        elif event.type == pygame.WINDOWLEAVE:
            self.hand.at = None
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.hand.let_go()
        elif form.focused is not None and form.handle(event):
            pass
        elif event.type == pygame.KEYDOWN:
            self._key(event)

    def _key(self, event: pygame.event.Event) -> None:
        name = named(event)
        if name == "escape" and self.bench.form.focused is not None:
            self.bench.form.focus(None)
            return
        if name == "tab":
            self.bench.form.handle(event)
            return
        if event.mod & pygame.KMOD_ALT:
            return
        control = "ctrl+" if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META) else ""
        shift = "shift+" if shifted(event) and f"{control}shift+{name}" in self.keys else ""
        command = self.keys.get(f"{control}{shift}{name}")
        if command is not None:
            command()

    # --- what is seen

    def update(self, seconds: float) -> None:
        self.solving.update(self.drawing, seconds)
        self.view.update(seconds)

    def lay_out(self, size: tuple[int, int]) -> None:
        self.bench.lay_out(size)

    def note_bottom(self) -> int:
        return self.bench.view.area.bottom

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        self._keep()
        self._look()
        return self.bench.draw(surface, self.stale)

    def _look(self) -> None:
        """Show what has changed since the last frame."""
        drawing, draft, hand, bench = self.drawing, self.drawing.draft, self.hand, self.bench
        same = self._seen is not None and self._seen[0] is drawing.page
        if not same:
            self.view.show(draft.scene(drawing.preset))
            bench.show_size(draft.rows, draft.cols)
        problems = drawing.problems() if ready(self.game) else []
        seen = hand.at, hand.brush, drawing.path, drawing.changed, self.solving.text, len(problems)
        if same and self._seen is not None and self._seen[1] == seen:
            return
        self._seen = drawing.page, seen
        marks = [Mark("frame", p.cell, FAULT if p.serious else DOUBT, "!") for p in problems if p.cell is not None]
        self.view.marks(marks + hand.marks())
        star = " *" if drawing.changed else ""
        pygame.display.set_caption(f"{drawing.name}{star} - {self.game.title} editor")
        bench.title.set(text=f"{drawing.name}{star}")
        there = drawing.path is not None and os.path.exists(drawing.path)
        state = "not saved" if drawing.changed else "saved" if there else "nothing to save"
        about = f"{draft.rows} x {draft.cols}, format {drawing.format}\n{state}"
        bench.about.set(text=about, colour=theme.WARN if drawing.changed else theme.SOFT)
        bench.rules.set(text=f"Rules: {drawing.preset}")
        bench.show_brush(hand.brush)
        bench.tools["undo"].set(enabled=drawing.can_undo)
        bench.tools["redo"].set(enabled=drawing.can_redo)
        bench.tools["solve"].set(text="Stop" if self.solving.busy else "Solve", on=self.solving.busy)
        bench.notes.show(self._notes())

    def _notes(self) -> list[Block]:
        blocks: list[Block] = []
        if self.solving.text:
            blocks.append(Words(self.solving.text, tone=self.solving.tone, rank=0))
        if not ready(self.game):
            return [*blocks, Words("Getting ready; problems are looked for in a moment …", tone="soft", rank=0)]
        problems = self.drawing.problems()
        if len(problems) > 1:
            tone = "bad" if problems[0].serious else "warn"
            blocks.append(Words(f"{len(problems)} things to look at; V points at the next.", tone=tone, rank=0))
        for place, problem in enumerate(problems):
            blocks.append(Words(_sentence(problem.text), tone="bad" if problem.serious else "warn", rank=1 + place))
        if not problems:
            blocks.append(Words("Nothing is wrong with it. T tests it, P solves it.", tone="good", rank=1))
        return blocks


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
