"""A random player at a terminal. The real command runs in this process, in a pseudo-terminal."""

import contextlib
import io
import os
import random
import select
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shoverworld.cli import main
from shoverworld.core.game import Game
from shoverworld.core.ui import Act
from shoverworld.terminal import play, screen
from shoverworld.terminal.keys import Key
from shoverworld.terminal.page import TerminalPage
from shoverworld.terminal.screen import TerminalScreen
from tests.terminals import KEYS as NAMED
from tests.terminals import set_size

from .files import damage_home, texts
from .watch import Watch

KEYS = [
    *NAMED.values(), *"abcdefghijklmnoprstuvwxyz0123456789+-=.,[]/?", *"ABCDEFUYNZ", *NAMED.values(), "\x7f", "\x0c",
    "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[3~", "é", "☃",
]  # fmt: skip
ODD = [
    "\x1b[", "\x1b[<", "\x1b[<0;1", "\x1b[<99999999999999999999;1;1M", "\x1b[<0;0;0M", "\x1b[200~", "\x1b[201~", "\x1bO",
    "\x1b]0;title\x07", "\x1b[?1;2c", "\x1b[999999~", "\x1b[1;5A", "\x1b\x1b\x1b", "\x1bx", "\x00", "\x01", "\x1c", "\x9b1A",
    "\x1b[I", "\x1b[O", "\x1b[12;40R", "\x1b[;;;;;m", "\x1bP+q\x1b\\", "\udcff", "\x13", f"\x1b[{'9' * 5000}~",
    f"\x1b[<0;{'9' * 5000};1M", "\x1b[200~\x1b[201~" * 300,
]  # fmt: skip


class Ended(SystemExit):
    """Raised in the loop when enough events have been sent."""


