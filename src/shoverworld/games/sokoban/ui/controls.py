"""Keyboard and mouse controls for Sokoban.

A direction key moves the player or pushes a box. A blocked move is not played: a message explains why, and no step is
counted. Clicking a cell makes the player walk there. Clicking a box and then a cell pushes the box to that cell;
the player walks as necessary. Dragging a box pushes it by one cell. If the rules allow pulling, G switches grabbing on
and off. While grabbing is on or Shift is held down, the direction keys pull. With two players, the arrow keys move the
first player, and the WASD keys move the second player. The mouse controls the player who was clicked or moved last.
"""

from collections.abc import Iterable

from shoverworld.core.cells import OPPOSITE, SIDES, beside, place_name, way_name
from shoverworld.core.env import GridEnv
from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import (
    Act,
    Cell,
    Figure,
    InputHandler,
    Intent,
    KeyHelp,
    Mark,
    Preview,
    Say,
    SpecialMove,
    Walk,
    count,
)

from ..boards import rules_of
from ..config import SokobanRules
from ..rules import MOVE, PULL, PUSH
from ..state import OUTCOMES, PLAYING, SokobanState
from .overlays import GOOD, SELECTED
from .paths import box_paths, push_path, walk
from .position import (
    NAMES,
    action_of,
    box_at,
    is_free,
    is_wall,
    meaning_of,
    obstacle,
    on_board,
    player_of,
    players_of,
    the_box,
    why_not,
)
from .preview import Hover

ARROWS = {"up": 0, "right": 1, "down": 2, "left": 3}
LETTERS = {"w": 0, "d": 1, "s": 2, "a": 3}
WAIT, GRAB, SHIFT = ".", "g", "shift+"

keys = (
    KeyHelp(("up", "w"), "walk or push up (with two players: arrows for the first, WASD for the second)"),
    KeyHelp(("right", "d"), "walk or push to the right"),
    KeyHelp(("down", "s"), "walk or push down"),
    KeyHelp(("left", "a"), "walk or push to the left"),
    KeyHelp(
        (GRAB,),
        "grab or let go: while grabbing, directions pull the box behind you; Shift pulls for one step (rules: pull)",
    ),
    KeyHelp((WAIT,), "wait one step"),
)
mouse = (
    KeyHelp(("click",), "walk to a cell; or select a box and then the cell to push it to"),
    KeyHelp(("drag",), "push a box by one cell, after walking around it"),
    KeyHelp(("point",), "see the distance, and what a push would do"),
)


