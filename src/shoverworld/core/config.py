"""The base classes for the rules and rewards of games. The rules contain the reward; both are frozen dataclasses."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, ClassVar, Self

from .checks import known, number


class GameReward:
    """The base class for a game's reward, which is a frozen dataclass of numbers.

    A field may be None only if None is its default.
    """

    def __post_init__(self) -> None:
        for part in fields(self):  # type: ignore[arg-type]
            value = getattr(self, part.name)
            if value is not None or part.default is not None:
                object.__setattr__(self, part.name, number(f"{type(self).__name__}.{part.name}", value))


class GameRules:
    """The base class for a game's rules: a frozen dataclass with one field for each rule."""

    reward: Any
    of_level: ClassVar[tuple[str, ...]] = ()  # fields that a level determines, such as the size of the board

    def change(self, **changes: Any) -> Self:
        """Return a copy with some fields changed. For an unknown field, the error message suggests a similar name."""
        known(changes, field_names(type(self)), "rule")
        return replace(self, **changes)  # type: ignore[type-var]

    def change_given(self, given: Mapping[str, Any]) -> Self:
        """Return a copy with new values for the rules in `given`. Keys that are not rules are ignored.

        The reward may be given as a dict.
        """
        changes = {name: given[name] for name in field_names(type(self)) if name in given}
        if isinstance(parts := changes.get("reward"), dict):
            kind: type[Any] = self.reward.__class__
            known(parts, field_names(kind), "reward term")
            changes["reward"] = kind(**parts)
        return self.change(**changes)


def field_names(kind: type[Any]) -> list[str]:
    """Return the field names of a dataclass."""
    return [field.name for field in fields(kind)]
