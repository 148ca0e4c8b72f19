"""The keyboard and mouse controls of Shover-World. The effect of a key or a click depends on the actor (rule 1.1).

walk    A direction key makes the shover walk or push. A click makes it walk to a cell, or push an adjacent box.
leap    A click selects a box, or puts the shover on an empty cell. A direction key pushes the selected box, or
        makes the shover leap.
select  A click selects a box. A direction key pushes the selected box.

If a box is selected, a click on an empty cell or a lava cell next to the box pushes the box onto that cell.
"""

from shoverworld.core.cells import OPPOSITE, SIDES, beside, direction_to_neighbour, place_name, way_name
from shoverworld.core.env import GridEnv
from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Act, Cell, InputHandler, Intent, KeyHelp, Mark, Place, Preview, Say, SpecialMove

from ..boards import rules_of
from ..config import FIRST_SPECIAL, SPECIALS, Rules
from ..state import BARRIER, EMPTY, LAVA, OUTCOMES, PLAYING, State
from .overlays import SELECTED
from .position import after, content_of, in_reach, is_box, on_map, shover_of, special_of, used_square
from .preview import choose_text, preview, preview_of_push

ARROWS = {"up": 0, "right": 1, "down": 2, "left": 3, "w": 0, "d": 1, "s": 2, "a": 3}
SPECIAL_KEYS = {special.key: kind for kind, special in enumerate(SPECIALS, FIRST_SPECIAL)}
WAIT = "."

keys = (
    KeyHelp(("up", "w"), "push or move up"),
    KeyHelp(("right", "d"), "push or move right"),
    KeyHelp(("down", "s"), "push or move down"),
    KeyHelp(("left", "a"), "push or move left"),
    *(KeyHelp((special.key,), f"{special.name}: {special.effect}") for special in SPECIALS),
    KeyHelp((WAIT,), "wait one step (walker only)"),
)
mouse = (
    KeyHelp(("click",), "go to a cell, or select a box; push it with a direction key or a click beside it"),
    KeyHelp(("drag",), "push a box in that direction"),
    KeyHelp(("point",), "see the chain, its cost and its effect; point at one side of a box to choose the direction"),
)


