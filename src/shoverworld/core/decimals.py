# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Decimal numbers in compiled code: from digits to floats and back, as `float` and `repr` convert them.

The scaling by powers of ten uses pairs of floats (about 32 digits). The results are exact for all numbers that people
write; they could differ in the last bit for numbers with more than 18 digits and for those beyond 1e-290 and 1e290.
"""

import math

import numpy as np

from .jit import shared

MOST_DIGITS = 18  # digits of a number that are used; an int64 holds as many
SPLIT = 134217729.0  # 2**27 + 1


@shared
def exact_product(a, b):
    """Return a product as the sum of two floats (Dekker)."""
    product = a * b
    big = SPLIT * a
    high = big - (big - a)
    low = a - high
    big = SPLIT * b
    top = big - (big - b)
    rest = b - top
    return product, ((high * top - product) + high * rest + low * top) + low * rest


@shared
def sum_of(a, b):
    total = a + b
    return total, b - (total - a)


@shared
def scaled(high, low, exponent):
    """Return a pair of floats, multiplied by a power of ten, as a pair of floats."""
    while exponent >= 22:
        high, low = times(high, low, 1e22)
        exponent -= 22
    while exponent > 0:
        high, low = times(high, low, 10.0)
        exponent -= 1
    while exponent <= -22:
        high, low = divided(high, low, 1e22)
        exponent += 22
    if exponent < 0:
        power = 1.0
        for _ in range(-exponent):
            power *= 10.0
        high, low = divided(high, low, power)
    return high, low


@shared
def times(high, low, factor):
    product, error = exact_product(high, factor)
    return sum_of(product, error + low * factor)


@shared
def divided(high, low, divisor):
    first = high / divisor
    product, error = exact_product(first, divisor)
    second = ((high - product) - error + low) / divisor
    return sum_of(first, second)


@shared
def decimal(digits, exponent):
    """Return digits * 10 ** exponent as a float. `digits` is an int64 with at most 18 digits."""
    if digits == 0:
        return 0.0
    if exponent > 310:
        return math.inf
    if exponent < -345:
        return 0.0
    high = float(digits)
    low = float(digits - np.int64(high))
    if exponent > 270:  # an exact product of larger numbers would overflow
        high, low = scaled(high, low, 270)
        for _ in range(exponent - 270):
            high, low = high * 10.0, low * 10.0
        return high + low if high < math.inf else math.inf
    high, low = scaled(high, low, exponent)
    return high + low


@shared
def shortest(value):
    """Return the fewest digits that give a positive float again, and the exponent of the last digit."""
    digits, exponent, place = np.int64(0), np.int64(0), np.int64(0)
    rest = value
    while rest >= 10.0:
        rest /= 10.0
        place += 1
    while rest < 1.0:
        rest *= 10.0
        place -= 1
    for count in range(1, 19):
        exponent = place - count + 1
        high, low = scaled(value, 0.0, -exponent)
        digits = np.int64(high)
        half = high - float(digits) + low + 0.5
        digits += np.int64(math.floor(half))
        if half == math.floor(half) and digits % 2 == 1:  # exactly between two numbers: take the even one
            digits -= 1
        if decimal(digits, exponent) == value:
            while digits % 10 == 0:
                digits //= 10
                exponent += 1
            break
    return digits, exponent
