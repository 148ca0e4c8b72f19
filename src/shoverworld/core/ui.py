"""What a game offers to people, in small protocols: levels, drawing, texts, controls, overlays, editor, multiplayer.

The windows, the terminal, the replay viewer and the level editor know these types and no particular game. A game
implements the protocols in `games/NAME/boards.py` and `games/NAME/ui/`; a module with the functions of a protocol
satisfies it. No game imports a window library: pictures are NumPy arrays. States are opaque to the callers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from .cells import Cell as Cell
from .env import GridEnv
from .plan import Action, Plan

Point = tuple[float, float]  # (row, col), also between cells
Colour = tuple[int, int, int]
State = Any  # what `env.get_state()` returns


def count(number: int, noun: str) -> str:
    """A number with its noun: "1 push", "2 pushes", "3 penalties"."""
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
    opacity: tuple[float, float] = (1.0, 1.0)  # at the start and at the end of the motion
    scale: tuple[float, float] = (1.0, 1.0)


class Scene(NamedTuple):
    """A state as a picture: a tile for each cell, and the actors on top."""

    tiles: np.ndarray  # int16 (rows, cols)
    actors: tuple[Sprite, ...]
    rim: int | None = None  # the tile of a rim around the board, half a cell wide; None: no rim


class Motion(NamedTuple):
    """The animation from one scene to the next: `under` replaces the tiles of some cells, `sprites` the actors."""

    under: dict[Cell, int]
    sprites: tuple[Sprite, ...]
    seconds: float


class Mark(NamedTuple):
    """A mark on top of the board.

    Kinds:
    - frame: a border around `rows` x `cols` cells, with `text` in its corner.
    - shade: a tinted cell with `text` in its middle.
    - arrow: an arrow in the cell that points in `direction` (core/grid.py), with `text` beside it.
    - line: a line from the middle of the cell to the middle of the cell `rows` below and `cols` to the right (negative:
      above, to the left), below the actors.
    - dot: a disc in the middle of the cell with `text` in it.

    Styles: "double", a frame of two lines; "corner", a shade with small text, so that the cell stays visible; "small",
    a dot below the actors; "ring", a hollow dot; "cross", a crossed-out dot.
    """

    kind: str
    cell: Cell
    colour: Colour
    text: str = ""
    rows: int = 1
    cols: int = 1
    direction: int = 0
    strength: float = 0.4  # opacity of a shade, a line or a dot: 0 invisible, 1 opaque
    style: str = ""


class Figure(NamedTuple):
    """A line of the panel, such as "Stamina 640", with a bar if `share` is given."""

    label: str
    value: str
    share: float | None = None  # how full the bar is, 0 to 1
    tone: str = ""  # "", "good", "bad", "warn"
    colour: Colour | None = None  # of the player that the line is about


class Overlay(NamedTuple):
    """An overlay that a key switches on and off."""

    key: str
    name: str
    about: str
    plans: bool = False  # it shows a plan, so `Overlays.marks` needs one
    most: int = 0  # the number of steps of a plan that it shows; 0: all
    always: bool = False  # it is shown when a game is watched in a terminal


# --- Input


class Act(NamedTuple):
    """Play this action."""

    action: Action


class Place(NamedTuple):
    """Move the player freely (`env.place`)."""

    cell: Cell


class Walk(NamedTuple):
    """Play these actions one after the other, for one click. Undo takes them back as one move."""

    actions: tuple[Action, ...]


class Say(NamedTuple):
    """Play nothing and show this text. The selection may have changed."""

    text: str


Intent = Act | Place | Walk | Say


class KeyHelp(NamedTuple):
    """Keys, by pygame's names ("up", "w", "b"), and what they do."""

    keys: tuple[str, ...]
    what: str


class Preview(NamedTuple):
    """What a move would do: marks on the board and a line of text."""

    marks: tuple[Mark, ...]
    text: str


class InputHandler(Protocol):
    """Turns keys and the mouse into intents for one game, and keeps the selection. It never changes the game."""

    selected: Cell | None

    def press(self, state: State, key: str) -> Intent | None:
        """The intent of a key; None if the game does not use this key."""
        ...

    def click(self, state: State, cell: Cell) -> Intent | None: ...

    def drag(self, state: State, cell: Cell, direction: int) -> Intent | None: ...

    def hover(self, state: State, cell: Cell, toward: int | None) -> Preview:
        """`toward`: the side of the cell nearest to the pointer, as a direction; None: the middle."""
        ...

    def marks(self, state: State) -> tuple[Mark, ...]:
        """The marks of the selection."""
        ...

    def played(self, state: State) -> None:
        """Update the selection after a move, an undo or an agent's action."""
        ...


