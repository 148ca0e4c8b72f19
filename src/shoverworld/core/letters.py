# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Letters of UTF-8 text for compiled readers: decoding, white space, printable letters and quotations.

White space is what `str.isspace` accepts, and a quotation is what `repr` returns. Characters that Unicode has not
assigned yet count as printable here, so that the result does not depend on the Unicode version.
"""

import numpy as np

from .jit import shared
from .sheet import COLUMNS, LETTERS, write_row

# Control and format characters, separators, surrogates and private characters
UNPRINTABLE = np.array(
    [
        (0x0, 0x1F), (0x7F, 0xA0), (0xAD, 0xAD), (0x600, 0x605), (0x61C, 0x61C), (0x6DD, 0x6DD), (0x70F, 0x70F),
        (0x890, 0x891), (0x8E2, 0x8E2), (0x1680, 0x1680), (0x180E, 0x180E), (0x2000, 0x200F), (0x2028, 0x202F),
        (0x205F, 0x2064), (0x2066, 0x206F), (0x3000, 0x3000), (0xD800, 0xF8FF), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB),
        (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
        (0xE0001, 0xE0001), (0xE0020, 0xE007F), (0xF0000, 0x10FFFF),
    ],
    np.int32,
)  # fmt: skip
NEWLINE, RETURN, TAB, SPACE, QUOTE, DOUBLE_QUOTE, BACKSLASH = 10, 13, 9, 32, 39, 34, 92


@shared
def letter_at(text, place):
    """Return the code point at an index of valid UTF-8 text."""
    first = np.int64(text[place])
    if first < 0x80:
        return first
    if first < 0xE0:
        return (first & 0x1F) << 6 | np.int64(text[place + 1]) & 0x3F
    if first < 0xF0:
        return (first & 0xF) << 12 | (np.int64(text[place + 1]) & 0x3F) << 6 | np.int64(text[place + 2]) & 0x3F
    return (
        (first & 7) << 18
        | (np.int64(text[place + 1]) & 0x3F) << 12
        | (np.int64(text[place + 2]) & 0x3F) << 6
        | np.int64(text[place + 3]) & 0x3F
    )


@shared
def size_at(text, place):
    """Return the number of bytes of the letter at an index."""
    first = np.int64(text[place])
    return 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4


@shared
def is_space(code):
    if code < 128:
        return 9 <= code <= 13 or 28 <= code <= 32
    return (
        code == 0x85
        or code == 0xA0
        or code == 0x1680
        or 0x2000 <= code <= 0x200A
        or code == 0x2028
        or code == 0x2029
        or code == 0x202F
        or code == 0x205F
        or code == 0x3000
    )


@shared
def is_printable(code):
    if 32 <= code < 127:
        return True
    for k in range(len(UNPRINTABLE)):  # noqa: SIM110 - compiled code has no generators
        if UNPRINTABLE[k, 0] <= code <= UNPRINTABLE[k, 1]:
            return False
    return True


@shared
def skip_space(text, start, end):
    """Return the index of the first letter that is not white space."""
    while start < end and is_space(letter_at(text, start)):
        start += size_at(text, start)
    return start


@shared
def drop_space(text, start, end):
    """Return the end of the text without the white space at its end."""
    while end > start:
        last = end - 1
        while last > start and text[last] & 0xC0 == 0x80:
            last -= 1
        if not is_space(letter_at(text, last)):
            break
        end = last
    return end


@shared
def count_letters(text, start, end):
    count = 0
    for place in range(start, end):
        count += int(text[place] & 0xC0 != 0x80)
    return count


@shared
def lower(byte):
    """Return an ASCII letter in lower case."""
    return byte + 32 if 65 <= byte <= 90 else byte


@shared
def begins(text, start, end, word):
    """Return whether the text begins with a word, which is in lower case, in upper or lower case."""
    if end - start < len(word):
        return False
    for k in range(len(word)):  # noqa: SIM110 - compiled code has no generators
        if lower(text[start + k]) != word[k]:
            return False
    return True


@shared
def invalid_utf8(text):
    """Return the index of the first byte that is not UTF-8 text, as Python's decoder reports it, or of a NUL byte.

    Return the length of the text if there is none.
    """
    place = 0
    while place < len(text):
        first = np.int64(text[place])
        size = 1 if first < 0x80 else 2 if 0xC2 <= first < 0xE0 else 3 if 0xE0 <= first < 0xF0 else 4
        if first == 0 or (size == 4 and not 0xF0 <= first < 0xF5) or place + size > len(text):
            return place
        for k in range(1, size):
            if text[place + k] & 0xC0 != 0x80:
                return place
        second = np.int64(text[place + 1]) if size > 2 else 0
        if (
            (first == 0xE0 and second < 0xA0)
            or (first == 0xED and second >= 0xA0)
            or (first == 0xF0 and second < 0x90)
            or (first == 0xF4 and second >= 0x90)
        ):
            return place
        place += size
    return place


# --- Quotations on a sheet


@shared
def add_letter(sheet, index, code):
    """Add a letter to the quotation with this index."""
    last = sheet.used[0] - 1
    if last >= 0 and sheet.rows[last, 0] == LETTERS and sheet.rows[last, 1] == index:
        for k in range(2, COLUMNS):
            if sheet.rows[last, k] == 0:
                sheet.rows[last, k] = code
                return
    write_row(sheet, LETTERS, 1.0 * index, 1.0 * code, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@shared
def add_hex(sheet, index, code, digits, room):
    for k in range(digits - 1, -1, -1):
        if room > 0:
            digit = code >> 4 * k & 15
            add_letter(sheet, index, digit + 48 if digit < 10 else digit + 87)
            room -= 1
    return room


@shared
def add_escaped(sheet, index, code, quote, room):
    """Add a letter as `repr` writes it if there is room for more letters. Return the room that is left."""
    escape = 0
    if code in (quote, BACKSLASH):
        escape = code
    elif code == NEWLINE:
        escape = 110
    elif code == RETURN:
        escape = 114
    elif code == TAB:
        escape = 116
    elif not is_printable(code):
        escape = 120 if code < 0x100 else 117 if code < 0x10000 else 85
    if escape == 0:
        add_letter(sheet, index, code)
        return room - 1
    add_letter(sheet, index, BACKSLASH)
    room -= 1
    if room > 0:
        add_letter(sheet, index, escape)
        room -= 1
    if escape == 120 or escape == 117 or escape == 85:
        room = add_hex(sheet, index, code, 2 if escape == 120 else 4 if escape == 117 else 8, room)
    return room


@shared
def quote(sheet, index, text, start, end, most, room):
    """Add the first `most` letters of a text in quotes, as `repr` writes them, and cut the result after `room` letters."""
    singles, doubles, count, stop = 0, 0, 0, start
    while stop < end and count < most:
        singles += int(text[stop] == QUOTE)
        doubles += int(text[stop] == DOUBLE_QUOTE)
        count += 1
        stop += size_at(text, stop)
    mark = DOUBLE_QUOTE if singles > 0 and doubles == 0 else QUOTE
    add_letter(sheet, index, mark)
    room -= 1
    while start < stop and room > 0:
        room = add_escaped(sheet, index, letter_at(text, start), mark, room)
        start += size_at(text, start)
    if room > 0:
        add_letter(sheet, index, mark)


@shared
def add_text(sheet, index, text, start, end, room):
    """Add the first letters of a text without quotes."""
    while start < end and room > 0:
        add_letter(sheet, index, letter_at(text, start))
        start += size_at(text, start)
        room -= 1
