"""The grid race: read, write, generate and solve tracks, and make environments for them.

All three games offer the functions `read`, `write`, `packaged`, `packaged_names`, `generate`, `solve` and `make_env`.
`aec`, the PettingZoo environment for several cars, needs the `multiplayer` extra.
"""

from collections.abc import Sequence
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from .core.errors import TrackError, TrackNotFound
from .games.race.codes import FINISH, FREE, OFF, START
from .games.race.colours import Colours
from .games.race.config import Finish, Line, RaceReward, RaceRules
from .games.race.env import RaceEnv
from .games.race.generate import random_track
from .games.race.planner import RacePlan, Values, fewest, solve, values_of
from .games.race.tracks import Track, bundled, bundled_names
from .games.race.vector import RaceVectorEnv
from .games.race.zombie import zombie_array

if TYPE_CHECKING:
    from .games.race import aec as aec  # not in __all__, because `aec` needs an extra

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
    "generate",
    "make_env",
    "packaged",
    "packaged_names",
    "random_track",
    "read",
    "solve",
    "values_of",
    "write",
    "zombie_array",
]

Style = Literal["numbers", "symbols"]
RenderMode = Literal["human", "rgb_array", "ansi"]

packaged = bundled
packaged_names = bundled_names


def read(path: str | PathLike[str], colours: Colours | None = None) -> Track:
    """Read a track from a text or image file, or return the packaged track with this name.

    colours: the meaning of the colours in a picture, if it differs from the race report: a string such
    as "start=green,finish=blue,track=white,off=red", or a dict.

    A file that is not a track raises TrackError. A missing file raises TrackNotFound, whose message lists the packaged
    tracks.
    """
    return Track.read(path, colours)


def write(path: str | PathLike[str], level: Track, style: Style = "symbols") -> None:
    """Write a track to a file: as a picture if the file has an image suffix (such as ".png"), otherwise as text.

    `style`: how the text represents the cells. `read` returns a track that is equal to the written one.
    """
    level.write(path, style)


def generate(
    seed: int | None = None,
    *,
    closed: bool = False,
    rows: int = 30,
    cols: int = 40,
    width: int = 3,
    twist: float = 0.5,
) -> Track:
    """Generate a random track. The same seed and arguments give the same track on every machine.

    closed: True for a loop, False for a road from one side of the map to the other.
    rows, cols: the size of the track. width: the width of the road in cells. twist: how much the road winds, 0 to 1.
    """
    return random_track(seed, closed, rows, cols, width, twist)


def make_env(
    level: Track | Sequence[Track] | str | PathLike[str] | None = None,
    *,
    cars: int | None = None,
    line: Line | None = None,
    finish: Finish | None = None,
    rules: str | RaceRules | None = None,
    render_mode: RenderMode | None = None,
    **settings: Any,
) -> RaceEnv:
    """Make an environment.

    level: the track for every race, or several tracks, one of which is chosen at random for each race. The value
    may be a Track, a sequence of Tracks, a file, or the name of a packaged track. None means the default track.
    cars: the number of cars.
    line: how to determine the cells that a move passes over.
    finish: whether a car must land on a finish cell or only has to cross one.
    rules: a RaceRules object or a string such as "cross, penalty=3", as an alternative to individual arguments. By
    default, the rules in the header of the track apply.
    settings: other keyword arguments for RaceEnv, such as `penalty`, `max_rounds`, `reward` and `seed`.
    """
    return RaceEnv(level, cars=cars, line=line, finish=finish, rules=rules, render_mode=render_mode, **settings)


def __getattr__(name: str) -> Any:
    if name == "aec":  # a module that needs an optional extra
        return import_module(".games.race.aec", __package__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), "aec"])
