"""Start a contained process, and watch it from outside: its processor time, how it ended, nothing left behind."""

import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from shoverworld.core.text import one_line

from . import bubblewrap
from .cgroup import Cgroup
from .errors import SandboxFailure
from .inner import GO, STACK
from .limits import Limits
from .protection import Protection
from .python import python_folders, python_path
from .users import unused_user

_LINUX = sys.platform.startswith("linux")
_SO_PASSCRED, _SCM_CREDENTIALS = 16, 2
_CREDENTIALS = struct.Struct("3i")  # process id, user id, group id
_START_WITHIN = 120.0  # seconds until a process must have started; on a busy machine, this can take long
_END_WITHIN = 10.0
_SPARE_MEMORY = 1 << 26
# Only what Python and NumPy need. The hash seed makes agents that iterate over sets reproducible.
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/tmp",
    "TMPDIR": "/tmp",
    "NUMBA_CACHE_DIR": "/tmp/numba",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "OPENBLAS_NUM_THREADS": "1",  # its threads would start before the process is sealed
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",  # each thread would reserve 128 MiB of address space
    "PYTHONHASHSEED": "0",
}


def start(
    entry: str,
    readable: Sequence[str | Path] = (),
    limits: Limits | None = None,
    protection: Protection | None = None,
    environment: dict[str, str] | None = None,
) -> "SandboxedProcess":
    """Start a contained Python process that calls an entry function, given as "package.module:function".

    The function gets one argument, `seal`, and must call `seal()` before it touches anything untrusted. Until then it can
    read `readable` and the Python installation, and write to /tmp. `environment`: variables in addition to the few that
    every contained process gets. `protection`: None for the strongest one. Raise SandboxUnavailable if this machine does
    not offer the protection, and SandboxFailure if the process does not start.
    """
    protection = Protection.chosen(protection)
    limits = limits or Limits()
    try:
        return _start(entry, [str(Path(path).absolute()) for path in readable], limits, protection, environment or {})
    except OSError as error:
        raise SandboxFailure(f"the sandbox cannot be started: {error.strerror or error}") from error


def _start(
    entry: str, own: list[str], limits: Limits, protection: Protection, environment: dict[str, str]
) -> "SandboxedProcess":
    contained = protection is not Protection.NONE
    readable = [*own, *python_folders(), *bubblewrap.system_paths()] if contained else []
    here, there = _channel() if _LINUX else (None, None)
    settings = {
        "entry": entry,
        "paths": python_path() if contained else _full_path(),
        "uid": unused_user() if contained and os.geteuid() == 0 else None,
        "channel": there.fileno() if there else None,
        "protection": protection.value,
        "own": own,
        "readable": [path for name in readable for path in {name, os.path.realpath(name)}],
        "writable": ["/tmp"] if protection is Protection.BUBBLEWRAP else [],
        "limits": limits.as_dict(),
    }
    python = [sys.executable, "-s", "-P", "-B", str(Path(__file__).with_name("inner.py")), json.dumps(settings)]
    outer = bubblewrap.arguments([*own, *python_folders()], limits.tmp) if protection is Protection.BUBBLEWRAP else []
    group = Cgroup.create(limits.processes) if contained else None
    try:
        child = subprocess.Popen(
            [*outer, *python],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**(_ENVIRONMENT if contained else os.environ), **environment},
            cwd="/" if contained else None,
            pass_fds=[there.fileno()] if there else [],
            start_new_session=os.name == "posix",  # Ctrl-C does not reach the program
        )
    except BaseException:
        if group:
            group.remove()
        if here:
            here.close()
        raise
    finally:
        if there:
            there.close()
    process = SandboxedProcess(child, here, group, limits, protection)
    try:
        process._meet()
    except BaseException:
        process.close()
        raise
    return process


def _channel() -> tuple[socket.socket, socket.socket]:
    """Return two connected sockets. What arrives at the first one carries the process id of its sender."""
    here, there = socket.socketpair()
    here.setsockopt(socket.SOL_SOCKET, _SO_PASSCRED, 1)  # before the program starts, which may send at once
    return here, there


