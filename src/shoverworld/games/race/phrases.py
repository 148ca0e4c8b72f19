"""The table of the race's sentences (core/phrases.py), beginning with the reasons why a move is illegal.

ui/phrases.py adds the sentences that only views show.
"""

from shoverworld.core.phrases import PhraseTable

from .reasons import SENTENCES
from .state import OUTCOMES

# The change in velocity for each action, and the keys for the actions, arranged as on the number pad.
WAYS = ("up-left", "up", "up-right", "left", "straight on", "right", "down-left", "down", "down-right")
KEYS = "789456123"

# The view supplies the list `name`, which contains the names of the players.
PHRASES = PhraseTable(way=WAYS, key=tuple(KEYS), outcome=tuple(outcome or "" for outcome in OUTCOMES))

# The number of a reason is also the number of its phrase. Placeholder 0 is the number of the other car, from 1.
for _sentence in SENTENCES:
    PHRASES(_sentence)

STEPS = PHRASES("{0:step|steps}")
