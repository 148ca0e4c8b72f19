"""The budget of a search: the resources that the search may use."""

import sys
from dataclasses import dataclass

from shoverworld.core.checks import number, whole


@dataclass(frozen=True)
class Budget:
    """The limits of a search. None means unlimited.

    expansions: the number of states that may be expanded.
    seconds: the time limit, checked before each expansion.
    depth: the maximum number of actions in a path; longer paths are not explored.
    """

    expansions: int | None = None
    seconds: float | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name in ("expansions", "depth"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, whole(name, value, 0, sys.maxsize))
        if self.seconds is not None:
            object.__setattr__(self, "seconds", number("seconds", self.seconds, at_least=0))


UNLIMITED = Budget()
