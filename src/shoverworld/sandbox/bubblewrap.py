"""The command line of bubblewrap (`bwrap`), which gives a program its own view of the machine.

The program sees the Python installation, the system's libraries and the files that it is given, all read-only, a small
/tmp, five devices and its own processes. It has no network.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from .inner import DEVICES_READ, DEVICES_WRITTEN

LEAST = (0, 5)  # the first version with --size and --perms
_LIBRARIES = ("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store", "/gnu/store")
_SETTINGS = ("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives")
# Enough to become an ordinary user (`inner.py`), which gives up all of them.
_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_DAC_READ_SEARCH")


@cache
def version() -> tuple[int, ...] | None:
    """Return the version of bubblewrap, or None if it is not installed."""
    program = shutil.which("bwrap")
    if program is None or not sys.platform.startswith("linux"):
        return None
    try:
        run = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=30, check=False)
        return tuple(int(part) for part in run.stdout.split()[-1].split("."))
    except (OSError, ValueError, IndexError, subprocess.TimeoutExpired):
        return None


def system_paths() -> list[str]:
    """Return the system's libraries, which every program needs."""
    return [path for path in (*_LIBRARIES, *_SETTINGS) if os.path.exists(path)]


def arguments(readable: Iterable[str], tmp: int) -> list[str]:
    """Return the command line up to the program. `readable`: files and folders; `tmp`: the size of /tmp in bytes."""
    program = shutil.which("bwrap") or "bwrap"
    command = [program, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try"]
    command += ["--new-session", "--die-with-parent", "--hostname", "sandbox", "--cap-drop", "ALL"]
    if os.geteuid() == 0:
        for capability in _CAPABILITIES:
            command += ["--cap-add", capability]
    else:
        command += ["--unshare-user"]
    command += ["--proc", "/proc", "--perms", "1777", "--size", str(tmp), "--tmpfs", "/tmp"]
    visible = _outermost([*readable, *system_paths()])
    parents = {str(parent) for path in visible for parent in Path(path).parents} - {"/", "/tmp"}
    for parent in sorted({*parents, "/dev"}):  # bubblewrap would make folders that only root can enter
        command += ["--dir", parent]
    for device in (*DEVICES_READ, *DEVICES_WRITTEN):
        command += ["--dev-bind-try", device, device]
    for path in visible:
        command += ["--ro-bind", path, path]
    # Without this, the root folder, which contains only the mount points, would be writable memory.
    return [*command, "--chdir", "/tmp", "--remount-ro", "/", "--"]


def _outermost(paths: Sequence[str]) -> list[str]:
    """Return the paths with their real locations, without those that lie in another one, outer folders first."""
    both = {found for path in paths for found in (os.path.abspath(path), os.path.realpath(path))}
    kept: list[str] = []
    for path in sorted((path for path in both if os.path.exists(path)), key=lambda path: len(Path(path).parts)):
        if not any(Path(path).is_relative_to(outer) for outer in kept):
            kept.append(path)
    return kept
