"""The grid race: tracks, and what makes, plays and solves them. Each name is imported when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .core.errors import TrackError, TrackNotFound

if TYPE_CHECKING:
    from .games.race import aec as aec  # not in __all__: it needs an extra
    from .games.race.codes import FINISH, FREE, OFF, START
    from .games.race.config import RaceReward, RaceRules
    from .games.race.env import RaceEnv
    from .games.race.generate import random_track
    from .games.race.planner import RacePlan, Values, fewest, solve, values_of
    from .games.race.tracks import Track, bundled, bundled_names
    from .games.race.vector import RaceVectorEnv
    from .games.race.zombie import zombie_array

_HOMES = {
    **dict.fromkeys(("FINISH", "FREE", "OFF", "START"), "codes"),
    **dict.fromkeys(("RaceReward", "RaceRules"), "config"),
    "RaceEnv": "env",
    "random_track": "generate",
    **dict.fromkeys(("RacePlan", "Values", "fewest", "solve", "values_of"), "planner"),
    **dict.fromkeys(("Track", "bundled", "bundled_names"), "tracks"),
    "RaceVectorEnv": "vector",
    "zombie_array": "zombie",
}

__all__ = [
    "FINISH",
    "FREE",
    "OFF",
    "START",
    "RaceEnv",
    "RacePlan",
    "RaceReward",
    "RaceRules",
    "RaceVectorEnv",
    "Track",
    "TrackError",
    "TrackNotFound",
    "Values",
    "bundled",
    "bundled_names",
    "fewest",
    "random_track",
    "solve",
    "values_of",
    "zombie_array",
]


def __getattr__(name: str) -> Any:
    if name == "aec":  # a module, with PettingZoo's names in it
        return import_module(".games.race.aec", __package__)
    if name in _HOMES:
        return getattr(import_module(f".games.race.{_HOMES[name]}", __package__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, "aec"])
