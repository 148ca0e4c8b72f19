"""Why an action is invalid: a code for programs and a sentence for people.

The kernels that apply the rules store the number of the reason in the game's record as `reason`. `write_reason` in
sentences.py completes the sentences.
"""

# For each reason, the code (the value of info["invalid_reason"]) and the sentence for people (core/phrases.py). A code
# that ends in "_beyond" names the obstacle on the far side of the box that the player tried to push. Its sentence
# follows the name of that box.
TABLE = (
    ("", ""),
    ("wall", "a wall is in the way"),
    ("box", "a box is in the way, and only a push can move it"),
    ("player", "the {0:player} is in the way"),
    ("wall_beyond", " is against a wall"),
    ("box_beyond", " is against another box"),
    ("player_beyond", " is against the {0:player}"),
)
VALID, WALL_AHEAD, BOX_AHEAD, PLAYER_AHEAD = range(4)
BEYOND = 3  # the difference between the numbers of "wall_beyond" and "wall", and so on
CODES, SENTENCES = zip(*TABLE, strict=True)
