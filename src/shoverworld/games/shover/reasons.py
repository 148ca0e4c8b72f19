"""Why an action is invalid (1.1, 1.2, 1.5): a code for programs.

The rules find the reason and store its number in the record of the game as `reason`. They also store two values
that the sentences for people mention: the cell that the action acted on (`target`) and the number of boxes that could
not be pushed (`blocked`). `write_reason` in phrases.py writes the sentences.
"""

# The code of each reason, which is the value of info["invalid_reason"]
CODES = (
    "",
    "off_map",
    "barrier",
    "lava",
    "no_box",
    "barrier_beyond",
    "edge_beyond",
    "no_square",
    "no_large_square",
    "square_dissolved",
)
VALID, OFF_MAP, ON_BARRIER, ON_LAVA, NO_BOX, BARRIER_BEYOND, EDGE_BEYOND, NO_SQUARE, NO_LARGE_SQUARE, DISSOLVED = range(
    len(CODES)
)
