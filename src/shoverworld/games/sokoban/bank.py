"""Our own rooms, packaged: sets from easy to hard, each room with a solution that has the fewest pushes there are.

The files were made by benchmarks/sokoban_bank.py, which makes them again.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from shoverworld.core.checks import word

from .formats import read_levels
from .levels import Level

FOLDER = Path(__file__).parent / "rooms"
SETS = ("tiny", "easy", "medium", "hard")  # in this order


class BestKnown(NamedTuple):
    """The best solution of a room that anybody knows."""

    pushes: int
    moves: int  # of a solution with so many pushes
    proved: bool  # no solution has fewer pushes


def names() -> tuple[str, ...]:
    """The packaged sets, from the easiest on."""
    return SETS


def packaged(name: str) -> list[Level]:
    """The rooms of a packaged set, from the easiest on; `solution` of each is proved to have the fewest pushes."""
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
    """What is known of a packaged room, whatever file it was read from; None for any other."""
    return _known().get(level)
