# pyright: basic
# Numba has no type stubs.
"""The files of the kernel cache: where they are, how they are read and written, and when old ones are removed.

A damaged file counts as missing, so the kernel is compiled again. If the cache is not writable, each process
reports this once. Several processes can use the cache at the same time.
"""

import hashlib
import os
import pickle
import re
import shutil
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile

DAY = 24 * 60 * 60  # one day in seconds
LONGEST_UNUSED = 30 * DAY
MOST_FOLDERS = 40  # each version of the package has up to four folders
_FOLDER = re.compile(r"[0-9a-f]{16}")
_FILE = re.compile(r".*\.nb[ic](\.tmp\.[0-9a-f]+)?")
_REMOVED = ".removed-"  # the prefix of a folder that is being removed
READ_ONLY = "SHOVERWORLD_CACHE_READ_ONLY"  # if this variable is set, this process stores nothing and says nothing
_DIGEST = hashlib.sha256().digest_size


def cache_home() -> Path | None:
    """Return the folder that contains the cache folders of all versions, or None if there is no home folder."""
    if home := os.environ.get("SHOVERWORLD_CACHE"):
        return Path(home)
    try:
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        return None
    return base / "shoverworld"


# --- problems

_problems: list[str] = []


def cache_problem() -> str | None:
    """Return the reason why this process could not store a compiled kernel, or None if nothing has failed."""
    return _problems[0] if _problems else None


def report_problem(reason: str) -> None:
    """Report on stderr, once per process, that compiled kernels cannot be stored."""
    if not _problems and sys.stderr is not None:
        with suppress(OSError, ValueError):  # stderr may be closed
            start = "\r\033[K" if sys.stderr.isatty() else ""  # overwrite the progress message
            print(
                f"{start}shoverworld: the compiled rules cannot be stored: {reason}. Every process will compile them "
                "again. To avoid this, set SHOVERWORLD_CACHE to a writable folder.",
                file=sys.stderr,
                flush=True,
            )
    _problems.append(reason)


# --- files with checksums


class KernelFiles(IndexDataCacheFile):
    """The index and the data files of one kernel. Each file contains a checksum of its content.

    Two processes that compile the kernel for different types at the same time may choose the same name for their data
    files. Each data file therefore repeats its key.
    """

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def _dump(self, obj: Any) -> bytes:
        content = super()._dump(obj)
        return hashlib.sha256(content).digest() + content

    def _load_index(self) -> dict[Any, str]:
        begin = pickle.dumps(self._version, protocol=-1)  # the same prefix as in IndexDataCacheFile
        try:
            content = _content(_read(self._index_path, begin))
        except OSError:
            return {}
        try:
            stamp, overloads = pickle.loads(content)
        except (ImportError, AttributeError):  # a type comes from a module that this process cannot import
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        return pickle.loads(_content(_read(self._data_path(name))))


def _read(path: str, begin: bytes = b"") -> bytes:
    """Return the bytes that follow `begin` in a file. Raise OSError if the file does not begin with `begin`."""
    data = Path(path).read_bytes()
    if not data.startswith(begin):
        raise OSError("the file was written by another version of Numba, or it is damaged")
    return data[len(begin) :]


def _content(data: bytes) -> bytes:
    """Return the data that follows the checksum. A wrong checksum raises OSError, as a missing file does."""
    digest, content = data[:_DIGEST], data[_DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        raise OSError("the file is damaged")
    return content


# --- old folders


def note_use(folder: Path) -> None:
    """Update a folder's modification time, at most once a day, to record that the folder is in use."""
    with suppress(OSError):
        if time.time() - folder.stat().st_mtime > DAY:
            os.utime(folder)


def prune(home: Path) -> None:
    """Remove the folders that have not been used for 30 days and, if too many are left, the least recently used ones.

    A folder is renamed before it is removed. A process that still uses the folder therefore finds either all files or
    none; if it finds none, it compiles its kernels again.
    """
    for folder in _old_folders(home):
        with suppress(OSError):  # another process has removed the folder
            folder.rename(home / f"{_REMOVED}{uuid.uuid4().hex}")
    for removed in home.glob(f"{_REMOVED}*"):  # including those left by a process that was stopped
        shutil.rmtree(removed, ignore_errors=True)


def _old_folders(home: Path) -> list[Path]:
    """Return the folders to remove. A folder that contains other files is not part of the cache."""
    folders: list[tuple[float, Path]] = []
    for folder in home.glob("*"):
        with suppress(OSError):
            if _FOLDER.fullmatch(folder.name) and not folder.is_symlink() and _holds_only_kernels(folder):
                folders.append((folder.stat().st_mtime, folder))
    folders.sort(reverse=True)
    oldest = time.time() - LONGEST_UNUSED
    return [folder for place, (used, folder) in enumerate(folders) if place >= MOST_FOLDERS or used < oldest]


def _holds_only_kernels(folder: Path) -> bool:
    return all(_FILE.fullmatch(name) for name in os.listdir(folder))
