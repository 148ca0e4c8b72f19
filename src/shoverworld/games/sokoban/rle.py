"""Run-length writing, of boards and of solutions: `3#` is `###`, `2(rU)` is `rUrU`."""

import re

DEEPEST = 16  # groups in groups; nobody writes more than two
_PART = re.compile(r"([0-9]*)([^0-9])")


class BrokenRuns(ValueError):
    """What is wrong with a run-length text, and at which `place` (from 0) of it."""

    def __init__(self, what: str, place: int):
        super().__init__(what)
        self.place = place


def expand(text: str, limit: int) -> str:
    """The text with all runs written out; never longer than `limit`."""
    groups: list[tuple[list[str], int, int]] = [([], 1, 0)]  # the parts so far, how often, where it began
    sizes = [0]
    place = 0
    while place < len(text):
        part = _PART.match(text, place)
        if part is None:
            raise BrokenRuns(f"the number {text[place:][:8]} has nothing to repeat", place)
        digits, letter = part.groups()
        times = int(digits[:9]) if digits else 1
        if times == 0:
            raise BrokenRuns("0 times is not a run; expected a number from 1", place)
        if letter == "(":
            if len(groups) > DEEPEST:
                raise BrokenRuns(f"more than {DEEPEST} groups in each other", place)
            groups.append(([], times, place))
            sizes.append(0)
        else:
            if letter == ")":
                if len(groups) == 1 or digits:
                    raise BrokenRuns(
                        "')' without its '('" if not digits else f"the number {digits[:8]} before ')'", place
                    )
                parts, times, _ = groups.pop()
                sizes.pop()
                letter = "".join(parts)
            sizes[-1] += times * len(letter)
            if sizes[-1] > limit:
                raise BrokenRuns(f"longer than {limit} when written out", place)
            groups[-1][0].append(letter * times)
        place = part.end()
    if len(groups) > 1:
        raise BrokenRuns("'(' without its ')'", groups[-1][2])
    return "".join(groups[0][0])


def shorten(text: str) -> str:
    """The same with a number for each run of two or more."""
    return re.sub(r"(.)\1+", lambda run: f"{len(run[0])}{run[1]}", text)
