"""The ways to contain a program, and which of them this machine offers."""

import os
import subprocess
import sys
from enum import StrEnum
from functools import cache

from . import bubblewrap, landlock, seccomp
from .errors import SandboxUnavailable
from .python import python_folders

TRUST = "SHOVERWORLD_TRUST"  # if this variable is set, agents from files run without protection
_INSTALL = "install bubblewrap (on Debian and Ubuntu: apt install bubblewrap)"
_OPT_OUT = f"to run only agents that you trust, add --unsafe or set {TRUST}=1"


class Protection(StrEnum):
    """How a program is contained. The first one is the strongest."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    NONE = "none"

    @property
    def description(self) -> str:
        return {
            Protection.BUBBLEWRAP: "bubblewrap: own namespaces without a network, a read-only view of Python and the agent, "
            "Landlock, a system call filter, resource limits",
            Protection.LANDLOCK: "Landlock: a system call filter and resource limits, but no namespaces (weaker)",
            Protection.NONE: "none: a separate process with all rights of this user",
        }[self]

    def available(self) -> bool:
        """Return whether this machine can contain a program in this way."""
        return self is Protection.NONE or self.obstacle() is None

    def obstacle(self) -> str | None:
        """Return what is missing on this machine, or None if this protection works."""
        if self is Protection.NONE:
            return None
        if not sys.platform.startswith("linux"):
            return "this needs Linux"
        if not seccomp.supported():
            return "the kernel has no seccomp filters for this processor"
        if self is Protection.LANDLOCK:
            known = landlock.version()
            return (
                None if known >= landlock.LEAST else f"Landlock {landlock.LEAST} (Linux 6.2) is needed; this is {known}"
            )
        return _bubblewrap_obstacle()

    @classmethod
    def strongest(cls) -> "Protection":
        """Return the strongest protection that this machine offers."""
        return next(one for one in cls if one.available())

    @classmethod
    def chosen(cls, wanted: "Protection | None") -> "Protection":
        """Return the requested protection; None means the strongest, or none if SHOVERWORLD_TRUST is set.

        Raise SandboxUnavailable if this machine does not offer it.
        """
        if wanted is None:
            wanted = cls.NONE if os.environ.get(TRUST, "0") not in ("", "0") else cls.strongest()
            if wanted is cls.NONE and not os.environ.get(TRUST):
                reason = cls.BUBBLEWRAP.obstacle()
                raise SandboxUnavailable(
                    f"agents from files cannot be contained here: {reason}; {_INSTALL}; {_OPT_OUT}"
                )
            return wanted
        wanted = cls(wanted)
        if (reason := wanted.obstacle()) is not None:
            raise SandboxUnavailable(f"the protection {wanted} is not available: {reason}; {_INSTALL}; {_OPT_OUT}")
        return wanted


@cache
def _bubblewrap_obstacle() -> str | None:
    """Return why bubblewrap does not work here, or None. It is really started once."""
    found = bubblewrap.version()
    if found is None:
        return "bubblewrap is not installed"
    if found < bubblewrap.LEAST:
        least, own = (".".join(map(str, version)) for version in (bubblewrap.LEAST, found))
        return f"bubblewrap {least} or later is needed; this is {own}"
    command = [*bubblewrap.arguments(python_folders(), 1 << 20), sys.executable, "-S", "-I", "-c", ""]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env={})
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap cannot be started: {error}"
    return None if run.returncode == 0 else f"bubblewrap failed: {' '.join(run.stderr.split())[:200]}"
