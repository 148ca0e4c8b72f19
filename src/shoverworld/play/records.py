"""The player's own best games, of every room."""

import json
from pathlib import Path
from typing import Any

from shoverworld.core.checks import number
from shoverworld.core.errors import ConfigError, SaveError
from shoverworld.core.ui import Score

from . import files
from .session import Session

FILE = "records.json"


def standing(score: Score) -> str:
    """What a score is called that nobody has beaten."""
    return "Best possible" if score.proved else "Best known"


class Records:
    """The best score for each board under each rules, by `Front.identity`."""

    def __init__(self, results: dict[str, Score] | None = None):
        self._mine = dict(results or {})
        self.trouble: str | None = None  # why the last result could not be kept

    @classmethod
    def load(cls) -> "tuple[Records, str | None]":
        """The results so far, and a message when some of them could not be read."""
        path = place()
        found, message = files.read_json(path)
        if found is None:
            return cls(), message
        entries = found.get("results") if isinstance(found, dict) else None
        if not isinstance(entries, dict):
            return cls(), files.set_aside(path, 'expected {"results": {...}}')
        results = {identity: result for identity, entry in entries.items() if (result := _score(entry))}
        wrong = [identity for identity in entries if identity not in results]
        if wrong:
            what = f"{len(wrong)} of {len(entries)} results make no sense, such as {entries[wrong[0]]!r:.60}"
            return cls(results), files.set_aside(path, what) + "; the others are kept"
        return cls(results), None

    def mine(self, identity: str | None) -> Score | None:
        """The player's best."""
        return self._mine.get(identity) if identity else None

    def note(self, session: Session) -> bool:
        """A game has ended: is it the player's best on this board? Then it is kept. What a helper had a part in is not his."""
        identity, score = session.identity, session.score
        if identity is None or score is None or session.helpers:
            return False
        elsewhere, _ = self.load()  # another window may have kept some since
        for other, theirs in elsewhere._mine.items():
            if theirs.beats(self._mine.get(other)):
                self._mine[other] = theirs
        if not score.beats(self._mine.get(identity)):
            return False
        self._mine[identity] = score
        self._save()
        return True

    def _save(self) -> None:
        results = {
            identity: {"numbers": mine.numbers, "words": mine.words} for identity, mine in sorted(self._mine.items())
        }
        try:
            files.write_safely(place(), json.dumps({"results": results}, indent=1) + "\n")
            self.trouble = None
        except SaveError as reason:
            self.trouble = str(reason)


def place() -> Path:
    return files.home() / FILE


def _score(entry: Any) -> Score | None:
    """What an entry of the file says; None when it makes no sense."""
    numbers, words = (entry.get("numbers"), entry.get("words")) if isinstance(entry, dict) else (None, None)
    if not isinstance(numbers, list) or not numbers or not isinstance(words, str) or not words.isprintable():
        return None
    try:
        return Score(tuple(number("a score", value) for value in numbers[:8]), words[:80])
    except ConfigError:
        return None
