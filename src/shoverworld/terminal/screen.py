"""A terminal as a screen of its own: keys at once, no cursor, and left as it was found, however the program ends."""

import codecs
import os
import re
import signal
import sys
import time
from contextlib import suppress
from io import StringIO
from typing import Any

from shoverworld.core.errors import ShoverWorldError

from .keys import WINDOWS, Decoder, Key

ENTER = "\x1b[?1049h\x1b[?25l\x1b[?1002h\x1b[?1006h"  # another page, no cursor, the mouse with its buttons, by cells
LEAVE = "\x1b[?1006l\x1b[?1002l\x1b[0m\x1b[?25h\x1b[?1049l"
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"  # terminals that know these show all in between at once
PASSING = re.compile(r"\r\033\[K[^\r\n]*")  # what says that something is being compiled
ESC_ALONE = 0.05  # seconds after which an Esc is no longer the beginning of something


class TerminalScreen:
    """`with TerminalScreen() as screen:` `read` gives keys, `show` writes the lines that changed.

    What others have to say meanwhile (warnings, errors) would spoil the picture: it is kept, and told at the end.
    """

    def __init__(self) -> None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
            raise ShoverWorldError(
                "there is no terminal to play in: input or output is a pipe or a file, or the terminal is dumb; "
                "start it by hand in a terminal window"
            )
        self._device: Any = _Windows() if sys.platform == "win32" else _Posix()
        self._decoder = Decoder()
        self._lines: list[str] = []
        self._taken = self._shown = (
            0  # how often it was taken from others, and at which of these times `show` wrote to it
        )
        self._size = self.size
        self._handlers: dict[int, Any] = {}

    # --- coming and going

    def __enter__(self) -> "TerminalScreen":
        for name, handler in (("SIGTERM", _end), ("SIGHUP", _end), ("SIGTSTP", self._pause)):
            if hasattr(signal, name):
                number = getattr(signal, name)
                self._handlers[number] = signal.signal(number, handler)
        self._errors, self._aside = sys.stderr, StringIO()
        sys.stderr = self._aside
        self.open()
        return self

    def __exit__(self, *reason: Any) -> None:
        patient = signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not leave the terminal raw
        self.close()
        sys.stderr = self._errors
        with suppress(OSError):
            sys.stderr.write(PASSING.sub("", self._aside.getvalue()))
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.signal(signal.SIGINT, patient)

    def open(self) -> None:
        self._device.raw()
        self._taken += 1
        self.write(ENTER)

    def close(self) -> None:
        with suppress(OSError):  # the terminal may be gone
            self.write(LEAVE)
        self._device.restore()

    def _pause(self, number: int, frame: Any) -> None:
        """Ctrl-Z: leave the terminal to the shell, and take it again when it goes on."""
        self.close()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # the program stands still here
        signal.signal(number, self._pause)
        self.open()

    # --- in and out

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            return tuple(os.get_terminal_size(sys.stdout.fileno()))  # type: ignore[return-value]
        except OSError:
            return 80, 24

    def read(self, seconds: float) -> list[Key]:
        """The keys pressed by now; waits for the first one for so many seconds."""
        keys = self._device.read(self._decoder, seconds)
        if self._decoder.waiting:
            keys += self._device.read(self._decoder, ESC_ALONE) or self._decoder.flush()
        return keys

    def show(self, lines: list[str]) -> None:
        """Write what changed since the last time, in one go. Each line holds its own colours and fits the width."""
        taken = self._taken  # Ctrl-Z may come at any moment, also in the middle of this
        if self._size != self.size or self._shown != taken:
            self._size, self._lines = self.size, []
        changed = [
            f"\x1b[{row};1H{line}\x1b[0m\x1b[K"
            for row, line in enumerate(lines[: self._size[1]], 1)
            if row > len(self._lines) or self._lines[row - 1] != line
        ]
        if len(lines) < len(self._lines) or not self._lines:
            changed.insert(0, "\x1b[0m\x1b[2J")
            changed[1:] = [f"\x1b[{row};1H{line}\x1b[0m" for row, line in enumerate(lines[: self._size[1]], 1)]
        if changed:
            self.write(BEGIN + "".join(changed) + END)
        self._lines, self._shown = list(lines), taken

    @property
    def stale(self) -> bool:
        """Is nothing of ours on it: at the start, or after others have had it?"""
        return self._shown != self._taken or not self._lines

    def forget(self) -> None:
        """Something else was written: the next `show` writes all."""
        self._lines = []

    def write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def _end(number: int, frame: Any) -> None:
    raise SystemExit(128 + number)


class _Posix:
    def __init__(self) -> None:
        import termios

        self.termios: Any = termios
        self.file = sys.stdin.fileno()
        self.before = termios.tcgetattr(self.file)
        self.text = codecs.getincrementaldecoder("utf-8")("replace")

    def raw(self) -> None:
        """Each key at once and unseen; Ctrl-C and Ctrl-Z still do what they always do."""
        import tty

        tty.setcbreak(self.file, self.termios.TCSAFLUSH)

    def restore(self) -> None:
        with suppress(self.termios.error):
            self.termios.tcsetattr(self.file, self.termios.TCSAFLUSH, self.before)

    def read(self, decoder: Decoder, seconds: float) -> list[Key]:
        from select import select

        if not select([self.file], [], [], seconds)[0]:
            return []
        read = os.read(self.file, 4096)
        if not read:
            raise SystemExit(0)  # the other end has gone
        return decoder.feed(self.text.decode(read))


class _Windows:
    def raw(self) -> None:
        os.system("")  # makes an old console understand colours and places

    def restore(self) -> None:
        pass

    def read(self, decoder: Decoder, seconds: float) -> list[Key]:
        import msvcrt

        console: Any = msvcrt
        until = time.monotonic() + seconds
        while not console.kbhit():
            if time.monotonic() >= until:
                return []
            time.sleep(0.005)
        character = console.getwch()
        if character in "\x00\xe0":
            name = WINDOWS.get(console.getwch())
            return [name] if name else []
        if character == "\x03":
            raise KeyboardInterrupt
        return ["escape"] if character == "\x1b" else decoder.feed(character)
