"""The drawing board: a level that is being drawn. Each change gives another draft, so undo is a list of them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoverworld.core.checks import known, whole, word
from shoverworld.core.errors import ConfigError, LevelError
from shoverworld.core.ui import Board, Brush, Cell, Problem, Scene, Sprite

from .. import tiles
from ..config import LARGEST_SIDE, SMALLEST_SIDE
from ..formats import levels_text
from ..levels import Level
from .faults import faults
from .presets import FIXED, RULES, TWO, rules_for
from .scene import figure, still

# A cell is one letter of XSB; the second player is & on the floor and % on a target.
WALL, FLOOR, TARGET, BOX, HOME, PLAYER, PLAYER_HOME, SECOND, SECOND_HOME = "# .$*@+&%"
LETTERS = WALL + FLOOR + TARGET + BOX + HOME + PLAYER + PLAYER_HOME + SECOND + SECOND_HOME
ON_TARGET = {FLOOR: TARGET, BOX: HOME, PLAYER: PLAYER_HOME, SECOND: SECOND_HOME}
OFF_TARGET = {there: here for here, there in ON_TARGET.items()}
TARGETS = set(ON_TARGET.values())

# The first wipes. Keys that the editor has for itself (c f p q r t v) are left to it.
BRUSHES = (
    Brush("floor", ".", tiles.on_floor(0), "empty floor; wipes what is there"),
    Brush("wall", "x", tiles.WALL, "nothing goes through"),
    Brush("box", "b", tiles.on_floor(0, tiles.box(0)), "a box, also on a target"),
    Brush("target", "g", tiles.on_floor(0, tiles.target(0)), "where a box should stand, also under a box or a player"),
    Brush("box on target", "h", tiles.on_floor(0, tiles.box(0, 0)), "a box that is home already"),
    Brush("player", "a", tiles.PLAYER_TILE, "where the player starts; there is one"),
    Brush("second player", "s", tiles.SECOND_TILE, "where the second one starts (rules: two)"),
)
_BRUSH = {brush.name: brush for brush in BRUSHES}
FORMATS = (
    ("XSB", "the usual text: # wall, $ box, . target, @ player, * and + on a target; with title and author"),
    ("Boxoban", "the same letters below a line with a number, and nothing else"),
)
_KEPT = ("rows", "title", "author", "comment", "numbers")


@dataclass(frozen=True, eq=False)
class SokobanDraft:
    """Letters, row by row, and what the file says beside them."""

    lines: tuple[str, ...]
    title: str = ""
    author: str = ""
    comment: str = ""
    numbers: tuple[tuple[int, ...], tuple[int, ...]] | None = None  # of targets and boxes in reading order

    @property
    def rows(self) -> int:
        return len(self.lines)

    @property
    def cols(self) -> int:
        return len(self.lines[0])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SokobanDraft) and self.kept() == other.kept()

    __hash__ = None  # type: ignore[assignment]

    # --- its parts

    def _where(self, letters: str) -> list[Cell]:
        return [(r, c) for r, row in enumerate(self.lines) for c, letter in enumerate(row) if letter in letters]

    def players(self) -> list[Cell]:
        """The first player, and the second: only if they are there."""
        return self._where(PLAYER + PLAYER_HOME) + self._where(SECOND + SECOND_HOME)

    def tables(self, fixed: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Walls, targets, boxes; with numbers when targets are fixed."""
        shape = self.rows, self.cols
        found = []
        for which, letters in enumerate((WALL, "".join(TARGETS), BOX + HOME)):
            table = np.zeros(shape, np.uint8)
            cells = self._where(letters)
            ours = self.numbers[which - 1] if self.numbers and which and fixed else ()
            for place, cell in enumerate(cells, 1):
                table[cell] = (
                    1 if not fixed or not which else ours[place - 1] if len(ours) == len(cells) else min(place, 255)
                )
            found.append(table)
        return found[0], found[1], found[2]

    def scene(self, preset: str = "") -> Scene:
        walls, targets, boxes = self.tables(preset == FIXED)
        drawn = still(walls, targets, boxes, ())
        players = enumerate((self._where(PLAYER + PLAYER_HOME), self._where(SECOND + SECOND_HOME)))
        actors = [(who, cell) for who, cells in players for cell in cells]  # the second may be there without the first
        if preset:
            sprites = [Sprite(figure(who, targets[cell] != 0), cell, cell) for who, cell in actors]
            return drawn._replace(actors=tuple(sprites))
        sprites = [Sprite(figure(who, False), cell, cell) for who, cell in actors]
        return Scene(_plain(drawn.tiles), tuple(sprites))

    # --- drawing

    def painted(self, cell: Cell, brush: str) -> "SokobanDraft":
        name = word("brush", brush, _BRUSH)
        row, col = cell
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            return self
        old = self.lines[row][col]
        new = {
            "wall": WALL,
            "floor": FLOOR,
            "box": HOME if old in TARGETS else BOX,
            "target": old if old in TARGETS else ON_TARGET.get(old, TARGET),
            "box on target": HOME,
            "player": PLAYER_HOME if old in TARGETS else PLAYER,
            "second player": SECOND_HOME if old in TARGETS else SECOND,
        }[name]
        if new == old:
            return self
        lines = [list(line) for line in self.lines]
        if name in ("player", "second player"):  # there is one of each
            for r, c in self._where(PLAYER + PLAYER_HOME if name == "player" else SECOND + SECOND_HOME):
                lines[r][c] = TARGET if lines[r][c] in TARGETS else FLOOR
        lines[row][col] = new
        return self._with(["".join(line) for line in lines])

    def _with(self, lines: list[str]) -> "SokobanDraft":
        """Other cells; the numbers stay as long as there are as many boxes and targets."""
        new = replace(self, lines=tuple(lines))
        return new if self.numbers and _counts(new) == _counts(self) else replace(new, numbers=None)

    def resized(self, rows: int, cols: int) -> "SokobanDraft":
        rows = whole("rows", rows, SMALLEST_SIDE, LARGEST_SIDE)
        cols = whole("columns", cols, SMALLEST_SIDE, LARGEST_SIDE)
        if (rows, cols) == (self.rows, self.cols):
            return self
        lines = [line[:cols].ljust(cols) for line in self.lines[:rows]]
        return self._with(lines + [" " * cols] * (rows - len(lines)))

    def flipped(self) -> "SokobanDraft":
        return self._turned([line[::-1] for line in self.lines], np.fliplr)

    def rotated(self) -> "SokobanDraft":
        lines = ["".join(line[col] for line in reversed(self.lines)) for col in range(self.cols)]
        return self._turned(lines, lambda table: np.rot90(table, -1))

    def _turned(self, lines: list[str], turn: Any) -> "SokobanDraft":
        numbers = None
        if self.numbers:
            _, targets, boxes = (turn(table) for table in self.tables(fixed=True))
            numbers = tuple(targets[targets != 0].tolist()), tuple(boxes[boxes != 0].tolist())
        return replace(self, lines=tuple(lines), numbers=numbers)

    # --- what becomes of it

    def problems(self, preset: str) -> list[Problem]:
        return faults(*self.tables(preset == FIXED), self.players(), RULES[word("preset", preset, RULES)])

    def board(self, preset: str, name: str) -> Board:
        level = self._level(preset, name)
        said = "\n".join(filter(None, [f"By {self.author}" if self.author else "", self.comment]))
        board = Board(name, preset, level, self.title or name, said)
        rules_for(board, preset)
        return board

    def text(self, format: str, preset: str) -> str:
        format = word("format", format, [name for name, _ in FORMATS])
        level = self._level(preset, self.title or "the drawing")
        if format == "XSB":
            return levels_text([level])
        if level.fixed or len(level.players) > 1:
            raise ConfigError("Boxoban's text has neither numbers nor a second player; expected format XSB")
        return "\n".join(["; 0", *level.lines()]) + "\n"

    def _level(self, preset: str, name: str) -> Level:
        for problem in self.problems(preset):
            if problem.serious:
                raise LevelError.at(problem.text, name)
        walls, targets, boxes = self.tables(preset == FIXED)
        said = self.title, self.author, self.comment
        return Level(walls, targets, boxes, tuple(self.players()), *said, source=name)

    def kept(self) -> dict[str, Any]:
        return {
            "rows": list(self.lines),
            "title": self.title,
            "author": self.author,
            "comment": self.comment,
            "numbers": [list(part) for part in self.numbers] if self.numbers else None,
        }


