"""The header of a level in a text file: its title, its description and its rules, in lines that start with `//`.

    // The dock
    // Burn the left box first.
    // The last box needs a square.
    // rules: phase2, initial_force=30

The first comment above the board is the title. The other comments above the board are the description: consecutive
lines form a paragraph, and an empty comment ends the paragraph. A line of the form `rules: TEXT`, anywhere in the file,
gives the rules (core/rules_text.py). Other comments below the first row of the board are not part of the header.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .config import GameRules
from .errors import ConfigError
from .problems import NO_COLON, SECOND_RULES, TITLE_IS_RULES, TITLE_LIKE_RULES, sentence
from .rules_text import NO_RULES, rules_text

COMMENT, DIRECTIVE = "//", "//!"  # a directive belongs to a file format and is not part of the header
_RULES = re.compile(r"[rR][uU][lL][eE][sS]\s*:\s*(.*)")
_NO_COLON = re.compile(r"[rR][uU][lL][eE][sS][\s=]+([^\s,]+)(.*)")
_CHANGE = re.compile(r"[\w\x80-\U0010ffff]+=\S+", re.ASCII)
LONGEST_QUOTE = 60


class HeaderError(ConfigError):
    """The rules in the header of a level are invalid.

    `line` is the number of the line that contains the rules, counting from 1.
    """

    def __init__(self, what: str, line: int):
        super().__init__(what)
        self.line = line


class Header(NamedTuple):
    """The header of a level. `rules` is None if the header does not specify any rules."""

    title: str = ""
    about: str = ""
    rules: str | None = None

    def lines(self) -> list[str]:
        """Return the header as lines that `parse_header` reads."""
        paragraphs = [f"{COMMENT} {text}" for text in self.about.split("\n") if text]
        description = [line for text in paragraphs for line in (text, COMMENT)][:-1]  # separated by empty comments
        title = [f"{COMMENT} {self.title}"] if self.title else []
        return [*title, *description, *([f"{COMMENT} rules: {self.rules}"] if self.rules else [])]


def checked_header(title: str, about: str, rules: str | None, presets: Mapping[str, GameRules]) -> Header:
    """Return the header that results from writing this header and reading it back. Raise ConfigError if it is invalid.

    The title becomes one line, each line of the description becomes a paragraph, and unprintable characters
    become spaces. The first paragraph of a description without a title becomes the title.
    """
    paragraphs = [line for line in map(_one_line, about.splitlines()) if line]
    title = _one_line(title)
    if not title and paragraphs:
        title = paragraphs.pop(0)
    for line in (title, *paragraphs):
        if _RULES.fullmatch(line):
            raise ConfigError(sentence(TITLE_IS_RULES, f"{line!r:.60}"))
        if meant := _meant(line, presets):
            raise ConfigError(sentence(TITLE_LIKE_RULES, f"{line!r:.60}", f"{meant!r:.60}"))
    return Header(title, "\n".join(paragraphs), None if rules is None else rules_text(rules, presets))


def parse_header(lines: Iterable[tuple[int, str]], presets: Mapping[str, GameRules]) -> Header:
    """Find and return the header in the numbered lines of a file. Raise HeaderError if its rules are invalid."""
    title, rules, above = "", None, True
    paragraphs: list[list[str]] = [[]]
    for number, line in lines:
        if not line.startswith(COMMENT) or line.startswith(DIRECTIVE):
            above = above and (line.startswith(DIRECTIVE) or not line.strip())
            continue
        words = line.removeprefix(COMMENT).strip()
        if found := _RULES.fullmatch(words):
            rules = _parse_rules_line(found[1], number, rules, presets)
        elif not above:
            continue
        elif meant := _meant(words, presets):
            raise HeaderError(sentence(NO_COLON, meant[:LONGEST_QUOTE]), number)
        elif not title:
            title = words
        elif words:
            paragraphs[-1].append(words)
        elif paragraphs[-1]:
            paragraphs.append([])
    return Header(_one_line(title), "\n".join(filter(None, map(_one_line, map(" ".join, paragraphs)))), rules)


def _meant(words: str, presets: Mapping[str, GameRules]) -> str:
    """Return the rules that a line without the colon after `rules` probably means, or "" for other text."""
    found = _NO_COLON.fullmatch(words)
    return found[1] + found[2] if found and (found[1] in presets or _CHANGE.fullmatch(found[1])) else ""


def _parse_rules_line(text: str, number: int, before: str | None, presets: Mapping[str, GameRules]) -> str:
    if before is not None:
        raise HeaderError(sentence(SECOND_RULES), number)
    if not text.strip():
        raise HeaderError(NO_RULES.format(presets=", ".join(presets)), number)
    try:
        return rules_text(text, presets)
    except ConfigError as reason:
        raise HeaderError(str(reason), number) from None


def _one_line(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
