# pyright: basic
# Numba infers the types of these functions.
"""NumPy's SeedSequence, for modules without NumPy. `seed_rng` in grid.py gives a game the same random numbers."""

from .jit import inner, rare

POOL = 4  # words that the entropy is mixed into
_INIT_A, _MULT_A = 0x43B0D7E5, 0x931E8875
_INIT_B, _MULT_B = 0x8B51F9DD, 0x58F38DED
_MIX_LEFT, _MIX_RIGHT = 0xCA01F9DD, 0x4973F715
_32_BITS = 0xFFFFFFFF


@inner
def _hashed(value, constant):
    """Return the hash of a word, and the constant for the next word."""
    value = value ^ constant
    constant = (constant * _MULT_A) & _32_BITS
    value = (value * constant) & _32_BITS
    return value ^ (value >> 16), constant


@inner
def _mixed(x, y):
    result = (_MIX_LEFT * x - _MIX_RIGHT * y) & _32_BITS
    return result ^ (result >> 16)


@rare
def seed_from_words(rng, words, count, pool):
    """Seed a game's random number generator, as `seed_rng` does.

    The seed is the integer whose 32-bit words are words[0 : count], lowest first. `pool` is scratch memory for POOL
    integers of 64 bits.
    """
    constant = _INIT_A
    for k in range(POOL):
        pool[k], constant = _hashed(int(words[k]) if k < count else 0, constant)
    for source in range(POOL):
        for target in range(POOL):
            if source != target:
                value, constant = _hashed(pool[source], constant)
                pool[target] = _mixed(pool[target], value)
    for source in range(POOL, count):
        for target in range(POOL):
            value, constant = _hashed(int(words[source]), constant)
            pool[target] = _mixed(pool[target], value)
    rng.a = _drawn(pool, 0)
    rng.b = _drawn(pool, 1)
    rng.c = _drawn(pool, 2)
    rng.rolls = 1


@inner
def _drawn(pool, place):
    """Return word `place` of the generated state."""
    constant = _INIT_B
    for _ in range(place):
        constant = (constant * _MULT_B) & _32_BITS
    value = pool[place] ^ constant
    constant = (constant * _MULT_B) & _32_BITS
    value = (value * constant) & _32_BITS
    return value ^ (value >> 16)
