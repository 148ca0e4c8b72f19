"""What a room shows to people and hears from their hands: the vocabulary between a game and the windows it is played in.

The window, the terminal, the replay viewer and the editor know these words and no game. A room speaks them in its
`front/` (games/NAME/ui/), which imports no window library. Pictures are NumPy arrays, states are opaque.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from .env import GridEnv
from .plan import Plan

Cell = tuple[int, int]  # (row, col)
Point = tuple[float, float]  # (row, col), between cells too
Colour = tuple[int, int, int]
State = Any  # what the game's `get_state` gives


# --- pictures


class Sprite(NamedTuple):
    """A picture that stands over the cells, or moves over them while a motion plays."""

    tile: int
    start: Point
    end: Point
    opacity: tuple[float, float] = (1.0, 1.0)  # at the start and at the end of the motion
    scale: tuple[float, float] = (1.0, 1.0)


class Scene(NamedTuple):
    """A game at rest."""

    tiles: np.ndarray  # int16 (rows, cols): the tile of every cell
    actors: tuple[Sprite, ...]  # who stands on them
    rim: int | None = None  # a tile that lies all round the board, half a cell wide; None: nothing does


class Motion(NamedTuple):
    """How one scene becomes the next. While it plays, `under` lies in these cells and the sprites replace the actors."""

    under: dict[Cell, int]
    sprites: tuple[Sprite, ...]
    seconds: float


class Mark(NamedTuple):
    """Something drawn over the board to tell the player a thing.

    frame: a border around rows x cols cells, `text` in its corner.  shade: the cell tinted, `text` in its middle.
    arrow: an arrow in the cell that points to `direction` (core/grid.py), `text` beside it.
    line: from the middle of the cell to the middle of the one `rows` below and `cols` to the right (less than 0: above and
    to the left), under who stands there.  dot: a disc in the middle of the cell, `text` in it.
    `style`: "double", a frame of two lines; "corner", a shade whose text is small, so that the cell is still seen;
    "small", a dot under who stands there; "ring", a dot that is hollow; "cross", one that is crossed out.
    """

    kind: str
    cell: Cell
    colour: Colour
    text: str = ""
    rows: int = 1
    cols: int = 1
    direction: int = 0
    strength: float = 0.4  # of a shade, a line or a dot: 0 not seen, 1 covers
    style: str = ""


class Figure(NamedTuple):
    """A line of the panel: "Stamina 640", with a bar where `share` says how full it is."""

    label: str
    value: str
    share: float | None = None
    tone: str = ""  # "", "good", "bad", "warn"
    colour: Colour | None = None  # of whom it is about, on the board


class Overlay(NamedTuple):
    """Something that can be laid over the board, switched by its key."""

    key: str
    name: str
    about: str
    plans: bool = False  # it shows a plan: `Front.marks` wants one, and someone has to think of it
    most: int = 0  # steps of a plan that it shows; 0: all


# --- hands


class Act(NamedTuple):
    """Play this action."""

    action: Any


class Place(NamedTuple):
    """Move the player freely (`env.place`)."""

    cell: Cell


class Walk(NamedTuple):
    """Play these actions one after the other, for one click: a way to go. It is taken back as one move."""

    actions: tuple[Any, ...]


class Say(NamedTuple):
    """Nothing to play; tell the player this. The selection may have changed."""

    text: str


Intent = Act | Place | Walk | Say


class KeyHelp(NamedTuple):
    """Keys of a room, by pygame's names ("up", "w", "b"), and what they do."""

    keys: tuple[str, ...]
    what: str


class Preview(NamedTuple):
    """What would happen: marks on the board and a line of text."""

    marks: tuple[Mark, ...]
    text: str


