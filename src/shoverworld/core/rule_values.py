# pyright: basic
# Numba infers the types of the functions that are compiled.
"""The values in rules as strings, for compiled code: numbers, true, false, none and words (core/rules_text.py)."""

import math

import numpy as np

from .decimals import MOST_DIGITS, decimal
from .jit import shared
from .letters import add_letter, begins, lower, quote
from .rules_text import WORDS
from .text_reader import LONGEST_QUOTE, word_bytes
from .text_writer import INFINITE, MINUS, NOT_A_NUMBER, PLUS, POINT, put_number
from .word_lists import WordList

# The kinds of values in a text
A_WORD, AN_INTEGER, A_FLOAT, TRUE, FALSE, NONE = range(6)

_WORD_LIST = WordList(list(WORDS))
_WORD_KINDS = np.array([TRUE if value else NONE if value is None else FALSE for value in WORDS.values()], np.int8)
_WORD_LETTERS, _WORD_STARTS = _WORD_LIST.letters, _WORD_LIST.starts
_INFINITY = word_bytes("infinity")
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
    if (size == 3 and begins(text, place, end, INFINITE)) or (size == 8 and begins(text, place, end, _INFINITY)):
        return A_FLOAT, sign * math.inf
    if size == 3 and begins(text, place, end, NOT_A_NUMBER):
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
