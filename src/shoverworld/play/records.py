"""The player's best results in all games."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from shoverworld.core.checks import number
from shoverworld.core.errors import ConfigError, SaveError
from shoverworld.core.files import locked, write_safely
from shoverworld.core.ui import Score

from . import files
from .labels import LABELS
from .session import Session

FILE = "records.json"


def standing(score: Score) -> str:
    """Return the label for a best known result, which depends on whether the result is proved to be optimal."""
    return LABELS["best possible" if score.proved else "best known"]


class Records:
    """The player's best result for each level under each set of rules, keyed by `game.levels.identity`."""

    def __init__(self, results: dict[str, Score] | None = None):
        self._best = dict(results or {})
        self.problem: str | None = None  # why the latest result could not be saved

    @classmethod
    def load(cls) -> "tuple[Records, str | None]":
        """Return the saved results, and a message if some of them could not be read."""
        with locked(place()):
            return cls._read()

    @classmethod
    def _read(cls) -> "tuple[Records, str | None]":
        path = place()
        found, message = files.read_object(path, '{"results": {...}}')
        if found is None:
            return cls(), message
        if not isinstance(entries := found.get("results"), dict):
            return cls(), files.set_aside(path, 'expected {"results": {...}}')
        results = {identity: result for identity, entry in entries.items() if (result := _score(entry))}
        wrong = [identity for identity in entries if identity not in results]
        if wrong:
            be = "is" if len(wrong) == 1 else "are"
            example = f"{entries[wrong[0]]!r:.60}"
            what = f"{len(wrong)} of {len(entries)} results {be} not valid, for example {example}"
            return cls(results), files.set_aside(path, what) + "; the other results are kept"
        return cls(results), None

    def best(self, identity: str | None) -> Score | None:
        """Return the player's best result for this identity, or None if the player has no result."""
        return self._best.get(identity) if identity else None

    def note(self, session: Session) -> bool:
        """Save the result of a finished game if it is the player's best on this board. Return whether it is the best. A
        game in which the player had help does not count."""
        identity, score = session.identity, session.score
        if identity is None or score is None or session.helpers:
            return False
        with suppress(OSError):
            files.home().mkdir(parents=True, exist_ok=True)  # the lock file is created in this folder
        with locked(place()):
            elsewhere, _ = self._read()  # another instance of the program may have saved results in the meantime
            for other, theirs in elsewhere._best.items():
                if theirs.beats(self._best.get(other)):
                    self._best[other] = theirs
            if not score.beats(self._best.get(identity)):
                return False
            self._best[identity] = score
            self._save()
        return True

    def _save(self) -> None:
        results = {
            identity: {"numbers": best.numbers, "words": best.words} for identity, best in sorted(self._best.items())
        }
        try:
            write_safely(place(), json.dumps({"results": results}, indent=1) + "\n")
            self.problem = None
        except SaveError as reason:
            self.problem = str(reason)


def place() -> Path:
    return files.home() / FILE


def _score(entry: Any) -> Score | None:
    """Return the score in an entry of the file, or None if the entry is not valid."""
    numbers, words = (entry.get("numbers"), entry.get("words")) if isinstance(entry, dict) else (None, None)
    if not isinstance(numbers, list) or not numbers or not isinstance(words, str) or not words.isprintable():
        return None
    try:
        return Score(tuple(number("a score", value) for value in numbers[:8]), words[:80])
    except ConfigError:
        return None
