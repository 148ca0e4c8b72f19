"""A level: the initial positions of walls, targets, boxes and players, validated on construction.

    #######     # wall    $ box    * box on a target
    #.@ $ #     . target  @ player + player on a target
    #######

The cells outside the room are filled with walls, so that nothing can ever leave the board:

      ####          ######
    ###  #          ###  #
    #@ $.#   ->     #@ $.#
    ######          ######
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.errors import ConfigError, LevelError
from shoverworld.core.notebook import LARGEST_CELL, Pictured
from shoverworld.core.rules_text import rules_text

from . import problems as say
from .config import FIXED, PUSH_ONLY, RULES, TWO
from .problems import PROBLEMS

SMALLEST_SIDE, LARGEST_SIDE = 3, 64
MOST_NUMBERED = 255  # box numbers are bytes
WALL, FLOOR, TARGET, BOX, BOX_ON_TARGET, PLAYER, PLAYER_ON_TARGET = "#", " ", ".", "$", "*", "@", "+"


class SoundBoard(NamedTuple):
    """The arrays and players of a valid level, in the form that `Level` stores. bulk.py creates these boards."""

    walls: np.ndarray
    targets: np.ndarray
    boxes: np.ndarray
    players: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Level(Pictured):
    """One puzzle. Two levels are equal if their boards are equal; titles, authors and comments do not matter.

    With fixed targets, each of the n boxes has a number from 1 to n in `boxes`, and its target has the same number in
    `targets`.
    Otherwise both arrays contain only 0 and 1.
    """

    _sized_by = "walls"
    walls: np.ndarray  # bool (rows, cols), read-only
    targets: np.ndarray  # uint8 (rows, cols)
    boxes: np.ndarray  # uint8 (rows, cols)
    players: tuple[tuple[int, int], ...]  # one or two (row, col) pairs
    title: str = ""
    author: str = ""
    comment: str = ""
    number: int | None = None  # the number of the level in its file, counting from 1
    source: str = "level"  # the file that the level was read from
    solution: str = ""  # in LURD letters, as given in the file; see lurd.py
    rules: str | None = None  # the rules that the level was made for, if any, such as "pull, max_steps=100"

    def __post_init__(self):
        walls = self._table("walls", self.walls) != 0
        targets, boxes = self._table("targets", self.targets), self._table("boxes", self.boxes)
        if not walls.shape == targets.shape == boxes.shape:
            raise self._error(f"walls {walls.shape}, targets {targets.shape} and boxes {boxes.shape} differ in shape")
        if not all(SMALLEST_SIDE <= side <= LARGEST_SIDE for side in walls.shape):
            raise self._error(PROBLEMS.sentence(say.SIZE, *walls.shape, SMALLEST_SIDE, LARGEST_SIDE))
        players = self._check_players(walls, boxes)
        for name, things in (("box", boxes), ("target", targets)):
            if (things.astype(bool) & walls).any():
                raise self._error(f"a {name} is in a wall", _first((things != 0) & walls))
        self._check_numbers(targets, boxes)
        walls = walls | self._outside(walls, targets, boxes, players)
        for name, table in (("walls", walls), ("targets", targets), ("boxes", boxes)):
            table.setflags(write=False)
            object.__setattr__(self, name, table)
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "title", _one_line(self.title))
        object.__setattr__(self, "author", _one_line(self.author))
        object.__setattr__(self, "comment", _lines(self.comment))
        if self.rules is not None:
            try:
                object.__setattr__(self, "rules", rules_text(self.rules, RULES, self.usual_rules))
            except ConfigError as reason:
                raise self._error(str(reason)) from None

    # --- Validation

    def _error(self, what: str, cell: tuple[int, int] | None = None) -> LevelError:
        if cell is not None:
            what += PROBLEMS.sentence(say.IN_CELL, *cell)
        return LevelError.at(what, self.source, self.number, cell=cell)

    def _table(self, name: str, given) -> np.ndarray:
        """Return a copy of an array as uint8."""
        try:
            table = np.asarray(given)
            if table.ndim != 2 or table.dtype.kind not in "biu":
                raise TypeError(f"not {table.ndim}-D {table.dtype}")
        except (ValueError, TypeError) as reason:
            raise self._error(f"{name} must be a 2-D array of integers ({reason})") from None
        if table.size and not (table.min() >= 0 and table.max() <= MOST_NUMBERED):
            raise self._error(f"{name} contains values outside the range 0 to {MOST_NUMBERED}")
        return table.astype(np.uint8)

    def _check_players(self, walls: np.ndarray, boxes: np.ndarray) -> tuple[tuple[int, int], ...]:
        try:
            players = tuple((index(row), index(col)) for row, col in self.players)
        except (TypeError, ValueError):
            raise self._error(f"players={self.players!r}: must be one or two (row, col) pairs") from None
        if not players:
            raise self._error(PROBLEMS.sentence(say.NO_PLAYER))
        if len(players) > 2:
            raise self._error(PROBLEMS.sentence(say.MANY_PLAYERS, len(players)), players[2])
        if len(players) == 2 and players[0] == players[1]:
            raise self._error("both players are in the same cell", players[0])
        rows, cols = walls.shape
        for row, col in players:
            if not (0 <= row < rows and 0 <= col < cols):
                raise self._error(f"the player at ({row}, {col}) is outside the {rows} x {cols} board")
            if walls[row, col] or boxes[row, col]:
                raise self._error(
                    f"the player is in {'a wall' if walls[row, col] else 'the same cell as a box'}", (row, col)
                )
        return players

    def _check_numbers(self, targets: np.ndarray, boxes: np.ndarray) -> None:
        count, places = int(np.count_nonzero(boxes)), int(np.count_nonzero(targets))
        if not count:
            raise self._error(PROBLEMS.sentence(say.NO_BOX))
        if count != places:
            raise self._error(PROBLEMS.sentence(say.UNEQUAL, count, places))
        if boxes.max() > 1 or targets.max() > 1:  # fixed targets
            wanted = list(range(1, count + 1))
            for name, table in (("boxes", boxes), ("targets", targets)):
                if sorted(table[table != 0].tolist()) != wanted:
                    raise self._error(PROBLEMS.sentence(say.WRONG_NUMBERS[name], count))

    def _outside(self, walls: np.ndarray, targets: np.ndarray, boxes: np.ndarray, players) -> np.ndarray:
        """Return the cells open to the outside. Raise LevelError if one of them contains a player, box or target."""
        rows, cols = walls.shape
        # With a frame of open cells around the board, one flood fill from a corner finds all cells open to the outside.
        width = cols + 2
        framed = np.zeros((rows + 2, width), np.uint8)
        framed[1:-1, 1:-1] = walls
        ground = bytearray(framed.tobytes())  # 0 open, 1 wall, 2 reached
        ground[0] = 2
        todo = [0]
        while todo:
            cell = todo.pop()
            for beside in (cell - width, cell - 1, cell + 1, cell + width):
                if 0 <= beside < len(ground) and not ground[beside]:
                    ground[beside] = 2
                    todo.append(beside)
        outside = (np.frombuffer(ground, np.uint8).reshape(rows + 2, width) == 2)[1:-1, 1:-1]
        for row, col in players:
            if outside[row, col]:
                raise self._error(PROBLEMS.sentence(say.OPEN_PLAYER), (row, col))
        for message, things in ((say.OPEN_BOX, boxes), (say.OPEN_TARGET, targets)):
            if (lost := (things != 0) & outside).any():
                raise self._error(PROBLEMS.sentence(message), _first(lost))
        return outside

    # --- Properties

    @property
    def usual_rules(self) -> str:
        """The preset that applies if the level does not specify its rules."""
        return TWO if len(self.players) > 1 else FIXED if self.fixed else PUSH_ONLY

    @property
    def box_count(self) -> int:
        return int(np.count_nonzero(self.boxes))

    @property
    def fixed(self) -> bool:
        """Whether every box has its own target."""
        return bool(self.boxes.max() > 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Level) and self._contents() == other._contents()

    def __hash__(self) -> int:
        return hash(self._contents())

    def _contents(self) -> tuple:
        return self.walls.shape, self.walls.tobytes(), self.targets.tobytes(), self.boxes.tobytes(), self.players

    def __repr__(self) -> str:
        name = self.source + (f", level {self.number}" if self.number is not None else "")
        return f"<Level {name}: {self.rows} x {self.cols}, boxes: {self.box_count}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Return the rows of the board in XSB characters."""
        codes = 4 * (self.boxes != 0).astype(np.uint8) + 2 * (self.targets != 0) + self.walls
        for row, col in self.players:
            codes[row, col] += 8
        # The codes are sums of 1 (wall), 2 (target), 4 (box) and 8 (player). "?" marks impossible combinations.
        letters = " #.?$?*?@?+?????"
        return ["".join(letters[code] for code in row) for row in codes.tolist()]

    # --- Construction

    @classmethod
    def from_rows(cls, rows: Sequence[str], **names: Any) -> "Level":
        """Build a level from rows of XSB characters (`# .$*@+`). Short rows are padded with floor."""
        source, number = names.get("source", "level"), names.get("number")
        if isinstance(rows, str) or not isinstance(rows, Sequence) or not all(isinstance(row, str) for row in rows):
            raise LevelError.at(f"expected a list of strings, not {rows!r:.60}", source, number)
        width = max(map(len, rows), default=0)
        # Reject a board that is too large before allocating it.
        if len(rows) > LARGEST_SIDE or width > LARGEST_SIDE:
            what = PROBLEMS.sentence(say.SIZE, len(rows), width, SMALLEST_SIDE, LARGEST_SIDE)
            raise LevelError.at(what, source, number)
        text = "".join(row.ljust(width) for row in rows)
        if invalid := set(text) - set("# .$*@+"):
            place = min(map(text.index, invalid))
            cell = divmod(place, width)
            raise LevelError.at(
                f"{text[place]!r} in column {cell[1] + 1}; expected one of # $ * . + @ or a space",
                source,
                number,
                cell=cell,
            )
        codes = np.frombuffer(text.encode("ascii"), np.uint8).reshape(len(rows), width)
        return cls(
            walls=codes == ord(WALL),
            targets=(codes == ord(TARGET)) | (codes == ord(BOX_ON_TARGET)) | (codes == ord(PLAYER_ON_TARGET)),
            boxes=(codes == ord(BOX)) | (codes == ord(BOX_ON_TARGET)),
            players=tuple(
                (row, col)
                for row, col in np.argwhere((codes == ord(PLAYER)) | (codes == ord(PLAYER_ON_TARGET))).tolist()
            ),
            **names,
        )

    @classmethod
    def of_sound_board(cls, board: SoundBoard, title: str, author: str, comment: str, **names: Any) -> "Level":
        """Build a level from a board that bulk.py has checked, without checking it again."""
        level = object.__new__(cls)
        for table in board[:3]:
            table.setflags(write=False)
        texts = {"title": _one_line(title), "author": _one_line(author), "comment": _lines(comment)}
        level.__dict__.update(board._asdict(), **texts, **names)
        return level

    def renumbered(self, **changes: Any) -> "Level":
        """Return a copy in which `boxes`, `targets` or `players` are numbered or ordered differently."""
        for table in changes.values():
            if isinstance(table, np.ndarray):
                table.setflags(write=False)
        level = object.__new__(Level)
        level.__dict__.update(self.__dict__, **changes)
        return level

    @classmethod
    def parse(cls, text: str, source: str = "level") -> "Level":
        """Parse one level, with one or two players, in any format that formats.py can read."""
        from .formats import parse_levels  # imported lazily, because `formats` imports this module

        levels = parse_levels(text, source, players=None)
        if len(levels) > 1:
            raise LevelError.at(f"there are {len(levels)} levels; expected one", source)
        return levels[0]

    def picture(self, cell_size: int = LARGEST_CELL) -> np.ndarray:
        """Return a picture of the level as a uint8 array of shape (rows * cell_size, cols * cell_size, 3)."""
        from .draw import board_picture, checked_cell_size  # lazy, so that reading levels does not load the tiles

        return board_picture(self.walls, self.targets, self.boxes, self.players, checked_cell_size(cell_size))


def _first(cells: np.ndarray) -> tuple[int, int]:
    row, col = np.argwhere(cells)[0].tolist()
    return row, col


def _one_line(text: str) -> str:
    return " ".join(_printable(" ".join(text.split())).split())


def _lines(text: str) -> str:
    return "\n".join(_printable(line.expandtabs()).rstrip() for line in text.splitlines()).strip("\n")


def _printable(text: str) -> str:
    """Remove characters that cannot be printed or encoded as UTF-8."""
    return text if text.isprintable() else "".join(filter(str.isprintable, text))
