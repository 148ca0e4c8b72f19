"""Control groups: limits on memory and threads that the kernel counts for all processes of a sandbox together.

A group can be made below the group of this process, if its user may write there (version 1 or 2). If not, the limits of
each process (`inner.py`) remain. A group of a process that was killed is removed when the next sandbox starts.
"""

import errno
import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_PREFIX = "shoverworld-"
_SPARE_THREADS = 4  # the processes of bubblewrap
_REMOVED_WITHIN = 5.0  # seconds; if a group cannot be removed by then, the next sandbox tries again


@dataclass
class Cgroup:
    """The groups of one sandbox: one folder in version 2, one for each controller in version 1."""

    memory: Path
    pids: Path
    version: int

    @classmethod
    def create(cls, threads: int) -> "Cgroup | None":
        """Create a group below the group of this process. Return None if that is not possible."""
        places = _places()
        if places is None:
            return None
        version, memory, pids = places
        name = f"{_PREFIX}{os.getpid()}-{secrets.token_hex(6)}"
        group = cls(memory / name, pids / name, version)
        try:
            for parent in {memory, pids}:
                _remove_stale(parent)
                (parent / name).mkdir()
            (group.pids / "pids.max").write_text(str(threads + _SPARE_THREADS))
            group._memory_file("max").read_text()
        except OSError:  # no permission, or the controllers are not turned on for groups below this one
            group.remove()
            return None
        return group

    def add(self, pid: int) -> None:
        for folder in {self.memory, self.pids}:
            (folder / "cgroup.procs").write_text(str(pid))

    def limit_memory(self, more: int) -> None:
        """Allow `more` bytes in addition to the memory that is in use now."""
        used = int(self._memory_file("current").read_text())
        self._memory_file("max").write_text(str(used + more))
        with suppress(OSError):  # there is no such file if swapping is not counted
            name = "memory.swap.max" if self.version == 2 else "memory.memsw.limit_in_bytes"
            (self.memory / name).write_text("0" if self.version == 2 else str(used + more))

    def out_of_memory(self) -> bool:
        """Return whether the kernel has ended a process of this group because of its memory limit."""
        name = "memory.events" if self.version == 2 else "memory.oom_control"
        with suppress(OSError):
            words = (self.memory / name).read_text().split()
            return "oom_kill" in words and int(words[words.index("oom_kill") + 1]) > 0
        return False

    def _memory_file(self, what: str) -> Path:
        one = {"max": "memory.limit_in_bytes", "current": "memory.usage_in_bytes"}
        return self.memory / (f"memory.{what}" if self.version == 2 else one[what])

    def remove(self) -> None:
        """Remove the groups. Their processes must have been killed; the kernel may need a moment to clear them away."""
        end = time.monotonic() + _REMOVED_WITHIN
        for folder in {self.memory, self.pids}:
            while not _removed(folder) and time.monotonic() < end:
                time.sleep(0.005)


def _removed(folder: Path) -> bool:
    """Remove a group. Return False if it still contains a process that is ending."""
    try:
        folder.rmdir()
    except OSError as error:
        return error.errno != errno.EBUSY
    return True


def _places() -> tuple[int, Path, Path] | None:
    """Return the version and the folders of this process's groups for memory and threads, or None."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    except OSError:
        return None
    groups = {controllers: path for _, controllers, path in (line.split(":", 2) for line in lines)}
    homes: dict[str, Path] = {}
    for _, place, kind, options, *_ in mounts:
        if kind == "cgroup":
            homes |= {name: Path(place) for name in options.split(",")}
        elif kind == "cgroup2":
            homes[""] = Path(place)
    one = [
        homes[name] / group.lstrip("/")
        for name in ("memory", "pids")
        for key, group in groups.items()
        if name in key.split(",") and name in homes
    ]
    if len(one) == 2:
        return 1, one[0], one[1]
    if "" in homes and "" in groups:
        own = homes[""] / groups[""].lstrip("/")
        return 2, own, own
    return None


def _remove_stale(parent: Path) -> None:
    """Remove the groups of processes that have ended without removing them."""
    for folder in parent.glob(f"{_PREFIX}*"):
        owner = folder.name[len(_PREFIX) :].partition("-")[0]
        if owner.isdecimal() and not Path("/proc", owner).exists():
            with suppress(OSError):  # somebody else was faster, or a process in it has not ended yet
                folder.rmdir()


def cgroup_version() -> int | None:
    """Return the version of the control groups that a sandbox can use here, or None."""
    group = Cgroup.create(1)
    if group is None:
        return None
    group.remove()
    return group.version
