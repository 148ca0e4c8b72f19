"""Keys and mouse events from a terminal, with the same names as in the window: "up", "w", "f1", "shift+tab"."""

import re
from typing import NamedTuple


class Mouse(NamedTuple):
    """A mouse event of the kind "down", "drag" or "up", at a zero-based position."""

    kind: str
    row: int
    col: int


class Paste(NamedTuple):
    """Text that the player pasted into the terminal."""

    text: str


Key = str | Mouse | Paste

CHARACTERS = {
    "\r": "return",
    "\n": "return",
    "\t": "tab",
    " ": "space",
    "=": "+",
    "\x7f": "backspace",
    "\b": "backspace",
}
LETTERS = {  # keys by the last character of an escape sequence
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "Z": "shift+tab",
    "P": "f1", "Q": "f2", "R": "f3", "S": "f4",
}  # fmt: skip
NUMBERS = {  # keys by the number before ~ in an escape sequence
    1: "home", 2: "insert", 3: "delete", 4: "end", 5: "page up", 6: "page down", 7: "home", 8: "end",
    11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10", 23: "f11", 24: "f12",
}  # fmt: skip
LINUX = {"[A": "f1", "[B": "f2", "[C": "f3", "[D": "f4", "[E": "f5"}  # function keys on the Linux console
WINDOWS = {  # keys by the character that msvcrt returns after 0x00 or 0xE0
    "H": "up", "P": "down", "K": "left", "M": "right", "G": "home", "O": "end", "I": "page up", "Q": "page down",
    "R": "insert", "S": "delete", "\x0f": "shift+tab", "\x85": "f11", "\x86": "f12",
    **{chr(0x3B + i): f"f{i + 1}" for i in range(10)},
}  # fmt: skip

# Real sequences have at most a few dozen digits; a longer one is not a sequence, and its numbers could not be converted.
_SEQUENCE = re.compile(
    r"\x1b(?:\[(?:<(?P<mouse>[0-9]{1,9}(?:;[0-9]{1,9}){2}[Mm])|(?P<body>\[[A-E]|[0-9;?]{0,40}[@-Z\\-~]))|O(?P<letter>[A-Z]))"
)
_BEGUN = re.compile(r"\x1b(?:\[(?:\[|<?[0-9;?]{0,40})|O)?")


PASTE, PASTED = "\x1b[200~", "\x1b[201~"  # the sequences before and after pasted text
LONGEST = 8 * 2**20  # maximum length of pasted text that is kept, in characters


class Decoder:
    """Turns input into keys. An escape sequence may arrive in pieces; an Esc that does not begin one is a key."""

    def __init__(self) -> None:
        self.waiting = ""
        self._pasted: list[str] | None = None  # the pieces of text being pasted
        self._tail, self._length = "", 0

    def feed(self, text: str) -> list[Key]:
        text, self.waiting = self.waiting + text, ""
        keys: list[Key] = []
        at = 0
        while at < len(text):
            if self._pasted is not None:
                pasted, text = self._paste(text[at:])
                keys += pasted
                at = 0
            elif text.startswith(PASTE, at):
                self._pasted, self._tail, self._length = [], "", 0
                at += len(PASTE)
            elif text[at] != "\x1b":
                keys += _character(text[at])
                at += 1
            elif match := _SEQUENCE.match(text, at):
                keys += _sequence(match)
                at = match.end()
            elif _BEGUN.fullmatch(text, at):
                break
            else:
                keys.append("escape")
                at += 1
        self.waiting = text[at:]
        return keys

    def _paste(self, text: str) -> tuple[list[Key], str]:
        """Collect pasted text, which may arrive in many pieces.

        When the pasted text is complete, return it and the input that follows it.
        """
        assert self._pasted is not None
        piece, end, rest = (self._tail + text).partition(PASTED)
        kept = len(piece) if end else max(0, len(piece) - len(PASTED) + 1)
        self._tail = piece[kept:]  # perhaps the beginning of the end sequence
        if self._length <= LONGEST:
            self._pasted.append(piece[:kept])
            self._length += kept
        if not end:
            return [], ""
        whole, self._pasted = "".join(self._pasted), None
        return [Paste(whole.replace("\r\n", "\n").replace("\r", "\n"))], rest

    def flush(self) -> list[Key]:
        """Return the keys in the waiting input once no more input arrives: Esc, and perhaps other keys."""
        text, self.waiting = self.waiting, ""
        return ["escape", *(key for character in text[1:] for key in _character(character))] if text else []


def _character(character: str) -> list[Key]:
    if character in CHARACTERS:
        return [CHARACTERS[character]]
    if character < " ":
        return [f"ctrl+{chr(ord(character) + 96)}"]
    return [f"shift+{character.lower()}" if character.isupper() else character]


def _sequence(match: re.Match) -> list[Key]:
    if match["mouse"]:
        return _mouse(match["mouse"])
    body = match["letter"] or match["body"]
    if body in LINUX:
        return [LINUX[body]]
    if body.endswith("~"):
        number = body[:-1].split(";")[0]
        return [NUMBERS[int(number)]] if number.isdigit() and int(number) in NUMBERS else []
    return [LETTERS[body[-1]]] if body[-1] in LETTERS else []


def _mouse(text: str) -> list[Key]:
    """Parse `button;column;row` followed by M (down) or m (up). Only the left button is used."""
    button, col, row = map(int, text[:-1].split(";"))
    if button & ~32:  # 32 means that the mouse moved
        return []
    return [Mouse("up" if text[-1] == "m" else "drag" if button else "down", row - 1, col - 1)]
