"""File access: every file is written completely or not at all, is read with a size limit, and can be locked.

A writer fills a temporary file `.NAME.TOKEN.part` beside the target and holds its lock until the file is complete. A
temporary file that can be locked was therefore left by a writer that was killed, and the next writer removes it.
"""

import codecs
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

from .errors import SaveError, ShoverWorldError
from .problems import NOT_TEXT, NUL_BYTE, TOO_LONG, sentence

LARGEST_FILE = 32 * 2**20  # the usual size limit for level and replay files, in bytes
_MIB = 2**20
_PART = re.compile(r"\..*\.[0-9a-f]{8}\.part", re.DOTALL)
_FORGOTTEN = 3600.0  # without locks: a temporary file unchanged for this many seconds is treated as abandoned
_PATIENCE = 5.0  # seconds to wait for another process to release a lock; normally it takes milliseconds
_swept: set[Path] = set()  # the folders from which this process has removed the files left by dead writers


# --- writing


def write_safely(path: str | os.PathLike[str], content: str | bytes, make_folder: bool = True) -> None:
    """Write a file completely or not at all: readers find either the old or the new content, even after a crash or a
    power cut.

    A missing folder is created if `make_folder` is true. Raise SaveError if the file cannot be written.
    """
    # The content may include a file name that cannot be encoded as UTF-8.
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    name = target_name(path)
    if _is_special(name):  # a device such as /dev/stdout must not be replaced with a file
        try:
            with open(name, "wb") as file:
                file.write(data)
        except OSError as reason:
            raise _not_written(name, reason) from reason
        return
    with replacing(name, make_folder) as part, open(part, "wb") as file:
        file.write(data)


@contextmanager
def replacing(path: str | os.PathLike[str], make_folder: bool = True) -> Generator[Path, None, None]:
    """Provide the path of a temporary file for the new content of a file.

    When the block ends, the temporary file replaces the file atomically. If the block fails, the temporary file is
    removed and the file stays as it was. An OSError becomes a SaveError.
    """
    name = target_name(path)
    if _is_special(name):
        raise SaveError(f"{name} cannot be written: it is a pipe or a device; expected a file")
    real = Path(os.path.realpath(name))  # write to the target of a symbolic link, so that the link is kept
    try:
        if make_folder:
            real.parent.mkdir(parents=True, exist_ok=True)
        _sweep(real.parent)
        part, lock = _new_part(real)
        try:
            yield part
            os.fsync(lock.fileno())
            if real.exists():
                part.chmod(real.stat().st_mode & 0o777)
            if sys.platform == "win32":  # Windows cannot rename an open file
                lock.close()
            os.replace(part, real)
        except BaseException:
            if sys.platform == "win32":
                lock.close()
            with suppress(OSError):
                part.unlink()
            raise
        finally:
            lock.close()
        _settle(real.parent)
    except ShoverWorldError:
        raise
    except OSError as reason:
        raise _not_written(name, reason) from reason


def target_name(path: Any) -> str:
    """Return a path as a string. Raise SaveError for anything else: `open` would treat 5 as a file descriptor."""
    try:
        name = os.fsdecode(path)
    except TypeError:
        name = ""
    if not name or "\0" in name:
        raise SaveError(f"{path!r:.60} is not a path; expected the name of the file to write")
    return name


def _is_special(name: str) -> bool:
    """Return whether there is a device or a pipe at this path, that is, neither a file nor a folder."""
    try:
        mode = os.stat(name).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _not_written(name: str, reason: OSError) -> SaveError:
    return SaveError(f"{name} cannot be written: {cause(reason)}")


def cause(reason: OSError) -> str:
    """Return the message of an OSError, without the error number and the path."""
    return reason.strerror or str(reason) or type(reason).__name__


def _new_part(real: Path) -> tuple[Path, IO[bytes]]:
    """Create and lock a temporary file beside the file `real`."""
    while True:
        part = real.with_name(f".{real.name[:40]}.{secrets.token_hex(4)}.part")
        lock = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666), "r+b")
        if take(lock) is not False and is_at(part, lock):
            return part, lock
        lock.close()  # another process removed the file before it was locked


def _settle(folder: Path) -> None:
    """Flush the new directory entry to disk, on systems that support this."""
    if os.name != "posix":
        return
    with suppress(OSError):  # some file systems cannot do this, but the file itself is complete
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(folder: Path) -> None:
    """Remove the temporary files that dead writers left in a folder, the first time that this process writes there."""
    if folder in _swept:
        return
    _swept.add(folder)
    with suppress(OSError):  # the folder may be writable but not readable
        for name in os.listdir(folder):
            if _PART.fullmatch(name):
                with suppress(OSError):
                    _remove_if_left(folder / name)


def _remove_if_left(part: Path) -> None:
    with open(part, "r+b") as lock:
        taken = take(lock)
        age = time.time() - os.fstat(lock.fileno()).st_mtime
        if sys.platform != "win32" and (taken or (taken is None and age > _FORGOTTEN)):
            part.unlink()
    if sys.platform == "win32" and taken:
        part.unlink()


