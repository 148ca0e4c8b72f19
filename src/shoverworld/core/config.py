"""What the rules of all games have in common: frozen dataclasses of rules, each with a dataclass of reward numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Self, TypeVar

from .checks import known, number


class GameReward:
    """The base of a game's reward, a frozen dataclass of numbers. A part may be None only if None is its default."""

    def __post_init__(self) -> None:
        for part in fields(self):  # type: ignore[arg-type]
            value = getattr(self, part.name)
            if value is not None or part.default is not None:
                object.__setattr__(self, part.name, number(f"{type(self).__name__}.{part.name}", value))


class GameRules:
    """The base of a game's rules, a frozen dataclass with one field for each rule."""

    reward: Any

    def change(self, **changes: Any) -> Self:
        """Return these rules with some fields changed; an unknown field raises an error that suggests a similar name."""
        known(changes, field_names(type(self)), "rule")
        return replace(self, **changes)  # type: ignore[type-var]

    def change_given(self, given: Mapping[str, Any]) -> Self:
        """Return these rules with the fields changed that are among the keywords `given`. The reward may be a dict."""
        changes = {name: given[name] for name in field_names(type(self)) if name in given}
        if isinstance(parts := changes.get("reward"), dict):
            kind = type(self.reward)
            known(parts, field_names(kind), "part of the reward")
            changes["reward"] = kind(**parts)
        return self.change(**changes)


RulesType = TypeVar("RulesType", bound=GameRules)


def field_names(kind: type) -> list[str]:
    """The names of the fields of a dataclass."""
    return [field.name for field in fields(kind)]


def matching_preset(rules: RulesType, presets: Mapping[str, RulesType], names: Iterable[str]) -> str:
    """The first preset that agrees with these rules in the named fields, or ""."""
    own = {name: getattr(rules, name) for name in names}
    for preset, usual in presets.items():
        if all(getattr(usual, name) == value for name, value in own.items()):
            return preset
    return ""
