"""A seccomp filter: the list of system calls that a process may use from now on, as a program for the kernel (BPF).

The filter allows what computing needs (files, memory, threads, clocks). A thread is allowed, a process is not: `fork`,
`vfork` and `execve` fail with EPERM, so the processor time of the program is that of one process. Signals reach only the
process itself. The filter is inherited by all threads and can never be removed.
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Callable

from .syscalls import ALLOWED, CONDITIONAL

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column in syscalls.py, AUDIT_ARCH number
_SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}
_SET_MODE_FILTER, _FLAG_TSYNC = 1, 1
_KILL, _ALLOW, _ERRNO = 0x8000_0000, 0x7FFF_0000, 0x0005_0000

# Instructions of the filter: opcode numbers of classic BPF.
_LOAD, _EQUAL, _AND_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data

_CLONE_THREAD = 0x0001_0000
_NAMESPACES = 0x7E02_0080  # the CLONE_NEW... flags
_FCNTL_REFUSED = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: they send signals to other processes
_IOCTL_ALLOWED = (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
_PRCTL_ALLOWED = (15, 16, 0x53564D41)  # PR_SET_NAME, PR_GET_NAME, PR_SET_VMA

Instruction = tuple[int, int, int, int]  # opcode, jump if true, jump if false, value


def supported() -> bool:
    """Return whether filters exist for this processor and this kernel."""
    return platform.system() == "Linux" and platform.machine() in _ARCHITECTURES and os.path.exists(_ACTIONS)


_ACTIONS = "/proc/sys/kernel/seccomp/actions_avail"


def program(machine: str, pid: int) -> list[Instruction]:
    """Return the filter for a processor. `pid`: the process that may send signals to itself."""
    column, architecture = _ARCHITECTURES[machine]
    code: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    for numbers in ALLOWED.values():
        if (number := numbers[column]) is not None:
            code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    for name, condition in _conditions(pid).items():
        if (number := CONDITIONAL[name][column]) is not None:
            code += [(_EQUAL, 0, len(condition), number), *condition]
    return [*code, _refuse()]


def _conditions(pid: int) -> dict[str, list[Instruction]]:
    """Return the instructions that decide about each system call that is allowed only with certain arguments."""
    to_itself = _only(0, pid)
    threads = [
        _argument(0),
        (_AND_SET, 1, 0, _CLONE_THREAD),
        _refuse(),
        (_AND_SET, 0, 1, _NAMESPACES),
        _refuse(),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return {
        "clone": threads,
        "clone3": [_refuse(errno.ENOSYS)],  # its flags are in memory; glibc falls back to clone
        "fcntl": _all_but(1, *_FCNTL_REFUSED),
        "ioctl": _only(1, *_IOCTL_ALLOWED, otherwise=errno.ENOTTY),
        "prctl": _only(0, *_PRCTL_ALLOWED),
        "prlimit64": _only(0, 0, pid),
        "kill": to_itself,
        "tgkill": to_itself,
        "tkill": to_itself,
    }


def _refuse(error: int = errno.EPERM) -> Instruction:
    return _RETURN, 0, 0, _ERRNO | error


def _argument(place: int) -> Instruction:
    """Load the lower half of an argument. Both processors are little-endian."""
    return _LOAD, 0, 0, _ARGUMENTS + 8 * place


def _only(place: int, *values: int, otherwise: int = errno.EPERM) -> list[Instruction]:
    tests: list[Instruction] = [(_EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
    return [_argument(place), *tests, _refuse(otherwise), (_RETURN, 0, 0, _ALLOW)]


def _all_but(place: int, *values: int) -> list[Instruction]:
    tests: list[Instruction] = [(_EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
    return [_argument(place), *tests, (_RETURN, 0, 0, _ALLOW), _refuse()]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def install(libc: Callable[..., int]) -> None:
    """Install the filter for all threads of this process. `libc`: the function `syscall` of the C library."""
    machine = platform.machine()
    code = program(machine, os.getpid())
    packed = b"".join(struct.pack("HBBI", *instruction) for instruction in code)
    buffer = ctypes.create_string_buffer(packed, len(packed))
    whole = _Program(len(code), ctypes.cast(buffer, ctypes.c_void_p))
    if libc(_SECCOMP_CALL[machine], _SET_MODE_FILTER, _FLAG_TSYNC, ctypes.byref(whole)) != 0:
        raise OSError(ctypes.get_errno(), "the seccomp filter cannot be installed")