# --- Levels


@dataclass(frozen=True)
class Board:
    """A level with its name and where it came from."""

    name: str
    preset: str  # the rules that it is meant for
    level: Any  # the game's own level type
    title: str = ""
    about: str = ""  # what the level teaches, in one or more lines
    path: str | None = None  # the file it was read from
    seed: int | None = None  # the seed of a random level


class Collection(NamedTuple):
    """Boards that belong together: a packaged collection by its name, or a file or a folder by its path."""

    name: str  # the argument of `Levels.boards`
    title: str
    about: str = ""


class Score(NamedTuple):
    """How well a game was played: numbers of which fewer are better, the first counts most; and the same in words."""

    numbers: tuple[float, ...]
    words: str
    proved: bool = False  # the first number cannot be improved

    def beats(self, other: "Score | None") -> bool:
        return other is None or self.numbers < other.numbers


class Levels(Protocol):
    """The levels of a game: packaged collections, files, random levels, and the environments that play them."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of level files, such as (".txt", ".xsb")."""
        ...

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        """The (name, description) of each format that a level can be written in."""
        ...

    def collections(self) -> list[Collection]:
        """The packaged collections; the first is the one for beginners."""
        ...

    def boards(self, collection: str | None = None) -> list[Board]:
        """The boards of a packaged collection, a file or a folder. None: the first packaged collection."""
        ...

    def read(self, path: str) -> Board:
        """The board in a file, or a packaged board by its name."""
        ...

    def recognises(self, head: bytes, suffix: str) -> float:
        """How certain it is, from 0 to 1, that a file with this beginning and suffix is a level of this game."""
        ...

    def random(self, preset: str, seed: int) -> Board: ...
    def environment(self, board: Board, preset: str) -> GridEnv:
        """An environment for a board; `env.reset(options=options(board))` starts the game."""
        ...

    def options(self, board: Board) -> dict[str, Any]: ...
    def identity(self, board: Board, preset: str) -> str:
        """A key that is equal for equal levels under equal rules. Records are stored under it."""
        ...

    def board_of(self, env: GridEnv) -> Board:
        """The board of an environment that was just reset. Its preset is "" if its rules match no preset."""
        ...

    def score(self, env: GridEnv, state: State) -> Score | None:
        """How well a game was played; None if it was not won."""
        ...

    def best_known(self, identity: str) -> Score | None:
        """The best known result on a packaged level."""
        ...


# --- The parts of a UI


class Drawing(Protocol):
    """How a game looks."""

    def scene(self, state: State) -> Scene: ...
    def motion(self, before: State, after: State) -> Motion | None:
        """The animation from one state to the next; None if nothing moves."""
        ...

    def tile(self, tile: int, size: int) -> np.ndarray:
        """uint8 (size, size, 4): red, green, blue, opacity."""
        ...

    def glyph(self, tile: int, width: int) -> tuple[str, str]:
        """`width` characters for a terminal, and their style in rich's notation ("bold black on orange3")."""
        ...

    def thumbnail(self, board: Board) -> Scene: ...


class MoveText(NamedTuple):
    """What a move did, in words, and its kind.

    Timelines mark these kinds: "goal" (progress), "loss" (progress undone), "finish" (a player is done), "burn",
    "special", "dissolve", "invalid". They do not mark others, such as "" and "place".
    """

    kind: str
    words: str


class Texts(Protocol):
    """The texts of a game: figures for the panel, and sentences about moves."""

    def figures(self, env: GridEnv, state: State, handler: InputHandler | None) -> list[Figure]: ...
    def ending(self, env: GridEnv, state: State) -> list[Figure]: ...
    def move(self, env: GridEnv, before: State, after: State) -> MoveText: ...
    def why_invalid(self, env: GridEnv, before: State, after: State) -> str:
        """Why the action between the two states was invalid; "" if it was valid."""
        ...

    def describe(self, env: GridEnv, state: State, action: Action) -> str:
        """An action as an instruction: "push the box at row 2, column 5 to the right"."""
        ...


class Controls(Protocol):
    """The keys and the mouse of a game."""

    @property
    def keys(self) -> tuple[KeyHelp, ...]: ...
    @property
    def mouse(self) -> tuple[KeyHelp, ...]: ...

    def handler(self, env: GridEnv) -> InputHandler: ...
    def place_spares_steps(self, env: GridEnv) -> bool:
        """Whether a free move of the player (`Place`) saves steps. Such a game does not count as a record."""
        ...


