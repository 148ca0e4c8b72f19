"""The sentences of the user interface of Shover-World. core/phrases.py explains the placeholders."""

from ..phrases import PHRASES

# Numbers and punctuation
EMPTY_TEXT = PHRASES("")
NUMBER = PHRASES("{0}")
NEXT_NUMBER = PHRASES(", {0}")
AND_IMPOSSIBLE = PHRASES(" x")
IMPOSSIBLE = PHRASES("x")
DASH = PHRASES("-")
COMMA = PHRASES(", ")
STOP = PHRASES(".")
BRACKET = PHRASES(")")

# The panel
STAMINA, BOXES_LEFT, DESTROYED = PHRASES("Stamina"), PHRASES("Boxes left"), PHRASES("Destroyed")
STEP, STEP_OF = PHRASES("Step"), PHRASES("{0} of {1}")
LAST_ACTION, VALID_ACTION, INVALID_BECAUSE = PHRASES("Last action"), PHRASES("valid"), PHRASES("invalid: ")
BURNT_BY_PUSH = PHRASES("Burnt by last push")
PUSH_AHEAD, PUSH_WAY, CHOOSE = PHRASES("Push ahead"), PHRASES("Push {0:way}"), PHRASES("choose a direction")
BLOCKED_BECAUSE = PHRASES("blocked: ")
TWO_COSTS = PHRASES("{0} {1:motion} ({2} {3:motion})")
SQUARES, NONE = PHRASES("Perfect squares"), PHRASES("none")
SQUARE_AT, STEPS_LEFT, AND_MORE = (
    PHRASES("{0} x {0} at ({1}, {2})"),
    PHRASES("{0:step|steps} left"),
    PHRASES("and {0} more"),
)
AGE = PHRASES("age {0}, {1} left")

# The end of a game
OUTCOME, STEPS = PHRASES("Outcome"), PHRASES("Steps")
BOXES_DESTROYED = PHRASES("Boxes destroyed")
ENDINGS = (
    PHRASES("Still playing"),
    PHRASES("Cleared: no box is left"),
    PHRASES("Exhausted: no stamina is left"),
    PHRASES("Time is up"),
)

# What a move did
PLACED = PHRASES("placed on row {0}, column {1}")
PUSHED, AND_BURNT = PHRASES("pushed {0:box|boxes} {1:way}"), PHRASES(", {0?it|the front box} burnt")
SPECIAL_USED = PHRASES("{0:special}: the {1} x {1} square at row {2}, column {3} {0:result}")
TRIED_SPECIAL, TRIED_WAY = PHRASES("{0:special}: "), PHRASES("{0:way}: ")
WAITED, WALKED, LEAPT = PHRASES("waited"), PHRASES("walked {0:way}"), PHRASES("leapt to row {0}, column {1}")
AND_DISSOLVED = PHRASES("; {0:box|boxes} dissolved")

# An action as an instruction
USE_SPECIAL = PHRASES("use {0:special} on the {1} x {1} square at row {2}, column {3}")
WAIT, WAIT_BECAUSE = PHRASES("wait"), PHRASES("wait one step: ")
INVALID_WAY = PHRASES("wait one step: {0:way} is invalid here")
PUSH_ONE = PHRASES("push the box at row {0}, column {1} {2:toward}")
PUSH_SEVERAL = PHRASES("push the {3:box|boxes} starting at row {0}, column {1} {2:toward}")
WALK, LEAP = PHRASES("walk {0:way}"), PHRASES("leap to row {0}, column {1}")

# What a push would do
PUSH_FROM_REST = PHRASES("Push {0:box|boxes} {1:way}: {2} stamina ({3} to start + {4} per box")
PUSH_IN_MOTION = PHRASES("Push {0:box|boxes} {1:way}: {2} stamina ({3} per box")
PER_STEP, NO_START = PHRASES(" + {0} per step"), PHRASES("; {0:motion}, so no cost to start")
FRONT_BURNS, BEYOND_EDGE = PHRASES("; {0?it|the front box} burns"), PHRASES(" beyond the edge")
REFUND = PHRASES(" (+{0} stamina)")
USES_UP = PHRASES("; this would use up your stamina")
CANNOT_PUSH = PHRASES("Cannot push {0:box|boxes} {1:way}: ")
CLICK_TO = PHRASES("Click: ~")

# What is on a cell
CHOOSE_WAY = PHRASES("Choose a direction with the arrows or WASD: ")
NO_WAY_TO_PUSH = PHRASES("It cannot be pushed in any direction.")
WAY_AND_COST, BURNS = PHRASES("{0:way} {1}"), PHRASES(" (burns)")
BOX_AND_COSTS = PHRASES("Box at row {0}, column {1}. Cost of a push: ")
CLICK_TO_SELECT = PHRASES(". Click to select it")
STUCK_BOX = PHRASES("Box at row {0}, column {1}: it cannot be pushed in any direction")
STAND_FIRST = PHRASES("Box at row {0}, column {1}. Stand next to it first")
NO_ROOM = PHRASES("This box cannot be pushed {0:way}: there is no room {1:side} it")
PUSH_FROM = PHRASES("Stand next to the box first. From row {0}, column {1}: ~")
IN_SQUARE = PHRASES(". In a perfect {0} x {0} square that dissolves in {1:step|steps}")
ON_BARRIER, ON_LAVA = (
    PHRASES("A barrier: it cannot be moved"),
    PHRASES("Lava: boxes burn in it, and each returns {0} stamina"),
)
EMPTY_CELL, NO_PATH = PHRASES("Empty"), PHRASES("Empty; no free path leads here")
ON_SHOVER, CLICK_TO_STAND = (
    PHRASES("The shover, facing {0:way}"),
    PHRASES("Click to stand here; this costs nothing"),
)

# Answers to keys and clicks
OVER = PHRASES("The game is over: {0:outcome}.")
NO_WAITING = PHRASES("These rules do not allow waiting; only the walker can wait.")
SELECT_FIRST = PHRASES("Select a box first: click it, or press X for a cursor.")
MAP_ENDS = PHRASES("There is nothing {0:side} the shover: the map ends there.")
BARRIER_AT = PHRASES("A barrier at row {0}, column {1}: it cannot be moved.")
LAVA_AT = PHRASES("Lava at row {0}, column {1}: push boxes into it.")
CLICK_A_BOX = PHRASES("Nothing is selected: click a box, or press X for a cursor.")
SHOVER_HERE = PHRASES("The shover is here.")
NO_PATH_TO = PHRASES("No free path leads to row {0}, column {1}.")
STAND_NEXT = PHRASES("Stand next to the box first; you push it away from you.")
NOTHING_SELECTED, BOX_SELECTED = PHRASES("Nothing is selected."), PHRASES("The box is selected. ")
DRAG_A_BOX = PHRASES("Drag a box in the direction you want to push it.")
NO_ROOM_TO_STAND = PHRASES("This box cannot be pushed {0:way}: there is no room {1:side} it.")
STAND_THERE = PHRASES("To push this box {0:way}, stand {1:side} it, on row {2}, column {3}.")

# Special moves and notation
EFFECT, EFFECT_AND_GAIN = PHRASES("{0:leaves}"), PHRASES("{0:leaves}, {1:+} stamina")
LETTER, CELL_LETTER = PHRASES("{0:letter}"), PHRASES("{0},{1}{2:letter}")
SPECIAL_LETTER, WAIT_LETTER, PLACE_SYMBOL = PHRASES("{0:special_letter}"), PHRASES("."), PHRASES("@{0},{1}")
