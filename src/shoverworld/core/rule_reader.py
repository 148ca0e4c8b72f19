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

from .checks import LONGEST, word_messages
from .config import GameRules, RuleField, field_names
from .decimals import MOST_DIGITS, decimal, shortest
from .jit import shared
from .letters import SPACE, add_letter, begins, count_letters, is_space, letter_at, lower, quote, size_at, skip_space
from .problems import NOT_FINITE, NOT_TRUTH, NOT_WHOLE, OF_LEVEL, TOO_SMALL, Problems
from .rules_text import NO_PAIR, NO_RULES, WORDS, example_of, preset_messages, rule_messages, rule_names, rule_value
from .text_reader import COMMA, EQUALS, LONGEST_QUOTE, problem, word_bytes

NUMBER, WHOLE, TRUTH, WORD = range(4)
_KINDS = ("number", "whole", "truth", "word")

# The kinds of values in a text
A_WORD, AN_INTEGER, A_FLOAT, TRUE, FALSE, NONE = range(6)
MINUS, PLUS, POINT = map(ord, "-+.")
MOST_PLACES = 16  # `repr` writes numbers from 1e16 with an exponent
SPARE = 64  # how many bytes longer than a text an array `out` must be


class WordList:
    """Words for compiled code: their bytes, where each word begins, and their alphabetical order."""

    def __init__(self, words: list[str]):
        encoded = [word.encode("utf-8") for word in words]
        self.letters = np.frombuffer(b"".join(encoded) + b"\0", np.uint8)
        self.starts = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
        self.ranks = np.array([sorted(words).index(word) for word in words], np.int32)


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
        self.find_preset = _finder(self.words["preset"])
        self.find_rule, self._find_of_level = _finder(self.words["rule"]), _finder(of_level)
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
        name_rule, name_preset = _namer(names), _namer(preset_names)
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
            _putter(self.words["preset"]),
            _putter(self.words["rule"]),
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


# --- Words


def _finder(words: WordList) -> Any:
    """Return a compiled function that returns the index of a word, or -1."""
    letters, starts = words.letters, words.starts

    @shared
    def find(text, start, end):
        for k in range(len(starts) - 1):
            if same(text, start, end, letters, starts[k], starts[k + 1]):
                return k
        return -1

    return find


@shared
def same(text, start, end, other, first, last):
    if end - start != last - first:
        return False
    for k in range(end - start):  # noqa: SIM110 - compiled code has no generators
        if text[start + k] != other[first + k]:
            return False
    return True


def _namer(words: WordList) -> Any:
    """Return a compiled function that writes the error for an unknown word, with a suggestion if a word is similar."""
    letters, starts, ranks = words.letters, words.starts, words.ranks

    @shared
    def name(sheet, text, start, end, plain, near, line, level):
        best = closest(text, start, end, letters, starts, ranks, sheet)
        problem(sheet, near if best >= 0 else plain, line, c=2, level=level)
        quote(sheet, 0, text, start, end, LONGEST_QUOTE, LONGEST_QUOTE)
        if best >= 0:
            quote(sheet, 2, letters, starts[best], starts[best + 1], LONGEST_QUOTE, LONGEST_QUOTE)
        return 1

    return name


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
def closest(text, start, end, letters, starts, ranks, sheet):
    """Return the index of the word that is most similar to a text, as `difflib.get_close_matches` finds it, or -1.

    The end of the sheet, which is empty, serves as memory.
    """
    stack = sheet.rows[len(sheet.rows) - LONGEST :]
    size = count_letters(text, start, end)
    if size > LONGEST:
        return -1
    best, score, rank = -1, 0.6, -1
    for k in range(len(starts) - 1):
        matched = matches(letters, starts[k], starts[k + 1], text, start, end, stack)
        ratio = 2.0 * matched / (starts[k + 1] - starts[k] + size)
        if ratio > score or (ratio == score and ranks[k] > rank):
            best, score, rank = k, ratio, ranks[k]
    return best


@shared
def matches(a, a_start, a_end, b, b_start, b_end, stack):
    """Return how many letters of two texts match, as `difflib.SequenceMatcher` counts them: the longest common part
    first, then the parts to its left and to its right. `a` is ASCII, so comparing bytes compares letters.

    `stack` holds the pairs of parts that must still be compared, one in a row.
    """
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = a_start, a_end, b_start, b_end
    waiting, total = 1, 0
    while waiting > 0:
        waiting -= 1
        a_start, a_end = np.int64(stack[waiting, 0]), np.int64(stack[waiting, 1])
        b_start, b_end = np.int64(stack[waiting, 2]), np.int64(stack[waiting, 3])
        size, first, second = 0, a_start, b_start
        for i in range(a_start, a_end):
            for j in range(b_start, b_end):
                k = 0
                while i + k < a_end and j + k < b_end and a[i + k] == b[j + k]:
                    k += 1
                if k > size:
                    size, first, second = k, i, j
        if size > 0:
            total += size
            stack[waiting, 1], stack[waiting, 3] = first, second
            stack[waiting + 1, 0], stack[waiting + 1, 1] = first + size, a_end
            stack[waiting + 1, 2], stack[waiting + 1, 3] = second + size, b_end
            waiting += 2
    return total