class RandomTerminal:
    """Runs the game in a pseudo-terminal and sends random input until `stop` returns True."""

    def __init__(self, game: Game, rng: random.Random, folder: Path, watch: Watch, stop: Callable[[], bool]):
        self.game, self.rng, self.watch, self.stop = game, rng, watch, stop
        self.home, self.files = folder / "home", folder / "files"
        self.texts = texts(self.files)
        self.patch = pytest.MonkeyPatch()
        self.master, self.slave = -1, -1
        self.left = 0  # events left in this game
        self.waiting = b""  # input that the terminal could not take yet
        self.table: Any = None

    def run(self) -> None:
        source = self

        class RandomScreen(TerminalScreen):
            def read(self, seconds: float) -> list[Key]:
                source.act()
                return super().read(0.001)

        class WatchedGame(play.TerminalGame):
            def __init__(self, table: Any):
                super().__init__(table)
                source.table = self

            def page(self, columns: int, rows: int) -> TerminalPage:
                seen = super().page(columns, rows)
                for line in seen.lines:
                    source.watch.shown(line.plain)
                return seen

        self.patch.setenv("SHOVERWORLD_HOME", str(self.home))
        self.patch.setenv("TERM", "xterm-256color")
        self.patch.setattr(screen, "ESC_ALONE", 0.002)
        self.patch.setattr(play, "TerminalScreen", RandomScreen)
        self.patch.setattr(play, "TerminalGame", WatchedGame)
        try:
            while not self.stop():
                if self.rng.random() < 0.15:
                    self.watch.note("-", f"damage {damage_home(self.home, self.rng)}")
                self._open()
        finally:
            self.patch.undo()

    def _open(self) -> None:
        arguments, self.left, self.waiting = self._arguments(), self.rng.randint(30, 300), b""
        self.watch.note("-", f"shover {' '.join(arguments)}"[:300])
        with self._terminal():
            try:
                main(arguments)
            except SystemExit:
                pass
            except Exception as error:
                self.watch.found(f"an exception left the loop: {type(error).__name__}", error)

    def _arguments(self) -> list[str]:
        rng, game = self.rng, self.game
        rules = ["--rules", rng.choice(game.presets).name] if rng.random() < 0.5 else []
        own = [str(path) for path in sorted(self.files.glob(f"{game.name}-*"))]
        level = rng.choice([*own, "random", game.name, game.name, game.levels.boards()[rng.randrange(12)].name])
        agent = rng.choice([*game.agent_names, str(rng.choice(sorted(self.files.glob("agent_*.py"))))])
        players = rng.choice((["--players", "Ann,Ben,ai:random"], [])) if game.multiplayer else []
        seed = ["--seed", str(rng.randrange(99))]
        return ["play", level, "--terminal", "--game", game.name, "--agent", agent, *rules, *seed, *players]

    @contextlib.contextmanager
    def _terminal(self) -> Iterator[None]:
        """Replace the standard streams with a pseudo-terminal, whose output is read and discarded."""
        self.master, self.slave = os.openpty()
        set_size(self.slave, 100, 30)
        os.set_blocking(self.master, False)
        ended = threading.Event()
        before = termios.tcgetattr(self.slave)

        def drain() -> None:
            while not ended.is_set():
                if select.select([self.master], [], [], 0.05)[0]:
                    with contextlib.suppress(OSError):
                        os.read(self.master, 1 << 16)

        reader = threading.Thread(target=drain, name="drain", daemon=True)
        reader.start()
        streams = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout = os.fdopen(os.dup(self.slave)), os.fdopen(os.dup(self.slave), "w")
        sys.stderr = io.StringIO()
        try:
            yield
            if termios.tcgetattr(self.slave) != before:
                self.watch.found("the terminal was not restored")
        finally:
            opened = sys.stdin, sys.stdout
            sys.stdin, sys.stdout, sys.stderr = streams
            for stream in opened:
                with contextlib.suppress(OSError):
                    stream.close()
            ended.set()
            reader.join()
            os.close(self.master)
            os.close(self.slave)

    # --- input

    def act(self) -> None:
        """Send some input. Called by the loop before it reads."""
        self.left -= 1
        if self.left < 0 or self.stop():
            raise Ended(0)
        if not self.waiting:
            acts: list[tuple[Callable[[], str], int]] = [
                (self._keys, 40), (self._mouse, 10), (self._resize, 3), (self._odd, 5), (self._paste, 3), (self._wait, 8),
                (self._play, 3),
            ]  # fmt: skip
            what, weights = zip(*acts, strict=True)
            act = self.rng.choices(what, weights)[0]
            self.watch.note(self._screen(), act.__name__)
            self.watch.amend(act())
        if self.waiting:
            with contextlib.suppress(BlockingIOError):
                self.waiting = self.waiting[os.write(self.master, self.waiting[:2048]) :]

    def _screen(self) -> str:
        game = self.table
        if game is None or game.overlay is not None:
            return "-" if game is None else type(game.overlay).__name__
        if game.help_line is not None or game.question is not None:
            return "TerminalHelp" if game.help_line is not None else "TerminalQuestion"
        return "TerminalGame" if game.table.session.outcome is None else "TerminalEnding"

    def _send(self, text: str) -> str:
        self.waiting += text.encode("utf-8", "surrogateescape")
        return repr(text[:60])

    def _keys(self) -> str:
        return self._send("".join(self.rng.choices(KEYS, k=self.rng.choice((1, 1, 1, 2, 8)))))

    def _odd(self) -> str:
        return self._send("".join(self.rng.choices(ODD, k=self.rng.choice((1, 1, 3)))))

    def _mouse(self) -> str:
        spots = [f"{self.rng.randint(0, 120)};{self.rng.randint(0, 40)}" for _ in range(2)]
        if self.rng.random() < 0.5:
            spots[1] = spots[0]
        button = self.rng.choice((0, 0, 0, 1, 2, 64, 65, 32, 4))
        return self._send(f"\x1b[<{button};{spots[0]}M\x1b[<{button};{spots[1]}m")

    def _paste(self) -> str:
        return self._send(f"\x1b[200~{self.rng.choice(self.texts)}\x1b[201~")

    def _resize(self) -> str:
        usual, any_size = (40, 14, 160, 60), (0, 0, 320, 100)
        low = self.rng.choice((usual, usual, any_size, (0, 0, 12, 6)))
        columns, rows = self.rng.randint(low[0], low[2]), self.rng.randint(low[1], low[3])
        set_size(self.master, columns, rows)
        return f"{columns} x {rows}"

    def _wait(self) -> str:
        time.sleep(self.rng.choice((0.001, 0.01, 0.03)))
        return ""

    def _play(self) -> str:
        """Play the planner's plan, or the beginning of it."""
        game = self.table
        if game is None or game.overlay is not None or game.table.session.outcome is not None:
            return "over"
        session = game.table.session
        if session.waits_for is not None:
            return "not this player's turn"
        actions = session.game.plan(session.env, time_limit=0.2).actions
        actions = actions if self.rng.random() < 0.5 else actions[: self.rng.randrange(len(actions) + 1)]
        for action in actions[:200]:
            if not game.table.play(Act(action)):
                break
        return f"{len(actions)} moves"
