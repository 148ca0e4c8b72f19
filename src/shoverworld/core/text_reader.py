# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Compiled readers for level files: lines, headers and errors, for the WebAssembly modules.

Python's readers (core/header.py, games/*/maps.py, formats.py and symbols.py) stay separate: they work on strings with
regular expressions, read megabytes in seconds, and need no compiler, so that a first `Map.parse` does not wait for Numba.
Both kinds of readers share their messages (core/problems.py), and tests/web/test_formats.py compares them on thousands of
texts.

A reader takes the bytes of a file, writes texts (title, description, rules) to an array `out` that is at least as long as
the file, and returns whether it failed. An error is on the sheet.
"""

from typing import Any

import numpy as np

from .grid import record_type
from .jit import both, shared
from .letters import (
    NEWLINE,
    RETURN,
    SPACE,
    add_text,
    begins,
    count_letters,
    drop_space,
    invalid_utf8,
    is_printable,
    is_space,
    letter_at,
    quote,
    size_at,
    skip_space,
)
from .problems import (
    COLUMN_PLACE,
    LEVEL_PLACE,
    LINE_PLACE,
    NO_COLON,
    SECOND_RULES,
    TITLE_IS_RULES,
    TITLE_LIKE_RULES,
    TOO_LONG,
)
from .sheet import PROBLEM, VALUE, clear, row, write_row
from .sheet import text as add_phrase

LONGEST_QUOTE = 60
MIB = 1 << 20

# What a reader found in a text. `title`, `about` and `rules` are numbers of bytes in `out`, which contains these texts
# one after the other, each followed by a line break.
READING = record_type(
    [
        ("levels", np.int32),  # the number of levels in the text
        ("title", np.int32),
        ("about", np.int32),
        ("rules", np.int32),
        ("rules_start", np.int32),  # where the rules are in the text: the first byte, the end, and the line or 0
        ("rules_end", np.int32),
        ("rules_line", np.int32),
        ("preset", np.int32),  # the preset that applies if the level does not specify its rules
    ]
)


def word_bytes(word: str) -> np.ndarray:
    """Return a word as bytes that compiled functions compare with text."""
    return np.frombuffer(word.encode("utf-8"), np.uint8)


_COMMENT, _DIRECTIVE, _RULES = map(word_bytes, ("//", "//!", "rules"))
COLON, COMMA, EQUALS, UNDERSCORE = map(ord, ":,=_")


# --- Errors


@shared
def problem_at(sheet, phrase, line, column, level, a, b, c):
    """Write an error with its place. A line, column or level that is 0 is unknown. Return 1."""
    clear(sheet)
    write_row(sheet, PROBLEM, 1.0 * line, 1.0 * column, 1.0 * level, -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if level > 0:
        add_phrase(sheet, LEVEL_PLACE, level)
    if line > 0:
        add_phrase(sheet, LINE_PLACE, line)
    if column > 0:
        add_phrase(sheet, COLUMN_PLACE, column)
    row(sheet, VALUE)
    add_phrase(sheet, phrase, a, b, c)
    return 1


@both
def problem(sheet, phrase, line=0, column=0, a=0.0, b=0.0, c=0.0, level=0):
    """Write an error about a text. Its quotations must follow. Return 1."""
    return problem_at(sheet, phrase, np.int64(line), np.int64(column), np.int64(level), 1.0 * a, 1.0 * b, 1.0 * c)


@shared
def problem_in_cell(sheet, phrase, place, x, y, a, b, c, d):
    """Write an error about a cell or a pixel (`place`: CELL_PLACE or PIXEL_PLACE). Return 1."""
    clear(sheet)
    write_row(sheet, PROBLEM, 0.0, 0.0, 0.0, 1.0 * x, 1.0 * y, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    add_phrase(sheet, place, x, y)
    row(sheet, VALUE)
    add_phrase(sheet, phrase, a, b, c, d)
    return 1


# --- Lines


@shared
def check_text(text, limit, not_text, nul_byte, sheet):
    """Write an error if the text is not UTF-8 or longer than `limit` bytes. Return whether it is.

    `not_text` and `nul_byte` are the messages, usually NOT_TEXT and NUL_BYTE.
    """
    if len(text) > limit:
        return problem(sheet, TOO_LONG, a=limit / MIB)
    wrong = invalid_utf8(text)
    if wrong == len(text):
        return 0
    line, start = 1, 0
    for place in range(wrong):
        if text[place] == NEWLINE:
            line += 1
            start = place + 1
    return problem(sheet, nul_byte if text[wrong] == 0 else not_text, line, count_letters(text, start, wrong) + 1)


@shared
def line_end(text, start, returns):
    """Return the end of a line. With `returns`, a carriage return ends a line too."""
    end = start
    while end < len(text) and text[end] != NEWLINE and not (returns and text[end] == RETURN):
        end += 1
    return end


@shared
def next_line(text, end, returns):
    """Return the start of the line after a line that ends at this index."""
    if returns and end + 1 < len(text) and text[end] == RETURN and text[end + 1] == NEWLINE:
        return end + 2
    return end + 1


@shared
def find_byte(text, start, end, byte):
    """Return the index of a byte, or `end` if there is none."""
    while start < end and text[start] != byte:
        start += 1
    return start


@shared
def is_comment(text, start, end):
    return begins(text, start, end, _COMMENT)


@shared
def write_plain(text, start, end, out, first, place):
    """Write a text after the first `place` bytes of `out`, as one line of printable letters.

    `first` is where the line begins in `out`. Return the new number of bytes.
    """
    is_gap = place > first
    while start < end:
        code, size = letter_at(text, start), size_at(text, start)
        if is_space(code) or not is_printable(code):
            is_gap = True
        else:
            if is_gap and place > first:
                out[place] = SPACE
                place += 1
            is_gap = False
            for k in range(size):
                out[place + k] = text[start + k]
            place += size
        start += size
    return place


# --- Headers


@shared
def rules_value(text, start, end):
    """Return where the rules begin in a line of the form `rules: TEXT`, or -1 for another line."""
    if not begins(text, start, end, _RULES):
        return -1
    place = skip_space(text, start + len(_RULES), end)
    if place == end or text[place] != COLON:
        return -1
    return skip_space(text, place + 1, end)


@shared
def is_change(text, start, end):
    """Return whether a word has the form NAME=VALUE."""
    place = start
    while place < end and (
        text[place] >= 128 or text[place] == UNDERSCORE or 48 <= text[place] <= 57 or 65 <= text[place] & 0xDF <= 90
    ):
        place += 1
    return start < place < end - 1 and text[place] == EQUALS


def header_reader(rules: Any) -> tuple[Any, Any]:
    """Return compiled functions for the headers of a game (core/header.py): `scan_header` and `check_header`.

    `rules` is the RuleReader of the game. `scan_header` finds the texts, and `check_header` checks them as the constructor
    of a level does, after all other checks.
    """
    read_rules, find_preset, no_rules = rules.read, rules.find_preset, rules.no_rules

    @shared
    def meant_rules(text, start, end):
        """Return where the rules begin in a line whose colon is missing, or -1 for another line."""
        if not begins(text, start, end, _RULES):
            return -1
        place = start + len(_RULES)
        while place < end and (text[place] == EQUALS or is_space(letter_at(text, place))):
            place += size_at(text, place)
        stop = place
        while stop < end and text[stop] != COMMA and not is_space(letter_at(text, stop)):
            stop += size_at(text, stop)
        if place == start + len(_RULES) or place == stop:
            return -1
        return place if find_preset(text, place, stop) >= 0 or is_change(text, place, stop) else -1

    @shared
    def scan_header(text, returns, values, out, reading, sheet):
        line, start, above, has_title, place, first = 1, 0, True, False, 0, 0
        reading.rules_line = 0
        while start < len(text):
            end = line_end(text, start, returns)
            if is_comment(text, start, end) and not begins(text, start, end, _DIRECTIVE):
                begin = skip_space(text, start + 2, end)
                stop = drop_space(text, begin, end)
                value = rules_value(text, begin, stop)
                if value >= 0:
                    if reading.rules_line != 0:
                        return problem(sheet, SECOND_RULES, line)
                    if value == stop:
                        return problem(sheet, no_rules, line)
                    if read_rules(text, value, stop, values, out[place:], line, 0, sheet) != 0:
                        return 1
                    reading.rules_line, reading.rules_start, reading.rules_end = line, value, stop
                elif above:
                    meant = meant_rules(text, begin, stop)
                    if meant >= 0:
                        problem(sheet, NO_COLON, line)
                        add_text(sheet, 0, text, meant, stop, LONGEST_QUOTE)
                        return 1
                    if not has_title:
                        if begin < stop:
                            has_title = True
                            place = write_plain(text, begin, stop, out, 0, 0)
                            reading.title = place
                            out[place] = NEWLINE
                            place += 1
                            first = place
                    elif begin < stop:
                        place = write_plain(text, begin, stop, out, first, place)
                    elif place > first:
                        out[place] = NEWLINE
                        place += 1
                        first = place
            else:
                above = above and (begins(text, start, end, _DIRECTIVE) or skip_space(text, start, end) == end)
            start = next_line(text, end, returns)
            line += 1
        finish_header(out, reading, has_title, place, first)
        return 0

    @shared
    def check_header(out, reading, sheet):
        start, end = 0, reading.title + reading.about + 1
        while start < end:
            stop = start
            while stop < end and out[stop] != NEWLINE:
                stop += 1
            if rules_value(out, start, stop) >= 0:
                problem(sheet, TITLE_IS_RULES)
                quote(sheet, 0, out, start, stop, LONGEST_QUOTE, LONGEST_QUOTE)
                return 1
            meant = meant_rules(out, start, stop)
            if meant >= 0:
                problem(sheet, TITLE_LIKE_RULES, b=1)
                quote(sheet, 0, out, start, stop, LONGEST_QUOTE, LONGEST_QUOTE)
                quote(sheet, 1, out, meant, stop, LONGEST_QUOTE, LONGEST_QUOTE)
                return 1
            start = stop + 1
        return 0

    return scan_header, check_header


@shared
def finish_header(out, reading, has_title, place, first):
    """Set the lengths of the title and the description. A description without a title begins with its title."""
    if not has_title:
        reading.title, reading.about = 0, 0
        out[0] = NEWLINE
        return
    if place == first and place > reading.title + 1:  # the description ends with an empty paragraph
        place -= 1
    if reading.title == 0:  # the title contained no printable letters
        while 1 + reading.title < place and out[1 + reading.title] != NEWLINE:
            reading.title += 1
        for k in range(place - 1):
            out[k] = out[k + 1]
        out[place - 1] = NEWLINE
        place = max(place - 1, reading.title + 1)
    reading.about = place - reading.title - 1


@shared
def write_rules_part(text, reading, out):
    """Write the rules, as they are in the text, after the title and the description."""
    place = reading.title + reading.about + 1
    out[place] = NEWLINE
    reading.rules = reading.rules_end - reading.rules_start if reading.rules_line > 0 else 0
    for k in range(reading.rules):
        out[place + 1 + k] = text[reading.rules_start + k]
