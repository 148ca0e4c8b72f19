"""Runs the `shover` command for tests."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer
from typing import Any, Protocol

from tests.fork_server import ForkServer, fork_server, read_at_start, take_terminal

SHOVER = (sys.executable, "-m", "shoverworld.cli")
TIME_LIMIT = 280.0  # in seconds; a slow machine may have to compile first


class Process(Protocol):
    """What the tests use of a process: `subprocess.Popen` and `ForkedProcess` have these methods."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, number: int, /) -> None: ...
    def kill(self) -> None: ...


def run_shover(
    *arguments: Any, cwd: Path | None = None, variables: Mapping[str, str | None] | None = None, fresh: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own and return its exit code and its output.

    `variables`: additional environment variables; None removes a variable. `fresh`: start a new interpreter instead of a fork (see
    fork_server.py), which takes 0.6 s longer.
    """
    words = [str(argument) for argument in arguments]
    (output, to_output), (errors, to_errors) = os.pipe(), os.pipe()
    changed = {**os.environ, **(variables or {})}
    environment = {name: value for name, value in changed.items() if value is not None}
    process = start_shover(words, (0, to_output, to_errors), cwd or Path.cwd(), environment, fresh=fresh)
    os.close(to_output)
    os.close(to_errors)
    timer = Timer(TIME_LIMIT, process.kill)  # the exit code -9 then fails the test
    timer.start()
    with ThreadPoolExecutor(2) as pool:
        texts = pool.map(_text, (output, errors))
    timer.cancel()
    return subprocess.CompletedProcess(words, process.wait(), *texts)


def start_shover(
    arguments: Sequence[str],
    files: tuple[int, int, int],
    cwd: Path,
    environment: Mapping[str, str],
    terminal: bool = False,
    fresh: bool = False,
) -> Process:
    """Start a command with these standard streams and return its process.

    `terminal`: the process leads a new session, and its standard input is the terminal of the session.
    """
    if not fresh and (server := _server_for(environment)):
        return server.start(arguments, files, cwd, environment, terminal)
    return subprocess.Popen(
        [*SHOVER, *arguments],
        stdin=files[0], stdout=files[1], stderr=files[2], cwd=cwd, env=environment, start_new_session=terminal,
        preexec_fn=take_terminal if terminal else None,
    )  # fmt: skip


def _server_for(environment: Mapping[str, str]) -> ForkServer | None:
    """Return the server that can fork a command with this environment, or None if there is no such server."""
    if sys.platform != "linux":
        return None
    server = fork_server()
    return server if read_at_start(environment) == server.environment else None


def _text(file: int) -> str:
    newline = None if sys.platform == "win32" else ""  # elsewhere, a carriage return stays visible
    with open(file, encoding="utf-8", newline=newline) as stream:
        return stream.read()
