"""A real X server without a monitor (Xvfb), with a simulated keyboard and mouse (xdotool).

There is no window manager, so a window needs the focus before it receives keys. The constructor of `Window` returns
once the window has reacted to a key. From then on no key is lost.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageGrab

from tests.commands import start_shover
from tests.paths import ROOT

PATIENCE = 240.0  # time limit in seconds; a slow machine may have to compile first
NEEDED = ("Xvfb", "xdotool", "ffmpeg")
SIZE = 1280, 900


def require_x() -> None:
    """Skip the test if there is no X server. In CI, where .ci/run installs the X server, fail instead."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing and os.environ.get("CI", "").lower() in ("1", "true", "yes"):
        pytest.fail(f"{', '.join(missing)} not found: .ci/run should have installed it")
    if missing:
        pytest.skip(f"{', '.join(missing)} not found; on Debian: apt-get install xvfb xdotool ffmpeg")


def until(condition: Callable[[], Any], what: str, every: float = 0.05) -> Any:
    """Poll the condition until its value is true, and return that value."""
    end = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < end, f"not after {PATIENCE:g} s: {what}"
        time.sleep(every)
    return value


def picture_in(path: Path) -> np.ndarray:
    """Wait until the file is complete and return its picture as a uint8 array (height, width, 3)."""
    found: list[np.ndarray] = []

    def complete() -> bool:
        with suppress(OSError, SyntaxError):  # Pillow raises these for an incomplete file
            found.append(np.asarray(Image.open(path).convert("RGB")))
        return bool(found)

    until(complete, f"a picture in {path.name}")
    return found[0]


class Server:
    """A new X server on a free display."""

    def __init__(self) -> None:
        reading, writing = os.pipe()
        # -r: no auto-repeat, even if a key appears to be held down. -noreset: the server does not restart when its last
        # client leaves, because a restarting server would refuse the next client.
        self.process = subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(writing),
                "-screen",
                "0",
                f"{SIZE[0]}x{SIZE[1]}x24",
                "-nolisten",
                "tcp",
                "-r",
                "-noreset",
            ],
            pass_fds=[writing],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as output:
            number = output.readline().strip()
        assert number, "Xvfb did not start"
        self.display = f":{number}"

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()

    def environment(self, home: Path) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SDL_", "WAYLAND_"))}
        return {**kept, "DISPLAY": self.display, "SHOVERWORLD_HOME": str(home), "SDL_AUDIODRIVER": "dummy"}

    def do(self, *arguments: Any) -> str:
        """Run xdotool."""
        run = subprocess.run(
            ["xdotool", *map(str, arguments)],
            env={**os.environ, "DISPLAY": self.display},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        return run.stdout.strip()

    def picture(self) -> np.ndarray:
        """Return the content of the screen as a uint8 array (height, width, 3)."""
        return np.asarray(ImageGrab.grab(xdisplay=self.display).convert("RGB"))


class Window:
    """Runs `shover` with arguments and waits for a window whose title contains `caption`."""

    def __init__(self, server: Server, home: Path, caption: str, *arguments: Any):
        self.server, self.home = server, home
        home.mkdir(parents=True, exist_ok=True)
        self._log = (home.parent / "output.txt").open("w+")
        words, log = [str(argument) for argument in arguments], self._log.fileno()
        self.process = start_shover(words, (0, log, log), ROOT, server.environment(home))
        self.id = ""
        try:
            until(lambda: self._found(caption), f"a window with the title {caption}")
            self.focus()
            until(self._reacts, "the window reacts to a key")
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> "Window":
        return self

    def __exit__(self, *reason: Any) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._log.close()

    def _running(self) -> None:
        if self.process.poll() is not None:
            self._log.seek(0)
            raise AssertionError(f"the program has ended with {self.process.poll()}: {self._log.read()}")

    def _found(self, caption: str) -> bool:
        self._running()
        self.id = self.server.do("search", "--onlyvisible", "--pid", self.process.pid).split("\n")[0]
        return bool(self.id) and caption in self.caption

    def focus(self) -> None:
        """Give the window the keyboard focus and wait until the window has the focus."""

        def focused() -> bool:
            self._running()
            self.server.do("windowfocus", self.id)
            return self.server.do("getwindowfocus") == self.id

        until(focused, "the window has the focus")

    def _reacts(self) -> bool:
        """Request a screenshot, which does not change the game, and return whether the program has saved one."""
        self._running()
        before = len(self.shots())
        self.server.do("key", "--delay", 0, "F12")
        end = time.monotonic() + 2.0
        while len(self.shots()) == before and time.monotonic() < end:
            time.sleep(0.02)
        return len(self.shots()) > before

    # --- input

    def press(self, *keys: str) -> None:
        """Press keys, given by their X names, without a delay."""
        self._running()
        self.server.do("key", "--delay", 0, *keys)

    def point(self, place: tuple[int, int]) -> None:
        self.server.do("mousemove", "--window", self.id, *place)

    def click(self, place: tuple[int, int]) -> None:
        self.point(place)
        self.server.do("click", 1)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.point(start)
        self.server.do("mousedown", 1)
        middle = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        self.point(middle)
        self.point(end)
        self.server.do("mouseup", 1)

    def resize(self, size: tuple[int, int]) -> None:
        self.server.do("windowsize", self.id, *size)

    def ends(self, key: str = "") -> int:
        """Press `key` repeatedly (a press may be lost) until the program has ended, and return its exit code."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, "the program does not end"
            if key:
                self.server.do("key", "--delay", 0, key)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(1.0)
        return self.process.wait()

    # --- output

    @property
    def caption(self) -> str:
        return self.server.do("getwindowname", self.id)

    def shots(self) -> list[Path]:
        return sorted((self.home / "screenshots").glob("*.png"), key=lambda path: path.stat().st_mtime_ns)

    def shot(self) -> np.ndarray:
        """Return a screenshot that the program itself has taken, as a uint8 array (height, width, 3)."""
        before = set(self.shots())
        self.press("F12")
        (path, *_) = until(lambda: self._running() or set(self.shots()) - before, "a screenshot")
        return picture_in(path)

    def on_screen(self) -> np.ndarray:
        """Return the pixels of the window as the X server shows them."""
        geometry = dict(line.split("=") for line in self.server.do("getwindowgeometry", "--shell", self.id).split("\n"))
        x, y, width, height = (int(geometry[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))
        return self.server.picture()[max(0, y) : y + height, max(0, x) : x + width]
