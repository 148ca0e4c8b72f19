"""Rules as strings: a preset and the rules that differ from it, such as "phase2, initial_force=30, reward.lava=1".

Such a string describes rules wherever people read or write them: in the header of a level file, in command-line
options, in the panel and as the value of the argument `rules`. A string without a preset, such as "initial_force=30",
changes rules of the preset that would otherwise apply. The empty string changes nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from .checks import suggesting, with_suggestion, word
from .config import GameRules, field_names
from .errors import ConfigError
from .problems import OF_LEVEL, completed, sentence

if TYPE_CHECKING:
    from .game import Game

RulesType = TypeVar("RulesType", bound=GameRules)
WORDS: Mapping[str, bool | None] = {
    "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False, "none": None,
}  # fmt: skip
NO_RULES = "expected `// rules: PRESET`; the presets are {presets}"
NO_PAIR = "{0:quote}: expected NAME=VALUE, for example "


def parse_rules(text: str, presets: Mapping[str, RulesType]) -> RulesType:
    """Return the rules that a string describes. Without a preset, the changes apply to the first preset."""
    preset, changes = split_rules(text, presets)
    return changed_rules(presets[preset or next(iter(presets))], changes)


def rules_text(text: str, presets: Mapping[str, GameRules], own: str = "") -> str:
    """Return a rules string in its standard form: a preset and the values that differ from it.

    A string without a preset changes the rules in the string `own`.
    """
    preset, _ = split_rules(text, presets)
    whole = text if preset else ", ".join(filter(None, (own, text)))
    base = split_rules(whole, presets)[0] or next(iter(presets))
    return describe_rules(parse_rules(whole, presets), {base: presets[base]})


def describe_rules(rules: GameRules, presets: Mapping[str, GameRules], names: Sequence[str] | None = None) -> str:
    """Describe rules as a string: the most similar preset, and the differences from this preset.

    `names`: the rules to describe; by default, all rules except those that a level determines.
    """
    names = rule_names(rules) if names is None else names
    differences = {
        preset: [name for name in names if rule_value(rules, name) != rule_value(usual, name)]
        for preset, usual in presets.items()
    }
    preset = min(differences, key=lambda preset: len(differences[preset]))
    return ", ".join([preset, *(f"{name}={_written(rule_value(rules, name))}" for name in differences[preset])])


def set_rules(game: "Game", text: str) -> set[str]:
    """Return the names of the rules to which a string assigns values."""
    return set() if game.preset_rules is None else set(split_rules(text, game.preset_rules)[1])


@lru_cache(maxsize=4096)  # level lists look up the rules of every level repeatedly
def rules_on(game: "Game", own: str, asked: str | None) -> str:
    """Return the rules for a level: its own rules (`own`), replaced or changed by those that the player requested.

    Raise ConfigError if the changes are incompatible with the rules of the level.
    """
    if not asked:
        return own
    if game.preset_rules is None:
        return asked
    return rules_text(asked, game.preset_rules, own)


def rules_in_list(game: "Game", own: str, asked: str | None) -> str:
    """Return the rules to list for a level, without the requested changes if they are incompatible with the level."""
    try:
        return rules_on(game, own, asked)
    except ConfigError:
        return own  # the error is reported when the level is opened


def asked_rules(game: "Game", preset: str | None, changes: Sequence[str] = ()) -> str:
    """Return the string for the options `--rules PRESET` and `--set NAME=VALUE`, or "" if neither is given.

    Raise ConfigError if the game has no such preset or rule, or if a value is invalid.
    """
    names = [preset.name for preset in game.presets]
    if game.preset_rules is None:
        if changes:
            raise ConfigError(f"--set {changes[0]}: {game.title} has no rules that can be set")
        return word("rules", preset, names) if preset else ""
    for change in changes:
        if not re.fullmatch(r"\s*[^\s=,]+\s*=\s*[^\s=,]+\s*", change):
            raise ConfigError(f"--set {change}: expected NAME=VALUE, for example {example_of(game.preset_rules)}")
    text = ", ".join(filter(None, (preset or "", *changes)))
    if not text:
        return ""
    own, changed = split_rules(text, game.preset_rules)
    changed_rules(game.preset_rules[own or names[0]], changed)
    return ", ".join(filter(None, (own, *(f"{name}={_written(value)}" for name, value in changed.items()))))


# --- the parts of a string


def split_rules(text: str, presets: Mapping[str, GameRules]) -> tuple[str, dict[str, Any]]:
    """Return the preset in a string ("" if there is none) and the changed values by name.

    Commas or spaces separate the parts. If a rule occurs twice, the last value is used.
    """
    parts = re.sub(r"\s*=\s*", "=", text).replace(",", " ").split()
    preset = parts.pop(0) if parts and "=" not in parts[0] else ""
    if preset and preset not in presets:
        raise ConfigError(suggesting(preset_messages(presets), preset, presets))
    changes: dict[str, Any] = {}
    for part in parts:
        name, sign, value = part.partition("=")
        if not (name and sign and value):
            raise ConfigError(completed(NO_PAIR + example_of(presets), f"{part!r:.60}"))
        changes[name] = _parsed(value)
    return preset, changes


def changed_rules(rules: RulesType, changes: Mapping[str, Any]) -> RulesType:
    """Return a copy of the rules with new values. The name of a part of the reward is `reward.PART`."""
    names = rule_names(rules)
    for name in changes:
        if name not in names:
            raise _unknown(name, rules, names)
    fields = {name: value for name, value in changes.items() if "." not in name}
    parts = {name.partition(".")[2]: value for name, value in changes.items() if "." in name}
    if parts:
        fields["reward"] = replace(rules.reward, **parts)
    return rules.change(**fields)


def rule_names(rules: GameRules) -> list[str]:
    """Return the names of the rules that can be set in a string."""
    own = [name for name in field_names(type(rules)) if name != "reward" and name not in rules.of_level]
    reward: type[Any] = rules.reward.__class__
    return [*own, *(f"reward.{part}" for part in field_names(reward))]


def _unknown(name: str, rules: GameRules, names: list[str]) -> ConfigError:
    if name in rules.of_level:
        return ConfigError(sentence(OF_LEVEL, name))
    return ConfigError(suggesting(rule_messages(names), name, names))


def preset_messages(presets: Iterable[str]) -> tuple[str, str]:
    """Return the messages for an unknown preset: without and with a suggestion."""
    known = f"the presets are {', '.join(map(repr, presets))}"
    return with_suggestion("rules={0:quote}: there is no such preset; ", known)


def rule_messages(names: Iterable[str]) -> tuple[str, str]:
    """Return the messages for an unknown rule: without and with a suggestion."""
    return with_suggestion("there is no rule {0:quote}; ", f"the rules are {', '.join(names)}")


def rule_value(rules: GameRules, name: str) -> Any:
    reward, dot, part = name.partition(".")
    return getattr(rules.reward, part) if dot else getattr(rules, reward)


def _parsed(text: str) -> Any:
    """Return a value as a bool, None, a number or a word. Its type is checked by the rules class."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for kind in (int, float) if text.isascii() else ():
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _written(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def example_of(presets: Mapping[str, GameRules]) -> str:
    rules = next(iter(presets.values()))
    name = [name for name in rule_names(rules) if "." not in name and isinstance(rule_value(rules, name), float | int)][
        -1
    ]
    return f"{name}={_written(rule_value(rules, name))}"