class SokobanInput:
    """An input handler that turns keys and clicks into actions under the rules of one environment."""

    def __init__(self, rules: SokobanRules):
        self.rules = rules
        # The cell of the selected box. If no box is selected: the cell of the player that the mouse moves, if there are
        # two players or the player is grabbing; otherwise None.
        self.selected: Cell | None = None
        self.box: Cell | None = None
        self.who = 0  # the player that the mouse moves
        self.holding = False

    # --- Keys

    def press(self, state: SokobanState, key: str) -> Intent | None:
        pulls = key.startswith(SHIFT)
        key = key.removeprefix(SHIFT)
        if key not in ARROWS and key not in LETTERS and key not in (WAIT, GRAB):
            return None
        if over := _over(state):
            return over
        if key == WAIT:
            return Act(0) if self.rules.has_noop else Say("These rules do not allow waiting.")
        if key == GRAB:
            return self._grab(state)
        who = int(self.rules.players > 1 and key in LETTERS)
        return self._go(state, who, ARROWS[key] if key in ARROWS else LETTERS[key], pulls or self.holding)

    def _grab(self, state: SokobanState) -> Intent:
        if not self.rules.pull:
            return Say("These rules do not allow pulling boxes.")
        self.holding = not self.holding
        self._select(state, None)
        return Say("Grabbed: a direction key pulls the box behind you." if self.holding else "Let go.")

    def _go(self, state: SokobanState, who: int, direction: int, pulls: bool = False) -> Intent:
        """Push the box in front of the player. If there is none, walk or, with `pulls`, pull the box behind them."""
        ahead = beside(player_of(state, who), direction)
        kind = PULL if pulls and self.rules.pull and not box_at(state, ahead) else PUSH
        if why := why_not(self.rules, state, who, kind, direction):
            return Say(f"{way_name(direction).capitalize()}: {why}.")
        self.who = who
        return Act(action_of(self.rules, who, kind, direction))

    # --- Mouse

    def click(self, state: SokobanState, cell: Cell) -> Intent | None:
        if not on_board(state, cell):
            return None
        if over := _over(state):
            return over
        if box_at(state, cell):
            return self._click_box(state, cell)
        box = self._box(state)
        self._select(state, None)
        if cell in players_of(state):
            return self._click_player(state, players_of(state).index(cell))
        if is_wall(state, cell):
            return Say("A wall: nothing can move there.")
        if box is not None:
            return self._push_there(state, box, cell)
        way = walk(state, self.who, cell)
        if way is None:
            return Say(f"No free path leads to {place_name(cell)}.")
        return self._all([(MOVE, direction) for direction in way])

    def _box(self, state: SokobanState) -> Cell | None:
        return self.box if self.box is not None and box_at(state, self.box) else None

    def _select(self, state: SokobanState, box: Cell | None) -> None:
        self.box = box
        marked = self.holding or self.rules.players > 1
        self.selected = box if box is not None else player_of(state, self.who) if marked else None

    def _click_box(self, state: SokobanState, cell: Cell) -> Intent:
        if cell == self.box:
            self._select(state, None)
            return Say("Nothing is selected.")
        self._select(state, cell)
        name, places = the_box(state, cell).capitalize(), len(box_paths(state, self.who, cell).pushes) - 1
        if not places:
            return Say(f"{name} is selected, but it cannot be pushed anywhere now.")
        return Say(f"{name} is selected. Click a cell to push it there: {count(places, 'cell')} can be reached.")

    def _click_player(self, state: SokobanState, who: int) -> Intent:
        if who == self.who:
            return Say(f"This is the {NAMES[who] if state.players > 1 else 'player'}.")
        self.who = who
        self._select(state, None)
        return Say(f"The mouse now moves the {NAMES[who]}.")

    def _push_there(self, state: SokobanState, box: Cell, goal: Cell) -> Intent:
        way = push_path(state, self.who, box, goal)
        if way is None:
            name = the_box(state, box)
            if not box_paths(state, self.who, box).complete:
                return Say(f"No way to push {name} to {place_name(goal)} was found in time: try a nearer cell.")
            return Say(f"{name.capitalize()} cannot be pushed to {place_name(goal)} now.")
        return self._all([(PUSH if step.push else MOVE, step.direction) for step in way])

    def _all(self, steps: Iterable[tuple[int, int]]) -> Intent:
        actions = tuple(action_of(self.rules, self.who, kind, direction) for kind, direction in steps)
        return Act(actions[0]) if len(actions) == 1 else Walk(actions)

    def drag(self, state: SokobanState, cell: Cell, direction: int) -> Intent | None:
        if not on_board(state, cell):
            return None
        if over := _over(state):
            return over
        if cell in players_of(state):
            return self._go(state, players_of(state).index(cell), direction, self.holding)
        if not box_at(state, cell):
            return Say("Drag a box in the direction you want to push it.")
        self._select(state, None)
        steps = self.shove(state, cell, direction)
        return Say(f"{steps}.") if isinstance(steps, str) else self._all(steps)

    def shove(self, state: SokobanState, box: Cell, direction: int) -> list[tuple[int, int]] | str:
        """Return the steps that push a box by one cell, or else pull it. If neither is possible, return the reason."""
        there, behind = beside(box, direction), beside(box, OPPOSITE[direction])
        name = the_box(state, box)
        if not is_free(state, there) and there != player_of(state, self.who):
            what = obstacle(state, there, "another box")
            return f"{name.capitalize()} cannot move {way_name(direction)}: it is against {what}"
        way = walk(state, self.who, behind) if not is_wall(state, behind) else None
        if way is not None:  # a player in the box's new cell walks away first
            return [*((MOVE, step) for step in way), (PUSH, direction)]
        beyond = beside(there, direction)
        if self.rules.pull and (is_free(state, beyond) or beyond == player_of(state, self.who)):
            way = walk(state, self.who, there)
            if way is not None:
                return [*((MOVE, step) for step in way), (PULL, direction)]
        stand = f"{SIDES[OPPOSITE[direction]]} {name}"
        if is_wall(state, behind) or box_at(state, behind):
            return f"{name.capitalize()} cannot be pushed {way_name(direction)}: there is no room {stand}"
        return f"To push {name} {way_name(direction)}, the player must stand {stand}, but no free path leads there"

    # --- Display

    def hover(self, state: SokobanState, cell: Cell, toward: int | None) -> Preview:
        if not on_board(state, cell):
            return Preview((), "")
        return Hover(self.rules, state, self.who, self._box(state), self.shove).preview(cell, toward)

    def marks(self, state: SokobanState) -> tuple[Mark, ...]:
        box = self._box(state)
        if box is not None:
            goals = [goal for goal in box_paths(state, self.who, box).pushes if goal != box]
            return (*(Mark("shade", goal, GOOD, strength=0.25) for goal in sorted(goals)), Mark("frame", box, SELECTED))
        if not self.holding and self.rules.players == 1:
            return ()
        return (Mark("frame", player_of(state, self.who), SELECTED, "hold" if self.holding else ""),)

    def figures(self) -> list[Figure]:
        """Return additional lines for the panel."""
        lines = []
        if self.rules.players > 1:
            lines.append(Figure("The mouse moves", f"the {NAMES[self.who]}"))
        if self.rules.pull:
            lines.append(Figure("Grabbing", "yes, G lets go" if self.holding else "no, G grabs"))
        return lines

    def played(self, state: SokobanState) -> None:
        """Let the mouse control the player who moved last. Keep a box selected until it is moved."""
        game = game_numbers(state)
        found = meaning_of(self.rules, game["last_action"]) if game["last_action"] >= 0 else None
        if found is not None and game["valid"]:
            self.who = found[0]
        self._select(state, self._box(state))


def handler(env: GridEnv) -> InputHandler:
    return SokobanInput(rules_of(env))


def specials(env: GridEnv, state: SokobanState) -> tuple[SpecialMove, ...]:
    return ()


def place_spares_steps(env: GridEnv) -> bool:
    return False


def _over(state: SokobanState) -> Say | None:
    outcome = int(state.game["outcome"][0])
    return None if outcome == PLAYING else Say(f"The game is over: {OUTCOMES[outcome]}.")