class Hand(Protocol):
    """Turns keys and the mouse into intents, for one game; remembers what is selected. It never changes the game."""

    selected: Cell | None

    def press(self, state: State, key: str) -> Intent | None:
        """None: this is no key of the room."""
        ...

    def click(self, state: State, cell: Cell) -> Intent | None: ...

    def drag(self, state: State, cell: Cell, direction: int) -> Intent | None: ...

    def hover(self, state: State, cell: Cell, toward: int | None) -> Preview:
        """`toward`: the side of the cell that the pointer is nearest to, as a direction; None: it is in the middle."""
        ...

    def marks(self, state: State) -> tuple[Mark, ...]:
        """What is selected."""
        ...

    def played(self, state: State) -> None:
        """The game has changed, by a move, an undo or an agent: forget or follow what was selected."""
        ...


# --- places to play


class Preset(NamedTuple):
    name: str
    about: str


@dataclass(frozen=True)
class Board:
    """Something to play on: a level, by whatever name and from wherever."""

    name: str
    preset: str  # the preset it asks to be played by
    level: Any  # the room's own map
    title: str = ""
    about: str = ""  # what it wants to teach, for a beginner; may have several lines
    path: str | None = None  # the file it came from
    seed: int | None = None  # of a random one


class Collection(NamedTuple):
    """Boards that belong together: a packaged set by its name, or a file or folder by its path."""

    name: str  # what `Front.boards` takes
    title: str
    about: str = ""


class Score(NamedTuple):
    """How well a board was won: numbers of which fewer is better, the first counting most; and the same in words.
    `proved`: nobody can do better in the first of them."""

    numbers: tuple[float, ...]
    words: str
    proved: bool = False

    def beats(self, other: "Score | None") -> bool:
        return other is None or self.numbers < other.numbers


class Brush(NamedTuple):
    """Something to draw with: its name, key, the tile it shows, and how many cells wide it is."""

    name: str
    key: str
    tile: int
    about: str
    size: int = 1


class Problem(NamedTuple):
    """What is wrong with a drawing. `serious`: it cannot be played or saved as it is."""

    text: str
    cell: Cell | None = None
    serious: bool = True


class Draft(Protocol):
    """A level that is being drawn. It does not change: every change gives another draft, so undo is a list of them.
    It may be wrong in any way that can be drawn; `problems` says how."""

    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...

    def scene(self, preset: str = "") -> Scene:
        """`preset`: with what lies round the board by its rules."""
        ...

    def painted(self, cell: Cell, brush: str) -> "Draft":
        """With this brush put down at a cell (a wide one has its top-left corner there, cut off at the edge)."""
        ...

    def resized(self, rows: int, cols: int) -> "Draft":
        """Cut or extended at the bottom and at the right; a ConfigError when that is no size."""
        ...

    def flipped(self) -> "Draft":
        """Left becomes right."""
        ...

    def rotated(self) -> "Draft":
        """A quarter turn clockwise."""
        ...

    def problems(self, preset: str) -> list[Problem]: ...
    def board(self, preset: str, name: str) -> Board:
        """To be played; an error when a problem is serious."""
        ...

    def text(self, format: str, preset: str) -> str:
        """As a level file."""
        ...

    def kept(self) -> dict[str, Any]:
        """All of it as JSON can hold it, however wrong it is; `Front.restored` reads it."""
        ...


class Move(NamedTuple):
    """What one move did, and words. Kinds that a timeline marks: "goal" (something wanted was done), "loss" (it was undone
    again), "finish" (one of several is done), "burn", "special", "dissolve", "invalid"; others, such as "" and "place",
    it does not."""

    kind: str
    words: str


class Choice(NamedTuple):
    """A move that a player can choose by a button: the key that does the same, where it leads (rows down, columns to the
    right of the middle button), whether it is legal, and what it would do in words."""

    key: str
    way: Cell
    legal: bool
    about: str


