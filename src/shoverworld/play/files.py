"""The player's files: where they are, and what happens to files that cannot be used. core/files.py writes them."""

import json
import os
import re
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from shoverworld.core.errors import SaveError
from shoverworld.core.files import Unreadable, cause, decoded, read_bounded


def home() -> Path:
    """Return the folder for settings, records and unsaved work: the one given by the environment variable
    SHOVERWORLD_HOME, or else a folder in the user's data folder."""
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
        data = read_bounded(path)
    except FileNotFoundError:
        return None, None
    except Unreadable as reason:
        if os.path.isfile(path):
            return None, set_aside(path, f"it cannot be read ({reason})")
        return None, f"{path} cannot be read: {reason}"
    try:
        value = json.loads(decoded(data))
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
        return f"{path} cannot be used: {why}. The file could not be renamed: {cause(reason)}"
    return f"{path} cannot be used: {why}. The file was renamed to {other.name}"
