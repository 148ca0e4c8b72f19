"""Why an action is invalid (1.1, 1.2, 1.5): a code for programs and a sentence for people.

The rules find the reason and store its number in the record of the game as `reason`. They also store two values
that the sentences mention: the cell that the action acted on (`target`) and the number of boxes that could not be
pushed (`blocked`). `why_invalid` in record.py completes the sentences.
"""

# The code of each reason, which is the value of info["invalid_reason"], and the sentence for people.
TABLE = (
    ("", ""),
    ("off_map", "{line} is the edge of the map"),
    ("barrier", "there is a barrier at {place}"),
    ("lava", "there is lava at {place}"),
    ("no_box", "there is {content} at {place}, and only a box can be pushed"),
    ("barrier_beyond", "there is a barrier beyond {boxes}"),
    ("edge_beyond", "{boxes} {are} against the edge of the map"),
    ("no_square", "there is no perfect square"),
    ("no_large_square", "there is no perfect square of size 3 or more{only}"),
    ("square_dissolved", "the perfect square dissolved before it could be used"),
)
VALID, OFF_MAP, ON_BARRIER, ON_LAVA, NO_BOX, BARRIER_BEYOND, EDGE_BEYOND, NO_SQUARE, NO_LARGE_SQUARE, DISSOLVED = range(
    len(TABLE)
)
CODES, SENTENCES = zip(*TABLE, strict=True)
