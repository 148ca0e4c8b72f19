"""Solutions as letters: l, u, r and d mean a step left, up, right or down; L, U, R and D mean a push in that direction.

    #######
    #@ $ .#    rRR: a step to the box, then two pushes
    #######

A solution may be run-length encoded (`4r2(uL)`). This module reads and writes the letters; lurd_replay.py plays them.
"""

import re

from shoverworld.core.errors import LevelError
from shoverworld.core.files import checked_text

from .rle import RLEError, expand, shorten

LETTERS = "udlrUDLR"
STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
LONGEST = 1_000_000
WORDS = {"u": "up", "d": "down", "l": "left", "r": "right"}
EXPECTED = "expected one of l u r d L U R D"
_SPACE = re.compile(r"\s+")
_STRANGE = re.compile(f"[^{LETTERS}]")


def read_lurd(text: str, source: str = "solution") -> str:
    """Return the letters of a solution, with white space removed and runs expanded."""
    letters = expand_lurd(text, source)
    if strange := _STRANGE.search(letters):
        raise LevelError.at(f"letter {strange.start() + 1} is {strange[0]!r}; {EXPECTED}", source)
    return letters


def expand_lurd(text: str, source: str) -> str:
    """Return `text` with white space removed and runs expanded. The letters are not checked."""
    try:
        return expand(_SPACE.sub("", checked_text(text, LevelError, source)), LONGEST)
    except RLEError as reason:
        raise LevelError.at(f"invalid run-length encoding: {reason}", source) from None


def write_lurd(letters: str, rle: bool = False) -> str:
    """Return a solution as a string, run-length encoded if `rle` is true. `read_lurd` restores the letters."""
    letters = read_lurd(letters)
    return shorten(letters) if rle else letters