class Company(Protocol):
    """What a room for several players has beside all else. Each has a seat, from 0 on, and moves when it is his turn; the
    room does not know who sits there."""

    def most(self, board: Board) -> int:
        """So many can play on it."""
        ...

    def environment(self, board: Board, preset: str, seats: int) -> GridEnv:
        """As `Front.environment`, for so many players; an error when that are too many."""
        ...

    def options(self, board: Board, seats: int) -> dict[str, Any]:
        """As `Front.options`, for so many players."""
        ...

    def seats(self, env: GridEnv) -> int: ...
    def turn(self, env: GridEnv, state: State) -> int:
        """The seat that moves next."""
        ...

    def colour(self, seat: int) -> Colour: ...
    def choices(self, env: GridEnv, state: State) -> tuple[Choice, ...]:
        """The buttons for the seat that moves next, three in a row; none when the game is over."""
        ...

    def ways(self, env: GridEnv, states: Sequence[State]) -> list[Mark]:
        """The ways that all have come, told from the states of the game so far."""
        ...

    def standings(self, env: GridEnv, state: State, names: Sequence[str]) -> list[Figure]:
        """A line a player by their names, the leader first; at the end these are the results."""
        ...

    def score(self, env: GridEnv, state: State, seat: int) -> Score | None:
        """How well this one has played; None when he has not won what there is to win."""
        ...


class Front(Protocol):
    """A room as people see it."""

    game: str  # "shover"
    title: str  # "Shover-World"
    goal: str  # what the player wants, in a sentence
    presets: tuple[Preset, ...]
    overlays: tuple[Overlay, ...]
    keys: tuple[KeyHelp, ...]
    mouse: tuple[KeyHelp, ...]  # what a click, a drag, pointing do
    agents: tuple[str, ...]  # by the names of agents/load.py
    company: Company | None  # None: a game for one

    # places
    def collections(self) -> list[Collection]:
        """What comes with the package; the first is what a beginner should see."""
        ...

    def boards(self, collection: str | None = None) -> list[Board]:
        """The boards of a collection, a packaged one by its name or a file or folder by its path; None: the first."""
        ...

    def read(self, path: str) -> Board: ...
    def random(self, preset: str, seed: int) -> Board: ...
    def environment(self, board: Board, preset: str) -> GridEnv:
        """Not yet reset; `reset(options=options(board))` begins the game."""
        ...

    def options(self, board: Board) -> dict[str, Any]: ...
    def place_spares_steps(self, env: GridEnv) -> bool:
        """Is a free move of the player (`Place`) a way around steps he would have to take? Such a game is no record."""
        ...

    def identity(self, board: Board, preset: str) -> str:
        """The same for the same map under the same rules, whatever its name: records are kept under it."""
        ...

    def recognise(self, env: GridEnv) -> Board:
        """The board of an environment that was just reset, such as that of a replay. Its preset is "" when the rules are
        those of none."""
        ...

    def score(self, env: GridEnv, state: State) -> Score | None:
        """How well a game was played; None when it is not won."""
        ...

    def best_known(self, identity: str) -> Score | None:
        """Of the best plan known for a board that came with the package; None when nothing is known."""
        ...

    # drawing
    brushes: tuple[Brush, ...]
    formats: tuple[tuple[str, str], ...]  # (name, about) of the ways to write a level

    def blank(self, preset: str) -> Draft: ...
    def draft(self, board: Board) -> Draft: ...
    def restored(self, kept: dict[str, Any]) -> Draft:
        """A ConfigError when this is not what `Draft.kept` gave."""
        ...

    # pictures
    def scene(self, state: State) -> Scene: ...
    def motion(self, before: State, after: State) -> Motion | None:
        """None: nothing to be seen moved."""
        ...

    def tile(self, tile: int, size: int) -> np.ndarray:
        """uint8 (size, size, 4): red, green, blue, opacity."""
        ...

    def glyph(self, tile: int, width: int) -> tuple[str, str]:
        """For a terminal: one or two characters (`width`), and a style in rich's words ("bold black on orange3")."""
        ...

    def thumbnail(self, board: Board) -> Scene: ...

    # words
    def figures(self, env: GridEnv, state: State, hand: Hand | None) -> list[Figure]: ...
    def move(self, env: GridEnv, before: State, after: State) -> Move: ...
    def why_invalid(self, env: GridEnv, before: State, after: State) -> str:
        """Why the action that led from `before` to `after` was invalid; "" when it was valid."""
        ...

    def describe(self, env: GridEnv, state: State, action: Any) -> str:
        """An action in words, for hints: "push the box at row 2, column 5 to the right"."""
        ...

    def ending(self, env: GridEnv, state: State) -> list[Figure]: ...

    # help
    def hand(self, env: GridEnv) -> Hand: ...
    def marks(self, overlay: str, env: GridEnv, state: State, plan: Plan | None) -> list[Mark]:
        """What an overlay (by its key) shows. `plan` starts at `state`, for the overlay that shows the plan ahead."""
        ...

    def hint(self, env: GridEnv, state: State, action: Any) -> tuple[Mark, ...]: ...
    def solve(
        self, env: GridEnv, state: State, seconds: float, progress: Callable[[Plan], Any] | None = None
    ) -> Plan: ...


