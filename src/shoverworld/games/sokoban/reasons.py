"""Why an action is invalid: a code for programs and a sentence for people.

The kernels that apply the rules store the number of the reason in the game's record as `reason`. `why_invalid` in
record.py fills in the names in the sentences.
"""

# For each reason, the code (the value of info["invalid_reason"]) and the sentence for people. A code that ends in
# "_beyond" names the obstacle on the far side of the box that the player tried to push.
TABLE = (
    ("", ""),
    ("wall", "a wall is in the way"),
    ("box", "a box is in the way, and only a push can move it"),
    ("player", "the {other} is in the way"),
    ("wall_beyond", "{box} is against a wall"),
    ("box_beyond", "{box} is against another box"),
    ("player_beyond", "{box} is against the {other}"),
)
VALID, WALL_AHEAD, BOX_AHEAD, PLAYER_AHEAD = range(4)
BEYOND = 3  # the difference between the numbers of "wall_beyond" and "wall", and so on
CODES, SENTENCES = zip(*TABLE, strict=True)
