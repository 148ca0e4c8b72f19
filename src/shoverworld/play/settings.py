"""The settings that are kept between runs. A damaged settings file never prevents the program from starting."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from shoverworld.core.checks import number, truth, whole
from shoverworld.core.errors import ConfigError, SaveError
from shoverworld.core.files import locked, write_safely
from shoverworld.games import all_games

from . import files

FILE = "settings.json"
SLOWEST, FASTEST = 0.25, 64.0  # the limits for the speed of agents and replays; 1 is the normal speed
NO_OVERLAYS = "-"  # the value of `overlays` after the player has turned off all overlays
FRAMES = (30, 60)  # the possible frame rates, in frames per second
OWN = ("preset", "collection", "board", "agent", "overlays", "players")  # separate for each game


@dataclass
class Settings:
    """The choices made in the menu and in the views. An empty string means that nothing has been chosen yet. Each game
    has its own values for the settings in `OWN`; `switch` changes the game and restores the values of the new game."""

    game: str = field(default_factory=lambda: next(iter(all_games())))
    preset: str = ""
    collection: str = ""  # the name of a packaged collection, or a path; "" means the first collection
    board: str = ""  # the name of a level in the collection, the path to a file, "random" (made from the seed), or ""
    agent: str = ""
    seed: int = 0
    fps: int = 30
    animation: bool = True
    speed: float = 1.0  # the speed of replays; an agent starts at the normal speed in every game
    width: int = 1120
    height: int = 760
    player: str = ""  # the player's name in replays
    overlays: str = ""  # the keys of the active overlays, or NO_OVERLAYS; "" means the default overlays for the game
    players: str = ""  # the players in a multiplayer game (play/players.py)
    others: dict[str, dict[str, str]] = field(default_factory=dict)  # the other games' values for the settings in `OWN`

    @classmethod
    def load(cls) -> "tuple[Settings, str | None]":
        """Return the saved settings, and a message if some of them could not be used."""
        path, settings, wrong = place(), cls(), []
        with locked(path):
            found, message = files.read_object(path, "a JSON object of settings")
        if found is None:
            return settings, message
        for name, value in found.items():
            if name not in _CHECKS:
                wrong.append(f"unknown setting {name!r:.60}")
                continue
            try:
                setattr(settings, name, _CHECKS[name](name, value))
            except ConfigError as reason:
                wrong.append(f"{reason}; using {getattr(settings, name)!r} instead")
        return settings, f"{path}: {'; '.join(wrong)}" if wrong else None

    def switch(self, game: str) -> None:
        """Change to another game, and restore that game's own settings."""
        if game == self.game:
            return
        self.others[self.game] = {name: getattr(self, name) for name in OWN}
        self.game = game
        before = self.others.pop(game, {})
        for name in OWN:
            setattr(self, name, before.get(name, ""))

    def own(self, game: str, name: str) -> str:
        """Return a game's own value for a setting in `OWN`, whether or not this is the current game."""
        return getattr(self, name) if game == self.game else self.others.get(game, {}).get(name, "")

    def set_own(self, game: str, name: str, value: str) -> None:
        if game == self.game:
            setattr(self, name, value)
        else:
            self.others.setdefault(game, {})[name] = value

    def change_speed(self, factor: float) -> None:
        self.speed = changed_speed(self.speed, factor)

    def save(self) -> str | None:
        """Save the settings. Return an error message if the settings cannot be saved."""
        try:
            with locked(place()):
                write_safely(place(), json.dumps(asdict(self), indent=1) + "\n")
        except SaveError as reason:
            return str(reason)
        return None


def changed_speed(speed: float, factor: float) -> float:
    return min(FASTEST, max(SLOWEST, speed * factor))


def place() -> Path:
    return files.home() / FILE


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > 4096 or not value.isprintable():
        raise ConfigError(f"{name}={value!r:.60}: must be a single line of text")
    return value


def _others(name: str, value: Any) -> dict[str, dict[str, str]]:
    if not isinstance(value, dict) or not all(isinstance(own, dict) and set(own) <= set(OWN) for own in value.values()):
        raise ConfigError(f"{name}={value!r:.60}: must map the names of other games to their settings")
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
