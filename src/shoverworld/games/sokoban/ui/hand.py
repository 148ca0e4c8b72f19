"""The player's hands: what keys and the mouse mean.

A direction walks, or pushes the box that is there. What is blocked is not played: it is said why, and costs no step.
A click walks to a cell; a click on a box and then on a cell pushes it there, walking around as need be; a drag pushes a
box one cell. Where boxes can be pulled, G takes hold: directions then pull, as they do with Shift. With two players the
arrows move the first and WASD the second, and the mouse the one who was clicked on or moved last.
"""

from collections.abc import Iterable

from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Act, Cell, Figure, Intent, KeyHelp, Mark, Preview, Say, Walk

from ..config import SokobanRules
from ..rules import MOVE, PULL, PUSH
from ..state import OUTCOMES, PLAYING, SokobanState
from .cells import (
    NAMES,
    OPPOSITE,
    SIDES,
    beside,
    box_at,
    box_name,
    count,
    is_free,
    is_wall,
    on_board,
    place_name,
    player_of,
    players_of,
    way_name,
)
from .marks import GOOD, SELECTED
from .presets import action_of, meaning_of
from .preview import Hover
from .ways import box_ways, push_way, walk
from .words import hindrance, why_not

ARROWS = {"up": 0, "right": 1, "down": 2, "left": 3}
LETTERS = {"w": 0, "d": 1, "s": 2, "a": 3}
WAIT, GRAB, SHIFT = ".", "g", "shift+"

KEYS = (
    KeyHelp(("up", "w"), "walk or push up (two players: arrows the first, WASD the second)"),
    KeyHelp(("right", "d"), "walk or push to the right"),
    KeyHelp(("down", "s"), "walk or push down"),
    KeyHelp(("left", "a"), "walk or push to the left"),
    KeyHelp(
        (GRAB,), "take hold, or let go: directions pull the box behind you; Shift does it for one step (rules: pull)"
    ),
    KeyHelp((WAIT,), "wait a step"),
)
MOUSE = (
    KeyHelp(("click",), "walk to a cell; or select a box, and then the cell it should be pushed to"),
    KeyHelp(("drag",), "push a box one cell that way, walking around it first"),
    KeyHelp(("point",), "see how far it is, and what a push would do"),
)


