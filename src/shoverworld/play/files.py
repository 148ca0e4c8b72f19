"""The player's files: where they are, and how to write them so that a crash never leaves a half-written file."""

import json
import os
import re
import secrets
import sys
import tempfile
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from shoverworld.core.errors import SaveError

_FORGOTTEN = 3600.0  # a temporary file older than this many seconds was left by a program that was killed


def home() -> Path:
    """Return the folder for settings, records and unsaved work: the one that the environment variable SHOVERWORLD_HOME
    names, or else a folder in the user's data folder."""
    if own := os.environ.get("SHOVERWORLD_HOME"):
        return Path(own)
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or _user() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = _user() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or _user() / ".local" / "share")
    return base / "shoverworld"


def _user() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without a home directory, as in some containers
        return Path(tempfile.gettempdir())


def write_safely(path: str | os.PathLike, text: str | bytes) -> None:
    """Write a file completely or not at all: readers find either the old or the new content, even after a crash or a
    power cut. The folder is created if it is missing. Raise SaveError if the file cannot be written."""
    real = Path(os.path.realpath(path))  # write to the target of a symbolic link, so that the link is kept
    beside = real.with_name(f".{real.name}.{secrets.token_hex(4)}.tmp")
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        _sweep(real)
        try:
            _write(beside, text)
            if real.exists():
                beside.chmod(real.stat().st_mode & 0o777)
            os.replace(beside, real)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise
        _settle(real.parent)
    except OSError as reason:
        raise SaveError(f"{os.fsdecode(path)} cannot be written: {_why(reason)}") from reason


def _write(path: Path, text: str | bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
        file.write(text.encode() if isinstance(text, str) else text)
        file.flush()
        os.fsync(file.fileno())


def _settle(folder: Path) -> None:
    """Flush the folder's new entry to disk, on systems that support this."""
    if os.name != "posix":
        return
    with suppress(OSError):  # some file systems cannot do this, but the file itself is complete
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(real: Path) -> None:
    """Remove the temporary files left by programs that were killed while writing the file `real`."""
    for name in os.listdir(real.parent):
        if name.startswith(f".{real.name}.") and name.endswith(".tmp"):
            left = real.with_name(name)
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > _FORGOTTEN:
                    left.unlink()


def new_path(folder: str, name: str, ending: str) -> Path:
    """Return an unused path in one of the player's folders, and create the folder if it is missing. Raise SaveError if
    the folder cannot be created."""
    place = home() / folder
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        wrong = next((folder for folder in (place, *place.parents) if folder.exists() and not folder.is_dir()), None)
        why = f"{wrong} is not a folder" if wrong else reason.strerror or reason
        raise SaveError(f"cannot save in {place}: {why}") from reason
    name = re.sub(r"[^\w-]+", "-", name).strip("-")[:60] or "untitled"
    stem = f"{name}-{datetime.now():%Y%m%d-%H%M%S}"
    path, number = place / f"{stem}{ending}", 1
    while path.exists():
        number += 1
        path = place / f"{stem}-{number}{ending}"
    return path


def read_json(path: str | os.PathLike) -> tuple[Any, str | None]:
    """Return the content of a JSON file, and a message if something is wrong. A missing file is not an error: the
    result is (None, None). A file that is not JSON or cannot be read is set aside, so that its content is not lost when
    a new file is written."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None, None
    except OSError as reason:
        if os.path.isfile(path):
            return None, set_aside(path, f"it cannot be read ({_why(reason)})")
        return None, f"{path} cannot be read: {_why(reason)}"
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as reason:
        return None, set_aside(path, f"it is not JSON ({reason})")
    return value, set_aside(path, "it contains only null") if value is None else None


def read_object(path: str | os.PathLike, expected: str) -> tuple[dict[str, Any] | None, str | None]:
    """Read a file like `read_json`, but require a JSON object. A file with any other value is set aside."""
    found, message = read_json(path)
    if found is None or isinstance(found, dict):
        return found, message
    return None, set_aside(path, f"expected {expected}, found {found!r:.60}")


def set_aside(path: str | os.PathLike, why: str) -> str:
    """Rename a file that cannot be used; its new name is NAME.corrupt-1, NAME.corrupt-2, and so on. Return a message
    about the file."""
    path = Path(path)
    number = 1
    while os.path.lexists(other := path.with_name(f"{path.name}.corrupt-{number}")):
        number += 1
    try:
        path.rename(other)
    except OSError as reason:
        return f"{path} cannot be used: {why}. The file could not be renamed: {_why(reason)}"
    return f"{path} cannot be used: {why}. The file was renamed to {other.name}"


def _why(reason: OSError) -> str:
    return reason.strerror or str(reason) or type(reason).__name__
