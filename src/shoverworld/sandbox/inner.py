"""The first program in a sandbox. It runs before anything else, contains the process, and then calls an entry function.

`python inner.py SETTINGS`, where SETTINGS is JSON (see `process.py`). The entry function gets one argument, `seal`. It
prepares everything that is trusted, calls `seal()`, and only then touches anything that is not. `seal` gives up all
rights for good: limits, Landlock, the seccomp filter. This file is run by its path and imports only the standard library
until privileges are dropped.
"""

import ctypes
import json
import os
import signal
import stat
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_KEEPCAPS, _PR_SET_NO_NEW_PRIVS = 1, 4, 8, 38
_DAC_READ_SEARCH = 1 << 2
_CAPABILITY_VERSION = 0x20080522
DEVICES_READ = ("/dev/urandom", "/dev/random", "/dev/zero")
DEVICES_WRITTEN = ("/dev/null",)
GO = b"+"
STACK = 1 << 23  # the address space of a thread's stack; most of it is never used
_RESERVED = 1 << 28  # address space that the C library reserves for threads and does not use
_MEMORY_LIMIT_WITHOUT_PROC = 1 << 29  # the memory of the interpreter and the libraries, if it cannot be measured


def main() -> None:
    settings = json.loads(sys.argv[1])
    sys.argv = [sys.argv[0]]
    channel = settings["channel"]
    if channel is not None:
        os.write(channel, b"?")  # the kernel attaches the process id
        _wait_for_go(channel)  # now this process is in its cgroup
    if settings["protection"] != "none":
        _drop_privileges(settings["uid"], [sys.executable, *settings["paths"]], settings["own"])
    if sys.platform.startswith("linux"):
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # after a change of the user, which would reset it
    sys.path[:] = settings["paths"]
    module, _, name = settings["entry"].partition(":")
    getattr(import_module(module), name)(_sealer(settings))


def _sealer(settings: dict[str, Any]) -> Callable[[], None]:
    def seal() -> None:
        if settings["protection"] != "none":
            _seal(settings)
        if settings["channel"] is not None:
            os.write(settings["channel"], b"!")
            _wait_for_go(settings["channel"])
            os.close(settings["channel"])

    return seal


def _wait_for_go(channel: int) -> None:
    if os.read(channel, 1) != GO:
        os._exit(0)  # the process that started this one has ended


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option} failed")


# --- privileges


def _drop_privileges(uid: int | None, python: list[str], own: list[str]) -> None:
    """Become an ordinary user without any capability, if this process is root.

    `python`: the interpreter and the folders of its modules. `own`: the files of the program.
    """
    if uid is None:
        return
    _prctl(_PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    # Files of root that nobody else may read stay readable if they were named as readable. What else can be opened is
    # limited by the mounts and by Landlock, not by the owner of a file.
    readable = all(map(_is_readable, python)) and all(map(_is_wholly_readable, own))
    capabilities = 0 if readable else _DAC_READ_SEARCH
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    data = (ctypes.c_uint32 * 6)(capabilities, capabilities, 0, 0, 0, 0)
    if ctypes.CDLL(None, use_errno=True).capset(header, data) != 0:
        raise OSError(ctypes.get_errno(), "the capabilities cannot be dropped")


def _is_readable(path: str) -> bool:
    """Return whether this user may read a file or list a folder. A path that does not exist does not matter."""
    try:
        is_folder = stat.S_ISDIR(os.stat(path).st_mode)
    except PermissionError:  # a folder on the way is closed
        return False
    except OSError:
        return True
    return os.access(path, os.R_OK | os.X_OK if is_folder else os.R_OK)


def _is_wholly_readable(path: str) -> bool:
    """Return whether this user may read a file, or a folder with everything in it."""
    return _is_readable(path) and all(
        _is_readable(os.path.join(folder, name)) for folder, inner, files in os.walk(path) for name in [*inner, *files]
    )


# --- limits


def _seal(settings: dict[str, Any]) -> None:
    from shoverworld.sandbox import landlock, seccomp  # the package is on the path by now

    _check_threads()
    _set_limits(settings["limits"], settings["protection"], settings["uid"])
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _prctl(_PR_SET_DUMPABLE, 0)
    readable = [*settings["readable"], *DEVICES_READ]
    landlock.restrict(readable, [*settings["writable"], *DEVICES_WRITTEN])
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    seccomp.install(syscall)


def _check_threads() -> None:
    """Raise RuntimeError if there are other threads: Landlock would not restrict them."""
    try:
        count = len(os.listdir("/proc/self/task"))
    except OSError:
        count = threading.active_count()
    if count > 1:
        raise RuntimeError(f"the process has {count} threads before it is sealed; expected one")


def _set_limits(limits: dict[str, Any], protection: str, uid: int | None) -> None:
    import resource  # only on Unix

    address_space, data = _memory_now()
    stacks = limits["processes"] * STACK
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    wanted = {
        resource.RLIMIT_AS: address_space + limits["memory"] + stacks + _RESERVED,
        resource.RLIMIT_DATA: data + limits["memory"] + stacks,
        resource.RLIMIT_NPROC: _threads_of_user(protection, uid) + limits["processes"],
        resource.RLIMIT_FSIZE: limits["tmp"],
        resource.RLIMIT_NOFILE: limits["files"],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
    }
    if limits["cpu"] is not None:
        wanted[resource.RLIMIT_CPU] = int(used + limits["cpu"]) + 5
    for limit, value in wanted.items():
        most = resource.getrlimit(limit)[1]
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(limit, (value, value))


def _memory_now() -> tuple[int, int]:
    """Return the size of the address space and of the private memory, in bytes."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = [int(word) for word in file.read().split()]
    except OSError:
        return _MEMORY_LIMIT_WITHOUT_PROC, _MEMORY_LIMIT_WITHOUT_PROC
    size = os.sysconf("SC_PAGE_SIZE")
    return pages[0] * size, pages[5] * size


def _threads_of_user(protection: str, uid: int | None) -> int:
    """Return how many threads count towards the limit already.

    A user of its own, or a user namespace, starts with this process and the first process of the PID namespace. Without
    both, the threads of all programs of this user count.
    """
    if uid is not None or protection == "bubblewrap":
        return 2
    own, count = os.getuid(), 0
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                if entry.stat().st_uid == own:
                    count += len(os.listdir(f"/proc/{entry.name}/task"))
            except OSError:  # the process has ended
                pass
    return count


if __name__ == "__main__":
    main()
