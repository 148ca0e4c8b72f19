"""Named sets of levels: the rooms packaged with shoverworld, and the Boxoban levels that the user has downloaded.

`benchmarks/sokoban_bank.py` regenerates the packaged files. Every packaged room has a solution that is proved to have
the fewest possible pushes.
"""

import os
from functools import cache
from pathlib import Path
from typing import NamedTuple

from shoverworld.core.checks import word
from shoverworld.core.errors import LevelNotFound

from .formats import read_levels
from .levels import Level

# ---------------------------------------------------------------- packaged rooms

FOLDER = Path(__file__).parent / "rooms"
SETS = ("tiny", "easy", "medium", "hard")  # sorted from the easiest to the hardest


class BestKnown(NamedTuple):
    """The best known solution to a room."""

    pushes: int
    moves: int  # the number of moves in the same solution
    proved: bool  # whether it has been proved that no solution has fewer pushes


def names() -> tuple[str, ...]:
    """Return the names of the packaged sets, easiest first."""
    return SETS


def packaged(name: str) -> list[Level]:
    """Return the rooms of a packaged set, easiest first. Each `solution` is proved to have the fewest pushes."""
    return list(_read(word("set", name, SETS)))


@cache
def _read(name: str) -> tuple[Level, ...]:
    return tuple(read_levels(FOLDER / f"{name}.xsb"))


@cache
def _known() -> dict[Level, BestKnown]:
    return {
        level: BestKnown(sum(map(str.isupper, level.solution)), len(level.solution), True)
        for name in SETS
        for level in _read(name)
    }


def best_known(level: Level) -> BestKnown | None:
    """Return the best known solution to a level that equals a packaged room. Return None for any other level."""
    return _known().get(level)


# ---------------------------------------------------------------- Boxoban

# The levels belong to Google DeepMind, so they are not distributed with this package.
VARIABLE = "SHOVERWORLD_DATA"
PARTS = ("unfiltered/train", "unfiltered/valid", "unfiltered/test", "medium/train", "medium/valid", "hard")
# SHOVERWORLD_DATA is the path of the Boxoban folder itself, or of a folder that contains it under one of these names.
PLACES = ("", "boxoban", "boxoban-levels", "boxoban-levels-master", "sokoban/boxoban", "sokoban/boxoban-levels")
URL = "https://github.com/google-deepmind/boxoban-levels"


def boxoban_folder(part: str) -> Path:
    """Return the folder that contains one part of the Boxoban levels, for example "unfiltered/train"."""
    word("levels, after 'boxoban:'", part, PARTS)
    data = os.environ.get(VARIABLE)
    if data:
        for place in PLACES:
            folder = Path(os.path.expanduser(data)) / place / part
            if folder.is_dir():
                return folder
    reason = (
        f"{VARIABLE} is {data!r}, but {part} is not in this folder or its subfolders boxoban-levels and sokoban/boxoban"
        if data
        else f"the environment variable {VARIABLE} is not set"
    )
    raise LevelNotFound.at(
        f"these levels are not part of this package, and {reason}. Run `git clone {URL}` and set {VARIABLE} "
        "to the folder that contains boxoban-levels, or pass levels=PATH with a file or folder of levels",
        f"Boxoban, {part}",
    )
