"""Why a move is illegal: a code for programs and a sentence for people.

The rules find the reason and store its number in the record of the game as `fault`. The sentences are phrases
(phrases.py): `why_invalid` in record.py fills in the number of the other car.
"""

# The code of each reason, which is the value of info["invalid_reason"], and the sentence for people.
TABLE = (
    ("", ""),
    ("off_track", "the move lands off the track"),
    ("line", "the line of the move leaves the track"),
    ("occupied", "car {0} is on the landing cell"),
)
FINE, OFF_TRACK, BAD_LINE, OCCUPIED = range(len(TABLE))
CODES, SENTENCES = zip(*TABLE, strict=True)
FAULTS = (None, *CODES[1:])  # the values of info["fault"]
