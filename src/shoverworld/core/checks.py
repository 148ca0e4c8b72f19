"""Checks of what users hand in; each failure is a ConfigError that names the field and what would be right."""

import math
from collections.abc import Iterable
from difflib import get_close_matches
from numbers import Real
from typing import Any

from .errors import ConfigError


def number(name: str, value: Any, at_least: float = -math.inf) -> float:
    """`value` as a finite float."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ConfigError(f"{name}={value!r}: must be a finite number")
    if value < at_least:
        raise ConfigError(f"{name}={value!r}: must be at least {at_least:g}")
    return float(value)


def whole(name: str, value: Any, least: int, most: int) -> int:
    """`value` as an int between `least` and `most`."""
    if number(name, value) != int(value) or not least <= value <= most:
        raise ConfigError(f"{name}={value!r}: must be a whole number from {least} to {most}")
    return int(value)


def truth(name: str, value: Any) -> bool:
    """`value` as a bool; 0 and 1 will do."""
    try:
        if value in (0, 1):
            return bool(value)
    except (TypeError, ValueError):
        pass
    raise ConfigError(f"{name}={value!r}: must be True or False")


def word(name: str, value: Any, words: Iterable[str]) -> str:
    """`value` as one of the words."""
    if value not in (words := tuple(words)):
        raise ConfigError(f"{name}={value!r}: must be one of {', '.join(map(repr, words))}")
    return value


def known(names: Iterable[str], all_names: Iterable[str], what: str) -> None:
    """Every name is one of `all_names`; otherwise the error offers the nearest."""
    all_names = list(all_names)
    for name in names:
        if name not in all_names:
            near = get_close_matches(name, all_names, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(all_names)}"
            raise ConfigError(f"there is no {what} {name!r}; {hint}")