# --- The parts of a game's UI. A module with these functions is a part; `Front` above goes away.


class Levels(Protocol):
    """The levels of a game: packaged sets, files, random levels, and the environments that play them."""

    suffixes: tuple[str, ...]  # of level files: (".txt", ".xsb")
    formats: tuple[tuple[str, str], ...]  # (name, description) of the ways to write a level

    def collections(self) -> list[Collection]:
        """The packaged collections; the first is the one for beginners."""
        ...

    def boards(self, collection: str | None = None) -> list[Board]:
        """The boards of a packaged collection, a file or a folder. None: the first packaged collection."""
        ...

    def read(self, path: str) -> Board: ...
    def recognises(self, head: bytes, suffix: str) -> float:
        """How certain it is, from 0 to 1, that a file with this beginning and suffix is a level of this game."""
        ...

    def random(self, preset: str, seed: int) -> Board: ...
    def environment(self, board: Board, preset: str) -> GridEnv:
        """An environment for a board; `env.reset(options=options(board))` starts the game."""
        ...

    def options(self, board: Board) -> dict[str, Any]: ...
    def identity(self, board: Board, preset: str) -> str:
        """A key that is equal for equal levels under equal rules. Records are kept under it."""
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


class Texts(Protocol):
    """What a game says: figures for the panel, and sentences about moves."""

    def figures(self, env: GridEnv, state: State, handler: "InputHandler | None") -> list[Figure]: ...
    def ending(self, env: GridEnv, state: State) -> list[Figure]: ...
    def move(self, env: GridEnv, before: State, after: State) -> Move: ...
    def why_invalid(self, env: GridEnv, before: State, after: State) -> str:
        """Why the action between the two states was invalid; "" if it was valid."""
        ...

    def describe(self, env: GridEnv, state: State, action: Any) -> str:
        """An action as an instruction: "push the box at row 2, column 5 to the right"."""
        ...


class InputHandler(Hand, Protocol):
    """Turns keys and the mouse into intents for one game, and keeps the selection. It never changes the game."""


class Controls(Protocol):
    """The keys and the mouse of a game."""

    keys: tuple[KeyHelp, ...]
    mouse: tuple[KeyHelp, ...]

    def handler(self, env: GridEnv) -> InputHandler: ...
    def place_spares_steps(self, env: GridEnv) -> bool:
        """Whether a free move of the player (`Place`) saves steps. Such a game does not count as a record."""
        ...


class Overlays(Protocol):
    """What can be shown on top of the board."""

    overlays: tuple[Overlay, ...]

    def marks(self, overlay: str, env: GridEnv, state: State, plan: Plan | None) -> list[Mark]:
        """The marks of an overlay, by its key. `plan` starts at `state`, for the overlay that shows the plan ahead."""
        ...

    def hint(self, env: GridEnv, state: State, action: Any) -> tuple[Mark, ...]: ...


class Editor(Protocol):
    """How levels of a game are drawn in the editor."""

    brushes: tuple[Brush, ...]

    def blank(self, preset: str) -> Draft: ...
    def draft(self, board: Board) -> Draft: ...
    def restored(self, saved: dict[str, Any]) -> Draft:
        """The draft that `Draft.kept` saved; a ConfigError if it is not one."""
        ...


@dataclass(frozen=True)
class UI:
    """How people see and play a game. The optional parts: help on the board, an editor, several players."""

    drawing: Drawing
    texts: Texts
    controls: Controls
    overlays: Overlays | None = None
    editor: Editor | None = None
    multiplayer: Company | None = None
