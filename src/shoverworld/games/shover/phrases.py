"""The sentences of Shover-World that the rules side needs: why an action is invalid, and the score of a game.

The user interface adds its own sentences to the same table (ui/phrases.py). The functions are `@shared`: Python runs
them as they are, and the WebAssembly module contains them compiled.
"""

from shoverworld.core import sheet as sheets
from shoverworld.core.cells import SIDES
from shoverworld.core.grid import DIRECTIONS, col_of, row_of
from shoverworld.core.jit import shared
from shoverworld.core.phrases import PhraseTable

from .config import SPECIALS
from .reasons import (
    BARRIER_BEYOND,
    CODES,
    DISSOLVED,
    EDGE_BEYOND,
    NO_BOX,
    NO_LARGE_SQUARE,
    NO_SQUARE,
    OFF_MAP,
    ON_BARRIER,
    ON_LAVA,
)
from .state import BARRIER, LAVA, OUTCOMES

LETTERS = "urdl"  # the letter for each direction
PHRASES = PhraseTable(
    way=DIRECTIONS,
    side=SIDES,
    line=("row", "column"),
    content=("nothing", "a barrier", "lava"),
    outcome=[outcome or "" for outcome in OUTCOMES],
    motion=("from rest", "in motion", "after a turn", "straight on"),
    special=[special.subject for special in SPECIALS],
    leaves=[special.leaves for special in SPECIALS],
    result=[special.result for special in SPECIALS],
    toward=("up", "to the right", "down", "to the left"),
    letter=[*LETTERS, *LETTERS.upper()],
    special_letter=[special.key.upper() for special in SPECIALS],
)
NOTHING_THERE, BARRIER_THERE, LAVA_THERE = range(3)  # indices into the words `content`

# The phrase for each reason
REASONS = (
    PHRASES(""),
    PHRASES("{0:line} {1} is the edge of the map"),
    PHRASES("there is a barrier at row {0}, column {1}"),
    PHRASES("there is lava at row {0}, column {1}"),
    PHRASES("there is {0:content} at row {1}, column {2}, and only a box can be pushed"),
    PHRASES("there is a barrier beyond the {0} boxes"),
    PHRASES("the {0} boxes are against the edge of the map"),
    PHRASES("there is no perfect square"),
    PHRASES("there is no perfect square of size 3 or more"),
    PHRASES("the perfect square dissolved before it could be used"),
)
ONLY_SMALL = PHRASES(", only of size 2")
BARRIER_BEYOND_ONE = PHRASES("there is a barrier beyond the box")
EDGE_BEYOND_ONE = PHRASES("the box is against the edge of the map")
SCORE = PHRASES("{0:step|steps}, stamina {1}")
SCORE_NUMBERS = 2  # the steps and the negative stamina

# The code and the sentence of each reason
REASON_TABLE = tuple((code, PHRASES.phrases[phrase]) for code, phrase in zip(CODES, REASONS, strict=True))


@shared
def write_reason(sheet, state):
    """Write why the last action of the game was invalid, or nothing if it was valid."""
    game, width = state.game[0], state.width
    reason, target = int(game.reason), int(game.target)
    row, col = row_of(target, width), col_of(target, width)
    if reason == OFF_MAP:
        rows, cols = state.board.shape[1] // width - 2, width - 2
        if 0 <= row < rows:
            sheets.text(sheet, REASONS[OFF_MAP], 1, min(max(col, 0), cols - 1))
        else:
            sheets.text(sheet, REASONS[OFF_MAP], 0, min(max(row, 0), rows - 1))
    elif reason == NO_BOX:
        content = state.board[0, target]
        there = BARRIER_THERE if content == BARRIER else LAVA_THERE if content == LAVA else NOTHING_THERE
        sheets.text(sheet, REASONS[NO_BOX], there, row, col)
    elif reason in (ON_BARRIER, ON_LAVA):
        sheets.text(sheet, REASONS[reason], row, col)
    elif reason in (BARRIER_BEYOND, EDGE_BEYOND):
        write_blocked(sheet, int(game.blocked), reason == EDGE_BEYOND)
    elif reason in (NO_SQUARE, NO_LARGE_SQUARE, DISSOLVED):
        sheets.text(sheet, REASONS[reason])
        if reason == NO_LARGE_SQUARE and game.squares > 0:
            sheets.text(sheet, ONLY_SMALL)


@shared
def write_blocked(sheet, boxes, at_edge):
    """Write why a chain of this many boxes cannot be pushed."""
    if boxes == 1:
        sheets.text(sheet, EDGE_BEYOND_ONE if at_edge else BARRIER_BEYOND_ONE)
    else:
        sheets.text(sheet, REASONS[EDGE_BEYOND] if at_edge else REASONS[BARRIER_BEYOND], boxes)


@shared
def write_score(sheet, steps, stamina):
    """Write a score. Fewer steps are better; with the same number of steps, more remaining stamina is better."""
    sheets.row(sheet, sheets.SCORE, steps, -stamina)
    sheets.text(sheet, SCORE, steps, stamina)
