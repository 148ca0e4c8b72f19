"""A terminal for tests: a pseudo-terminal that runs a program, and a screen that shows its output."""

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyte

from tests.commands import SHOVER, start_shover
from tests.fork_server import take_terminal
from tests.paths import ROOT

PATIENCE = 240.0  # time limit in seconds; a slow machine may have to compile first

KEYS = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "enter": "\r", "esc": "\x1b", "tab": "\t",
    "shift+tab": "\x1b[Z", "f1": "\x1bOP", "space": " ",
}  # fmt: skip


class Terminal:
    """Runs `shover` with arguments in a terminal of this size. The program stores its files in the folder `home`.

    If `shell` is given, bash runs this script, in which "$@" stands for the program. `variables` are additional
    environment variables.
    """

    def __init__(
        self,
        *arguments: Any,
        home: Path,
        columns: int = 100,
        rows: int = 30,
        shell: str = "",
        variables: Mapping[str, str] | None = None,
    ):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.master, slave = os.openpty()
        set_size(slave, columns, rows)
        self.before = termios.tcgetattr(slave)
        environment = {**os.environ, "TERM": "xterm-256color", "SHOVERWORLD_HOME": str(home), **(variables or {})}
        words = [str(argument) for argument in arguments]
        if shell:
            self.process = subprocess.Popen(
                ["bash", "-mc", shell, "shell", *SHOVER, *words],
                stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=ROOT, start_new_session=True,
                preexec_fn=take_terminal,
            )  # fmt: skip
        else:
            self.process = start_shover(words, (slave, slave, slave), ROOT, environment, terminal=True)
        self.slave = slave  # kept open so that the last output and the terminal settings can be read

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *reason: Any) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    # --- input

    def press(self, *keys: str) -> None:
        """Send keys, given by name or as characters."""
        os.write(self.master, "".join(KEYS.get(key, key) for key in keys).encode())

    def mouse(self, kind: str, row: int, col: int) -> None:
        """Send a press ("down") or release ("up") of the left button. Rows and columns are counted from 0."""
        os.write(self.master, f"\x1b[<0;{col + 1};{row + 1}{'M' if kind == 'down' else 'm'}".encode())

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        set_size(self.master, columns, rows)

    def signal(self, number: int) -> None:
        os.kill(self.process.pid, number)

    # --- output

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait(self, what: str | Callable[["Terminal"], Any], but_not: str | None = None) -> str:
        """Read until the screen shows the string `what` or the function `what` returns true. Return the screen text."""
        until = time.monotonic() + PATIENCE
        while True:
            seen = what in self.text if isinstance(what, str) else what(self)
            if seen and (but_not is None or but_not not in self.text):
                return self.text
            left = until - time.monotonic()
            if left <= 0 or (self.process.poll() is not None and not self._read(0)):
                raise AssertionError(f"{what!r} did not appear ({self.process.poll()=}):\n{self.text}")
            self._read(min(left, 0.2))

    def ends(self) -> int:
        """Read until the program has ended and return its exit code."""
        until = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < until:
            self._read(0.1)
        while self._read(0):
            pass
        code = self.process.poll()
        assert code is not None, f"the program did not end:\n{self.text}"
        return code

    def as_before(self) -> bool:
        """Return whether the settings, cursor, screen and mouse mode of the terminal are restored."""
        same = termios.tcgetattr(self.slave) == self.before
        back = all(self._last(f"?{mode}".encode()) == last for mode, last in ((1049, b"l"), (25, b"h"), (1002, b"l")))
        return same and back

    def _last(self, mode: bytes) -> bytes:
        """Return the latest setting of a terminal mode: h for on, l for off."""
        at = self.written.rfind(b"\x1b[" + mode)
        return self.written[at + 2 + len(mode) :][:1]

    def _read(self, seconds: float) -> bool:
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        read = b""
        with suppress(OSError):
            read = os.read(self.master, 65536)
        self.written += read
        self.stream.feed(read.replace(b"\x1b[?2026h", b"").replace(b"\x1b[?2026l", b""))
        return bool(read)


def set_size(file: int, columns: int, rows: int) -> None:
    fcntl.ioctl(file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
