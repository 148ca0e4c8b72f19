"""Read the rows of a sheet (sheet.py): sprites, motions, marks, figures, messages and intents for a view in Python."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from . import sheet as rows_of
from .phrases import PhraseTable, Words
from .sheet import COLUMNS, MARK_KINDS, MARK_STYLES, MOVE_KINDS, TONES, Sheet
from .ui import Act, Figure, Intent, Mark, Motion, MoveText, Place, Say, Score, SpecialMove, Sprite, Walk

Rows = list[list[float]]


class Problem(NamedTuple):
    """An error in a text. Lines, columns and levels are counted from 1, and 0 if they are unknown."""

    line: int
    column: int
    level: int
    cell: tuple[int, int] | None  # (x, y), counted from 0
    place: str  # the position, such as ", line 3", to be written after the name of the file
    what: str


class SheetReader:
    """The rows of a sheet, in order. Every method reads the whole sheet and ignores rows of other kinds."""

    def __init__(self, sheet: Sheet, phrases: PhraseTable, words: Words | None = None):
        self._rows: Rows = sheet.rows[: sheet.used[0]].tolist()
        self._phrases, self._words = phrases, words
        self._short_texts: dict[tuple[float, float], str] = {}  # the texts of marks; many marks have the same text

    def sprites(self) -> tuple[Sprite, ...]:
        return tuple(_sprite(row) for row in self._of_kind(rows_of.SPRITE))

    def motion(self) -> Motion | None:
        """Return the motion on the sheet, or None if there is none."""
        found = self._of_kind(rows_of.MOTION)
        if not found:
            return None
        under = {(int(row[1]), int(row[2])): int(row[3]) for row in self._of_kind(rows_of.TILE)}
        return Motion(under, self.sprites(), found[0][1])

    def marks(self) -> list[Mark]:
        return [_mark_with(self._mark_text(row, texts), tuple(row[1:10])) for row, texts in self._groups(rows_of.MARK)]

    def figures(self) -> list[Figure]:
        found: list[Figure] = []
        for place, row in enumerate(self._rows):
            if row[0] == rows_of.FIGURE:
                label = self._texts_after(place)
                value = self._texts_after(place + 1 + len(label))
                share, tone, colour, large, idle = row[1:6]
                found.append(
                    Figure(
                        self._text(label),
                        self._text(value),
                        None if share < 0 else share,
                        TONES[int(tone)],
                        None if colour < 0 else _colour(colour),
                        bool(large),
                        bool(idle),
                    )
                )
        return found

    def move(self) -> MoveText:
        """Return what a move did."""
        for row, texts in self._groups(rows_of.MOVE):
            return MoveText(MOVE_KINDS[int(row[1])], self._text(texts))
        return MoveText("", "")

    def text(self) -> str:
        """Return the text of all phrases on the sheet."""
        return self._text(self._of_kind(rows_of.TEXT))

    def intent(self, numbers: int) -> Intent | None:
        """Return the player's intent, or None if there is none. An action consists of this many numbers."""
        walk = [_action(row, numbers) for row in self._of_kind(rows_of.WALK)]
        if walk:
            return Walk(tuple(walk))
        for place, row in enumerate(self._rows):
            if row[0] == rows_of.ACT:
                return Act(_action(row, numbers))
            if row[0] == rows_of.PLACE:
                return Place((int(row[1]), int(row[2])))
            if row[0] == rows_of.SAY:
                return Say(self._text(self._texts_after(place)))
        return None

    def specials(self, keys: Sequence[str]) -> tuple[SpecialMove, ...]:
        return tuple(SpecialMove(keys[int(row[1])], self._text(texts)) for row, texts in self._groups(rows_of.SPECIAL))

    def buttons(self) -> list[tuple[int, tuple[int, int], bool, str]]:
        """Return the buttons: the index of the key, the place, whether the move is legal, and a description."""
        return [
            (int(row[1]), (int(row[2]), int(row[3])), bool(row[4]), self._text(texts))
            for row, texts in self._groups(rows_of.BUTTON)
        ]

    def score(self, numbers: int) -> Score | None:
        """Return the score, which consists of this many numbers, or None if there is none."""
        for row, texts in self._groups(rows_of.SCORE):
            return Score(tuple(_python_number(number) for number in row[1 : 1 + numbers]), self._text(texts))
        return None

    def problem(self) -> Problem | None:
        """Return the error on the sheet, or None if there is none."""
        for at, row in enumerate(self._rows):
            if row[0] == rows_of.PROBLEM:
                place = self._texts_after(at)
                message = self._texts_after(at + 1 + len(place))
                line, column, level, x, y = map(int, row[1:6])
                cell = None if x < 0 else (x, y)
                return Problem(line, column, level, cell, self._text(place), self._quoting(message))
        return None

    def _quoting(self, rows: Rows) -> str:
        """Return the text of phrases, each followed by the letters of its quotations."""
        text = ""
        for at, row in enumerate(rows):
            if row[0] == rows_of.TEXT:
                quotes = [""] * (COLUMNS - 1)
                for letters in rows[at + 1 :]:
                    if letters[0] != rows_of.LETTERS:
                        break
                    quotes[int(letters[1])] += "".join(chr(int(code)) for code in letters[2:] if code)
                text += self._phrases.text([row[1:]], {**(self._words or {}), "quote": quotes})
        return text

    def _of_kind(self, kind: int) -> Rows:
        return [row for row in self._rows if row[0] == kind]

    def _groups(self, kind: int) -> list[tuple[list[float], Rows]]:
        """Return the rows of a kind, each with the texts that follow it."""
        return [(row, self._texts_after(place)) for place, row in enumerate(self._rows) if row[0] == kind]

    def _texts_after(self, place: int) -> Rows:
        end = place + 1
        while end < len(self._rows) and self._rows[end][0] in (rows_of.TEXT, rows_of.LETTERS):
            end += 1
        return self._rows[place + 1 : end]

    def _mark_text(self, row: list[float], texts: Rows) -> str:
        phrase, number = row[10:]
        if phrase < 0:
            return self._text(texts) if texts else ""
        if (phrase, number) not in self._short_texts:
            self._short_texts[phrase, number] = self._text([[rows_of.TEXT, phrase, number]])
        return self._short_texts[phrase, number]

    def _text(self, texts: Rows) -> str:
        return self._phrases.text([row[1:] for row in texts], self._words)


@lru_cache(maxsize=1 << 15)  # a large map has thousands of marks, and a move changes only a few
def _mark_with(text: str, row: tuple[float, ...]) -> Mark:
    kind, at_row, at_col, colour, rows, cols, direction, strength, style = row
    return Mark(
        MARK_KINDS[int(kind)],
        (int(at_row), int(at_col)),
        _colour(colour),
        text,
        int(rows),
        int(cols),
        int(direction),
        strength,
        MARK_STYLES[int(style)],
    )


def _sprite(row: list[float]) -> Sprite:
    start_row, start_col, end_row, end_col = map(_python_number, row[2:6])
    opacity, end_opacity, scale, end_scale = row[6:10]
    return Sprite(int(row[1]), (start_row, start_col), (end_row, end_col), (opacity, end_opacity), (scale, end_scale))


def _action(row: list[float], numbers: int) -> Any:
    values = tuple(int(number) for number in row[1 : 1 + numbers])
    return values[0] if numbers == 1 else values


def _colour(colour: float) -> tuple[int, int, int]:
    value = int(colour)
    return value >> 16, value >> 8 & 255, value & 255


def _python_number(number: float) -> float:
    return int(number) if number == int(number) else number
