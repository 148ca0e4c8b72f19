"""The error messages about maps and rules, shared by Python's reader (maps.py) and a browser's (web_formats.py)."""

from shoverworld.core.problems import Problems

PROBLEMS = Problems()
NO_ROWS = PROBLEMS("the map is empty; expected rows of numbers (0 10 100 -100) or of symbols (. B # L A)")
ROW_LENGTH = PROBLEMS("this row has {0} cells; expected {1} as in the first row")
TOO_LARGE = PROBLEMS("the map is larger than {0} x {0}")
SECOND_START = PROBLEMS("this is a second start cell (A); expected at most one")
UNKNOWN_CODE = PROBLEMS("unknown code {0:quote}; expected -100, 0, 1 to 10 or 100")
UNKNOWN_SYMBOL = PROBLEMS("unknown symbol {0:quote}; expected one of . B # L A")
START_EXPECTED = PROBLEMS("expected `//! start ROW COL`")
STRENGTH_EXPECTED = PROBLEMS("expected `//! strength` with one number from 1 to 10, or one for each of the {0} boxes")
NO_EMPTY_CELL = PROBLEMS("the map has no empty cell for the shover")
START_OUTSIDE = PROBLEMS("the start cell ({0}, {1}) is outside the {2} x {3} map")
START_NOT_EMPTY = PROBLEMS("the start cell ({0}, {1}) is not an empty cell")
NO_STAMINA = PROBLEMS("initial_stamina=0: must be greater than 0, or the game would end before it begins")
NOOP_CODE = PROBLEMS("noop=True requires z_base >= 1, because the code of the no-op is z_base - 1")
LONGEST_CODE = 20  # letters of an unknown code that a message quotes
