"""Unsaved work on disk: each editor has a slot of its own, and what a killed one has left behind can be found again.

A slot is a file `autosave-NAME.json` and a lock `autosave-NAME.lock` beside it, which the system lets go of when the
editor ends, however it ends. So a slot that can be locked has lost its editor, and its work is offered to the next.
"""

import json
import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from shoverworld.core.errors import SaveError

from . import files

PREFIX = "autosave-"


class AutosaveSlot:
    """Where one editor keeps its unsaved work. It is nobody else's until it is closed."""

    def __init__(self, path: Path, lock: IO[bytes]):
        self.path, self._lock = path, lock

    @classmethod
    def new(cls) -> "AutosaveSlot":
        """A SaveError when the player's folder cannot be written."""
        folder = files.home()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            while True:
                path = folder / f"{PREFIX}{secrets.token_hex(4)}.json"
                if not path.exists() and (lock := _locked(path)):
                    return cls(path, lock)
        except OSError as reason:
            raise SaveError(f"unsaved work cannot be kept in {folder}: {reason.strerror or reason}") from reason

    def write(self, kept: dict[str, Any]) -> None:
        files.write_safely(self.path, json.dumps(kept, separators=(",", ":")))

    def read(self) -> tuple[Any, str | None]:
        """What it holds, and a message when that cannot be read; see `files.read_json`."""
        return files.read_json(self.path)

    def clear(self) -> None:
        """There is nothing unsaved any more."""
        with suppress(FileNotFoundError):
            self.path.unlink()

    def close(self) -> None:
        """Leave it: what it holds is offered to the next editor."""
        if not self._lock.closed:
            _release(self.path, self._lock)


def left_behind() -> list[AutosaveSlot]:
    """The slots that have work and no editor, the latest first. They are locked now: take each over, or close it."""
    folder = files.home()
    found = []
    try:
        for path in folder.glob(f"{PREFIX}*.json"):
            if lock := _locked(path):
                found.append((path.stat().st_mtime if path.exists() else 0.0, AutosaveSlot(path, lock)))
        for lock_path in folder.glob(f"{PREFIX}*.lock"):  # of editors that were killed with nothing unsaved
            path = lock_path.with_suffix(".json")
            if not path.exists() and (lock := _locked(path)):
                _release(path, lock)
    except OSError:  # a folder that cannot be read has nothing to offer
        pass
    return [slot for _, slot in sorted(found, key=lambda pair: pair[0], reverse=True)]


# --- locks


def _locked(path: Path) -> IO[bytes] | None:
    """The lock of a slot, if nobody has it."""
    name = path.with_suffix(".lock")
    lock = open(name, "ab")  # noqa: SIM115 - it stays open as long as the slot is ours
    if _take(lock) and still_there(name, lock):
        return lock
    lock.close()
    return None


def _take(lock: IO[bytes]) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
    else:
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks: better offered twice than never
            pass
    return True


def still_there(name: Path, lock: IO[bytes]) -> bool:
    """Whoever had the lock before may have removed the file just before we got it."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), os.stat(name))
    except OSError:
        return False


def _release(path: Path, lock: IO[bytes]) -> None:
    name = path.with_suffix(".lock")
    if sys.platform == "win32":  # there an open file cannot be removed
        lock.close()
    with suppress(OSError):
        name.unlink()
    lock.close()