# --- locks


def take(lock: IO[bytes]) -> bool | None:
    """Lock an open file without waiting; closing the file releases the lock, as does the end of the process.

    Return False if another process or another open file holds the lock, and None if locks are not supported.
    """
    try:
        if sys.platform == "win32":
            import msvcrt  # only on Windows

            lock.seek(2**30)  # far beyond the content, because on Windows no other process can write a locked byte
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
            lock.seek(0)
        else:
            import fcntl  # only on POSIX systems

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return None
    return True


def is_at(path: Path, file: IO[bytes]) -> bool:
    """Return whether this open file is still the file at this path."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except OSError:
        return False


@contextmanager
def locked(path: str | os.PathLike[str]) -> Generator[None, None, None]:
    """Hold the lock on a file while its content is read, changed and written, so that no other process interferes.

    The lock is the file `.NAME.lock` beside it. Continue without a lock if the folder is missing or is not writable,
    or if another process does not release the lock, because a lost change is better than a program that hangs.
    """
    real = Path(os.path.realpath(path))
    lock = None
    with suppress(OSError):
        lock = open(real.with_name(f".{real.name}.lock"), "ab")  # noqa: SIM115 - closed below
    if lock is None:
        yield
        return
    with lock:
        end = time.monotonic() + _PATIENCE
        while take(lock) is False and time.monotonic() < end:
            time.sleep(0.005)
        yield


# --- reading


class FileErrorType(Protocol):
    """The error class for a file format: `MapError`, `LevelError`, `TrackError` or `ReplayError`."""

    def at(self, what: str, source: str) -> ShoverWorldError: ...


class Unreadable(Exception):
    """A file exists but cannot be read. The message gives the cause."""


class NotText(ValueError):
    """A file is not UTF-8 text. `line` and `column` (both counted from 1) locate the first invalid byte, and `what`
    describes it."""

    def __init__(self, line: int, column: int, what: str):
        super().__init__(f"line {line}, column {column}: {what}")
        self.line, self.column, self.what = line, column, what


def read_file(path: str, error: FileErrorType, limit: int = LARGEST_FILE) -> bytes:
    """Return the content of a regular file of at most `limit` bytes.

    A missing file raises FileNotFoundError; any other problem raises `error`.
    """
    try:
        return read_bounded(path, limit)
    except Unreadable as reason:
        raise error.at(f"the file cannot be read: {reason}", path) from None


def read_bounded(path: str | os.PathLike[str], limit: int = LARGEST_FILE) -> bytes:
    """Return the content of a regular file of at most `limit` bytes. Raise FileNotFoundError or Unreadable.

    A pipe or a device is rejected, because reading it could block forever or never end.
    """
    data = read_head(path, limit + 1)
    if len(data) > limit:
        raise Unreadable(f"it is larger than {limit / _MIB:g} MiB")
    return data


def read_head(path: str | os.PathLike[str], size: int) -> bytes:
    """Return the first `size` bytes of a regular file, or the whole file if it is smaller. See `read_bounded`."""
    try:
        _check_kind(os.stat(path).st_mode)  # checked before opening, because opening a device can have side effects
        with open(path, "rb", opener=_open_at_once) as file:
            _check_kind(os.fstat(file.fileno()).st_mode)
            return file.read(size)
    except FileNotFoundError:
        raise
    except OSError as reason:
        raise Unreadable(cause(reason)) from None
    except ValueError as reason:  # a path that contains a null character
        raise Unreadable(str(reason)) from None


def _check_kind(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise Unreadable("it is a folder, not a regular file")
    if not stat.S_ISREG(mode):
        raise Unreadable("it is not a regular file but a pipe or a device")


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # opening a pipe would block until a writer opens it


def decoded(data: bytes) -> str:
    """Decode UTF-8 text with or without a byte order mark. Raise NotText if the data is something else."""
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text, is_whole = data.decode("utf-8"), True
    except UnicodeDecodeError as reason:
        text, is_whole = data[: reason.start].decode("utf-8"), False
    wrong = text.find("\0")
    if is_whole and wrong < 0:
        return text
    what = sentence(NOT_TEXT if wrong < 0 else NUL_BYTE)
    wrong = len(text) if wrong < 0 else wrong
    raise NotText(text.count("\n", 0, wrong) + 1, wrong - text.rfind("\n", 0, wrong), what)


def checked_text(text: Any, error: FileErrorType, source: str, limit: int = LARGEST_FILE) -> str:
    """Return `text`. Raise `error` if `text` is not a str or has more than `limit` characters."""
    if not isinstance(text, str):
        raise error.at(f"expected a str, not {type(text).__name__}", str(source))
    if len(text) > limit:
        raise error.at(sentence(TOO_LONG, limit / _MIB), str(source))
    return text
