"""What the window remembers from one day to the next. A file that is wrong is never a reason not to start."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from shoverworld.core.checks import number, truth, whole
from shoverworld.core.errors import ConfigError, SaveError

from . import files

FILE = "settings.json"
SLOWEST, FASTEST = 0.25, 64.0  # the speed of agents and replays, in times the usual one
FRAMES = (30, 60)  # a second
OWN = ("preset", "collection", "board", "agent", "overlays", "seats")  # what each game has for itself


@dataclass
class Settings:
    """The choices of the menu and of the window. An empty word: nothing was chosen yet. Those that each game has for
    itself are the words of `OWN`; `switch` changes the game and brings its own back."""

    game: str = "shover"
    preset: str = ""
    collection: str = ""  # the name of a packaged one, or a path; "": the first
    board: str = ""  # the name of one of its boards, the path of a file, "random" (from the seed), or ""
    agent: str = ""
    seed: int = 0
    fps: int = 30
    animation: bool = True
    speed: float = 1.0
    width: int = 1120
    height: int = 760
    player: str = ""  # the name on replays
    overlays: str = ""  # the keys of those that are switched on
    seats: str = ""  # who plays, in a game for several (play/seats.py)
    others: dict[str, dict[str, str]] = field(default_factory=dict)  # what the games that are not played now had chosen

    @classmethod
    def load(cls) -> "tuple[Settings, str | None]":
        """The settings of last time, and a message when some of them could not be used."""
        path = place()
        found, message = files.read_json(path)
        if found is None:
            return cls(), message
        if not isinstance(found, dict):
            return cls(), files.set_aside(path, f"expected settings by name in {{}}, found {found!r:.60}")
        settings, wrong = cls(), []
        for name, value in found.items():
            if name not in _CHECKS:
                wrong.append(f"there is no setting {name!r:.60}")
                continue
            try:
                setattr(settings, name, _CHECKS[name](name, value))
            except ConfigError as reason:
                wrong.append(f"{reason}; taken as {getattr(settings, name)!r}")
        return settings, f"{path}: {'; '.join(wrong)}" if wrong else None

    def switch(self, game: str) -> None:
        """Another game, as it was left."""
        if game == self.game:
            return
        self.others[self.game] = {name: getattr(self, name) for name in OWN}
        self.game = game
        before = self.others.pop(game, {})
        for name in OWN:
            setattr(self, name, before.get(name, ""))

    def save(self) -> str | None:
        """Keep them for next time; a message when that cannot be done."""
        try:
            files.write_safely(place(), json.dumps(asdict(self), indent=1) + "\n")
        except SaveError as reason:
            return str(reason)
        return None


def place() -> Path:
    return files.home() / FILE


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > 4096 or not value.isprintable():
        raise ConfigError(f"{name}={value!r:.60}: must be a line of text")
    return value


def _others(name: str, value: Any) -> dict[str, dict[str, str]]:
    if not isinstance(value, dict) or not all(isinstance(own, dict) and set(own) <= set(OWN) for own in value.values()):
        raise ConfigError(f"{name}={value!r:.60}: must be the choices of other games, by their names")
    return {_text(name, game): {word: _text(word, said) for word, said in own.items()} for game, own in value.items()}


def _frames(name: str, value: Any) -> int:
    if isinstance(value, bool) or value not in FRAMES:
        raise ConfigError(f"{name}={value!r:.60}: must be one of {', '.join(map(str, FRAMES))}")
    return int(value)


def _speed(name: str, value: Any) -> float:
    if not SLOWEST <= number(name, value) <= FASTEST:
        raise ConfigError(f"{name}={value!r:.60}: must be from {SLOWEST:g} to {FASTEST:g}")
    return float(value)


def _whole(least: int, most: int) -> Callable[[str, Any], int]:
    return lambda name, value: whole(name, value, least, most)


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    **{field.name: _text for field in fields(Settings) if field.type is str},
    "others": _others,
    "seed": _whole(0, 2**31 - 1),
    "fps": _frames,
    "animation": truth,
    "speed": _speed,
    "width": _whole(320, 16384),
    "height": _whole(240, 16384),
}
