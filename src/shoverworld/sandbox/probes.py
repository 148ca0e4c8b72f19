"""Live probes: attacks that are really tried in a sandbox, to prove what this machine's protection blocks."""

import ctypes
import json
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from .errors import SandboxFailure
from .limits import MEBIBYTE, Limits
from .process import start
from .protection import Protection

_LIMITS = Limits(memory=256 * MEBIBYTE, processes=8, tmp=MEBIBYTE, cpu=60)
_ANSWER_WITHIN = 60.0
_TRACE_ME, _NEW_USER = 0, 0x1000_0000
_UNROUTED = ("192.0.2.1", 9)  # an address for documentation: nobody answers
_VARIABLE = "SHOVERWORLD_PROBE"  # a variable of this process, for the time of the probes


class Probe(NamedTuple):
    """The result of an attack. `detail`: the error that stopped it, or what it achieved."""

    name: str
    blocked: bool
    detail: str


class _Target(NamedTuple):
    """What the attacks aim at. `secret`: a file in a folder that the program was not given."""

    secret: str
    port: int
    parent: int
    home: str
    tmp: int
    memory: int


def run(protection: Protection) -> list[Probe]:
    """Try all attacks in a sandbox and return their results. Without protection, they would harm this machine."""
    if protection is Protection.NONE:
        raise ValueError("the probes need a sandbox")
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        secret = Path(folder, "secret.txt")
        secret.write_text("secret")
        os.chmod(folder, 0o755)  # only the sandbox hides it
        port, home = server.getsockname()[1], os.path.expanduser("~")
        target = _Target(str(secret), port, os.getpid(), home, _LIMITS.tmp, _LIMITS.memory)
        os.environ[_VARIABLE] = "secret"
        try:
            process = start("shoverworld.sandbox.probes:attack", (), _LIMITS, protection)
        finally:
            del os.environ[_VARIABLE]
        try:
            process.stdin.write(json.dumps(target).encode() + b"\n")
            process.confirm_sealed()
            process.wait(_ANSWER_WITHIN)
            answer = process.stdout.read(1 << 16) if process.wait(0) else b""
            if not answer:
                raise SandboxFailure(f"the probes ended {process.how_it_ended()}")
            return [Probe(*row) for row in json.loads(answer)]
        finally:
            process.close()


# --- in the sandbox


def attack(seal: Callable[[], None]) -> None:
    """Try every attack, and write the results to stdout."""
    target = _Target(*json.loads(sys.stdin.readline()))
    libc = ctypes.CDLL(None, use_errno=True)
    seal()
    rows = []
    for name, attempt in _ATTACKS.items():
        try:
            rows.append(Probe(name, False, str(attempt(target, libc))))
        except (Exception, SystemExit) as error:
            rows.append(Probe(name, True, f"{type(error).__name__}: {error}"[:80]))
    os.write(1, json.dumps(rows).encode())
    os._exit(0)


def _check(result: int) -> str:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "allowed"


def _loopback(target: _Target, libc: Any) -> str:
    with socket.create_connection(("127.0.0.1", target.port), 5):
        return "connected"


def _network(target: _Target, libc: Any) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        return f"{channel.sendto(b'x', _UNROUTED)} byte sent"


def _names(target: _Target, libc: Any) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM):  # a missing name server would not prove anything
        return f"{len(socket.getaddrinfo('localhost', 80))} addresses"


def _write_beside(target: _Target, libc: Any) -> str:
    path = Path(target.secret).with_name("written.txt")
    return f"{path.write_text('x')} byte written"


def _change_package(target: _Target, libc: Any) -> str:
    with open(__file__, "r+b"):
        return "opened for writing"


def _processes(target: _Target, libc: Any) -> str:
    others = [name for name in os.listdir("/proc") if name.isdecimal() and int(name) != os.getpid()]
    return f"{len(others)} processes are visible"


def _memory_of_parent(target: _Target, libc: Any) -> str:
    with open(f"/proc/{target.parent}/mem", "r+b"):
        return "opened for writing"


def _signal(target: _Target, libc: Any) -> str:
    os.kill(target.parent, 0)
    return "delivered"


def _fork(target: _Target, libc: Any) -> str:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "a process was started"


def _exec(target: _Target, libc: Any) -> str:
    with suppress(FileNotFoundError):  # the call is allowed, but there is no such program
        os.execv("/nothing", ["nothing"])
    return "allowed"


def _threads(target: _Target, libc: Any) -> str:
    stop, running = threading.Event(), []
    try:
        for _ in range(200):
            running.append(threading.Thread(target=stop.wait))
            running[-1].start()
    finally:
        stop.set()
        for thread in running:
            if thread.ident is not None:
                thread.join()
    return "200 threads"


def _memory(target: _Target, libc: Any) -> str:
    return f"{len(b'x' * (2 * target.memory)) >> 20} MiB"


def _fill(target: _Target, libc: Any) -> str:
    path = os.path.join(tempfile.gettempdir(), f"probe-{os.getpid()}")
    try:
        with open(path, "wb") as file:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            written = sum(file.write(bytes(1 << 16)) for _ in range(2 * target.tmp >> 16))
    finally:
        with suppress(OSError):
            os.unlink(path)
    return f"{written >> 10} KiB written"


def _root(target: _Target, libc: Any) -> str:
    if os.getuid() != 0:
        raise PermissionError(f"user {os.getuid()}")
    return "root"


_ATTACKS: dict[str, Callable[[_Target, Any], object]] = {
    "read a file that was not given": lambda target, _: len(Path(target.secret).read_text()),
    "see that such a file exists": lambda target, _: f"{os.stat(target.secret).st_size} bytes",
    "read a file of the system": lambda target, _: len(Path("/etc/passwd").read_text()),
    "list the home folder": lambda target, _: f"{len(os.listdir(target.home))} files",
    "read environment variables": lambda target, _: len(os.environ[_VARIABLE]),
    "connect to a local server": _loopback,
    "send to the network": _network,
    "look up a name (DNS)": _names,
    "write outside /tmp": _write_beside,
    "change the package": _change_package,
    "fill the disk": _fill,
    "see other processes": _processes,
    "write to the caller's memory": _memory_of_parent,
    "send a signal to the caller": _signal,
    "trace a process": lambda _, libc: _check(libc.ptrace(_TRACE_ME, 0, 0, 0)),
    "start a process": _fork,
    "run another program": _exec,
    "start 200 threads": _threads,
    "use too much memory": _memory,
    "become root": _root,
    "make a namespace": lambda _, libc: _check(libc.unshare(_NEW_USER)),
    "mount a file system": lambda _, libc: _check(libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)),
}
NAMES = tuple(_ATTACKS)