class ShoverInput:
    """Turns keys and clicks into actions according to the rules of one environment."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.selected: Cell | None = None
        self._pushed: tuple[Cell, int] | None = None  # the last push: the cell of the box and the direction

    # --- Keys

    def press(self, state: State, key: str) -> Intent | None:
        if key not in ARROWS and key not in SPECIAL_KEYS and key != WAIT:
            return None
        if over := _over(state):
            return over
        if key in SPECIAL_KEYS:
            return self._act(shover_of(state), SPECIAL_KEYS[key])
        if key == WAIT:
            if self.rules.noop:
                return self._act(shover_of(state), -1)
            return Say("These rules do not allow waiting; only the walker can wait.")
        return self._go(state, ARROWS[key])

    def _go(self, state: State, direction: int) -> Intent:
        """Push the selected box. If no box is selected, act on the cell next to the shover."""
        if self.selected and self._holds_box(state):
            return self._push(self.selected, direction)
        cell = beside(shover_of(state), direction)
        if self.rules.actor == "walk":
            return self._act(cell if on_map(state, cell) else shover_of(state), direction)
        if self.rules.actor == "select":
            return Say("Select a box first: click it, or press X for a cursor.")
        if not on_map(state, cell):
            return Say(f"There is nothing {SIDES[direction]} the shover: the map ends there.")
        return self._act(cell, direction)

    def _act(self, cell: Cell, kind: int) -> Act:
        return Act((*cell, self.rules.z_base + kind))

    def _push(self, cell: Cell, direction: int) -> Act:
        """Push this box and keep it selected."""
        if self.rules.actor != "walk":
            self.selected = cell
            self._pushed = cell, direction
        return self._act(cell, direction)

    # --- Mouse

    def click(self, state: State, cell: Cell) -> Intent | None:
        if not on_map(state, cell):
            return None
        if over := _over(state):
            return over
        content = content_of(state, cell)
        if is_box(content):
            return self._click_box(state, cell)
        if (push := self._push_to(state, cell)) is not None:
            return self._push(*push)
        self.selected = None
        if content == BARRIER:
            return Say(f"A barrier at {place_name(cell)}: it cannot be moved.")
        if content == LAVA:
            return Say(f"Lava at {place_name(cell)}: push boxes into it.")
        if self.rules.actor == "select":
            return Say("Nothing is selected: click a box, or press X for a cursor.")
        if cell == shover_of(state):
            return Say("The shover is here.")
        if self.rules.actor == "walk" and not in_reach(state, cell):
            return Say(f"No free path leads to {place_name(cell)}.")
        return Place(cell)

    def _push_to(self, state: State, cell: Cell) -> tuple[Cell, int] | None:
        """Return the selected box and the direction to this cell if the cell is empty or lava and next to the box."""
        if not self._holds_box(state) or self.selected is None or content_of(state, cell) not in (EMPTY, LAVA):
            return None
        direction = direction_to_neighbour(self.selected, cell)
        return None if direction is None else (self.selected, direction)

    def _holds_box(self, state: State) -> bool:
        return self.selected is not None and is_box(content_of(state, self.selected))

    def _click_box(self, state: State, cell: Cell) -> Intent:
        if self.rules.actor == "walk":
            direction = direction_to_neighbour(shover_of(state), cell)
            if direction is None:
                return Say("Stand next to the box first; you push it away from you.")
            return self._push(cell, direction)
        if cell == self.selected:
            self.selected = None
            return Say("Nothing is selected.")
        self.selected = cell
        return Say(f"The box is selected. {choose_text(self.rules, state, cell)}")

    def drag(self, state: State, cell: Cell, direction: int) -> Intent | None:
        if not on_map(state, cell):
            return None
        if over := _over(state):
            return over
        if cell == shover_of(state) and self.rules.actor != "select":
            self.selected = None
            return self._go(state, direction)
        if not is_box(content_of(state, cell)):
            return Say("Drag a box in the direction you want to push it.")
        if self.rules.actor == "walk":
            behind = beside(cell, OPPOSITE[direction])
            if shover_of(state) != behind:
                return Say(_stand_there(state, behind, direction))
        return self._push(cell, direction)

    # --- Display

    def hover(self, state: State, cell: Cell, toward: int | None) -> Preview:
        if not on_map(state, cell):
            return Preview((), "")
        if (push := self._push_to(state, cell)) is not None:
            return preview_of_push(self.rules, state, *push)
        if cell == self.selected and toward is None and self._holds_box(state):
            return Preview((), choose_text(self.rules, state, cell))
        return preview(self.rules, state, cell, toward)

    def marks(self, state: State) -> tuple[Mark, ...]:
        if self.selected is None:
            return ()
        return (Mark("frame", self.selected, SELECTED),)

    def played(self, state: State) -> None:
        """Keep a pushed box selected, so that the same key pushes it again. Clear the selection if the box is gone."""
        game = game_numbers(state)
        if self._pushed and self.selected:
            cell, direction = self._pushed
            done = game["previous_row"], game["previous_col"], game["previous_action"] - self.rules.z_base
            if game["chain"] and done == (*cell, direction) and self.selected == cell:
                self.selected = beside(cell, direction)
        self._pushed = None
        if self.selected and not (on_map(state, self.selected) and is_box(content_of(state, self.selected))):
            self.selected = None


def handler(env: GridEnv) -> InputHandler:
    return ShoverInput(rules_of(env))


def specials(env: GridEnv, state: State) -> tuple[SpecialMove, ...]:
    """Return the special actions that a perfect square makes possible. Each action is tried on a copy of the game."""
    rules, found = rules_of(env), []
    if not state.game["squares"][0] or state.game["outcome"][0] != PLAYING:
        return ()
    for key, kind in SPECIAL_KEYS.items():
        left = after(rules, state, (*shover_of(state), rules.z_base + kind))
        if used_square(left) is not None:
            gain = float(left.game["stamina"][0] - state.game["stamina"][0])
            effect = f"{special_of(kind).leaves}, {gain:+g} stamina" if gain else special_of(kind).leaves
            found.append(SpecialMove(key, effect))
    return tuple(found)


def place_spares_steps(env: GridEnv) -> bool:
    return rules_of(env).actor == "walk"


def _over(state: State) -> Say | None:
    outcome = int(state.game["outcome"][0])
    return None if outcome == PLAYING else Say(f"The game is over: {OUTCOMES[outcome]}.")


def _stand_there(state: State, behind: Cell, direction: int) -> str:
    if not on_map(state, behind) or content_of(state, behind) != EMPTY:
        return f"This box cannot be pushed {way_name(direction)}: there is no room {SIDES[OPPOSITE[direction]]} it."
    return f"To push this box {way_name(direction)}, stand {SIDES[OPPOSITE[direction]]} it, on {place_name(behind)}."