def _plain(drawn: np.ndarray) -> np.ndarray:
    """As the brushes are: without the shadows, and every wall alike."""
    shade = (drawn - tiles.FLOOR) % tiles.SHADES
    return np.where(drawn < tiles.FLOOR, tiles.WALL, drawn - shade).astype(np.int16)


def _counts(draft: SokobanDraft) -> tuple[int, int]:
    return len(draft._where("".join(TARGETS))), len(draft._where(BOX + HOME))


def blank(preset: str) -> SokobanDraft:
    """An empty room of the usual size with walls around it, and who plays in it."""
    rows, cols = RULES[word("preset", preset, RULES)].dim_room
    lines = [WALL * cols, *([WALL + FLOOR * (cols - 2) + WALL] * (rows - 2)), WALL * cols]
    draft = SokobanDraft(tuple(lines)).painted((rows // 2, cols // 2), "player")
    return draft.painted((rows // 2, cols // 2 - 1), "second player") if preset == TWO else draft


def draft_of(board: Board) -> SokobanDraft:
    """A room that was made has nothing to say of itself once it is changed."""
    level: Level = board.level
    lines = [list(line) for line in level.lines()]
    if len(level.players) > 1:
        row, col = level.players[1]
        lines[row][col] = SECOND_HOME if lines[row][col] == PLAYER_HOME else SECOND
    numbers = None
    if level.fixed:
        numbers = tuple(level.targets[level.targets != 0].tolist()), tuple(level.boxes[level.boxes != 0].tolist())
    made = board.seed is not None
    return SokobanDraft(
        tuple("".join(line) for line in lines),
        "" if made else level.title,
        "" if made else level.author,
        "" if made else level.comment,
        numbers,
    )


def restored(kept: dict[str, Any]) -> SokobanDraft:
    """What `SokobanDraft.kept` gave; anything else is a ConfigError."""
    known(kept, _KEPT, "part of a kept drawing")
    missing = [name for name in _KEPT if name not in kept]
    if missing:
        raise ConfigError(f"a kept drawing lacks {', '.join(missing)}")
    rows = kept["rows"]
    if not (
        isinstance(rows, list)
        and SMALLEST_SIDE <= len(rows) <= LARGEST_SIDE
        and all(isinstance(row, str) and len(row) == len(rows[0]) and set(row) <= set(LETTERS) for row in rows)
        and SMALLEST_SIDE <= len(rows[0]) <= LARGEST_SIDE
    ):
        raise ConfigError(f"the rows of a kept drawing must be texts of one length made of {LETTERS!r}")
    for name in ("title", "author", "comment"):
        if not isinstance(kept[name], str):
            raise ConfigError(f"{name}={kept[name]!r:.60}: must be text")
    draft = SokobanDraft(tuple(rows), kept["title"], kept["author"], kept["comment"])
    if len(draft._where(PLAYER + PLAYER_HOME)) > 1 or len(draft._where(SECOND + SECOND_HOME)) > 1:
        raise ConfigError("a kept drawing has one player of each kind at most")
    return replace(draft, numbers=_numbers(kept["numbers"], draft))


def _numbers(given: Any, draft: SokobanDraft) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    if given is None:
        return None
    right = [list(range(1, number + 1)) for number in _counts(draft)]
    try:
        targets, boxes = (tuple(whole("a number", one, 1, 255) for one in part) for part in given)
    except (TypeError, ValueError):
        targets, boxes = (), ()
    if [sorted(targets), sorted(boxes)] != right:
        raise ConfigError(f"numbers={given!r:.60}: must be those of all targets and of all boxes, each from 1 on")
    return targets, boxes
