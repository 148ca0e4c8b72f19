"""The pipes between the referee and a process that must not be trusted.

Every byte that the process writes may be an attack. The referee reads only while it waits for an answer, and never keeps
more than one answer in memory: a line of at most 64 KiB. Bytes that nobody asked for, and answers that are too long, end
the conversation. Reading and writing have deadlines.
"""

import math
import os
import queue
import re
import select
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from shoverworld.core.errors import AgentError
from shoverworld.core.text import visible
from shoverworld.sandbox import SandboxedProcess

LONGEST_ANSWER = 1 << 16  # bytes
DEEPEST_ANSWER = 32  # nested lists and objects
_LONGEST_PRINT = 10_000  # characters of one printed line
_MOST_PRINTED = 1 << 20  # bytes of output that are shown
_SHORTEST_WAIT, _LONGEST_WAIT = 0.005, 1.0  # seconds between two looks at the clock of the process
_CORES = os.cpu_count() or 1
_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"')


class TooLate(Exception):
    """The agent did not answer in time. `wall`: it was waiting, not computing, when its time was up."""

    def __init__(self, wall: bool = False):
        super().__init__()
        self.wall = wall


class Allowance:
    """The time that a process may take for one answer: processor time, and wall time as a guard.

    Wall time does not count while the machine is too busy to run the process, or while the referee itself is stopped.
    """

    def __init__(self, process: SandboxedProcess, seconds: float, wall: float):
        self.process = process
        self._used = process.cpu_seconds()
        self._looked = time.monotonic()
        self._wall = self._looked + (wall if self._used is not None else min(wall, seconds))
        self._cpu = math.inf if self._used is None else self._used + seconds

    def left(self) -> float:
        """Return how long to wait before the next look at the clocks. Raise TooLate if the time is up."""
        before, self._looked = self._looked, time.monotonic()
        self.process.paused += max(0.0, self._looked - before - 2 * _LONGEST_WAIT)  # the referee looks once a second
        wall = self._wall - self._looked
        if wall < 0:
            wall += self.process.starved_seconds()
        used = None if self._cpu == math.inf else self.process.cpu_seconds()
        cpu = math.inf if used is None else self._cpu - used
        if cpu < 0 or wall < 0:
            raise TooLate(wall=cpu >= 0 and self._used is not None)
        return min(wall, _LONGEST_WAIT, max(_SHORTEST_WAIT, cpu / _CORES))


