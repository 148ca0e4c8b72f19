"""shoverworld: grid worlds in which people, search agents and learning agents play the same games.

Importing this package registers the environment ids with Gymnasium. Everything else is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__
from .registry import register_when_possible

if TYPE_CHECKING:
    from . import race, shover, sokoban
    from .core.errors import (
        ActionError,
        AgentError,
        ConfigError,
        LevelError,
        LevelNotFound,
        MapError,
        MapNotFound,
        MissingExtra,
        NotAReplay,
        ReplayError,
        ResetNeeded,
        ShoverWorldError,
        TrackError,
        TrackNotFound,
        UnsolvableError,
    )
    from .core.plan import Plan
    from .core.recorder import Recorder
    from .core.replay import Replay
    from .core.wrappers import FlatActions, FlatVectorActions
    from .games.shover.config import Reward, Rules
    from .games.shover.env import ShoverWorldEnv
    from .games.shover.maps import Map, bundled, bundled_names
    from .games.shover.planner import solve
    from .games.shover.vector import ShoverWorldVectorEnv

_ERRORS = (
    "ActionError",
    "AgentError",
    "ConfigError",
    "LevelError",
    "LevelNotFound",
    "MapError",
    "MapNotFound",
    "MissingExtra",
    "NotAReplay",
    "ReplayError",
    "ResetNeeded",
    "ShoverWorldError",
    "TrackError",
    "TrackNotFound",
    "UnsolvableError",
)
_HOMES = {
    **dict.fromkeys(_ERRORS, ".core.errors"),
    "Plan": ".core.plan",
    "Recorder": ".core.recorder",
    "Replay": ".core.replay",
    "FlatActions": ".core.wrappers",
    "FlatVectorActions": ".core.wrappers",
    "Reward": ".games.shover.config",
    "Rules": ".games.shover.config",
    "ShoverWorldEnv": ".games.shover.env",
    "ShoverWorldVectorEnv": ".games.shover.vector",
    "Map": ".games.shover.maps",
    "bundled": ".games.shover.maps",
    "bundled_names": ".games.shover.maps",
    "solve": ".games.shover.planner",
}

__all__ = [
    "ActionError",
    "AgentError",
    "ConfigError",
    "FlatActions",
    "FlatVectorActions",
    "LevelError",
    "LevelNotFound",
    "Map",
    "MapError",
    "MapNotFound",
    "MissingExtra",
    "NotAReplay",
    "Plan",
    "Recorder",
    "Replay",
    "ReplayError",
    "ResetNeeded",
    "Reward",
    "Rules",
    "ShoverWorldEnv",
    "ShoverWorldError",
    "ShoverWorldVectorEnv",
    "TrackError",
    "TrackNotFound",
    "UnsolvableError",
    "bundled",
    "bundled_names",
    "race",
    "shover",
    "sokoban",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name in ("race", "shover", "sokoban"):
        return import_module(f".{name}", __name__)
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


register_when_possible()
