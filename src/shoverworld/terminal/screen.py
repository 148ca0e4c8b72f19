"""A full-screen terminal: keys arrive without delay, the cursor is hidden, and everything is restored when the program
ends, even after an error."""

import base64
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
from shoverworld.core.text import visible

from .keys import WINDOWS, Decoder, Key

# The alternate screen, no cursor, mouse buttons with cell positions, and marks around pasted text.
ENTER = "\x1b[?1049h\x1b[?25l\x1b[?1002h\x1b[?1006h\x1b[?2004h"
LEAVE = "\x1b[?2004l\x1b[?1006l\x1b[?1002l\x1b[0m\x1b[?25h\x1b[?1049l"
COPIED = 74_000  # maximum number of bytes that terminals accept for the clipboard
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"  # terminals that support these sequences show all text between them at once
PASSING = re.compile(r"\r\033\[K[^\r\n]*")  # progress messages about compilation
ESC_ALONE = 0.05  # seconds after which an Esc counts as a key and not as the beginning of an escape sequence


class TerminalScreen:
    """Use as `with TerminalScreen() as screen:`. `read` returns keys, and `show` writes the lines that changed.

    Output on stderr (warnings, errors) would garble the screen, so it is held back and written at the end.
    """

    def __init__(self) -> None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
            raise ShoverWorldError(
                "playing needs a terminal, but input or output is a pipe or a file, or TERM is dumb; "
                "start the program in a terminal window"
            )
        self._device: Any = _Windows() if sys.platform == "win32" else _Posix()
        self._decoder = Decoder()
        self._lines: list[str] = []
        self._taken = self._shown = 0  # how many times the screen has been opened: in total, and up to the last `show`
        self._size = self.size
        self._handlers: dict[int, Any] = {}

    # --- opening and closing

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
        patient = signal.signal(
            signal.SIGINT, signal.SIG_IGN
        )  # a second Ctrl-C must not leave the terminal in raw mode
        self.close()
        sys.stderr = self._errors
        with suppress(OSError):
            sys.stderr.write(visible(PASSING.sub("", self._aside.getvalue())))
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.signal(signal.SIGINT, patient)

    def open(self) -> None:
        self._device.raw()
        self._taken += 1
        self.write(ENTER)

    def close(self) -> None:
        with suppress(OSError):  # the terminal may already be closed
            self.write(LEAVE)
        self._device.restore()

    def _pause(self, number: int, frame: Any) -> None:
        """Handle Ctrl-Z: hand the terminal to the shell, and take it back when the program continues."""
        self.close()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # the program is suspended here
        signal.signal(number, self._pause)
        self.open()

    # --- input and output

    @property
    def size(self) -> tuple[int, int]:
        """The number of columns and rows."""
        try:
            return tuple(os.get_terminal_size(sys.stdout.fileno()))  # type: ignore[return-value]
        except OSError:
            return 80, 24

    def read(self, seconds: float) -> list[Key]:
        """Return the keys that were pressed, waiting up to `seconds` for the first one."""
        keys = self._device.read(self._decoder, seconds)
        if self._decoder.waiting:
            keys += self._device.read(self._decoder, ESC_ALONE) or self._decoder.flush()
        return keys

    def show(self, lines: list[str]) -> None:
        """Write the lines that have changed, all at once. Each line contains its colour codes and fits the terminal."""
        taken = self._taken  # Ctrl-Z may be pressed at any moment, even while this method runs
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
        """Whether everything must be written again, as at the start or after Ctrl-Z."""
        return self._shown != self._taken or not self._lines

    def forget(self) -> None:
        """Make the next call to `show` write all lines."""
        self._lines = []

    def write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    # --- the clipboard

    def put(self, text: str) -> None:
        """Ask the terminal to put text into the clipboard (OSC 52).

        Most terminals support this, but none of them confirms it.
        """
        data = base64.b64encode(text.encode())
        if len(data) > COPIED:
            raise ShoverWorldError("nothing was copied: the text is too long for a terminal's clipboard")
        self.write(f"\x1b]52;c;{data.decode()}\x07")

    def get(self) -> str:
        """Raise an error: a program cannot read a terminal's clipboard, but the terminal can paste it."""
        raise ShoverWorldError("paste with your terminal's paste key, for example Ctrl+Shift+V")


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
        """Make keys arrive without delay or echo; Ctrl-C and Ctrl-Z still work, but Ctrl-S does not stop the output."""
        import tty

        tty.setcbreak(self.file, self.termios.TCSAFLUSH)
        mode = self.termios.tcgetattr(self.file)
        mode[0] &= ~self.termios.IXON  # otherwise the game would be blocked until Ctrl-Q
        self.termios.tcsetattr(self.file, self.termios.TCSANOW, mode)

    def restore(self) -> None:
        with suppress(self.termios.error):
            self.termios.tcsetattr(self.file, self.termios.TCSAFLUSH, self.before)

    def read(self, decoder: Decoder, seconds: float) -> list[Key]:
        from select import select

        if not select([self.file], [], [], seconds)[0]:
            return []
        read = os.read(self.file, 4096)
        if not read:
            raise SystemExit(0)  # the terminal has been closed
        return decoder.feed(self.text.decode(read))


class _Windows:
    def raw(self) -> None:
        os.system("")  # enables escape sequences in old consoles

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