class SokobanHand:
    """Turns keys and clicks into actions by the rules of one environment."""

    def __init__(self, rules: SokobanRules):
        self.rules = rules
        self.selected: Cell | None = None  # the box in hand; else, with two players or when holding on, a player
        self.box: Cell | None = None
        self.who = 0  # the player that the mouse moves
        self.holding = False

    # --- keys

    def press(self, state: SokobanState, key: str) -> Intent | None:
        pulls = key.startswith(SHIFT)
        key = key.removeprefix(SHIFT)
        if key not in ARROWS and key not in LETTERS and key not in (WAIT, GRAB):
            return None
        if over := _over(state):
            return over
        if key == WAIT:
            return Act(0) if self.rules.has_noop else Say("There is no waiting by these rules.")
        if key == GRAB:
            return self._grab(state)
        who = int(self.rules.players > 1 and key in LETTERS)
        return self._go(state, who, ARROWS[key] if key in ARROWS else LETTERS[key], pulls or self.holding)

    def _grab(self, state: SokobanState) -> Intent:
        if not self.rules.pull:
            return Say("Boxes cannot be pulled by these rules.")
        self.holding = not self.holding
        self._select(state, None)
        return Say("Holding on: a direction pulls the box behind you along." if self.holding else "Let go.")

    def _go(self, state: SokobanState, who: int, direction: int, pulls: bool = False) -> Intent:
        """Push a box that is there, else walk, and pull a box along when that is wanted."""
        ahead = beside(player_of(state, who), direction)
        kind = PULL if pulls and self.rules.pull and not box_at(state, ahead) else PUSH
        if why := why_not(state, who, kind, direction):
            return Say(f"{way_name(direction).capitalize()}: {why}.")
        self.who = who
        return Act(action_of(self.rules, who, kind, direction))

    # --- the mouse

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
            return Say("A wall: nothing goes there.")
        if box is not None:
            return self._push_there(state, box, cell)
        way = walk(state, self.who, cell)
        if way is None:
            return Say(f"No free way leads to {place_name(cell)}.")
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
        name, places = box_name(state, cell), len(box_ways(state, self.who, cell).pushes) - 1
        if not places:
            return Say(f"The {name} is selected, but it cannot be pushed anywhere as things stand.")
        return Say(f"The {name} is selected. Click where it should go: {count(places, 'cell')} can be reached.")

    def _click_player(self, state: SokobanState, who: int) -> Intent:
        if who == self.who:
            return Say(f"The {NAMES[who]} stands here.")
        self.who = who
        self._select(state, None)
        return Say(f"The mouse moves the {NAMES[who]} now.")

    def _push_there(self, state: SokobanState, box: Cell, goal: Cell) -> Intent:
        way = push_way(state, self.who, box, goal)
        if way is None:
            whole = box_ways(state, self.who, box).whole
            why = "pushing it alone" if whole else "in the time there was to look for one: try a nearer one"
            return Say(f"No way brings the {box_name(state, box)} to {place_name(goal)}, {why}.")
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
            return Say("Drag a box the way it should go.")
        self._select(state, None)
        steps = self.shove(state, cell, direction)
        return Say(f"{steps}.") if isinstance(steps, str) else self._all(steps)

    def shove(self, state: SokobanState, box: Cell, direction: int) -> list[tuple[int, int]] | str:
        """The steps that move a box one cell: a push, or a pull where only that can be; or why there are none."""
        there, behind = beside(box, direction), beside(box, OPPOSITE[direction])
        name = box_name(state, box)
        if not is_free(state, there) and there != player_of(state, self.who):
            return f"The {name} cannot go {way_name(direction)}: {hindrance(state, there, 'it is against')}"
        way = walk(state, self.who, behind) if not is_wall(state, behind) else None
        if way is not None:  # if he stands where the box is to go, he walks away first
            return [*((MOVE, step) for step in way), (PUSH, direction)]
        beyond = beside(there, direction)
        if self.rules.pull and (is_free(state, beyond) or beyond == player_of(state, self.who)):
            way = walk(state, self.who, there)
            if way is not None:
                return [*((MOVE, step) for step in way), (PULL, direction)]
        stand = f"{SIDES[OPPOSITE[direction]]} the {name}"
        if is_wall(state, behind) or box_at(state, behind):
            return f"Nobody can push the {name} {way_name(direction)}: there is no room {stand}"
        return f"To push the {name} {way_name(direction)} one has to stand {stand}, and no free way leads there"

    # --- what is seen

    def hover(self, state: SokobanState, cell: Cell, toward: int | None) -> Preview:
        if not on_board(state, cell):
            return Preview((), "")
        return Hover(self.rules, state, self.who, self._box(state), self.shove).preview(cell, toward)

    def marks(self, state: SokobanState) -> tuple[Mark, ...]:
        box = self._box(state)
        if box is not None:
            goals = [goal for goal in box_ways(state, self.who, box).pushes if goal != box]
            return (*(Mark("shade", goal, GOOD, strength=0.25) for goal in sorted(goals)), Mark("frame", box, SELECTED))
        if not self.holding and self.rules.players == 1:
            return ()
        return (Mark("frame", player_of(state, self.who), SELECTED, "hold" if self.holding else ""),)

    def lines(self) -> list[Figure]:
        """For the panel."""
        lines = []
        if self.rules.players > 1:
            lines.append(Figure("The mouse moves", f"the {NAMES[self.who]}"))
        if self.rules.pull:
            lines.append(Figure("Holding on", "yes, G lets go" if self.holding else "no, G takes hold"))
        return lines

    def played(self, state: SokobanState) -> None:
        """Who moved last is the one the mouse moves. A box in hand stays so until something is pushed."""
        game = game_numbers(state)
        found = meaning_of(self.rules, game["last_action"]) if game["last_action"] >= 0 else None
        if found is not None and game["valid"]:
            self.who = found[0]
        self._select(state, self._box(state))


def _over(state: SokobanState) -> Say | None:
    outcome = int(state.game["outcome"][0])
    return None if outcome == PLAYING else Say(f"The game is over: {OUTCOMES[outcome]}.")