class Overlays(Protocol):
    """What can be shown on top of the board."""

    @property
    def overlays(self) -> tuple[Overlay, ...]: ...

    def marks(self, overlay: str, env: GridEnv, state: State, plan: Plan | None) -> list[Mark]:
        """The marks of an overlay, by its key. `plan` starts at `state`, for the overlay that shows the plan ahead."""
        ...

    def hint(self, env: GridEnv, state: State, action: Action) -> tuple[Mark, ...]:
        """The marks that point out an action."""
        ...


class NoOverlays:
    """The overlays of a game that has none."""

    overlays: tuple[Overlay, ...] = ()

    def marks(self, overlay: str, env: GridEnv, state: State, plan: Plan | None) -> list[Mark]:
        return []

    def hint(self, env: GridEnv, state: State, action: Action) -> tuple[Mark, ...]:
        return ()


class Brush(NamedTuple):
    """A brush of the level editor: its name, key and tile, and its size in cells."""

    name: str
    key: str
    tile: int
    about: str
    size: int = 1


class DraftProblem(NamedTuple):
    """A problem of a draft. A serious problem prevents playing and saving."""

    text: str
    cell: Cell | None = None
    serious: bool = True


class Draft(Protocol):
    """A level that is being drawn. Drafts are immutable: each change returns a new draft, so undo is a list of drafts.

    A draft may be incomplete or wrong; `problems` lists what is wrong with it.
    """

    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...

    def scene(self, preset: str = "") -> Scene:
        """The draft as a picture, with the rim that the rules of `preset` put around the board."""
        ...

    def painted(self, cell: Cell, brush: str) -> "Draft":
        """A draft with a brush applied at a cell. The cell is the top-left corner of a large brush."""
        ...

    def resized(self, rows: int, cols: int) -> "Draft":
        """A draft cut or extended at the bottom and at the right; a ConfigError if the size is not allowed."""
        ...

    def flipped(self) -> "Draft":
        """A draft with left and right exchanged."""
        ...

    def rotated(self) -> "Draft":
        """A draft turned clockwise by 90 degrees."""
        ...

    def problems(self, preset: str) -> list[DraftProblem]: ...
    def board(self, preset: str, name: str) -> Board:
        """A board to play; an error if there is a serious problem."""
        ...

    def text(self, format: str, preset: str) -> str:
        """The text of a level file."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The whole draft as JSON data, also if it is wrong. `Editor.restore` reads it."""
        ...


class Editor(Protocol):
    """How levels of a game are drawn in the level editor."""

    @property
    def brushes(self) -> tuple[Brush, ...]: ...

    def blank(self, preset: str) -> Draft: ...
    def draft_of(self, board: Board) -> Draft: ...
    def restore(self, saved: dict[str, Any]) -> Draft:
        """The draft that `Draft.to_json` saved; a ConfigError for anything else."""
        ...


class MoveButton(NamedTuple):
    """A button that makes a move: its key, its offset from the middle button (rows down, columns to the right), whether
    the move is legal, and what it would do in words."""

    key: str
    offset: Cell
    legal: bool
    about: str


class Multiplayer(Protocol):
    """What a game for several players adds. Players are numbered from 0 and move in turn."""

    def max_players(self, board: Board) -> int:
        """The number of players that the board has room for."""
        ...

    def environment(self, board: Board, preset: str, players: int) -> GridEnv:
        """As `Levels.environment`, for this number of players; a ConfigError if there are too many."""
        ...

    def options(self, board: Board, players: int) -> dict[str, Any]:
        """As `Levels.options`, for this number of players."""
        ...

    def player_count(self, env: GridEnv) -> int: ...
    def player_to_move(self, env: GridEnv, state: State) -> int: ...
    def colour(self, player: int) -> Colour: ...
    def move_buttons(self, env: GridEnv, state: State) -> tuple[MoveButton, ...]:
        """The buttons of the player to move, three in a row; none if the game is over."""
        ...

    def trails(self, env: GridEnv, states: Sequence[State]) -> list[Mark]:
        """The paths of all players in the states of the game so far."""
        ...

    def standings(self, env: GridEnv, state: State, names: Sequence[str]) -> list[Figure]:
        """A line for each player, the leader first. At the end of the game these are the results."""
        ...

    def score(self, env: GridEnv, state: State, player: int) -> Score | None:
        """How well a player played; None if they did not reach the goal."""
        ...


_NO_OVERLAYS = NoOverlays()


@dataclass(frozen=True)
class UI:
    """How people see and play a game. Overlays, an editor and multiplayer are optional."""

    drawing: Drawing
    texts: Texts
    controls: Controls
    overlays: Overlays = _NO_OVERLAYS
    editor: Editor | None = None
    multiplayer: Multiplayer | None = None
