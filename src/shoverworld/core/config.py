"""The base classes for the rules and rewards of games. The rules contain the reward; both are frozen dataclasses."""

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self

from .checks import known, number, truth, whole, word


class RuleField(NamedTuple):
    """The values that a rule can have. The constructor of the rules and the compiled reader of rules use this."""

    name: str
    kind: Literal["number", "whole", "truth", "word"]
    least: float = -math.inf
    most: float = math.inf
    words: tuple[str, ...] = ()  # the values of a rule whose value is a word; the kernels use the index

    def check(self, value: Any) -> Any:
        """Return a value of this rule in its own type. Raise ConfigError if it is invalid."""
        if self.kind == "word":
            return word(self.name, value, self.words)
        if self.kind == "truth":
            return truth(self.name, value)
        if self.kind == "whole":
            return whole(self.name, value, int(self.least), int(self.most))
        return number(self.name, value, self.least)


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
    field_checks: ClassVar[tuple[RuleField, ...]] = ()  # the rules with their values, in the order of the checks
    of_level: ClassVar[tuple[str, ...]] = ()  # fields that a level determines, such as the size of the board

    def check_fields(self) -> None:
        """Convert every rule in `field_checks` to its own type. Raise ConfigError if a value is invalid."""
        for rule in self.field_checks:
            object.__setattr__(self, rule.name, rule.check(getattr(self, rule.name)))

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
