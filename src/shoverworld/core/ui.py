"""The protocols for the user interface of a game: levels, drawing, messages, controls, notation, overlays, editor, ...

The windows, the terminal, the replay viewer and the level editor use only these types and do not depend on any
particular game. A game implements the protocols in `games/NAME/boards.py` and `games/NAME/ui/`. A module that defines
the functions of a protocol satisfies the protocol. Pictures are NumPy arrays, so games do not import window libraries.
Callers treat states as opaque.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from .cells import Cell as Cell
from .env import GridEnv
from .errors import ShoverWorldError
from .plan import Action, Plan

Point = tuple[float, float]  # (row, col), possibly between cells
Colour = tuple[int, int, int]
State = Any  # what `env.get_state()` returns


def count(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 push", "2 pushes" or "3 penalties"."""
    if number == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}es" if noun.endswith(("sh", "x")) else f"{noun}s"
    return f"{number:,} {plural}"


# --- Pictures


class Sprite(NamedTuple):
    """A tile on top of the cells. It moves from `start` to `end` during a motion."""

    tile: int
    start: Point
    end: Point
    opacity: tuple[float, float] = (1.0, 1.0)  # opacity at the start and at the end of the motion
    scale: tuple[float, float] = (1.0, 1.0)


class Scene(NamedTuple):
    """The picture of a state: a tile for each cell, with the actors on top."""

    tiles: np.ndarray  # int16 (rows, cols)
    actors: tuple[Sprite, ...]
    rim: int | None = None  # the tile for a rim around the board, half a cell wide, or None for no rim


class Motion(NamedTuple):
    """An animation from one scene to the next.

    During the animation, `under` replaces the tiles of some cells, and `sprites` replaces the actors.
    """

    under: dict[Cell, int]
    sprites: tuple[Sprite, ...]
    seconds: float


class Mark(NamedTuple):
    """A mark on top of the board.

    Kinds:
    - frame: a border around `rows` x `cols` cells, with `text` in its corner.
    - shade: a tinted cell with `text` in its middle.
    - arrow: an arrow in the cell, pointing in `direction` (core/grid.py), with `text` beside it.
    - line: a line, drawn below the actors, from the middle of the cell to the middle of the cell that is `rows` further
      down and `cols` further to the right (negative numbers mean up and to the left).
    - dot: a disc in the middle of the cell, with `text` in it.

    Styles: "double", a frame with two lines; "corner", a shade with small text, so that the cell remains visible;
    "small", a dot below the actors; "ring", a hollow dot; "cross", a crossed-out dot.
    """

    kind: str
    cell: Cell
    colour: Colour
    text: str = ""
    rows: int = 1
    cols: int = 1
    direction: int = 0
    strength: float = 0.4  # opacity of a shade, line or dot, from 0 (invisible) to 1 (opaque)
    style: str = ""


class Figure(NamedTuple):
    """A line in the panel, such as "Stamina 640", with a bar if `share` is given."""

    label: str
    value: str
    share: float | None = None  # how full the bar is, from 0 to 1
    tone: str = ""  # one of "", "good", "bad" and "warn"
    colour: Colour | None = None  # colour of the player that the line is about
    large: bool = False  # whether this is one of the main numbers of the game; views show these in larger type
    idle: bool = False  # whether the line has nothing to show now; if so, views may hide it


class Overlay(NamedTuple):
    """An overlay that a key switches on and off."""

    key: str
    name: str
    about: str
    plans: bool = False  # whether the overlay shows a plan, which `Overlays.marks` then needs
    most: int = 0  # maximum number of plan steps shown; 0 means all
    always: bool = False  # whether the overlay is always shown when a game is watched in a terminal
    default: bool = False  # whether the overlay is shown until the player turns it off


# --- Input


class Act(NamedTuple):
    """An intent to play this action."""

    action: Action


class Place(NamedTuple):
    """An intent to move the player freely (`env.place`)."""

    cell: Cell


class Walk(NamedTuple):
    """An intent to play several actions in response to a single click. Undo reverts all of them at once."""

    actions: tuple[Action, ...]


class Say(NamedTuple):
    """An intent to show this message without making a move. The input may have changed the selection."""

    text: str


Intent = Act | Place | Walk | Say


class KeyHelp(NamedTuple):
    """Keys, identified by their names in pygame ("up", "w", "b"), and a description of their effect."""

    keys: tuple[str, ...]
    what: str


