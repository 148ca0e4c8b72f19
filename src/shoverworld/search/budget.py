"""Budget: how much a search may spend."""

import sys
from dataclasses import dataclass

from shoverworld.core.checks import number, whole


@dataclass(frozen=True)
class Budget:
    """The limits of a search; None is no limit.

    expansions: states whose successors it may ask for. seconds: time, looked at before each expansion.
    depth: actions in a path; what lies further away is not looked at.
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
