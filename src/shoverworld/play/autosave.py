"""Unsaved work on disk. Each editor has its own slot, and work from an editor that was killed can be recovered.

A slot is a file `autosave-NAME.json` with a lock file `autosave-NAME.lock` beside it. The operating system releases the
lock when the editor ends, even if the editor crashes. A slot that can be locked therefore no longer has an editor, and
the work in the slot is offered to the next editor.
"""

import json
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from shoverworld.core.errors import SaveError
from shoverworld.core.files import is_at, take, write_safely

from . import files

PREFIX = "autosave-"


class AutosaveSlot:
    """The unsaved work of one editor. No other editor can use the slot until the slot is closed."""

    def __init__(self, path: Path, lock: IO[bytes]):
        self.path, self._lock = path, lock

    @classmethod
    def new(cls) -> "AutosaveSlot":
        """Create a slot. Raise SaveError if the player's folder is not writable."""
        folder = files.home()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            while True:
                path = folder / f"{PREFIX}{secrets.token_hex(4)}.json"
                if not path.exists() and (lock := _locked(path)):
                    return cls(path, lock)
        except OSError as reason:
            raise SaveError(f"unsaved work cannot be autosaved in {folder}: {reason.strerror or reason}") from reason

    def write(self, kept: dict[str, Any]) -> None:
        write_safely(self.path, json.dumps(kept, separators=(",", ":")))

    def read(self) -> tuple[Any, str | None]:
        """Return the content of the slot, and a message if the content cannot be read; see `files.read_json`."""
        return files.read_json(self.path)

    def clear(self) -> None:
        """Delete the autosaved copy in the slot, because there are no longer any unsaved changes."""
        with suppress(FileNotFoundError):
            self.path.unlink()

    def close(self) -> None:
        """Release the slot. Any unsaved work in it is offered to the next editor."""
        if not self._lock.closed:
            _release(self.path, self._lock)


def left_behind() -> list[AutosaveSlot]:
    """Return the slots that have work but no editor, latest first.

    The returned slots are locked: use or close each of them.
    """
    folder = files.home()
    found = []
    try:
        for path in folder.glob(f"{PREFIX}*.json"):
            if lock := _locked(path):
                found.append((path.stat().st_mtime if path.exists() else 0.0, AutosaveSlot(path, lock)))
        for lock_path in folder.glob(f"{PREFIX}*.lock"):  # left by killed editors that had no unsaved work
            path = lock_path.with_suffix(".json")
            if not path.exists() and (lock := _locked(path)):
                _release(path, lock)
    except OSError:  # the folder cannot be read
        pass
    return [slot for _, slot in sorted(found, key=lambda pair: pair[0], reverse=True)]


# --- locks


def _locked(path: Path) -> IO[bytes] | None:
    """Lock a slot. Return the lock, or None if another editor holds it."""
    name = path.with_suffix(".lock")
    lock = open(name, "ab")  # noqa: SIM115 - the file stays open while the slot is in use
    # On a file system without locks, it is better to offer work twice than never. The previous owner may have removed
    # the file just before we got the lock.
    if take(lock) is not False and is_at(name, lock):
        return lock
    lock.close()
    return None


def _release(path: Path, lock: IO[bytes]) -> None:
    name = path.with_suffix(".lock")
    if sys.platform == "win32":  # Windows cannot remove an open file
        lock.close()
    with suppress(OSError):
        name.unlink()
    lock.close()
