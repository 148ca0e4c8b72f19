"""The player's own best games, and the best that is known of the boards that come with the package."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from shoverworld.core.checks import number, whole
from shoverworld.core.errors import ConfigError, SaveError

from . import files
from .rooms import FRONTS, front_of
from .session import Session

FILE = "records.json"
WON = "cleared"


class Result(NamedTuple):
    """How a board was cleared. `proved`: in fewer steps it cannot be done."""

    steps: int
    stamina: float
    proved: bool = False

    @property
    def words(self) -> str:
        steps = "1 step" if self.steps == 1 else f"{self.steps} steps"
        return f"{steps}, stamina {self.stamina:g}"

    @property
    def standing(self) -> str:
        """What a result is called that nobody has beaten."""
        return "Best possible" if self.proved else "Best known"

    def beats(self, other: "Result | None") -> bool:
        """Fewer steps; with as many steps, more stamina left."""
        return other is None or (self.steps, -self.stamina) < (other.steps, -other.stamina)


class Records:
    """The best result for each board under each rules, by `Front.identity`."""

    def __init__(self, results: dict[str, Result] | None = None):
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
        results = {identity: result for identity, entry in entries.items() if (result := _result(entry))}
        wrong = [identity for identity in entries if identity not in results]
        if wrong:
            what = f"{len(wrong)} of {len(entries)} results make no sense, such as {entries[wrong[0]]!r:.60}"
            return cls(results), files.set_aside(path, what) + "; the others are kept"
        return cls(results), None

    def mine(self, identity: str | None) -> Result | None:
        """The player's best."""
        return self._mine.get(identity) if identity else None

    def known(self, identity: str | None) -> Result | None:
        """The best that is known of a board that came with the package."""
        for game in FRONTS:
            if identity and (best := front_of(game).best_known(identity)) is not None:
                return Result(*best)
        return None

    def note(self, session: Session) -> bool:
        """A game has ended: is it the player's best on this board? Then it is kept. What a helper had a part in is not his."""
        identity = session.identity
        if identity is None or session.outcome != WON or session.helpers:
            return False
        figures = session.env.figures()
        result = Result(int(figures["steps"]), float(figures.get("stamina", 0.0)))
        elsewhere, _ = self.load()  # another window may have kept some since
        for other, theirs in elsewhere._mine.items():
            if theirs.beats(self._mine.get(other)):
                self._mine[other] = theirs
        if not result.beats(self._mine.get(identity)):
            return False
        self._mine[identity] = result
        self._save()
        return True

    def _save(self) -> None:
        results = {identity: {"steps": r.steps, "stamina": r.stamina} for identity, r in sorted(self._mine.items())}
        try:
            files.write_safely(place(), json.dumps({"results": results}, indent=1) + "\n")
            self.trouble = None
        except SaveError as reason:
            self.trouble = str(reason)


def place() -> Path:
    return files.home() / FILE


def _result(entry: Any) -> Result | None:
    """What an entry of the file says; None when it makes no sense."""
    if not isinstance(entry, dict):
        return None
    try:
        return Result(whole("steps", entry.get("steps"), 0, 2**31), number("stamina", entry.get("stamina")))
    except ConfigError:
        return None
