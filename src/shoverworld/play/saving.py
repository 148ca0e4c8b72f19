"""Where what people save from the window goes, when they do not say."""

import re
from datetime import datetime
from pathlib import Path

from shoverworld.core.errors import SaveError

from .files import home
from .session import Session


def new_path(folder: str, name: str, ending: str) -> Path:
    """A file of the player's that does not exist yet; its folder does then. A SaveError when it cannot be made."""
    place = home() / folder
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        wrong = next((folder for folder in (place, *place.parents) if folder.exists() and not folder.is_dir()), None)
        why = f"{wrong} is not a folder" if wrong else reason.strerror or reason
        raise SaveError(f"nothing can be saved in {place}: {why}") from reason
    name = re.sub(r"[^\w-]+", "-", name).strip("-")[:60] or "untitled"
    stem = f"{name}-{datetime.now():%Y%m%d-%H%M%S}"
    path, number = place / f"{stem}{ending}", 1
    while path.exists():
        number += 1
        path = place / f"{stem}-{number}{ending}"
    return path


def replay_path(session: Session) -> Path:
    return new_path("replays", session.board.name, ".replay")
