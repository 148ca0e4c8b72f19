# pyright: basic
# Numba infers the types of the functions that are compiled.
"""A compiled reader and writer for rules as strings (core/rules_text.py), for the WebAssembly modules.

The values of all rules are one array of floats, in the order of `rule_names`: a word is its index, a truth value is 0 or
1, and None is not a number. A game turns these values into the numbers that its kernels use.

Python's reader (core/rules_text.py) stays separate, because its values also come from keyword arguments of any type. Both
readers use the same fields (`RuleField`), limits and messages, and tests compare them.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .checks import word_messages
from .config import GameRules, RuleField, field_names
from .jit import shared
from .letters import SPACE, add_letter, is_space, letter_at, quote, size_at, skip_space
from .problems import NOT_FINITE, NOT_TRUTH, NOT_WHOLE, OF_LEVEL, TOO_SMALL, Problems
from .rule_values import A_FLOAT, A_WORD, AN_INTEGER, FALSE, NONE, TRUE, quote_value, value_of
from .rules_text import NO_PAIR, NO_RULES, example_of, preset_messages, rule_messages, rule_names, rule_value
from .text_reader import COMMA, EQUALS, LONGEST_QUOTE, find_byte, problem, word_bytes
from .text_writer import put_bytes, put_number
from .word_lists import WordList, closest, finder, namer, putter, same

NUMBER, WHOLE, TRUTH, WORD = range(4)
_KINDS = ("number", "whole", "truth", "word")
_TRUE, _FALSE, _NONE = map(word_bytes, ("true", "false", "none"))


class RuleReader:
    """The compiled functions for the rules of a game.

    `check` is a compiled function that returns the message for values that are incompatible with one another, or -1.
    """

    def __init__(self, presets: Mapping[str, GameRules], problems: Problems, check: Callable[..., int]):
        rules = next(iter(presets.values()))
        self.names = rule_names(rules)
        self.fields = _fields(rules, self.names)
        self.presets = np.array([[self._number(each, name) for name in self.names] for each in presets.values()])
        self.words: dict[str, WordList] = {"rule": WordList(self.names), "preset": WordList(list(presets))}
        of_level = WordList(list(rules.of_level))
        problems.words["field"] = tuple(self.fields[name].name for name in self.names)
        self.no_rules = problems(NO_RULES.format(presets=", ".join(presets)))
        self._messages(presets, problems)
        self.find_preset = finder(self.words["preset"])
        self.find_rule, self._find_of_level = finder(self.words["rule"]), finder(of_level)
        self.read = self._reader(problems, presets, check)
        self.write = self._writer(presets)

    @staticmethod
    def names_of(presets: Mapping[str, GameRules]) -> list[str]:
        """Return the names of the rules in the order of their values."""
        return rule_names(next(iter(presets.values())))

    def _number(self, rules: GameRules, name: str) -> float:
        value, field = rule_value(rules, name), self.fields[name]
        if value is None:
            return math.nan
        return float(field.words.index(value)) if field.kind == "word" else float(value)

    def values(self, rules: GameRules) -> np.ndarray:
        """Return the values of rules as an array."""
        return np.array([self._number(rules, name) for name in self.names])

    def description(self) -> list[dict[str, Any]]:
        """Return the rules for the description of a game: name, kind, limits and words."""
        found: list[dict[str, Any]] = []
        for name in self.names:
            field = self.fields[name]
            limits = {"least": field.least, "most": field.most} if field.kind in ("number", "whole") else {}
            finite = {key: value for key, value in limits.items() if math.isfinite(value)}
            words = {"words": list(field.words)} if field.words else {}
            found.append({"name": name, "kind": field.kind, **finite, **words})
        return found

    # --- Reading

    def _messages(self, presets: Mapping[str, GameRules], problems: Problems) -> None:
        """Add the messages about unknown names to the table."""
        self._no_preset, self._near_preset = map(problems, preset_messages(presets))
        self._no_rule, self._near_rule = map(problems, rule_messages(self.names))
        self._no_pair = problems(NO_PAIR + example_of(presets))

    def _reader(self, problems: Problems, presets: Mapping[str, GameRules], check: Any) -> Any:
        names, preset_names = self.words["rule"], self.words["preset"]
        find_rule, find_preset, find_of_level = self.find_rule, self.find_preset, self._find_of_level
        name_rule, name_preset = namer(names), namer(preset_names)
        no_rule, near_rule, no_preset, near_preset, no_pair = (
            self._no_rule, self._near_rule, self._no_preset, self._near_preset, self._no_pair,
        )  # fmt: skip
        read_field, order, base = self._field_reader(problems), self._order(presets), self.presets

        @shared
        def read(text, start, end, values, scratch, line, level, sheet):
            """Read rules and change the values accordingly. Return whether this failed.

            `scratch` is overwritten. It must be SPARE bytes longer than the rules.
            """
            size = _write_parts(text, start, end, scratch)
            place = 0
            stop = part_end(scratch, 0, size)
            if stop > 0 and find_byte(scratch, 0, stop, EQUALS) == stop:
                preset = find_preset(scratch, 0, stop)
                if preset < 0:
                    return name_preset(sheet, scratch, 0, stop, no_preset, near_preset, line, level)
                for k in range(len(values)):
                    values[k] = base[preset, k]
                place = min(stop + 1, size)
            first = place
            while place < size:
                stop = part_end(scratch, place, size)
                sign = find_byte(scratch, place, stop, EQUALS)
                if sign == place or sign >= stop - 1:
                    problem(sheet, no_pair, line, level=level)
                    quote(sheet, 0, scratch, place, stop, LONGEST_QUOTE, LONGEST_QUOTE)
                    return 1
                place = stop + 1
            place = first
            while place < size:
                stop = part_end(scratch, place, size)
                sign = find_byte(scratch, place, stop, EQUALS)
                if find_rule(scratch, place, sign) < 0:
                    if find_of_level(scratch, place, sign) >= 0:
                        problem(sheet, OF_LEVEL, line, level=level)
                        for k in range(place, sign):
                            add_letter(sheet, 0, scratch[k])
                        return 1
                    return name_rule(sheet, scratch, place, sign, no_rule, near_rule, line, level)
                place = stop + 1
            for k in range(len(order)):
                place, value, last = first, 0, 0
                while place < size:
                    stop = part_end(scratch, place, size)
                    sign = find_byte(scratch, place, stop, EQUALS)
                    if find_rule(scratch, place, sign) == order[k]:
                        value, last = sign + 1, stop
                    place = stop + 1
                if last > 0 and read_field(scratch, value, last, order[k], values, line, level, sheet) != 0:
                    return 1
            phrase = check(values)
            return problem(sheet, phrase, line, level=level) if phrase >= 0 else 0

        return read

    def _order(self, presets: Mapping[str, GameRules]) -> np.ndarray:
        """Return the indices of the rules in the order in which Python checks them: the reward first."""
        checked = [field.name for field in next(iter(presets.values())).field_checks]
        rewards = [k for k, name in enumerate(self.names) if "." in name]
        others = [k for k, name in enumerate(self.names) if "." not in name]
        return np.array([*rewards, *sorted(others, key=lambda k: checked.index(self.names[k]))], np.int32)

    def _field_reader(self, problems: Problems) -> Any:
        fields = [self.fields[name] for name in self.names]
        kinds = np.array([_KINDS.index(field.kind) for field in fields], np.int8)
        least, most = (np.array([getattr(field, name) for field in fields], np.float64) for name in ("least", "most"))
        optional = np.array(np.isnan(self.presets).any(axis=0))
        read_word = _word_reader(fields, problems)

        @shared
        def read_field(text, start, end, field, values, line, level, sheet):
            """Read the value of one rule. Return whether this failed."""
            kind, number = value_of(text, start, end)
            is_number = kind in (AN_INTEGER, A_FLOAT)
            phrase = -1
            if kinds[field] == WORD:
                return read_word(text, start, end, kind, number, field, values, line, level, sheet)
            if kinds[field] == TRUTH:
                number = 1.0 if kind == TRUE else 0.0 if kind == FALSE else number
                if kind in (A_WORD, NONE) or not (number == 0 or number == 1):
                    phrase = NOT_TRUTH
            elif kinds[field] == WHOLE:
                if not (is_number and least[field] <= number <= most[field] and number == math.floor(number)):
                    phrase = NOT_WHOLE
            elif kind == NONE and optional[field]:
                number = math.nan
            elif not (is_number and abs(number) < math.inf):
                phrase = NOT_FINITE
            elif number < least[field]:
                phrase = TOO_SMALL
            if phrase >= 0:
                problem_of_value(sheet, phrase, field, least[field], most[field], line, level)
                quote_value(sheet, 0, text, start, end, kind, number)
                return 1
            values[field] = number
            return 0

        return read_field

    # --- Writing

    def _writer(self, presets: Mapping[str, GameRules]) -> Any:
        fields = [self.fields[name] for name in self.names]
        kinds = np.array([_KINDS.index(field.kind) for field in fields], np.int8)
        put_preset, put_rule, put_word = (
            putter(self.words["preset"]),
            putter(self.words["rule"]),
            _word_putter(fields),
        )
        base = self.presets

        @shared
        def write(values, out, place):
            """Write rules as a string: the most similar preset and the differences. Return the new number of bytes."""
            best, fewest = 0, len(values) + 1
            for preset in range(len(base)):
                count = 0
                for k in range(len(values)):
                    count += int(differs(values[k], base[preset, k]))
                if count < fewest:
                    best, fewest = preset, count
            place = put_preset(best, out, place)
            for k in range(len(values)):
                if differs(values[k], base[best, k]):
                    out[place], out[place + 1] = COMMA, SPACE
                    place = put_rule(k, out, place + 2)
                    out[place] = EQUALS
                    place += 1
                    if kinds[k] == WORD:
                        place = put_word(k, values[k], out, place)
                    elif math.isnan(values[k]):
                        place = put_bytes(_NONE, out, place)
                    elif kinds[k] == TRUTH:
                        place = put_bytes(_TRUE, out, place) if values[k] == 1 else put_bytes(_FALSE, out, place)
                    else:
                        place = put_number(values[k], out, place, False)
            return place

        return write


def _fields(rules: GameRules, names: list[str]) -> dict[str, RuleField]:
    """Return the fields of all rules by name. The name in a field is the one that messages use."""
    reward: type[Any] = type(rules.reward)
    found = {field.name: field for field in rules.field_checks}
    for part in field_names(reward):
        found[f"reward.{part}"] = RuleField(f"{reward.__name__}.{part}", "number")
    return {name: found[name] for name in names}


def _word_reader(fields: list[RuleField], problems: Problems) -> Any:
    """Return a compiled function that reads the value of a rule whose value is a word."""
    lists = WordList([word for field in fields for word in field.words])
    letters, starts, ranks = lists.letters, lists.starts, lists.ranks
    first = np.cumsum([0, *(len(field.words) for field in fields)]).astype(np.int32)
    messages = [tuple(map(problems, word_messages(field.words))) if field.words else (0, 0) for field in fields]
    plain, near = np.array(messages, np.int32).T.copy()

    @shared
    def read_word(text, start, end, kind, number, field, values, line, level, sheet):
        own = starts[first[field] : first[field + 1] + 1]
        if kind == A_WORD:
            for k in range(len(own) - 1):
                if same(text, start, end, letters, own[k], own[k + 1]):
                    values[field] = k
                    return 0
        best = closest(text, start, end, letters, own, ranks[first[field] :], sheet) if kind == A_WORD else -1
        problem(sheet, near[field] if best >= 0 else plain[field], line, b=field, c=2, level=level)
        quote_value(sheet, 0, text, start, end, kind, number)
        if best >= 0:
            quote(sheet, 2, letters, own[best], own[best + 1], LONGEST_QUOTE, LONGEST_QUOTE)
        return 1

    return read_word


@shared
def _write_parts(text, start, end, out):
    """Write the parts of a rules string, separated by single spaces and without spaces around `=`. Return the size."""
    size = 0
    while start < end:
        if is_space(letter_at(text, start)):
            start = skip_space(text, start, end)
            is_glued = (size > 0 and out[size - 1] == EQUALS) or (start < end and text[start] == EQUALS)
            if not is_glued and size > 0 and out[size - 1] != SPACE:
                out[size] = SPACE
                size += 1
        elif text[start] == COMMA:
            if size > 0 and out[size - 1] != SPACE:
                out[size] = SPACE
                size += 1
            start += 1
        else:
            for _ in range(size_at(text, start)):
                out[size] = text[start]
                size += 1
                start += 1
    return size - 1 if size > 0 and out[size - 1] == SPACE else size


@shared
def part_end(text, start, size):
    return find_byte(text, start, size, SPACE)


@shared
def problem_of_value(sheet, phrase, field, least, most, line, level):
    """Write an error about the value of a rule: the quotation of the value must follow."""
    problem(sheet, phrase, line, b=field, c=least, level=level)
    sheet.rows[sheet.used[0] - 1, 5] = most  # {3}


@shared
def differs(one, other):
    return one != other and not (math.isnan(one) and math.isnan(other))


def _word_putter(fields: list[RuleField]) -> Any:
    """Return a compiled function that writes the value of a rule whose value is a word."""
    put = putter(WordList([word for field in fields for word in field.words]))
    first = np.cumsum([0, *(len(field.words) for field in fields)]).astype(np.int32)

    @shared
    def put_word(field, value, out, place):
        return put(first[field] + np.int64(value), out, place)

    return put_word