# --- Values


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
def find_byte(text, start, end, byte):
    """Return the index of a byte, or `end` if there is none."""
    while start < end and text[start] != byte:
        start += 1
    return start


@shared
def part_end(text, start, size):
    return find_byte(text, start, size, SPACE)


_WORD_LIST = WordList(list(WORDS))
_WORD_KINDS = np.array([TRUE if value else NONE if value is None else FALSE for value in WORDS.values()], np.int8)
_WORD_LETTERS, _WORD_STARTS = _WORD_LIST.letters, _WORD_LIST.starts
_INFINITE, _INFINITY, _NAN = map(word_bytes, ("inf", "infinity", "nan"))
_TRUE, _FALSE, _NONE = map(word_bytes, ("true", "false", "none"))
_TRUE_VALUE, _FALSE_VALUE, _NONE_VALUE = map(word_bytes, ("True", "False", "None"))


@shared
def value_of(text, start, end):
    """Return the kind of a value and its number, as `_parsed` in core/rules_text.py does."""
    for k in range(len(_WORD_KINDS)):
        if end - start == _WORD_STARTS[k + 1] - _WORD_STARTS[k] and begins(
            text, start, end, _WORD_LETTERS[_WORD_STARTS[k] : _WORD_STARTS[k + 1]]
        ):
            return np.int64(_WORD_KINDS[k]), 0.0
    place = start
    sign = 1.0
    if text[place] == MINUS or text[place] == PLUS:
        sign = -1.0 if text[place] == MINUS else 1.0
        place += 1
    size = end - place
    if (size == 3 and begins(text, place, end, _INFINITE)) or (size == 8 and begins(text, place, end, _INFINITY)):
        return A_FLOAT, sign * math.inf
    if size == 3 and begins(text, place, end, _NAN):
        return A_FLOAT, math.nan
    return number_of(text, place, end, sign)


@shared
def number_of(text, place, end, sign):
    """Return the kind and the number of a decimal number without its sign. A single underscore may separate digits."""
    digits, count, exponent, seen, kind = np.int64(0), 0, 0, 0, AN_INTEGER
    while place < end:
        byte = np.int64(text[place])
        if 48 <= byte <= 57:
            seen += 1
            if count < MOST_DIGITS:
                digits = digits * 10 + byte - 48
                count += int(digits > 0)
                exponent -= int(kind == A_FLOAT)
            else:
                exponent += int(kind == AN_INTEGER)
        elif byte == 95 and is_digit(text, place - 1, end) and is_digit(text, place + 1, end):
            pass
        elif byte == POINT and kind == AN_INTEGER:
            kind = A_FLOAT
        elif lower(byte) == 101 and seen > 0:
            power, is_valid = exponent_of(text, place + 1, end)
            return (A_FLOAT, sign * decimal(digits, exponent + power)) if is_valid else (A_WORD, 0.0)
        else:
            return A_WORD, 0.0
        place += 1
    if seen == 0:
        return A_WORD, 0.0
    return kind, sign * decimal(digits, exponent) if digits > 0 or kind == A_FLOAT else 0.0


@shared
def is_digit(text, place, end):
    return 0 <= place < end and 48 <= text[place] <= 57


@shared
def exponent_of(text, place, end):
    """Return the exponent of a number, and whether it is valid."""
    sign = 1
    if place < end and (text[place] == MINUS or text[place] == PLUS):
        sign = -1 if text[place] == MINUS else 1
        place += 1
    if not is_digit(text, place, end):
        return 0, False
    power = 0
    while place < end:
        if is_digit(text, place, end):
            power = min(power * 10 + np.int64(text[place]) - 48, 100_000)
        elif not (text[place] == 95 and is_digit(text, place - 1, end) and is_digit(text, place + 1, end)):
            return 0, False
        place += 1
    return sign * power, True


@shared
def problem_of_value(sheet, phrase, field, least, most, line, level):
    """Write an error about the value of a rule: the quotation of the value must follow."""
    problem(sheet, phrase, line, b=field, c=least, level=level)
    sheet.rows[sheet.used[0] - 1, 5] = most  # {3}