def _full_path() -> list[str]:
    """Return this process's `sys.path` for a trusted program, without the current folder."""
    paths = [path for path in sys.path if path]
    return paths if str(Path(__file__).parents[2]) in paths else [*paths, str(Path(__file__).parents[2])]


class SandboxedProcess:
    """A contained process. `stdin`, `stdout` and `stderr` are unbuffered pipes; `pid` is the id of the program itself.

    Call `confirm_sealed` when the program is expected to seal itself, and `close` at the end.
    """

    def __init__(
        self,
        child: "subprocess.Popen[bytes]",
        channel: socket.socket | None,
        group: Cgroup | None,
        limits: Limits,
        protection: Protection,
    ):
        self.protection, self.limits = protection, limits
        self._child, self._channel, self._group = child, channel, group
        self._lock = threading.Lock()
        self._status: int | None = None  # exit code, or minus the number of the signal
        self._total = 0.0  # processor time after the end
        self._out_of_memory = False
        self.paused = 0.0  # seconds during which the caller could not look after the program, because it was stopped
        self._program: int | None = None  # a handle (pidfd) of the program
        self._outer: int | None = os.pidfd_open(child.pid) if _LINUX else None
        self.pid = child.pid

    @property
    def stdin(self) -> IO[bytes]:
        assert self._child.stdin is not None
        return self._child.stdin

    @property
    def stdout(self) -> IO[bytes]:
        assert self._child.stdout is not None
        return self._child.stdout

    @property
    def stderr(self) -> IO[bytes]:
        assert self._child.stderr is not None
        return self._child.stderr

    # --- the start

    def _meet(self) -> None:
        """Wait for the program's first sign, learn its process id from the kernel, and put it into its group."""
        if self._channel is None:
            return
        self._channel.settimeout(_START_WITHIN)
        pid, _, _ = self._heard(b"?")
        self.pid = pid
        self._program = os.pidfd_open(pid)
        if self._group is not None:
            self._group.add(pid)
        self._channel.sendall(GO)

    def confirm_sealed(self) -> None:
        """Wait until the program has sealed itself, and let it continue. Raise SandboxFailure if it does not."""
        if self._channel is None:
            return
        try:
            _, uid, _ = self._heard(b"!")
            if uid == 0 and self.protection is not Protection.NONE:
                raise SandboxFailure("the sandbox failed: the program runs as root")
            if self._group is not None:
                # More than the limit of the process, so that the program usually gets a MemoryError with a line number.
                self._group.limit_memory(self.limits.memory + self.limits.processes * STACK + _SPARE_MEMORY)
            self._channel.sendall(GO)
        except OSError as error:
            raise SandboxFailure(f"the sandbox failed: {error.strerror or error}") from error
        finally:
            self._channel.close()

    def _heard(self, expected: bytes) -> tuple[int, int, int]:
        """Return the process id, user id and group id of the program that sent the expected byte."""
        assert self._channel is not None
        try:
            data, control, _, _ = self._channel.recvmsg(1, socket.CMSG_SPACE(_CREDENTIALS.size))
        except TimeoutError:
            raise SandboxFailure(f"the sandbox did not start within {_START_WITHIN:g} s") from None
        except OSError:
            data, control = b"", []
        for level, kind, content in control:
            if data == expected and level == socket.SOL_SOCKET and kind == _SCM_CREDENTIALS:
                return _CREDENTIALS.unpack(content)
        raise SandboxFailure(f"the sandbox did not start: {self._last_words()}")

    def _last_words(self) -> str:
        """Return the end of what bubblewrap or the first program wrote to stderr before it ended."""
        self.kill()
        os.set_blocking(self.stderr.fileno(), False)
        text = self.stderr.read(1 << 16) or b""
        return one_line(text.decode("utf-8", "replace"))[-300:] or self.how_it_ended()

    # --- while it runs

    def cpu_seconds(self) -> float | None:
        """Return the processor time of all threads of the program, also after its end. None: unknown on this system."""
        if not _LINUX:
            return None
        with suppress(OSError):
            if self._status is None:
                self._total = time.clock_gettime((~self.pid << 3) | 2)  # the kernel's clock of this process
                return self._total
        self.wait(_END_WITHIN)
        return self._total

    def forget_starvation(self) -> None:
        """Let `starved_seconds` count from now on."""
        self.paused = 0.0
        self.paused = -self.starved_seconds()

    def starved_seconds(self) -> float:
        """Return how long the program was ready to run, but the machine was busy with others or was paused."""
        delays = [0.0]
        if _LINUX and self._status is None:
            with suppress(OSError, ValueError, IndexError):  # the program has ended
                for task in os.scandir(f"/proc/{self.pid}/task"):
                    delays.append(int(Path(task.path, "schedstat").read_text().split()[1]) / 1e9)
        return max(0.0, self.paused + max(delays))

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the process. Return False if it has not ended after this many seconds."""
        with self._lock:
            if self._status is not None:
                return True
            if self._outer is None:
                try:
                    self._status = self._child.wait(seconds)
                except subprocess.TimeoutExpired:
                    return False
                return True
            watcher = select.poll()
            watcher.register(self._outer, select.POLLIN)
            if not watcher.poll(seconds * 1000):
                return False
            self._reap()
            return True

    def _reap(self) -> None:
        """Note the exit status and the processor time of the whole tree of processes."""
        self._out_of_memory = self._group is not None and self._group.out_of_memory()
        try:
            _, status, usage = os.wait4(self._child.pid, 0)
            code = os.waitstatus_to_exitcode(status)
            self._total = max(self._total, usage.ru_utime + usage.ru_stime)
        except ChildProcessError:  # the caller ignores SIGCHLD
            code = 0
        self._child.returncode = code
        # bubblewrap reports a signal as an exit code, as shells do.
        by_signal = self.protection is Protection.BUBBLEWRAP and 128 < code <= 128 + 64
        self._status = 128 - code if by_signal else code

    def out_of_memory(self) -> bool:
        """Return whether the kernel ended the process because of its memory limit."""
        return self._out_of_memory or (self._group is not None and self._group.out_of_memory())

    def how_it_ended(self) -> str:
        """Describe the end of the process in words: "with exit code 3", "with signal 11 (Segmentation fault)"."""
        if not self.wait(_END_WITHIN if self.pid != self._child.pid else 2.0):
            return "or closed its pipe"
        if self.out_of_memory():
            return f"because it used more than {self.limits.memory >> 20} MiB of memory"
        if self._status is not None and self._status < 0:
            return f"with signal {-self._status} ({signal.strsignal(-self._status)})"
        return f"with exit code {self._status}"

    # --- the end

    def kill(self) -> None:
        """End the program and all its processes, and wait until they are gone."""
        if self.protection is Protection.BUBBLEWRAP and self._program is not None:
            with suppress(OSError):
                signal.pidfd_send_signal(self._program, signal.SIGKILL)
            if self.wait(_END_WITHIN):  # bubblewrap, the first process of the namespace, ends with the program
                return
        with self._lock:
            if self._status is None:  # not reaped yet, so the process id has not been reused
                with suppress(OSError):
                    if os.name == "posix":
                        os.killpg(self._child.pid, signal.SIGKILL)
                    else:
                        self._child.kill()
        self.wait(_END_WITHIN)

    def close(self) -> None:
        """End everything that is left of the process, and remove its group."""
        self.kill()
        for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
            if pipe is not None:
                pipe.close()
        if self._channel is not None:
            self._channel.close()
        for handle in (self._program, self._outer):
            if handle is not None:
                os.close(handle)
        self._program = self._outer = None
        if self._group is not None:
            self._group.remove()
            self._group = None
