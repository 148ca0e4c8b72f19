"""SmallGame: a descriptor with defaults for everything except the rules.

A game that derives from `SmallGame` supplies an environment, the meanings of its characters and a folder of levels. In
return, the game gets a level reader, a window, a terminal interface, undo, hints, replays, agents and a planner.
docs/add-a-game.md builds such a game step by step.
"""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from shoverworld.core.game import Game, Lazy

if TYPE_CHECKING:
    from shoverworld.core.ui import UI

    from .levels import TextLevels

Kind = Literal["floor", "wall", "item", "actor"]


class Glyph(NamedTuple):
    """The meaning of a character in a level, and the appearance of the cells that contain this character.

    Floors and walls fill the cell. Items and actors are drawn as discs labelled with the character; only the discs of
    actors can move.
    """

    character: str
    name: str
    kind: Kind
    colour: tuple[int, int, int]
    once: bool = False  # whether every level must contain this character exactly once


class Key(NamedTuple):
    """A key that plays an action. The fields: pygame's name for the key ("up", "e"), the action and a description."""

    key: str
    action: int
    what: str


class SmallGame(Game):
    """A game with a text board and a `Discrete` action space.

    The state of the game's environment can be any object with a `copy()` method. `str(state)` must return the board in
    the game's characters. `state.outcome` must be the outcome of the game, or None while the game is in progress. These
    attributes of the state are optional:

    - `steps`: the number of steps so far, which is the score.
    - `valid`: False if the last action was invalid.
    - `remark`: a short description of what happened in the last step.
    - `key()`: a hashable value that contains everything the rest of the game depends on. The planner treats states with
      equal keys as equal. By default, the key contains all fields except `steps`, `valid` and `remark`.
    """

    glyphs: ClassVar[tuple[Glyph, ...]]  # the first glyph is the floor, which lies under items and actors
    keys: ClassVar[tuple[Key, ...]]
    level_folder: ClassVar[Path | None] = None  # folder of packaged levels, one level per file, sorted by name

    plan = Lazy("shoverworld.games.defaults.planning:plan_for")

    def heuristic(self, state: Any) -> float:
        """Return a lower bound on the number of steps to the goal, which the planner uses as the A* heuristic."""
        return 0.0

    @cached_property
    def levels(self) -> "TextLevels":  # type: ignore[override]
        from .levels import TextLevels  # lazy: a descriptor must not import NumPy

        return TextLevels(self)

    @cached_property
    def ui(self) -> "UI":  # type: ignore[override]
        from .ui import small_ui  # lazy: a descriptor must not import NumPy

        return small_ui(self)
