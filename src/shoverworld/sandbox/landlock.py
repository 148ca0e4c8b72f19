"""Landlock: from now on, this thread and all threads that it starts can open only certain files.

Landlock is part of the Linux kernel and needs no privileges. Calls are made through ctypes, because Python has no module
for it. The numbers come from linux/landlock.h.
"""

import ctypes
import os
import stat
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on all processors
_VERSION_FLAG, _PATH_BENEATH = 1, 1

_WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 14
_MAKE_DEVICES = 1 << 6 | 1 << 9 | 1 << 11  # character device, socket, block device
_FILE_ONLY = 1 << 0 | _WRITE_FILE | _READ_FILE | _TRUNCATE | 1 << 15  # the rights that a rule about one file may have
_FILES_BY_VERSION = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF}  # the rights that each version of Landlock knows
_FILES = 0xFFFF  # version 5 and later
_NETWORK = 0x3  # bind and connect, version 4 and later
_SCOPES = 0x3  # abstract sockets and signals, version 6 and later

LEAST = 3  # earlier versions do not prevent truncation
Syscall = Callable[..., int]


def _syscall() -> Syscall:
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    return function


def version() -> int:
    """Return the version of Landlock in this kernel, or 0 if there is none."""
    if not sys.platform.startswith("linux"):
        return 0
    try:
        return max(0, _syscall()(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG)))
    except (OSError, AttributeError):
        return 0


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("access", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def restrict(readable: Iterable[str], writable: Iterable[str]) -> int:
    """Allow only these files and folders, and no network. Return the version of Landlock, or 0 if there is none.

    A path that does not exist is ignored. The process must have set no_new_privs.
    """
    syscall, known = _syscall(), version()
    if not known:
        return 0
    files = _FILES_BY_VERSION.get(known, _FILES)
    rules = _Ruleset(files, _NETWORK if known >= 4 else 0, _SCOPES if known >= 6 else 0)
    size = 8 if known < 4 else 16 if known < 6 else 24
    ruleset = syscall(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "Landlock refuses the rules")
    for path in readable:
        _allow(syscall, ruleset, path, _READ_FILE | _READ_DIR)
    for path in writable:
        _allow(syscall, ruleset, path, files & ~_MAKE_DEVICES & ~1)
    if syscall(_RESTRICT_SELF, ruleset, ctypes.c_uint32(0)) != 0:
        raise OSError(ctypes.get_errno(), "Landlock cannot be turned on")
    os.close(ruleset)
    return known


def _allow(syscall: Syscall, ruleset: int, path: str, access: int) -> None:
    with suppress(FileNotFoundError, NotADirectoryError):
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(folder).st_mode):
                access &= _FILE_ONLY
            rule = _PathBeneath(access, folder)
            if syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), ctypes.c_uint32(0)) != 0:
                raise OSError(ctypes.get_errno(), f"Landlock refuses the rule for {path}")
        finally:
            os.close(folder)
