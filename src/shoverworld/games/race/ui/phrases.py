"""The sentences that views of the race show, as numbers in the table of phrases (core/phrases.py).

Cells are shown as x,y: the column comes first.
"""

from ..phrases import PHRASES as phrases
from ..phrases import STEPS as STEPS

NUMBER = phrases("{0}")
PAIR = phrases("{0},{1}")  # a cell or a velocity
COMMA = phrases(", ")

# The panel
STEP = phrases("Step")
SPEED = phrases("Speed")
STOPPED = phrases("stopped")
AT = phrases("At")
TO_THE_FINISH = phrases("{0},{1}, {2} to the finish")
PENALTIES = phrases("Penalties")
ROUND = phrases("Round")
OUTCOME = phrases("Outcome")
FINISHED = phrases("Finished")
ALL_FINISHED = phrases("All cars have finished")
TIME_IS_UP = phrases("Time is up")
STILL_RACING = phrases("Still racing")
ALL_STEPS = phrases("Steps")

# Moves
MOVED = phrases("step {0}, to {1},{2}")
MOVED_AT_SPEED = phrases(", speed {0},{1}")
COLON = phrases(": ")
STOPS = phrases("; the car stops")
STOPS_AND_SKIPS = phrases("; the car stops and skips {0:turn|turns}")
FINISHED_IN = phrases(": finished in {0:step|steps}, place {1}")
OTHER_SKIPS = phrases("; car {0} skips {1:turn|turns}, {2} left")
DRIVE_TO = phrases("{0:way} to {1},{2}")
ILLEGAL = phrases(": illegal, ")

# Input
OVER = phrases("The race is over: {0:outcome}.")
UNREACHABLE = phrases("The car cannot reach {0},{1} now. Choose one of the nine numbered cells.")
WARNING = phrases("{0:key} is illegal: ")
STOP_WARNING = phrases(". It stops the car; choose it again to confirm.")
TURNS_WARNING = phrases(". It stops the car and costs {0:turn|turns}; choose it again to confirm.")
ON_TRACK = phrases("{0},{1}: track")
ON_TRACK_AT = phrases("{0},{1}: track, {2:step|steps} from the finish")
OFF_TRACK = phrases("{0},{1}: off the track")
KEY_ILLEGAL = phrases("{0:key}: illegal, ")
CLICK = phrases("Click to drive {0:way} ({1:key}): to {2},{3}, speed {4},{5}")
KEY = phrases("{0:key}")
CROSSED_OUT = phrases("x")
AGAIN = phrases("again?")

# Marks
HINT = phrases("hint")
GHOST = phrases("G")
WAITING = phrases("-{0}")

# Several players
BUTTON = phrases("{0:way}, to {1},{2}")
PLACED = phrases("{0}. {1:name}")
TO_MOVE = phrases("> {0:name}")
NAME = phrases("{0:name}")
NOT_FINISHED = phrases("not finished")
SKIPS = phrases("skips {0}")
PENALTY_COUNT = phrases("{0:penalty|penalties}")