class Printer:
    """Shows what an agent prints, line by line, without characters that could control the terminal."""

    def __init__(self, name: str):
        self._name, self._line, self._shown, self._cut = name, b"", 0, False

    def add(self, data: bytes) -> None:
        if self._cut:
            return
        self._shown += len(data)
        *lines, self._line = (self._line + data).split(b"\n")
        while len(self._line) > _LONGEST_PRINT:
            lines.append(self._line[:_LONGEST_PRINT])
            self._line = self._line[_LONGEST_PRINT:]
        for line in lines:
            self._show(line)
        if self._shown > _MOST_PRINTED:
            self._cut = True
            self._show(b"(further output is not shown)")

    def end(self) -> None:
        if self._line and not self._cut:
            self._show(self._line)
        self._line = b""

    def _show(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").rstrip("\r")
        with suppress(OSError, ValueError):  # stderr is closed
            print(visible(f"{self._name}: {text}"), file=sys.stderr, flush=True)


class Pipes:
    """The three pipes of a process. `printer`: shows what the process writes to stderr."""

    def __init__(self, process: SandboxedProcess, printer: Printer | None):
        self._process, self._printer = process, printer
        self._in, self._out, self._err = (pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr))
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._reading, self._writing = select.poll(), select.poll()
        self._writing.register(self._in, select.POLLOUT)
        for poll in (self._reading, self._writing):
            poll.register(self._out, select.POLLIN)
            poll.register(self._err, select.POLLIN)
        self._err_is_open = True

    def exchange(self, message: bytes, allowance: Allowance, sent: Callable[[], None] = lambda: None) -> bytes | None:
        """Send a message and return the answer, a line. Return None if the process has ended.

        `sent` is called when the whole message is on its way. Raise TooLate if the time is up, and AgentError if the process does not keep to the protocol.
        """
        if self._answered_early():
            return None
        rest = memoryview(message)
        while rest:
            ready = self._wait(self._writing, allowance)
            if self._out in ready and self._answered_early():
                return None
            if self._in in ready:
                try:
                    rest = rest[os.write(self._in, rest) :]
                except BlockingIOError:
                    continue
                except OSError:  # the process has ended or has closed its pipe
                    return None
        sent()
        line = b""
        while not line.endswith(b"\n"):
            if self._out in self._wait(self._reading, allowance):
                data = os.read(self._out, LONGEST_ANSWER + 1 - len(line))
                if not data:
                    return None
                line += data
                if b"\n" in data[:-1]:
                    raise AgentError("the agent's process wrote more than one answer", "protocol")
                if len(line) > LONGEST_ANSWER:
                    raise AgentError(
                        f"the agent's process wrote an answer of more than {LONGEST_ANSWER:,} bytes", "output"
                    )
        return line

    def _wait(self, poll: "select.poll", allowance: Allowance) -> set[int]:
        """Return the pipes that are ready. What the process prints is shown meanwhile."""
        ready = {pipe for pipe, _ in poll.poll(math.ceil(allowance.left() * 1000))}
        if self._err in ready:
            self._show()
        return ready

    def _answered_early(self) -> bool:
        """Return whether the process has ended. Raise AgentError if it wrote something that nobody asked for."""
        try:
            data = os.read(self._out, 1)
        except BlockingIOError:
            return False
        if data:
            raise AgentError("the agent's process wrote an answer before it was asked", "protocol")
        return True

    def _show(self) -> None:
        try:
            data = os.read(self._err, 1 << 16)
        except BlockingIOError:
            return
        if not data:  # the process has closed it
            for poll in (self._reading, self._writing):
                with suppress(KeyError):
                    poll.unregister(self._err)
            self._err_is_open = False
        elif self._printer is not None:
            self._printer.add(data)

    def close(self) -> None:
        """Show the rest of the output. The process has ended."""
        if self._printer is not None and self._err_is_open:
            self._show()
        if self._printer is not None:
            self._printer.end()


class ThreadedPipes:
    """The same for Windows, where a program cannot wait for several pipes. It is used for trusted agents only."""

    def __init__(self, process: SandboxedProcess, printer: Printer | None):
        self._process = process
        self._answers: queue.Queue[bytes | None] = queue.Queue(1)
        threading.Thread(target=self._listen, daemon=True).start()
        self._printing = threading.Thread(target=self._print, args=(printer,), daemon=True)
        self._printing.start()

    def exchange(self, message: bytes, allowance: Allowance, sent: Callable[[], None] = lambda: None) -> bytes | None:
        with suppress(OSError):
            self._process.stdin.write(message)
        sent()
        while True:
            try:
                return self._answers.get(timeout=allowance.left())
            except queue.Empty:
                continue

    def _listen(self) -> None:
        line = b""
        with suppress(OSError, ValueError):
            while data := os.read(self._process.stdout.fileno(), 1 << 16):
                line += data
                if line.endswith(b"\n") or len(line) > LONGEST_ANSWER:
                    self._answers.put(line)
                    line = b""
        self._answers.put(None)

    def _print(self, printer: Printer | None) -> None:
        with suppress(OSError, ValueError):
            while data := os.read(self._process.stderr.fileno(), 1 << 16):
                if printer is not None:
                    printer.add(data)
        if printer is not None:
            printer.end()

    def close(self) -> None:
        self._printing.join(2.0)


def pipes_of(process: SandboxedProcess, prints_as: str) -> Pipes | ThreadedPipes:
    """Return the pipes of a process. `prints_as`: the name before each line of its output; "": nothing is shown."""
    printer = Printer(prints_as) if prints_as else None
    return ThreadedPipes(process, printer) if os.name == "nt" else Pipes(process, printer)


def depth(line: bytes) -> int:
    """Return how deeply the lists and objects in a line of JSON are nested."""
    if line.count(b"[") + line.count(b"{") <= DEEPEST_ANSWER:
        return 0  # a shorter test for almost every answer
    level = most = 0
    for byte in _TEXT.sub(b"", line):
        if byte in b"[{":
            level += 1
            most = max(most, level)
        elif byte in b"]}":
            level -= 1
    return most
