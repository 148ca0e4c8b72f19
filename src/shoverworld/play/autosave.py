"""Unsaved work on disk: each editor has its own slot, and the work of an editor that was killed can be found again.

A slot is a file `autosave-NAME.json` and a lock `autosave-NAME.lock` beside it. The system releases the lock when the
editor ends, however it ends. So a slot that can be locked has no editor any more, and its work is offered to the next.
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
    """The unsaved work of one editor. No other editor can use it until it is closed."""

    def __init__(self, path: Path, lock: IO[bytes]):
        self.path, self._lock = path, lock

    @classmethod
    def new(cls) -> "AutosaveSlot":
        """A new slot; a SaveError if the player's folder cannot be written."""
        folder = files.home()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            while True:
                path = folder / f"{PREFIX}{secrets.token_hex(4)}.json"
                if not path.exists() and (lock := _locked(path)):
                    return cls(path, lock)
        except OSError as reason:
            raise SaveError(f"unsaved work cannot be saved in {folder}: {reason.strerror or reason}") from reason

    def write(self, kept: dict[str, Any]) -> None:
        files.write_safely(self.path, json.dumps(kept, separators=(",", ":")))

    def read(self) -> tuple[Any, str | None]:
        """Its content, and a message if it cannot be read; see `files.read_json`."""
        return files.read_json(self.path)

    def clear(self) -> None:
        """Delete the work: nothing is unsaved any more."""
        with suppress(FileNotFoundError):
            self.path.unlink()

    def close(self) -> None:
        """Release the slot: its work is offered to the next editor."""
        if not self._lock.closed:
            _release(self.path, self._lock)


def left_behind() -> list[AutosaveSlot]:
    """The slots with work and without an editor, the latest first. They are locked now: use or close each of them."""
    folder = files.home()
    found = []
    try:
        for path in folder.glob(f"{PREFIX}*.json"):
            if lock := _locked(path):
                found.append((path.stat().st_mtime if path.exists() else 0.0, AutosaveSlot(path, lock)))
        for lock_path in folder.glob(f"{PREFIX}*.lock"):  # of editors that were killed without unsaved work
            path = lock_path.with_suffix(".json")
            if not path.exists() and (lock := _locked(path)):
                _release(path, lock)
    except OSError:  # the folder cannot be read
        pass
    return [slot for _, slot in sorted(found, key=lambda pair: pair[0], reverse=True)]


# --- locks


def _locked(path: Path) -> IO[bytes] | None:
    """The lock of a slot, if it is free."""
    name = path.with_suffix(".lock")
    lock = open(name, "ab")  # noqa: SIM115 - it stays open while the slot is used
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
        except OSError:  # a file system without locks: it is better to offer work twice than never
            pass
    return True


def still_there(name: Path, lock: IO[bytes]) -> bool:
    """Whether the lock file still exists: its last owner may have removed it just before we got the lock."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), os.stat(name))
    except OSError:
        return False


def _release(path: Path, lock: IO[bytes]) -> None:
    name = path.with_suffix(".lock")
    if sys.platform == "win32":  # Windows cannot remove an open file
        lock.close()
    with suppress(OSError):
        name.unlink()
    lock.close()
