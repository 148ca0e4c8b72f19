# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Write words and numbers as bytes in compiled code. Each function returns the new number of bytes in `out`."""

import math

import numpy as np

from .decimals import shortest
from .jit import shared
from .text_reader import word_bytes

MINUS, PLUS, POINT = map(ord, "-+.")
MOST_PLACES = 16  # `repr` writes numbers from 1e16 with an exponent
SPARE = 64  # how many bytes longer than a text an array `out` must be
INFINITE, NOT_A_NUMBER = map(word_bytes, ("inf", "nan"))


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
        return put_bytes(NOT_A_NUMBER, out, place)
    if math.copysign(1.0, number) < 0:
        place = put_byte(MINUS, out, place)
    value = abs(number)
    if value == math.inf:
        return put_bytes(INFINITE, out, place)
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
