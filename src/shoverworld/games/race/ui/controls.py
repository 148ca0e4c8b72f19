"""Keyboard and mouse controls for the race.

The nine keys on the number pad (or in the number row) correspond to the nine cells that the car can drive to. Nine
on-screen buttons and clicks on these cells have the same effect. An illegal move incurs a penalty, so the player must
choose an illegal move twice to confirm it, unless no move is legal.
"""

from shoverworld.core.env import GridEnv
from shoverworld.core.ui import Act, Cell, InputHandler, Intent, KeyHelp, Mark, Preview, Say, SpecialMove, count

from ..boards import rules_of
from ..config import RaceRules
from ..record import action_words
from ..state import OUTCOMES, RaceState
from ..tiles import colour_of
from .position import KEYS as PAD
from .position import (
    car_to_move,
    distance_of,
    is_over,
    is_track,
    landing,
    legal_actions,
    on_board,
    spot,
    why_not,
)

ARROWS = {"up": 1, "left": 3, "right": 5, "down": 7, ".": 4}
GOOD, BAD, POINTED = (120, 230, 130), (226, 60, 52), (255, 255, 255)

keys = (
    KeyHelp(tuple("789"), "accelerate up-left, up, up-right (brake when driving down)"),
    KeyHelp(tuple("456"), "accelerate left, keep the velocity, accelerate right"),
    KeyHelp(tuple("123"), "accelerate down-left, down, down-right (brake when driving up)"),
    KeyHelp(("up", "left", "right", "down"), "alternatives to 8, 4, 6 and 2"),
)
mouse = (
    KeyHelp(("click",), "drive to one of the nine numbered cells; the nine buttons do the same"),
    KeyHelp(("point",), "see where a move leads, or why it is illegal"),
    KeyHelp(("wheel",), "scroll the log of moves"),
)


class RaceInput:
    """Converts keys and clicks to actions under the rules of one environment."""

    def __init__(self, rules: RaceRules):
        self.rules = rules
        self.selected: Cell | None = None  # the destination of an illegal move that has been chosen once
        self._warned: int | None = None  # the action of that move

    def press(self, state: RaceState, key: str) -> Intent | None:
        if key in ARROWS:
            return self._choose(state, ARROWS[key])
        return self._choose(state, PAD.index(key)) if len(key) == 1 and key in PAD else None

    def click(self, state: RaceState, cell: Cell) -> Intent | None:
        if over := _over(state):
            return over
        action = self._action_to(state, cell)
        if action is None:
            return Say(f"The car cannot reach {spot(cell)} now. Choose one of the nine numbered cells.")
        return self._choose(state, action)

    def drag(self, state: RaceState, cell: Cell, direction: int) -> Intent | None:
        return self.click(state, cell)

    def _choose(self, state: RaceState, action: int) -> Intent:
        if over := _over(state):
            return over
        legal = legal_actions(self.rules, state)
        if legal[action] or not any(legal) or self._warned == action:
            return Act(action)
        self._warned, self.selected = action, landing(car_to_move(state), action)
        cost = (
            f"It stops the car and costs {count(self.rules.penalty, 'turn')}"
            if self.rules.penalty
            else "It stops the car"
        )
        return Say(
            f"{PAD[action]} is illegal: {why_not(self.rules, state, action)}. {cost}; choose it again to confirm."
        )

    def _action_to(self, state: RaceState, cell: Cell) -> int | None:
        car = car_to_move(state)
        return next((action for action in range(9) if landing(car, action) == cell), None)

    # --- Display

    def hover(self, state: RaceState, cell: Cell, toward: int | None) -> Preview:
        if is_over(state) or not on_board(state, cell):
            return Preview((), "")
        action = self._action_to(state, cell)
        if action is None:
            left = int(distance_of(state)[cell])
            far = f", {count(left, 'step')} from the finish" if left >= 0 else ""
            return Preview((), f"{spot(cell)}: track{far}" if is_track(state, cell) else f"{spot(cell)}: off the track")
        car = car_to_move(state)
        if not legal_actions(self.rules, state)[action]:
            return Preview(
                (Mark("frame", cell, BAD, "x"),), f"{PAD[action]}: illegal, {why_not(self.rules, state, action)}"
            )
        down, right = cell[0] - car.cell[0], cell[1] - car.cell[1]
        way = Mark("line", car.cell, POINTED, rows=down, cols=right, strength=0.6)
        text = f"Click to drive {action_words(action)} ({PAD[action]}): to {spot(cell)}, speed {right},{down}"
        return Preview((way, Mark("frame", cell, GOOD)), text)

    def marks(self, state: RaceState) -> tuple[Mark, ...]:
        """Mark the landing cells of the nine actions."""
        if is_over(state):
            return ()
        car, legal = car_to_move(state), legal_actions(self.rules, state)
        marks = []
        for action in range(9):
            there = landing(car, action)
            if not on_board(state, there):
                continue
            if legal[action]:
                marks.append(Mark("dot", there, colour_of(car.number), PAD[action], strength=1.0))
            else:
                marks.append(Mark("dot", there, BAD, PAD[action], strength=0.75, style="cross"))
        if self.selected is not None and on_board(state, self.selected):
            marks.append(Mark("frame", self.selected, BAD, "again?"))
        return tuple(marks)

    def played(self, state: RaceState) -> None:
        self.selected, self._warned = None, None


def handler(env: GridEnv) -> InputHandler:
    return RaceInput(rules_of(env))


def specials(env: GridEnv, state: RaceState) -> tuple[SpecialMove, ...]:
    return ()


def place_spares_steps(env: GridEnv) -> bool:
    return False


def _over(state: RaceState) -> Say | None:
    return Say(f"The race is over: {OUTCOMES[int(state.game['outcome'][0])]}.") if is_over(state) else None
