"""Runs the `shover` command in forks of a process that has already imported the package.

Starting Python and importing the package, Numba and NumPy takes about 0.6 s of processor time, and the tests run several
hundred commands. Each command still has a process of its own, with its own arguments, environment, folder and streams.
"""

import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.paths import ROOT

# Python and Numba read these variables only when they start, and the package reads them when it is imported.
READ_AT_START = ("PYTHON", "LC_", "LANG", "NUMBA_", "SHOVERWORLD_CACHE", "SHOVERWORLD_QUIET", "SHOVERWORLD_LLVM_ONLY")


def read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a forked process cannot change."""
    return {name: value for name, value in environment.items() if name.startswith(READ_AT_START)}


def take_terminal() -> None:
    """Make the standard input the terminal of this session."""
    import fcntl  # only on POSIX systems
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class ForkedProcess:
    """A process that the server has forked. The methods are those of `subprocess.Popen`."""

    def __init__(self, status: int):
        self._status = os.fdopen(status)  # a pipe on which the process identifier and then the exit code arrive
        self.pid = int(self._status.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("shover", timeout or 0)
            with self._status as status:
                self.returncode = int(status.readline())
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """A server process of this test process. It ends when this process ends."""

    def __init__(self) -> None:
        self._socket, other = socket.socketpair()
        with other:
            self.environment = read_at_start(os.environ)
            start = f"from tests.fork_server import serve; serve({other.fileno()})"
            self.process = subprocess.Popen([sys.executable, "-c", start], pass_fds=[other.fileno()], cwd=ROOT)

    def start(
        self,
        arguments: Sequence[str],
        files: tuple[int, int, int],
        cwd: Path,
        environment: Mapping[str, str],
        terminal: bool = False,
    ) -> ForkedProcess:
        """Start `shover` with these arguments and standard streams.

        `terminal`: the process leads a new session, and its standard input is the terminal of the session.
        """
        request = json.dumps([list(arguments), str(cwd), dict(environment), terminal])
        status, to_status = os.pipe()
        socket.send_fds(self._socket, [b"!"], [*files, to_status])
        self._socket.sendall(f"{request}\n".encode())
        os.close(to_status)
        return ForkedProcess(status)


@cache
def fork_server() -> ForkServer:
    return ForkServer()


# --- in the server


def serve(file: int) -> None:
    """Import the package, then fork for every request until the tests end."""
    _import_package()
    gc.freeze()  # the forks share the memory of these objects
    with socket.socket(fileno=file) as connection, connection.makefile("rb") as stream:
        while True:
            _, files, *_ = socket.recv_fds(connection, 1, 4)
            if not files:
                return
            request = json.loads(stream.readline())
            if os.fork() == 0:
                break
            for received in files:
                os.close(received)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    *streams, status = files
    if process := os.fork():  # the server does not wait for the command, but this process does
        for received in streams:
            os.close(received)
        os.write(status, f"{process}\n".encode())
        os.write(status, f"{os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])}\n".encode())
        os._exit(0)
    os.close(status)
    _become_command(streams, *request)


def _import_package() -> None:
    from shoverworld.commands.parser import COMMANDS

    for name in (*(f"commands.{command}" for command in COMMANDS), "shover", "sokoban", "race"):
        import_module(f"shoverworld.{name}")
    with suppress(ImportError):  # an optional extra, for the plots of `shover compare`
        import_module("matplotlib.figure")


def _become_command(
    streams: list[int], arguments: list[str], cwd: str, environment: dict[str, str], terminal: bool
) -> None:
    """Do what `python -m shoverworld.cli` does after it has started."""
    for target, file in enumerate(streams):
        os.dup2(file, target)
    for file in streams:
        os.close(file)
    if terminal:
        os.setsid()
        take_terminal()
    # The server's own stream objects assume another type of file.
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # noqa: SIM115 - open until the program ends
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0] = cwd
    sys.argv[1:] = arguments
    runpy.run_module("shoverworld.cli", run_name="__main__", alter_sys=True)
