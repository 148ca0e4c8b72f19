"""Watches a run with random events: exceptions, failed overlays and hints, and what is left over afterwards."""

import ctypes
import os
import re
import sys
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from shoverworld.play.guard import Guard

# A message with the name of an exception shows that something failed unexpectedly. The agents in files.py that fail on
# purpose raise other exceptions.
EXCEPTION = re.compile(r"\b(?!SyntaxError)[A-Z]\w+Error\b|\[Errno|Traceback")
PATIENCE = 20.0  # seconds that background threads and processes have to end


class Finding(NamedTuple):
    """A defect that a run has found."""

    what: str
    details: str


class Watch:
    """What one run does and finds. `note` records each event; the last ones are part of every finding."""

    def __init__(self, seed: int, name: str):
        self.seed, self.name = seed, name
        self.events = 0
        self.screens: Counter[str] = Counter()  # the number of events on each screen
        self.findings: list[Finding] = []
        self._last: deque[str] = deque(maxlen=50)
        self._seen: set[str] = set()

    def note(self, screen: str, event: str) -> None:
        self.events += 1
        self.screens[screen] += 1
        self._last.append(f"{screen}: {event}")

    def amend(self, details: str) -> None:
        """Add details to the last event."""
        if details:
            self._last[-1] += f" {details}"

    def found(self, what: str, error: BaseException | None = None) -> None:
        """Record a defect, but each one only once per run."""
        lines = traceback.format_exception(error) if error is not None else []
        key = what + "".join(lines[-3:])
        if key not in self._seen:
            self._seen.add(key)
            events = "\n".join(f"  {event[:160]}" for event in self._last)
            head = f"seed {self.seed} ({self.name}), event {self.events}: {what}"
            self.findings.append(Finding(what, f"{head}\nlast events:\n{events}\n{''.join(lines)}"))

    def shown(self, text: str) -> None:
        """Check a line of text that the player sees."""
        if EXCEPTION.search(text):
            self.found(f"the message {text!r}")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Record exceptions in threads and destructors, failures that a guard reports, and whatever is left over."""
        guarded, in_thread, in_destructor = Guard.__call__, threading.excepthook, sys.unraisablehook

        def call(guard: Guard, what: str, make: Any, otherwise: Any) -> Any:
            def noted() -> Any:
                try:
                    return make()
                except Exception as error:
                    self.found(f"{what} failed", error)
                    raise

            return guarded(guard, what, noted, otherwise)

        Guard.__call__ = call  # type: ignore[method-assign]
        threading.excepthook = lambda args: self.found(f"exception in the thread {args.thread}", args.exc_value)
        sys.unraisablehook = lambda args: self.found(f"exception in {args.object!r:.60}", args.exc_value)
        threads, processes = set(threading.enumerate()), children()
        try:
            yield
            self._check_left_over(threads, processes)
        finally:
            Guard.__call__ = guarded  # type: ignore[method-assign]
            threading.excepthook, sys.unraisablehook = in_thread, in_destructor

    def _check_left_over(self, threads: set[threading.Thread], processes: set[int]) -> None:
        """Background work must end soon after its screen has been closed. The arguments were there before it started."""
        until = time.monotonic() + PATIENCE
        while True:
            names = sorted(thread.name for thread in _threads(threads))
            commands = [command for number in sorted(children() - processes) if (command := command_of(number))]
            commands = [command for command in commands if RESOURCE_TRACKER not in command]
            if not names and not commands:
                return
            if time.monotonic() > until:
                self.found(
                    f"threads left: {', '.join(names) or 'none'}; processes left: {', '.join(commands) or 'none'}"
                )
                return
            time.sleep(0.01)

    def check_files(self, folder: Path, temporary: Path) -> None:
        """Record unfinished files in `folder` and anything in the folder for temporary files."""
        left = [path.name for path in folder.rglob("*.part")] + os.listdir(temporary)
        if left:
            self.found(f"temporary files left: {', '.join(sorted(left))}")


RESOURCE_TRACKER = "multiprocessing.resource_tracker"  # Python's own process, which runs until its parent ends


def _threads(before: set[threading.Thread]) -> list[threading.Thread]:
    now = (thread for thread in threading.enumerate() if thread not in before)
    return [thread for thread in now if thread.name != "getting ready"]  # it ends by itself, once per game


def children() -> set[int]:
    """Return the numbers of the child processes. The set is empty except on Linux."""
    found: set[int] = set()
    for listed in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found.update(map(int, listed.read_text().split()))
    return found


def command_of(number: int) -> str:
    """Return the command line of a process, which is empty if the process has ended or has not started its program."""
    with suppress(OSError):
        words = Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
        return b" ".join(words).decode(errors="replace").strip()[:80]
    return ""


def memory() -> float:
    """Return the memory that this process uses, in MB, without memory that was freed but not returned to the system."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # only in glibc
    if trim is not None:
        trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
