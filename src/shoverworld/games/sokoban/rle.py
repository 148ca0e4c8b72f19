"""Run-length encoding of boards and solutions: `3#` is `###`, `2(rU)` is `rUrU`."""

import re

from . import problems as say
from .problems import PROBLEMS

MAX_DEPTH = 16  # maximum nesting depth of groups; in real files, the depth is at most 2
_ENCODED = re.compile(r"[0-9()]")
_PART = re.compile(r"([0-9]*)([^0-9])")


class RLEError(ValueError):
    """The run-length encoding is invalid. `place` is the position in the text, counting from 0."""

    def __init__(self, what: str, place: int):
        super().__init__(what)
        self.place = place


def expand(text: str, limit: int) -> str:
    """Decode `text`. Raise RLEError if `text` is invalid or if the result is longer than `limit`."""
    if not _ENCODED.search(text):
        if len(text) > limit:
            raise RLEError(PROBLEMS.sentence(say.RLE_LONG, limit), limit)
        return text
    groups: list[tuple[list[str], int, int]] = [([], 1, 0)]  # for each open group: its parts, repeat count and start
    sizes = [0]
    place = 0
    while place < len(text):
        part = _PART.match(text, place)
        if part is None:
            raise RLEError(PROBLEMS.sentence(say.RLE_NOTHING, text[place:][:8]), place)
        digits, letter = part.groups()
        times = int(digits[:9]) if digits else 1
        if times == 0:
            raise RLEError(PROBLEMS.sentence(say.RLE_ZERO), place)
        if letter == "(":
            if len(groups) > MAX_DEPTH:
                raise RLEError(PROBLEMS.sentence(say.RLE_DEPTH, MAX_DEPTH), place)
            groups.append(([], times, place))
            sizes.append(0)
        else:
            if letter == ")":
                if len(groups) == 1 or digits:
                    message = say.RLE_NUMBER if digits else say.RLE_CLOSED
                    raise RLEError(PROBLEMS.sentence(message, digits[:8]), place)
                parts, times, _ = groups.pop()
                sizes.pop()
                letter = "".join(parts)
            sizes[-1] += times * len(letter)
            if sizes[-1] > limit:
                raise RLEError(PROBLEMS.sentence(say.RLE_LONG, limit), place)
            groups[-1][0].append(letter * times)
        place = part.end()
    if len(groups) > 1:
        raise RLEError(PROBLEMS.sentence(say.RLE_OPEN), groups[-1][2])
    return "".join(groups[0][0])


def shorten(text: str) -> str:
    """Encode `text`: replace every run of two or more equal characters with its length and the character."""
    return re.sub(r"(.)\1+", lambda run: f"{len(run[0])}{run[1]}", text)
