"""Functions that make untrusted text (file names, titles, players' names, agents' errors) safe to display.

Such text may contain escape sequences that control a terminal, characters that reverse the text direction, and
zero-width characters. `visible` replaces each such character with a visible one, so widths and positions stay
correct. This module imports only the standard library, because the command line needs it for every error message.
"""

import codecs
import unicodedata

UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # invisible characters that count as letters or marks

# Replacements for characters in our own messages, for terminals whose encoding lacks these characters.
_PLAIN = dict(zip("●○•■█░▒▚✓✗…·↑→↓←↖↗↘↙▲▶▼◀─━│┃×", "*o*##.:%vx..^>v<\\/\\/^>v<--||x", strict=True))


def visible(text: str) -> str:
    """Return the text with a visible replacement for each control character and each invisible character.

    Line breaks are kept, and a tab becomes a space: "\\x1b[31m" becomes "␛[31m".
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def one_line(text: str) -> str:
    """Return the visible text on a single line."""
    return " ".join(visible(text).split())


def _shown(character: str) -> str:
    if character == "\n" or (character.isprintable() and character not in _FILLERS):
        return character
    if character == "\t" or unicodedata.category(character) == "Zs":
        return " "
    if character < " ":
        return chr(0x2400 + ord(character))  # the Unicode symbol for the control character
    return "\N{SYMBOL FOR DELETE}" if character == "\x7f" else UNKNOWN


def _without_signs(error: UnicodeError) -> tuple[str, int]:
    """Replace the characters that an encoding lacks: an arrow with ^, a dot with *, most others with ?."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(character, "?") for character in error.object[error.start : error.end]), error.end


PLAIN_SIGNS = "shoverworld-plain-signs"  # the name of the error handler, for `TextIOWrapper.reconfigure(errors=...)`
codecs.register_error(PLAIN_SIGNS, _without_signs)
