"""The error messages about tracks and rules, shared by Python's readers (symbols.py, images.py, tracks.py) and a
browser's (web_formats.py, web_pictures.py)."""

from shoverworld.core.problems import NOT_TEXT, NUL_BYTE, Problems

from .codes import FINISH, NUMBERS, START, SYMBOLS

PROBLEMS = Problems()
NO_ROWS = PROBLEMS("the track is empty; expected rows of numbers (-1 0 1 100) or of symbols (# . S F)")
TOO_MANY_ROWS = PROBLEMS("the track has too many rows; expected at most {0}")
TOO_MANY_CELLS = PROBLEMS("this row has too many cells; expected at most {0}")
ROW_LENGTH = PROBLEMS("this row has {0} cells; expected {1} as in the first row")
UNKNOWN_CODE = PROBLEMS("{0:quote}; expected -1 off the track, 0 track, 1 start or 100 finish")
UNKNOWN_SYMBOL = PROBLEMS("{0:quote}; expected # off the track, . track, S start or F finish")
LONGEST_CODE = 20  # letters of an unknown code that a message quotes

_TEXT_EXPECTED = "; expected a track as UTF-8 text or as an image (PNG, BMP, GIF, PPM, JPEG or WebP)"
NOT_TRACK_TEXT, NUL_IN_TRACK = (
    PROBLEMS(PROBLEMS.phrases[message] + _TEXT_EXPECTED) for message in (NOT_TEXT, NUL_BYTE)
)
TEXT_PROBLEMS = {PROBLEMS.phrases[NOT_TEXT]: NOT_TRACK_TEXT, PROBLEMS.phrases[NUL_BYTE]: NUL_IN_TRACK}


def _none(what: str, code: int, colour: str) -> str:
    number, symbol = (next(word for word, each in words.items() if each == code) for words in (NUMBERS, SYMBOLS))
    return (
        f"the track has no {what} cell; expected at least one "
        f"({number} as a number, {symbol} as a symbol, {colour} in an image)"
    )


NO_START = PROBLEMS(_none("start", START, "blue"))
NO_FINISH = PROBLEMS(_none("finish", FINISH, "white"))
UNREACHABLE = PROBLEMS(
    "no finish can be reached from any start; add track cells that connect this cell, the reachable cell nearest to a "
    "finish, to the finish at x={0} y={1}"
)

# --- Pictures. Python completes these with the colours of another scheme; a browser reads only the report's colours.

EMPTY_PICTURE = PROBLEMS("the image is empty ({0} x {1} pixels); expected one pixel per cell")
LARGE_PICTURE = PROBLEMS("the image has {0} x {1} pixels; expected one pixel per cell, at most {2} x {2}")
NO_TRACK_CELL = "the picture has no track cell"
MORE_FINISHES = "the picture has more finish cells ({0:,}) than track cells ({1:,})"
TOUCHING = "the start cell at x={0} y={1} touches a finish cell"
TRACK_BORDER = (
    "{0:,} of the {1:,} pixels on the border are track cells, and cells off the track connect a start with a finish"
)


def unknown_colour(expected: str) -> str:
    return f"the colour ({{0}}, {{1}}, {{2}}) is not a track colour; expected {expected}"


def transparent_pixel(expected: str) -> str:
    return f"the pixel is transparent; expected {expected}"


def no_pixel(what: str, colour: str) -> str:
    return f"the track has no {what} cell; expected at least one {colour} pixel"


def other_scheme(sign: str, meanings: str) -> str:
    return f"{sign} if {meanings}, so its colours seem to mean something else"
