"""Validation of user input. A failed check raises a ConfigError that names the field and the valid values."""

import math
from collections.abc import Iterable
from difflib import get_close_matches
from numbers import Real
from operator import index
from typing import Any, cast

import numpy as np

from .errors import ConfigError
from .problems import NOT_FINITE, NOT_TRUTH, NOT_WHOLE, TOO_SMALL, completed, sentence

LONGEST = 100  # a longer word is not a misspelt one, and comparing it could take seconds


def number(name: str, value: Any, at_least: float = -math.inf) -> float:
    """Return `value` as a float. It must be finite and at least `at_least`."""
    try:
        finite = not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise ConfigError(sentence(NOT_FINITE, f"{value!r:.60}", name))
    if value < at_least:
        raise ConfigError(sentence(TOO_SMALL, f"{value!r:.60}", name, at_least))
    return float(value)


def whole(name: str, value: Any, least: int, most: int) -> int:
    """Return `value` as an int, which must be in the range from `least` to `most`."""
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not (is_number and least <= value <= most and value == int(value)):  # pyright: ignore[reportUnknownArgumentType]
        raise ConfigError(sentence(NOT_WHOLE, f"{value!r:.60}", name, least, most))
    return int(value)  # pyright: ignore[reportUnknownArgumentType]


def truth(name: str, value: Any) -> bool:
    """Return `value` as a bool. 0 and 1 are accepted."""
    try:
        if value in (0, 1):
            return bool(value)
    except (TypeError, ValueError):
        pass
    raise ConfigError(sentence(NOT_TRUTH, f"{value!r:.60}", name))


def word(name: str, value: Any, words: Iterable[str]) -> str:
    """Return `value`, which must be one of the words."""
    words = tuple(words)
    if not isinstance(value, str) or value not in words:
        raise ConfigError(suggesting(word_messages(words), value, words, name))
    return value


def word_messages(words: Iterable[str]) -> tuple[str, str]:
    """Return the messages for a value that is not one of the words: without and with a suggestion."""
    return with_suggestion("{1:field}={0:quote}: ", f"must be one of {', '.join(map(repr, words))}")


def with_suggestion(what: str, known: str) -> tuple[str, str]:
    """Return two phrases: the message `what` with a text that lists the valid values, and the same with a suggestion."""
    return what + known, f"{what}did you mean {{2:quote}}? {known[0].upper()}{known[1:]}"


def suggesting(messages: tuple[str, str], value: Any, words: Iterable[str], name: str = "") -> str:
    """Return one of two phrases from `with_suggestion`: the second one if a word is similar to the value."""
    near = get_close_matches(value, list(words), 1) if isinstance(value, str) and len(value) <= LONGEST else []
    return completed(messages[bool(near)], f"{value!r:.60}", name, *map(repr, near))


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
