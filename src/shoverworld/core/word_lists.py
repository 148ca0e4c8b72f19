# pyright: basic
# Numba infers the types of the functions that are compiled.
"""Lists of words for compiled code: find a word, write it, and suggest the most similar one."""

from typing import Any

import numpy as np

from .checks import LONGEST
from .jit import shared
from .letters import count_letters, quote
from .text_reader import LONGEST_QUOTE, problem


class WordList:
    """Words for compiled code: their bytes, where each word begins, and their alphabetical order."""

    def __init__(self, words: list[str]):
        encoded = [word.encode("utf-8") for word in words]
        self.letters = np.frombuffer(b"".join(encoded) + b"\0", np.uint8)
        self.starts = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
        self.ranks = np.array([sorted(words).index(word) for word in words], np.int32)


def finder(words: WordList) -> Any:
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


def namer(words: WordList) -> Any:
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


def putter(words: WordList) -> Any:
    """Return a compiled function that writes word k."""
    letters, starts = words.letters, words.starts

    @shared
    def put(k, out, place):
        for i in range(starts[k], starts[k + 1]):
            out[place] = letters[i]
            place += 1
        return place

    return put