@shared
def quote_value(sheet, index, text, start, end, kind, number):
    """Quote a value as Python shows it: 'word', 2.5, True or None."""
    if kind == A_WORD:
        quote(sheet, index, text, start, end, LONGEST_QUOTE, LONGEST_QUOTE)
    elif kind == TRUE:
        add_word(sheet, index, _TRUE_VALUE)
    elif kind == FALSE:
        add_word(sheet, index, _FALSE_VALUE)
    elif kind == NONE:
        add_word(sheet, index, _NONE_VALUE)
    elif kind == AN_INTEGER:
        quote_integer(sheet, index, text, start, end)
    else:
        quote_float(sheet, index, number, text)


@shared
def add_word(sheet, index, word):
    for k in range(len(word)):
        add_letter(sheet, index, word[k])


@shared
def quote_integer(sheet, index, text, start, end):
    room, is_negative = LONGEST_QUOTE, text[start] == MINUS
    while start < end - 1 and (text[start] == MINUS or text[start] == PLUS or text[start] == 48 or text[start] == 95):
        start += 1
    if is_negative and text[start] != 48:
        add_letter(sheet, index, MINUS)
        room -= 1
    while start < end and room > 0:
        if text[start] != 95:
            add_letter(sheet, index, text[start])
            room -= 1
        start += 1


@shared
def quote_float(sheet, index, number, scratch):
    for k in range(put_number(number, scratch, 0, True)):
        add_letter(sheet, index, scratch[k])


@shared
def differs(one, other):
    return one != other and not (math.isnan(one) and math.isnan(other))


@shared
def put_bytes(word, out, place):
    for k in range(len(word)):
        out[place + k] = word[k]
    return place + len(word)


@shared
def put_byte(byte, out, place):
    out[place] = byte
    return place + 1


@shared
def put_integer(number, out, place, least_digits):
    """Write a number that is not negative, with at least this many digits. Return the new number of bytes."""
    count, rest = least_digits, np.int64(number)
    for _ in range(least_digits):
        rest //= 10
    while rest > 0:
        count += 1
        rest //= 10
    rest = np.int64(number)
    for k in range(count - 1, -1, -1):
        out[place + k] = 48 + rest % 10
        rest //= 10
    return place + count


@shared
def put_number(number, out, place, is_float):
    """Write a number as `repr` does. `.0` is written only if `is_float`. Return the new number of bytes."""
    if math.isnan(number):
        return put_bytes(_NAN, out, place)
    if math.copysign(1.0, number) < 0:
        place = put_byte(MINUS, out, place)
    value = abs(number)
    if value == math.inf:
        return put_bytes(_INFINITE, out, place)
    digits, exponent = shortest(value) if value > 0 else (np.int64(0), np.int64(0))
    count, rest = 1, digits // 10
    while rest > 0:
        count += 1
        rest //= 10
    point = count + exponent
    if point < -3 or point > MOST_PLACES:
        return put_scientific(digits, count, point - 1, out, place)
    if point <= 0:
        place = put_byte(POINT, out, put_byte(48, out, place))
        return put_integer(digits, out, place, count - point)
    if exponent >= 0:
        place = put_integer(digits, out, place, count)
        for _ in range(exponent):
            place = put_byte(48, out, place)
        return put_byte(48, out, put_byte(POINT, out, place)) if is_float else place
    return put_with_point(digits, count, point, out, place)


@shared
def put_with_point(digits, count, point, out, place):
    """Write digits with a decimal point after the first `point` of them."""
    power = np.int64(1)
    for _ in range(count - point):
        power *= 10
    place = put_byte(POINT, out, put_integer(digits // power, out, place, point))
    return put_integer(digits % power, out, place, count - point)


@shared
def put_scientific(digits, count, exponent, out, place):
    place = put_integer(digits, out, place, 1) if count == 1 else put_with_point(digits, count, 1, out, place)
    place = put_byte(101, out, place)
    place = put_byte(MINUS if exponent < 0 else PLUS, out, place)
    return put_integer(abs(exponent), out, place, 2)


def _putter(words: WordList) -> Any:
    """Return a compiled function that writes word k."""
    letters, starts = words.letters, words.starts

    @shared
    def put(k, out, place):
        for i in range(starts[k], starts[k + 1]):
            out[place] = letters[i]
            place += 1
        return place

    return put


def _word_putter(fields: list[RuleField]) -> Any:
    """Return a compiled function that writes the value of a rule whose value is a word."""
    put = _putter(WordList([word for field in fields for word in field.words]))
    first = np.cumsum([0, *(len(field.words) for field in fields)]).astype(np.int32)

    @shared
    def put_word(field, value, out, place):
        return put(first[field] + np.int64(value), out, place)

    return put_word
