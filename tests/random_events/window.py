"""A random player at the window. The window is opened by the real commands on SDL's dummy video driver."""

import contextlib
import functools
import io
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from shoverworld.cli import main
from shoverworld.core.game import Game
from shoverworld.core.ui import Act
from shoverworld.desktop import theme
from shoverworld.desktop.app import App
from shoverworld.desktop.clipboard import CLIPBOARD
from shoverworld.desktop.dialog import AskText
from shoverworld.desktop.editor import EditorScreen
from shoverworld.desktop.ending import EndingScreen
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.start import StartScreen
from shoverworld.desktop.table import TableScreen
from tests.windows import WindowDriver

from .files import damage_home, texts
from .watch import Watch

KEYS = [
    *"abcdefghijklmnopqrstuvwxyz0123456789+-=.,[]/?;'`\\", *[f"f{n}" for n in range(1, 13)], "up", "down", "left",
    "right", "home", "end", "page up", "page down", "tab", "space", "backspace", "delete", "insert", "return", "escape",
    *[f"[{n}]" for n in range(10)], "enter", "left shift", "left ctrl", "caps lock", "print screen", "menu",
]  # fmt: skip
LEAVING = {"escape", "q", "f11", "f12", "g", "v"}  # keys that leave a screen or take long: pressed less often
SLOW = 2.0  # processor time in seconds; a frame that takes longer looks like a hang
EXPORTING = {"g", "v"}
TYPED = ["7", "0012", "a", "easy", "-1", "99999999999999999999", "☃ é", "e\u0301", "\t", "x" * 60, "1 1", "~"]
ODD_EVENTS: list[tuple[int, dict[str, Any]]] = [
    (pygame.WINDOWFOCUSLOST, {}), (pygame.WINDOWFOCUSGAINED, {}), (pygame.WINDOWLEAVE, {}), (pygame.WINDOWENTER, {}),
    (pygame.WINDOWEXPOSED, {}), (pygame.WINDOWMINIMIZED, {}), (pygame.WINDOWRESTORED, {}), (pygame.ACTIVEEVENT, {"gain": 0, "state": 1}),
    (pygame.TEXTEDITING, {"text": "あ", "start": 0, "length": 1}), (pygame.DROPBEGIN, {}), (pygame.DROPCOMPLETE, {}),
    (pygame.DROPTEXT, {"text": "dropped"}), (pygame.USEREVENT, {}), (pygame.KEYMAPCHANGED, {}),
    (pygame.FINGERDOWN, {"x": 0.5, "y": 0.5, "dx": 0.0, "dy": 0.0, "finger_id": 1, "touch_id": 1}),
    (pygame.JOYBUTTONDOWN, {"joy": 0, "button": 0}), (pygame.CLIPBOARDUPDATE, {}),
]  # fmt: skip


