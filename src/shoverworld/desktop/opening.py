"""Paths as people type or drop them, and what lies there."""

import os

from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.play.places import Found, find


def expanded(path: str) -> str:
    return os.path.expanduser(path.strip().strip('"'))


def levels_at(path: str, game: str) -> Found:
    """The levels at a path: by this game, if it can read them; else by any. A ConfigError when none can."""
    try:
        try:
            return find(path, game)
        except FileNotFoundError:
            raise
        except ShoverWorldError:
            return find(path)
    except FileNotFoundError:
        raise ConfigError(f"There is no file {path}.") from None
    except ShoverWorldError as reason:
        raise ConfigError(f"this is no replay, and no level either: {reason}") from None
