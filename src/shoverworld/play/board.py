"""The marks on top of a board: the keyboard cursor, paths, overlays, the selection and hints."""

from collections.abc import Container, Sequence

from shoverworld.core.cells import STEPS
from shoverworld.core.env import GridEnv
from shoverworld.core.game import Game
from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.plan import Plan
from shoverworld.core.ui import Cell, Colour, Mark, Scene, State

from .guard import Guard
from .settings import NO_OVERLAYS, Settings

CURSOR: Colour = (250, 200, 40)  # the colour of the cursor
STEERING = {"up": UP, "w": UP, "right": RIGHT, "d": RIGHT, "down": DOWN, "s": DOWN, "left": LEFT, "a": LEFT}


class BoardCursor:
    """A cursor for players without a mouse. Direction keys move the cursor. `cell` is None while the cursor is
    hidden."""

    def __init__(self) -> None:
        self.cell: Cell | None = None

    def show(self, scene: Scene, selected: Cell | None) -> None:
        """Show the cursor on the selected cell or, if no cell is selected, on the player's cell."""
        self.cell = selected or focus_of(scene)

    def hide(self) -> None:
        self.cell = None

    def steer(self, key: str, scene: Scene) -> bool:
        """Move the cursor. Return False if the cursor is hidden or if `key` is not a direction key."""
        if self.cell is None or key not in STEERING:
            return False
        rows, cols = scene.tiles.shape
        down, right = STEPS[STEERING[key]]
        self.cell = min(max(0, self.cell[0] + down), rows - 1), min(max(0, self.cell[1] + right), cols - 1)
        return True


def focus_of(scene: Scene) -> Cell:
    """Return the first actor's cell, or the middle of the board if there are no actors."""
    rows, cols = scene.tiles.shape
    if not scene.actors:
        return rows // 2, cols // 2
    row, col = scene.actors[0].end
    return round(row), round(col)


def direction_between(start: Cell, end: Cell) -> int | None:
    """Return the main direction from one cell to another, or None if the cells are the same."""
    rows, cols = end[0] - start[0], end[1] - start[1]
    if rows == cols == 0:
        return None
    if abs(rows) > abs(cols):
        return DOWN if rows > 0 else UP
    return RIGHT if cols > 0 else LEFT


def overlay_marks(
    game: Game, overlays: Container[str], env: GridEnv, states: Sequence[State], plan: Plan | None, guard: Guard
) -> list[Mark]:
    """Return the trails of all players and the marks for the active overlays. `states`: all states so far."""
    several, ui, marks = game.ui.multiplayer, game.ui.overlays, list[Mark]()
    if several is not None:
        marks += guard("the trails of the players", lambda: several.trails(env, states), [])
    for overlay in ui.overlays:
        if overlay.key in overlays:
            shown = plan if overlay.plans else None
            make = lambda key=overlay.key, shown=shown: ui.marks(key, env, states[-1], shown)  # noqa: E731
            marks += guard(f"the overlay {overlay.name}", make, [])
    return marks


def remembered(game: Game, overlays: Container[str]) -> str:
    """Return the keys of the overlays that stay on in the next game. An overlay that shows a plan counts as
    help, so it is turned off when a new game starts."""
    return "".join(
        sorted(overlay.key for overlay in game.ui.overlays.overlays if overlay.key in overlays and not overlay.plans)
    )


def shown_overlays(game: Game, settings: Settings) -> set[str]:
    """Return the keys of the overlays to show at first: those that were shown last, or else the default ones."""
    kept = settings.own(game.name, "overlays")
    return set(remembered(game, kept)) if kept else {each.key for each in game.ui.overlays.overlays if each.default}


def keep_overlays(game: Game, settings: Settings, overlays: Container[str]) -> None:
    """Store which overlays are shown."""
    settings.set_own(game.name, "overlays", remembered(game, overlays) or NO_OVERLAYS)


def without_covered(hint: tuple[Mark, ...], marks: list[Mark]) -> list[Mark]:
    """Return the marks for a hint, without the arrows that are already among `marks`."""
    shown = {(mark.cell, mark.direction) for mark in marks if mark.kind == "arrow"}
    return [mark for mark in hint if mark.kind != "arrow" or (mark.cell, mark.direction) not in shown]
