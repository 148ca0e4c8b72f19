"""The resources that a program in a sandbox may use."""

from dataclasses import asdict, dataclass
from typing import Any

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The resources that a program may use after it is sealed.

    memory: bytes, in addition to the interpreter and the libraries that are loaded before. processes: threads; new
    processes are never allowed. files: files that are open at the same time. tmp: bytes in /tmp, which is the only place
    where a program can write (with bubblewrap; without it, there is none). cpu: seconds of processor time after which the
    kernel ends the process if the referee does not; None: no limit.
    """

    memory: int = 1024 * MEBIBYTE
    processes: int = 16
    files: int = 64
    tmp: int = 16 * MEBIBYTE
    cpu: float | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
