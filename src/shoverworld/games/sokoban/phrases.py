"""The sentences of Sokoban. Functions that also run in a browser refer to them by number (core/phrases.py)."""

from shoverworld.core.cells import SIDES
from shoverworld.core.grid import DIRECTIONS
from shoverworld.core.phrases import PhraseTable

from .reasons import SENTENCES
from .state import OUTCOMES

PLAYERS = ("first player", "second player")
LETTERS = "urdl"  # the letter for each direction in LURD notation

phrases = PhraseTable(
    way=DIRECTIONS,
    toward=("up", "to the right", "down", "to the left"),
    side=SIDES,
    player=PLAYERS,
    keys=("the arrow keys", "WASD"),  # the keys of each player
    outcome=[outcome or "" for outcome in OUTCOMES],
    letter=LETTERS + LETTERS.upper(),
)

# --- Parts of sentences

SENTENCE = phrases("^")  # the next phrase starts with a capital letter
FULL_STOP = phrases(".")
NUMBER = phrases("{0}")
COUNTER = phrases("{0:,}")
OF = phrases("{0} of {1}")
THE_BOX, BOX_NUMBER = phrases("the box"), phrases("box {0}")
PLAYER_NAME, PLAYER_COLON, PLAYER_COMMA = phrases("{0:player} "), phrases("{0:player}: "), phrases("{0:player}, ")

REASONS = tuple(phrases(sentence) for sentence in SENTENCES)  # by the number of the reason

# --- The panel and the end screen

BOXES_ON_TARGET, PUSHES, MOVES, PULLS = (phrases(label) for label in ("Boxes on target", "Pushes", "Moves", "Pulls"))
STEPS_LEFT, LAST_ACTION, OUTCOME = (phrases(label) for label in ("Steps left", "Last action", "Outcome"))
NO_ACTION, VALID_ACTION, INVALID_ACTION = phrases("-"), phrases("valid"), phrases("invalid: ")
MOUSE_MOVES, THE_PLAYER_NAME = phrases("The mouse moves"), phrases("the {0:player}")
GRABBING, GRABS, DOES_NOT_GRAB = phrases("Grabbing"), phrases("yes, G lets go"), phrases("no, G grabs")
ENDINGS = (
    phrases("Still playing"),
    phrases("Solved: every box is on its target"),
    phrases("Time is up"),
)  # by outcome
SCORE = phrases("{0:push|pushes}, {1:move|moves}")

# --- Actions as instructions, and what a step did

WAIT, BLOCKED, WALK = phrases("wait"), phrases("do nothing: {0:way} is blocked"), phrases("walk {0:way}")
PUSH, PULL, AT_TOWARD = phrases("push "), phrases("pull "), phrases(" at row {0}, column {1} {2:toward}")
WAITED, WALKED, WAY = phrases("waited"), phrases("walked {0:way}"), phrases("{0:way}: ")
PUSHED, PULLED, TOWARD = phrases("pushed "), phrases("pulled "), phrases(" {0:toward}")
ONTO_ITS_TARGET, ONTO_A_TARGET = phrases(", onto its target"), phrases(", onto a target")
ONTO_ANOTHER_TARGET, OFF_ITS_TARGET = phrases(", onto the target of another box"), phrases(", off its target")

# --- Answers to keys and clicks

GAME_OVER = phrases("The game is over: {0:outcome}.")
NO_WAITING, NO_PULLING = (
    phrases("These rules do not allow waiting."),
    phrases("These rules do not allow pulling boxes."),
)
GRABBED, LET_GO = phrases("Grabbed: a direction key pulls the box behind you."), phrases("Let go.")
CLICKED_WALL = phrases("A wall: nothing can move there.")
NO_PATH_TO = phrases("No free path leads to row {0}, column {1}.")
NOTHING_SELECTED = phrases("Nothing is selected.")
SELECTED_FOR_NOTHING = phrases(" is selected, but it cannot be pushed anywhere now.")
SELECTED = phrases(" is selected. Click a cell to push it there: {0:cell|cells} can be reached.")
THIS_IS_THE_PLAYER, THIS_IS_PLAYER = phrases("This is the player."), phrases("This is the {0:player}.")
MOUSE_NOW_MOVES = phrases("The mouse now moves the {0:player}.")
NO_WAY_TO_PUSH, NOT_FOUND_IN_TIME = (
    phrases("No way to push "),
    phrases(" to row {0}, column {1} was found in time: try a nearer cell."),
)
CANNOT_BE_PUSHED_TO = phrases(" cannot be pushed to row {0}, column {1} now.")
DRAG_A_BOX = phrases("Drag a box in the direction you want to push it.")
CANNOT_MOVE = phrases(" cannot move {0:way}: it")
NO_ROOM = phrases(" cannot be pushed {0:way}: there is no room {1:side} ")
TO_PUSH, MUST_STAND, NO_PATH_THERE = (
    phrases("To push "),
    phrases(" {0:way}, the player must stand {1:side} "),
    phrases(", but no free path leads there"),
)
ONLY_ONE_PLAYER = phrases("these rules have only one player")
PULLS_NOT_ALLOWED = phrases("these rules do not allow pulling boxes")
NOT_A_LETTER = phrases("expected one of l u r d L U R D")

# --- Previews

A_WALL = phrases("A wall")
ABOUT_THE_PLAYER = phrases("The player. Move with the arrow keys or WASD")
ABOUT_PLAYER, OR_CLICK = phrases("The {0:player}. Move with {0:keys}"), phrases(", or click to use the mouse")
TARGET, TARGET_NUMBER = phrases("Target. "), phrases("Target {0}. ")
NO_PATH_HERE, WALK_HERE = phrases("No free path leads here"), phrases("Click to walk here: {0:step|steps}")
CANNOT_BE_PUSHED_HERE = phrases(" cannot be pushed here now")
CLICK_TO_PUSH, PUSH_HERE = phrases("Click to push "), phrases(" here ({0:push|pushes})")
BOX_AT, NUMBERED_BOX_AT = phrases("Box at row {0}, column {1}"), phrases("Box {2} at row {0}, column {1}")
ON_ITS_TARGET, ON_ANOTHER_TARGET = phrases(", on its target"), phrases(", on target {0}, the target of another box")
SELECT_OR_DRAG = phrases(". Click to select it, drag to push it")
DRAG_TO_PUSH, DRAG_TO_PULL = phrases("Drag to push "), phrases("Drag to pull ")
GOING, STEPS_AWAY = phrases(" {0:way}"), phrases(" ({0:step|steps} away)")
WOULD_REACH_ITS_TARGET, WOULD_REACH_A_TARGET = phrases(": onto its target"), phrases(": onto a target")
WOULD_BE_LOST = phrases(": it would be lost there, without a path to a target")

# --- Marks and notation

HOLD, IMPOSSIBLE, LOST, NEXT_NUMBER = phrases("hold"), phrases("x"), phrases("!"), phrases(", {0}")
SECOND_PLAYER, PULLING, LETTER = phrases("+"), phrases("<"), phrases("{0:letter}")