class Preview(NamedTuple):
    """A preview of a move, made up of marks on the board and a line of text."""

    marks: tuple[Mark, ...]
    text: str


class InputHandler(Protocol):
    """An object that turns key and mouse input into intents and keeps the selection. It never changes the game.

    Undo restores a copy (`copy.copy`) of the handler, so the selection is stored in attributes that are replaced,
    never changed in place.
    """

    @property
    def selected(self) -> Cell | None: ...

    def press(self, state: State, key: str) -> Intent | None:
        """Return the intent for a key, or None if the game does not use the key."""
        ...

    def click(self, state: State, cell: Cell) -> Intent | None: ...

    def drag(self, state: State, cell: Cell, direction: int) -> Intent | None: ...

    def hover(self, state: State, cell: Cell, toward: int | None) -> Preview:
        """Return the preview for the cell under the pointer.

        `toward` is the side of the cell nearest to the pointer, as a direction, or None if the pointer is near the
        middle of the cell.
        """
        ...

    def marks(self, state: State) -> tuple[Mark, ...]:
        """Return the marks that show the selection."""
        ...

    def played(self, state: State) -> None:
        """Update the selection after a move, an undo or an agent's action."""
        ...


# --- Levels


@dataclass(frozen=True)
class Board:
    """A level with its name and origin."""

    name: str
    preset: str  # the rules that the level is made for: a preset, possibly with changes (core/rules_text.py)
    level: Any  # the game's own level type
    title: str = ""
    about: str = ""  # what the level teaches, in one or more lines
    path: str | None = None  # the file that the level was read from
    seed: int | None = None  # the seed of a random level


class Collection(NamedTuple):
    """A group of boards: a packaged collection identified by name, or a file or folder identified by path."""

    name: str  # the argument of `Levels.boards`
    title: str
    about: str = ""


class Score(NamedTuple):
    """A score for a game, as numbers and as a description.

    Lower numbers are better, and the first number counts most.
    """

    numbers: tuple[float, ...]
    words: str
    proved: bool = False  # whether the first number has been proved to be optimal

    def beats(self, other: "Score | None") -> bool:
        return other is None or self.numbers < other.numbers


class Levels(Protocol):
    """The levels of a game (packaged collections, files and random levels) and the environments for playing them.

    The argument `preset` is a preset, possibly with changes, such as "phase2, initial_force=30" (core/rules_text.py).
    """

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of level files, such as (".txt", ".xsb")."""
        ...

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        """The (name, description) of each format that a level can be written in."""
        ...

    def collections(self) -> list[Collection]:
        """Return the packaged collections. The first one is for beginners."""
        ...

    def boards(self, collection: str | None = None) -> list[Board]:
        """Return the boards of a packaged collection or of a file. None means the first packaged collection.

        `levels_in` (core/level_files.py) also reads folders, in the same way for every game.
        """
        ...

    def read_each(self, path: str) -> list[Board | ShoverWorldError]:
        """Return the boards of a file in order, with an error in place of each board that cannot be read.

        Raise an error if no board can be read.
        """
        ...

    def read(self, path: str) -> Board:
        """Return the board in the file at `path`, or the packaged board with that name."""
        ...

    def boards_in(self, text: str, name: str) -> list[Board]:
        """Return the boards in a string, such as the content of the clipboard.

        Raise an error if there are no boards.
        """
        ...

    def recognises(self, head: bytes, suffix: str) -> float:
        """Return how likely it is, from 0 to 1, that a file with this beginning and suffix is a level of this game."""
        ...

    def random(self, preset: str, seed: int) -> Board: ...
    def environment(self, board: Board, preset: str) -> GridEnv:
        """Return an environment for a board. `env.reset(options=options(board))` starts the game."""
        ...

    def options(self, board: Board) -> dict[str, Any]: ...
    def identity(self, board: Board, preset: str) -> str:
        """Return the key under which records are stored. Equal levels with equal rules have equal keys."""
        ...

    def board_of(self, env: GridEnv) -> Board:
        """Return the board for an environment that has just been reset. The board's preset describes the rules."""
        ...

    def score(self, env: GridEnv, state: State) -> Score | None:
        """Return the score of a game, or None if the game was not won."""
        ...

    def best_known(self, identity: str) -> Score | None:
        """Return the best known score for a packaged level, or None if no score is known."""
        ...

    def solution_score(self, board: Board, preset: str) -> Score | None:
        """Return the score of the solution that the level's file contains, or None if it contains none for these rules."""
        ...