class RandomWindow:
    """Opens windows and sends random events until `stop` returns True. The player's files are in `folder`."""

    def __init__(self, game: Game, rng: random.Random, folder: Path, watch: Watch, stop: Callable[[], bool]):
        self.game, self.rng, self.watch, self.stop = game, rng, watch, stop
        self.home, self.files = folder / "home", folder / "files"
        self.patch = pytest.MonkeyPatch()
        self.driver = WindowDriver(self.home, self.patch)
        self.texts = texts(self.files)

    def run(self) -> None:
        self.patch.setattr(App, "run", lambda app: self._loop(app))
        self.patch.setattr(theme, "written", self._watch_text(theme.written))
        try:
            while not self.stop():
                if self.rng.random() < 0.15:
                    self.watch.note("-", f"damage {damage_home(self.home, self.rng)}")
                self._open()
        finally:
            self.patch.undo()

    def _watch_text(self, written: Any) -> Any:
        """Return a function that draws text as `written` does, after `self.watch` has checked the text."""

        @functools.wraps(written)
        def checked(text: str, *style: Any) -> pygame.Surface:
            self.watch.shown(text)
            return written(text, *style)

        checked.cache_clear = written.cache_clear  # type: ignore[attr-defined]
        return checked

    def _open(self) -> None:
        arguments = self._arguments()
        self.watch.note("-", f"shover {' '.join(arguments)}"[:300])
        aside = io.StringIO()
        with contextlib.redirect_stdout(aside), contextlib.redirect_stderr(aside):
            try:
                main(arguments)
            except SystemExit:  # the arguments were rejected
                pass
            except Exception as error:
                self.watch.found(f"an exception left the loop: {type(error).__name__}", error)

    def _arguments(self) -> list[str]:
        """Return a command that opens a window."""
        rng, game = self.rng, self.game
        rules = ["--rules", rng.choice(game.presets).name] if rng.random() < 0.5 else []
        own = [str(path) for path in sorted(self.files.glob(f"{game.name}-*.txt"))]
        level = rng.choice([*own, "random", game.name, game.levels.boards()[rng.randrange(12)].name])
        agent = rng.choice([*game.agent_names, str(rng.choice(sorted(self.files.glob("agent_*.py"))))])
        command = rng.choice(("menu", "menu", "menu", "play", "play", "edit", "watch", "replay"))
        if command == "menu":
            return ["play", "--game", game.name]
        if command == "play":
            players = rng.choice((["--players", "Ann,Ben,ai:random"], ["--players", "Ann"], []))
            seed = ["--seed", str(rng.randrange(99))]
            return [
                "play",
                level,
                "--game",
                game.name,
                "--agent",
                agent,
                *rules,
                *seed,
                *(players if game.multiplayer else []),
            ]
        if command == "edit":
            return ["edit", *([level] if rng.random() < 0.7 else []), "--game", game.name, *rules]
        if command == "watch":
            return ["watch", level, "--game", game.name, "--agent", agent, *rules]
        replays = sorted(str(path) for path in self.files.glob("*.replay"))
        return ["replay", *rng.sample(replays, rng.randint(1, 3))]

    # --- the loop

    def _loop(self, app: App) -> int:
        """Take the place of `App.run`: run a frame after every event."""
        self.driver.app = app
        left = self.rng.randint(30, 300)
        try:
            while app.running and left and not self.stop():
                left -= 1
                self._act()
                self._frame(self.rng.choice((1 / 60, 1 / 30, 1 / 30, 0.25)))
        finally:
            app.close()
        return 0

    def _act(self) -> None:
        """Do something, depending on the screen."""
        app, rng = self.driver.app, self.rng
        screen = app.screen
        if isinstance(screen, StartScreen) and rng.random() < 0.9:
            time.sleep(0.01)  # the game is being compiled
            return
        acts: list[tuple[Callable[[], str], int]] = [
            (self._key, 34), (self._click, 14), (self._point, 8), (self._drag, 8), (self._wheel, 3), (self._resize, 2),
            (self._type, 4), (self._drop, 3), (self._paste, 3), (self._odd_event, 2), (self._odd_key, 1), (self._wait, 3),
            (self._quit, 1),
        ]  # fmt: skip
        if isinstance(screen, AskText):
            acts += [(self._path, 12)]
        if isinstance(screen, (TableScreen, EndingScreen)):
            acts += [(self._plan, 2), (self._agent, 2), (self._hint, 2), (self._undo_all, 1), (self._overlay, 4)]
        if isinstance(screen, EditorScreen):
            acts += [(self._editor_key, 16)]
        if isinstance(screen, MenuScreen):
            acts += [(self._menu_key, 16)]
        name = type(screen).__name__
        what, weights = zip(*acts, strict=True)
        act = rng.choices(what, weights)[0]
        self.watch.note(name, act.__name__)
        self.watch.amend(act())

    def _frame(self, seconds: float = 1 / 30) -> None:
        if self.driver.app.running and self.driver.app.screens:
            start = time.thread_time()
            self.driver.frame(seconds)
            if (used := time.thread_time() - start) > SLOW:
                self.watch.found(f"a frame that took {used:.1f} s")

    # --- keys and text

    def _press(self, key: str) -> str:
        shift, control = self.rng.random() < 0.12, self.rng.random() < 0.1
        text = key if len(key) == 1 and self.rng.random() < 0.8 else ""
        self.driver.key(key, shift, control, text)
        return f"{'ctrl+' if control else ''}{'shift+' if shift else ''}{key}"

    def _key(self) -> str:
        key = self.rng.choice(KEYS)
        if key in LEAVING and self.rng.random() < (0.95 if key in EXPORTING else 0.7):
            key = self.rng.choice(("up", "down", "left", "right", "space", "tab", "return"))
        return self._press(key)

    def _menu_key(self) -> str:
        return self._press(
            self.rng.choice(("return", "s", "r", "e", "b", "g", "w", "t", "n", "f1", "down", "down", "tab"))
        )

    def _editor_key(self) -> str:
        screen: Any = self.driver.app.screen
        key = self.rng.choice([key for key in screen.keys if key not in ("escape", "q", "ctrl+q")])
        *held, name = key.split("+") if len(key) > 1 else [key]
        self.driver.key(name, "shift" in held, "ctrl" in held)
        return key

    def _overlay(self) -> str:
        return self._press(self.rng.choice([overlay.key for overlay in self.game.ui.overlays.overlays] or ["1"]))

    def _odd_key(self) -> str:
        key = self.rng.choice((0, 1, 27, 127, 255, 0x40000039, 0x40000000 + self.rng.randrange(300), 0x10FFFF))
        given = {
            "key": key, "mod": self.rng.choice((0, 0xFFFF, self.rng.randrange(1 << 16))),
            "unicode": self.rng.choice(("", "é", "\x00", "ab", "٣", "²")), "scancode": self.rng.randrange(-1, 512),
        }  # fmt: skip
        self.driver.post(pygame.KEYDOWN, **given)
        if self.rng.random() < 0.7:
            self.driver.post(pygame.KEYUP, **given)
        return str(given)

    def _type(self) -> str:
        text = self.rng.choice(TYPED)
        self.driver.post(pygame.TEXTINPUT, text=text)
        return repr(text)

    def _path(self) -> str:
        """Type the path of a file into a dialog, and press Enter."""
        path = str(self.rng.choice(sorted(self.files.iterdir())))
        self.driver.key("end")
        for _ in range(160):
            self.driver.key("backspace")
        self.driver.post(pygame.TEXTINPUT, text=path)
        self.driver.key("return")
        return path

    # --- the mouse

    def _spot(self) -> tuple[int, int]:
        width, height = self.driver.app.surface.get_size()
        return self.rng.randrange(width), self.rng.randrange(height)

    def _click(self) -> str:
        spot, button = self._spot(), self.rng.choice((1, 1, 1, 1, 2, 3, 6))
        self.driver.hold(spot, button, False)
        if self.rng.random() < 0.9:
            self.driver.release(None, button, False)
        return f"{spot} button {button}"

    def _point(self) -> str:
        spot = self._spot() if self.rng.random() < 0.9 else (-5, 9999)
        self.driver.point(spot, False)
        return str(spot)

    def _drag(self) -> str:
        start = self._spot()
        end = (start[0] + self.rng.randint(-90, 90), start[1] + self.rng.randint(-90, 90))
        self.driver.hold(start, self.rng.choice((1, 1, 3)), False)
        self.driver.point(end, False)
        self.driver.release(end, 1, False)
        return f"{start} to {end}"

    def _wheel(self) -> str:
        by = self.rng.choice((-40, -3, -1, 0, 1, 3, 40))
        self.driver.post(pygame.MOUSEWHEEL, x=0, y=by, flipped=False, precise_x=0.0, precise_y=float(by), touch=False)
        return str(by)

    # --- the window

    def _resize(self) -> str:
        small, usual, large = (1, 1, 330, 250), (320, 240, 1300, 900), (1300, 900, 2600, 1600)
        low = self.rng.choice((usual, usual, usual, usual, usual, small, large))
        size = self.rng.randrange(low[0], low[2]), self.rng.randrange(low[1], low[3])
        pygame.display.set_mode(size, pygame.RESIZABLE)
        self.driver.post(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1])
        return str(size)

    def _odd_event(self) -> str:
        kind, given = self.rng.choice(ODD_EVENTS)
        self.driver.post(kind, **given)
        return pygame.event.event_name(kind)

    def _quit(self) -> str:
        if self.rng.random() < 0.5:
            return "not now"
        self.driver.post(pygame.QUIT)
        return "close the window"

    def _wait(self) -> str:
        """Let background work go on for a moment."""
        for _ in range(self.rng.randint(1, 12)):
            time.sleep(0.002)
            self._frame()
        return ""

    # --- files and the clipboard

    def _drop(self) -> str:
        path = str(self.rng.choice([*sorted(self.files.iterdir()), self.files / "missing.txt"]))
        self.driver.post(pygame.DROPFILE, file=path)
        return path

    def _paste(self) -> str:
        text = self.rng.choice(self.texts)
        with contextlib.suppress(Exception):  # SDL's clipboard rejects some texts
            CLIPBOARD.put(text)
        self.driver.key("v", control=True)
        return repr(text[:60])

    # --- deep states of a game

    def _table(self) -> Any:
        screen: Any = self.driver.app.screen
        return (screen.screen if isinstance(screen, EndingScreen) else screen).table

    def _plan(self) -> str:
        """Play the planner's plan, or the beginning of it."""
        table = self._table()
        session = table.session
        if session.outcome is not None or session.waits_for is not None:
            return "over"
        actions = session.game.plan(session.env, time_limit=0.2).actions
        actions = actions if self.rng.random() < 0.6 else actions[: self.rng.randrange(len(actions) + 1)]
        for action in actions[:200]:
            if not table.play(Act(action)):
                break
        return f"{len(actions)} moves"

    def _agent(self) -> str:
        """Let the agent play at full speed for a while."""
        for key in ("space", "+", "+", "+", "+", "+", "+"):
            self.driver.key(key)
        for _ in range(self.rng.randint(5, 60)):
            time.sleep(0.002)
            self._frame()
        return ""

    def _hint(self) -> str:
        self.driver.key("p")
        for _ in range(self.rng.randint(1, 30)):
            time.sleep(0.002)
            self._frame()
        return ""

    def _undo_all(self) -> str:
        moves = self._table().session.moves
        for _ in range(min(moves + 1, 100)):
            self.driver.key("u")
        for _ in range(self.rng.choice((0, 3, 100))):
            self.driver.key("y")
        return f"{moves} moves"
