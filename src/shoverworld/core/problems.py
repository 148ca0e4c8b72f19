"""Error messages about levels and rules as phrases, so that Python's readers and a browser give the same messages.

A game keeps its messages in one table (`Problems`). Python's readers complete them with `sentence`. The readers in a
WebAssembly module (core/text_reader.py) write the number of a message and its numbers to a sheet. A part of the input
that a message quotes takes the place of `{0:quote}`.
"""

from collections.abc import Sequence

from .phrases import PhraseTable, filled

# Where an error is, in front of its message.
PLACES = (
    ", level {0}",
    ", line {0}",
    ", column {0}",
    ", cell x={0} y={1}",
    ", pixel x={0} y={1}",
)
LEVEL_PLACE, LINE_PLACE, COLUMN_PLACE, CELL_PLACE, PIXEL_PLACE = range(len(PLACES))

# Messages that are the same in all games. `{1:field}` is the name of a rule.
_COMMON = (
    "the file is not UTF-8 text",
    "the file contains a NUL byte, so it is not a text file",
    "the text is longer than {0} MiB",
    "a second line with rules; expected at most one",
    "a colon is missing; expected `// rules: {0:quote}`",
    "{0:quote}: a title or a line of the description cannot begin with 'rules:'",
    "{0:quote}: a title or a line of the description cannot look like the rules {1:quote}",
    "{1:field}={0:quote}: must be a finite number",
    "{1:field}={0:quote}: must be at least {2}",
    "{1:field}={0:quote}: must be an integer from {2} to {3}",
    "{1:field}={0:quote}: must be True or False",
    "{0:quote} cannot be set: the level determines it",
)
(
    NOT_TEXT, NUL_BYTE, TOO_LONG, SECOND_RULES, NO_COLON, TITLE_IS_RULES, TITLE_LIKE_RULES, NOT_FINITE, TOO_SMALL,
    NOT_WHOLE, NOT_TRUTH, OF_LEVEL,
) = range(len(PLACES), len(PLACES) + len(_COMMON))  # fmt: skip


class Problems(PhraseTable):
    """The messages of a game. The messages that all games share have the same numbers in every table."""

    def __init__(self, **words: Sequence[str]):
        super().__init__(**words)
        for phrase in (*PLACES, *_COMMON):
            self(phrase)

    def sentence(self, message: int, *parts: float | str) -> str:
        """Return a message with the numbers and texts for its placeholders, in order."""
        return completed(self.phrases[message], *parts)


def completed(phrase: str, *parts: float | str) -> str:
    """Return a phrase with the numbers and texts for its placeholders, in order."""
    texts = [part if isinstance(part, str) else "" for part in parts]
    numbers = [k if isinstance(part, str) else part for k, part in enumerate(parts)]
    return filled(phrase, numbers, {"quote": texts, "field": texts})


def sentence(message: int, *parts: float | str) -> str:
    """Return a message that all games share."""
    return _shared.sentence(message, *parts)


def place_text(place: int, *numbers: int) -> str:
    """Return the position of an error, such as ", line 3"."""
    return filled(PLACES[place], numbers, {})


_shared = Problems()