# --- The parts of a UI


class Drawing(Protocol):
    """The appearance of a game."""

    def scene(self, state: State) -> Scene: ...
    def motion(self, before: State, after: State) -> Motion | None:
        """Return the animation from one state to the next, or None if nothing moves."""
        ...

    def tile(self, tile: int, /, size: int) -> np.ndarray:
        """Return a tile as a uint8 array of shape (size, size, 4): red, green, blue, opacity."""
        ...

    def glyph(self, tile: int, width: int) -> tuple[str, str]:
        """Return `width` characters for a terminal and their style in Rich's notation ("bold black on orange3")."""
        ...

    def thumbnail(self, board: Board) -> Scene: ...


class MoveText(NamedTuple):
    """The kind of a move and a description of what the move did.

    Timelines mark these kinds: "goal" (progress), "loss" (progress undone), "finish" (a player is done), "burn",
    "special", "dissolve" and "invalid". Timelines do not mark other kinds, such as "" and "place".
    """

    kind: str
    words: str


class Texts(Protocol):
    """The functions that describe a game: values for the panel and sentences about moves."""

    def figures(self, env: GridEnv, state: State, handler: InputHandler | None) -> list[Figure]: ...
    def ending(self, env: GridEnv, state: State) -> list[Figure]: ...
    def move(self, env: GridEnv, before: State, after: State) -> MoveText: ...
    def describe(self, env: GridEnv, state: State, action: Action) -> str:
        """Phrase an action as an instruction, such as "push the box at row 2, column 5 to the right"."""
        ...

    def place_name(self, cell: Cell) -> str:
        """Return the name of a cell as it appears in this game's messages, such as "row 2, column 5"."""
        ...


class SpecialMove(NamedTuple):
    """A special move that is possible now: its key and what it does, such as "barriers, +40 stamina"."""

    key: str
    effect: str


class Controls(Protocol):
    """The key and mouse controls of a game."""

    @property
    def keys(self) -> tuple[KeyHelp, ...]: ...
    @property
    def mouse(self) -> tuple[KeyHelp, ...]: ...

    def handler(self, env: GridEnv) -> InputHandler: ...
    def specials(self, env: GridEnv, state: State) -> tuple[SpecialMove, ...]:
        """Return the special moves that are possible now. Views show them as buttons."""
        ...

    def place_spares_steps(self, env: GridEnv) -> bool:
        """Return whether a free move (`Place`) saves steps. If it does, a game with such a move cannot set a record."""
        ...


class Notation(Protocol):
    """Moves as text, for the list of moves, the clipboard and solution files."""

    @property
    def separator(self) -> str:
        """The text between two moves, such as "" or " "."""
        ...

    @property
    def about(self) -> str:
        """A description of the notation, such as "LURD letters"."""
        ...

    def symbol(self, env: GridEnv, state: State, intent: Act | Place) -> str:
        """Return the symbol of a move in a state, or "" if the notation omits this move."""
        ...

    def split(self, text: str) -> list[str] | None:
        """Return the symbols in a string, or None if the string is not in this notation."""
        ...

    def intent(self, env: GridEnv, state: State, symbol: str) -> Act | Place:
        """Return the move that a symbol stands for in a state. Raise ConfigError if the move is not possible."""
        ...


class Overlays(Protocol):
    """The marks that can be shown on top of the board."""

    @property
    def overlays(self) -> tuple[Overlay, ...]: ...

    def marks(self, overlay: str, env: GridEnv, state: State, plan: Plan | None) -> list[Mark]:
        """Return the marks for the overlay with this key. If it shows a plan, `plan` is a plan from `state`."""
        ...

    def hint(self, env: GridEnv, state: State, action: Action) -> tuple[Mark, ...]:
        """Return the marks that point out an action."""
        ...


class NoOverlays:
    """An implementation of `Overlays` for a game that has no overlays."""

    overlays: tuple[Overlay, ...] = ()

    def marks(self, overlay: str, env: GridEnv, state: State, plan: Plan | None) -> list[Mark]:
        return []

    def hint(self, env: GridEnv, state: State, action: Action) -> tuple[Mark, ...]:
        return ()


