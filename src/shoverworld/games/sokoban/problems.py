"""The error messages about levels and rules, shared by Python's readers (formats.py, collection.py, levels.py, rle.py) and a
browser's (web_formats.py)."""

from shoverworld.core.problems import Problems

PROBLEMS = Problems()
NO_LEVELS = PROBLEMS("no level found; expected a board drawn with # $ . @")
TOO_MANY_LEVELS = PROBLEMS("there are more than {0:,} levels in one file")
NO_SUCH_LEVEL = PROBLEMS("there is no level {0}; the levels are 1 to {1}")
INVALID_LETTER = PROBLEMS("{0:quote} in column {1}; expected one of # $ * . + @ - _ or a space")
LONG_LINE = PROBLEMS("the line has {0} characters, which is too many for a board; expected at most {1}")
TOO_MANY_ROWS = PROBLEMS("the board has more than {1} rows; expected {0} to {1}")
SIZE = PROBLEMS("the size is {0} x {1}; expected {2} to {3} rows and columns")
NO_PLAYER = PROBLEMS("there is no player; expected one @ (or + on a target)")
MANY_PLAYERS = PROBLEMS("there are {0} players; expected one or two")
NO_BOX = PROBLEMS("there is no box; expected at least one $ (or * on a target)")
UNEQUAL = PROBLEMS("boxes: {0}, targets: {1}; expected equal numbers of boxes and targets")
OPEN_PLAYER = PROBLEMS("the walls have a gap: the player can leave the board")
OPEN_BOX = PROBLEMS("the walls do not enclose this box")
OPEN_TARGET = PROBLEMS("the walls do not enclose this target")
IN_CELL = PROBLEMS(" (row {0}, column {1} of the board, counting from 0)")

# Numbers of boxes and targets, and the order of the players
NUMBERED = {"box numbers": "boxes", "target numbers": "targets", "player order": "players"}
NUMBERS_EXPECTED = {key: PROBLEMS(f"expected `{key}:` followed by positive integers") for key in NUMBERED}
WRONG_NUMBERS = {
    name: PROBLEMS(f"the numbers of the {name} must be 1 to {{0}}, each exactly once") for name in NUMBERED.values()
}

# Run-length encoding: the place, and then the reason
RLE_COLUMN = PROBLEMS("invalid run-length encoding in column {0}: ")
RLE_LONG = PROBLEMS("longer than {0} characters when expanded")
RLE_NOTHING = PROBLEMS("the number {0:quote} has nothing to repeat")
RLE_ZERO = PROBLEMS("the repeat count is 0; expected at least 1")
RLE_DEPTH = PROBLEMS("more than {0} nested groups")
RLE_CLOSED = PROBLEMS("')' without a matching '('")
RLE_NUMBER = PROBLEMS("unexpected number {0:quote} before ')'")
RLE_OPEN = PROBLEMS("'(' without a matching ')'")

PULL_MOVES = PROBLEMS("pull=True requires moves='push_and_move': moves='four' has no actions for pulling")
