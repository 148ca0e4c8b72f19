"""Validation of user input. A failed check raises a ConfigError that names the field and the valid values."""

import math
from collections.abc import Iterable
from difflib import get_close_matches
from numbers import Real
from operator import index
from typing import Any, cast

import numpy as np

from .errors import ConfigError

LONGEST = 100  # a longer word is not a misspelt one, and comparing it could take seconds


def number(name: str, value: Any, at_least: float = -math.inf) -> float:
    """Return `value` as a float. It must be finite and at least `at_least`."""
    try:
        finite = not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise ConfigError(f"{name}={value!r:.60}: must be a finite number")
    if value < at_least:
        raise ConfigError(f"{name}={value!r}: must be at least {at_least:g}")
    return float(value)


def whole(name: str, value: Any, least: int, most: int) -> int:
    """Return `value` as an int, which must be in the range from `least` to `most`."""
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not (is_number and least <= value <= most and value == int(value)):  # pyright: ignore[reportUnknownArgumentType]
        raise ConfigError(f"{name}={value!r:.60}: must be an integer from {least} to {most}")
    return int(value)  # pyright: ignore[reportUnknownArgumentType]


def truth(name: str, value: Any) -> bool:
    """Return `value` as a bool. 0 and 1 are accepted."""
    try:
        if value in (0, 1):
            return bool(value)
    except (TypeError, ValueError):
        pass
    raise ConfigError(f"{name}={value!r:.60}: must be True or False")


def word(name: str, value: Any, words: Iterable[str]) -> str:
    """Return `value`, which must be one of the words."""
    words = tuple(words)
    if not isinstance(value, str) or value not in words:
        known = f"must be one of {', '.join(map(repr, words))}"
        raise ConfigError(f"{name}={value!r:.60}: {did_you_mean(value, words, known)}")
    return value


def did_you_mean(value: Any, words: Iterable[str], known: str) -> str:
    """Return the text `known`, which lists the words; if a word is similar to the value, suggest that word first."""
    near = get_close_matches(value, list(words), 1) if isinstance(value, str) and len(value) <= LONGEST else []
    return f"did you mean {near[0]!r}? {known[0].upper()}{known[1:]}" if near else known


def seed_number(value: Any) -> int | None:
    """Return `value` as a seed, which is None or a non-negative int."""
    try:
        if value is None or (not isinstance(value, bool) and index(value) >= 0):
            return None if value is None else index(value)
    except TypeError:
        pass
    raise ConfigError(f"seed={value!r:.60}: must be None or a non-negative integer")


def known(names: Any, all_names: Iterable[str], what: str) -> None:
    """Check that `names` is a dict whose keys are all in `all_names`. The error message suggests a similar name."""
    all_names = list(all_names)
    if not isinstance(names, dict):
        raise ConfigError(f"expected a dict of {what}s (any of {', '.join(all_names)}), not {names!r:.60}")
    for name in cast("dict[Any, Any]", names):
        if name not in all_names:
            near = get_close_matches(str(name)[:LONGEST], all_names, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(all_names)}"
            raise ConfigError(f"there is no {what} {name!r:.60}; {hint}")