class Brush(NamedTuple):
    """A brush in the level editor, with its name, key, tile, description and size in cells.

    A brush with a number, such as the strength of a box, has a variant for each number, in ascending order. `numbers`
    is the name of this number, such as "Strength".
    """

    name: str
    key: str
    tile: int
    about: str
    size: int = 1
    numbers: str = ""
    variants: tuple["Brush", ...] = ()


class DraftProblem(NamedTuple):
    """A problem in a draft. A draft with a serious problem cannot be played or saved."""

    text: str
    cell: Cell | None = None
    serious: bool = True


class Draft(Protocol):
    """A level that is being edited.

    Drafts are immutable. Each change returns a new draft, so the undo history is a list of drafts. A draft may be
    incomplete or invalid; `problems` lists what is wrong with it.
    """

    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...

    def scene(self, preset: str = "") -> Scene:
        """Return the picture of the draft, with the rim that the rules of `preset` put around the board."""
        ...

    def painted(self, cell: Cell, brush: str) -> "Draft":
        """Return a draft with a brush applied to a cell. For a large brush, the cell is the top-left corner."""
        ...

    def resized(self, rows: int, cols: int) -> "Draft":
        """Return a draft cropped or extended at the bottom and right. Raise ConfigError if the size is invalid."""
        ...

    def flipped(self) -> "Draft":
        """Return a draft with left and right swapped."""
        ...

    def rotated(self) -> "Draft":
        """Return a draft rotated clockwise by 90 degrees."""
        ...

    def problems(self, preset: str) -> list[DraftProblem]: ...
    def board(self, preset: str, name: str) -> Board:
        """Return a playable board. Raise an error if the draft has a serious problem."""
        ...

    def text(self, format: str, preset: str) -> str:
        """Return the draft as the content of a level file."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return the whole draft as JSON data, even if the draft is invalid. `Editor.restore` reads this data."""
        ...


class Editor(Protocol):
    """The part of a game that the level editor uses."""

    @property
    def brushes(self) -> tuple[Brush, ...]: ...

    def blank(self, preset: str) -> Draft: ...
    def draft_of(self, board: Board) -> Draft: ...
    def restore(self, saved: dict[str, Any]) -> Draft:
        """Return the draft that `Draft.to_json` saved. Raise ConfigError for any other data."""
        ...


class MoveButton(NamedTuple):
    """A button that makes a move.

    key: the key that makes the same move. offset: the button's position relative to the middle button (rows down,
    columns to the right). legal: whether the move is legal. about: a description of what the move would do.
    """

    key: str
    offset: Cell
    legal: bool
    about: str


class Multiplayer(Protocol):
    """The additional functions of a multiplayer game. Players are numbered from 0 and move in turn."""

    def max_players(self, board: Board) -> int:
        """Return the maximum number of players on a board."""
        ...

    def environment(self, board: Board, preset: str, players: int) -> GridEnv:
        """Return an environment for this number of players. Raise ConfigError if there are too many."""
        ...

    def options(self, board: Board, players: int) -> dict[str, Any]:
        """Return the `reset` options for this number of players."""
        ...

    def player_count(self, env: GridEnv) -> int: ...
    def player_to_move(self, env: GridEnv, state: State) -> int: ...
    def colour(self, player: int) -> Colour: ...
    def move_buttons(self, env: GridEnv, state: State) -> tuple[MoveButton, ...]:
        """Return buttons for the player whose turn it is, three in each row. If the game is over, return no buttons."""
        ...

    def trails(self, env: GridEnv, states: Sequence[State]) -> list[Mark]:
        """Return marks for the paths of all players. `states` contains the states of the game so far."""
        ...

    def standings(self, env: GridEnv, state: State, names: Sequence[str]) -> list[Figure]:
        """Return a line for each player, with the leader first. At the end of the game, these lines are the results."""
        ...

    def score(self, env: GridEnv, state: State, player: int) -> Score | None:
        """Return a player's score, or None if the player did not reach the goal."""
        ...


_NO_OVERLAYS = NoOverlays()


@dataclass(frozen=True)
class UI:
    """The user interface of a game. Overlays, an editor, multiplayer support and a notation are optional."""

    drawing: Drawing
    texts: Texts
    controls: Controls
    overlays: Overlays = _NO_OVERLAYS
    editor: Editor | None = None
    multiplayer: Multiplayer | None = None
    notation: Notation | None = None
