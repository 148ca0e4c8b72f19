"""Sentences as numbers: a game keeps its sentences in one table, and its functions refer to them by number.

The same functions run in the window, in the terminal and, compiled to WebAssembly, in a browser, where there are no
strings. A function writes the number of a phrase and the numbers that fill its placeholders (core/sheet.py). The view
looks up the phrase and completes it. Every placeholder names the position of its number:

    {0}           the number: an integer, or a decimal number with at most six significant digits
    {0:+}         the number with its sign
    {0:,}         the number with thousands separators: 1,200
    {0:box|boxes} the number with a noun: "1 box", "1,200 boxes"
    {0?it|they}   the first text if the number is 1, otherwise the second
    {0:way}       a word: the entry of the list `way` with this index

`~` at the end of a phrase makes the first letter of the next phrase lower case; `^` makes it upper case.
"""

import re
from collections.abc import Mapping, Sequence

Words = Mapping[str, Sequence[str]]  # lists of words by name

_PLACEHOLDER = re.compile(r"\{(\d)(?:([:?])([^}]*))?\}")


class PhraseTable:
    """The phrases of a game. `NAME = phrases("pushed {0:box|boxes} {1:way}")` adds a phrase and returns its number."""

    def __init__(self, **words: Sequence[str]):
        self.words: dict[str, tuple[str, ...]] = {name: tuple(entries) for name, entries in words.items()}
        self.phrases: list[str] = []

    def __call__(self, phrase: str) -> int:
        """Add a phrase and return its number. Equal phrases have the same number."""
        if phrase not in self.phrases:
            self.phrases.append(phrase)
        return self.phrases.index(phrase)

    def text(self, rows: Sequence[Sequence[float]], more_words: Words | None = None) -> str:
        """Return the text of phrases, each given as its number and the numbers for its placeholders."""
        words, text = {**self.words, **(more_words or {})}, ""
        for row in rows:
            part = filled(self.phrases[int(row[0])], row[1:], words)
            if text.endswith(("~", "^")):
                first = part[:1].lower() if text.endswith("~") else part[:1].upper()
                part = first + part[1:]
                text = text[:-1]
            text += part
        return text


def filled(phrase: str, numbers: Sequence[float], words: Words) -> str:
    """Return a phrase with its placeholders filled in."""

    def replace(found: re.Match[str]) -> str:
        number, form, detail = numbers[int(found[1])], found[2], found[3]
        if form == "?":
            one, other = detail.split("|")
            return one if number == 1 else other
        if form is None:
            return number_text(number)
        if detail == "+":
            return ("+" if number >= 0 else "") + number_text(number)
        if detail == ",":
            return number_text(number, ",")
        if "|" in detail:
            one, many = detail.split("|")
            return f"{number_text(number, ',')} {one if number == 1 else many}"
        return words[detail][int(number)]

    return _PLACEHOLDER.sub(replace, phrase)


def number_text(number: float, separator: str = "") -> str:
    """Return a number as people write it: 40, -1.5 or 0.333333."""
    if number == int(number):
        return f"{int(number):{separator}}"
    return f"{number:.6g}"
