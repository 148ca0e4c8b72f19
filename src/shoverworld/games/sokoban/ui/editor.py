"""Drafts of levels for the Sokoban level editor, and the problems that a draft can have."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoverworld.core.cells import place_name
from shoverworld.core.checks import whole, word
from shoverworld.core.drafts import MOST_NAMED, check_rows, check_saved, stuck_boxes
from shoverworld.core.errors import ConfigError, LevelError
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board, Brush, Cell, DraftProblem, Scene, Sprite, count

from .. import tiles
from ..boards import formats, rules_for
from ..config import LARGEST_SIDE, RULES, SMALLEST_SIDE, SokobanRules
from ..formats import levels_text
from ..levels import Level
from ..solver.tables import FAR, build_tables
from .drawing import still
from .scene_rows import figure_tile

# A cell is one XSB character; the second player is & on the floor and % on a target.
WALL, FLOOR, TARGET, BOX, HOME, PLAYER, PLAYER_HOME, SECOND, SECOND_HOME = "# .$*@+&%"
LETTERS = WALL + FLOOR + TARGET + BOX + HOME + PLAYER + PLAYER_HOME + SECOND + SECOND_HOME
ON_TARGET = {FLOOR: TARGET, BOX: HOME, PLAYER: PLAYER_HOME, SECOND: SECOND_HOME}
OFF_TARGET = {there: here for here, there in ON_TARGET.items()}
TARGETS = set(ON_TARGET.values())

# The first brush erases. The keys c f p q r t v are reserved for the editor itself.
brushes = (
    Brush("floor", ".", tiles.on_floor(0), "empty floor; erases what is there"),
    Brush("wall", "x", tiles.WALL, "nothing can move through it"),
    Brush("box", "b", tiles.on_floor(0, tiles.box(0)), "a box (works on a target too)"),
    Brush("target", "g", tiles.on_floor(0, tiles.target(0)), "where a box belongs (can be under a box or a player)"),
    Brush("box on target", "h", tiles.on_floor(0, tiles.box(0, 0)), "a box that is already on a target"),
    Brush("player", "a", tiles.PLAYER_TILE, "where the player starts"),
    Brush("second player", "s", tiles.SECOND_TILE, "where the second player starts (rules: two)"),
)
_BRUSH = {brush.name: brush for brush in brushes}
FIELDS = ("rows", "title", "author", "comment", "numbers")


@dataclass(frozen=True, eq=False)
class SokobanDraft:
    """A draft of a level: the characters of its rows, and its title, author and comment."""

    lines: tuple[str, ...]
    title: str = ""
    author: str = ""
    comment: str = ""
    # The numbers of the targets and of the boxes, in reading order.
    numbers: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @property
    def rows(self) -> int:
        return len(self.lines)

    @property
    def cols(self) -> int:
        return len(self.lines[0])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SokobanDraft) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    # --- Contents

    def _where(self, letters: str) -> list[Cell]:
        return [(r, c) for r, row in enumerate(self.lines) for c, letter in enumerate(row) if letter in letters]

    def players(self) -> list[Cell]:
        """Return the cells of the players on the board, starting with the first player."""
        return self._where(PLAYER + PLAYER_HOME) + self._where(SECOND + SECOND_HOME)

    def tables(self, fixed: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return tables of the walls, targets and boxes. If `fixed` is true, boxes and targets have numbers."""
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
        walls, targets, boxes = self.tables(_has_fixed_targets(preset))
        drawn = still(walls, targets, boxes, ())
        players = enumerate((self._where(PLAYER + PLAYER_HOME), self._where(SECOND + SECOND_HOME)))
        # A draft can have a second player without having a first player.
        actors = [(who, cell) for who, cells in players for cell in cells]
        if preset:
            sprites = [Sprite(figure_tile(who, targets[cell] != 0), cell, cell) for who, cell in actors]
            return drawn._replace(actors=tuple(sprites))
        sprites = [Sprite(figure_tile(who, False), cell, cell) for who, cell in actors]
        return Scene(_plain(drawn.tiles), tuple(sprites))

    # --- Changes

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
        if name in ("player", "second player"):  # a draft has at most one of each
            for r, c in self._where(PLAYER + PLAYER_HOME if name == "player" else SECOND + SECOND_HOME):
                lines[r][c] = TARGET if lines[r][c] in TARGETS else FLOOR
        lines[row][col] = new
        return self._with(["".join(line) for line in lines])

    def _with(self, lines: list[str]) -> "SokobanDraft":
        """Return the draft with different cells. The numbers are kept if the box and target counts are unchanged."""
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

    # --- Results

    def problems(self, preset: str) -> list[DraftProblem]:
        return faults(*self.tables(_has_fixed_targets(preset)), self.players(), parse_rules(preset, RULES))

    def board(self, preset: str, name: str) -> Board:
        level = self._level(preset, name)
        about = "\n".join(filter(None, [f"By {self.author}" if self.author else "", self.comment]))
        board = Board(name, preset, level, self.title or name, about)
        rules_for(board, preset)
        return board

    def text(self, format: str, preset: str) -> str:
        format = word("format", format, [name for name, _ in formats])
        level = self._level(preset, self.title or "the draft")
        if format == "XSB":
            return levels_text([level])
        if level.fixed or len(level.players) > 1 or level.rules:
            raise ConfigError("the Boxoban format supports neither numbers, nor a second player, nor rules; use XSB")
        return "\n".join(["; 0", *level.lines()]) + "\n"

    def _level(self, preset: str, name: str) -> Level:
        for problem in self.problems(preset):
            if problem.serious:
                raise LevelError.at(problem.text, name)
        walls, targets, boxes = self.tables(_has_fixed_targets(preset))
        players = tuple(self.players())
        level = Level(walls, targets, boxes, players, self.title, self.author, self.comment, source=name)
        return level if preset == level.usual_rules else replace(level, rules=preset)

    def to_json(self) -> dict[str, Any]:
        return {
            "rows": list(self.lines),
            "title": self.title,
            "author": self.author,
            "comment": self.comment,
            "numbers": [list(part) for part in self.numbers] if self.numbers else None,
        }


def _has_fixed_targets(preset: str) -> bool:
    return parse_rules(preset, RULES).fixed_targets


def _plain(drawn: np.ndarray) -> np.ndarray:
    """Return the tiles as the brushes show them: without shadows, and with identical walls."""
    shade = (drawn - tiles.FLOOR) % tiles.SHADES
    return np.where(drawn < tiles.FLOOR, tiles.WALL, drawn - shade).astype(np.int16)


def _counts(draft: SokobanDraft) -> tuple[int, int]:
    return len(draft._where("".join(TARGETS))), len(draft._where(BOX + HOME))


def blank(preset: str) -> SokobanDraft:
    """Return an empty room of the default size, surrounded by walls, with as many players as the preset requires."""
    rules = parse_rules(preset, RULES)
    rows, cols = rules.dim_room
    lines = [WALL * cols, *([WALL + FLOOR * (cols - 2) + WALL] * (rows - 2)), WALL * cols]
    draft = SokobanDraft(tuple(lines)).painted((rows // 2, cols // 2), "player")
    return draft.painted((rows // 2, cols // 2 - 1), "second player") if rules.players == 2 else draft


def draft_of(board: Board) -> SokobanDraft:
    """Return a draft of a board. The draft of a random room has no title, author or comment."""
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


def restore(saved: dict[str, Any]) -> SokobanDraft:
    """Return the draft that `SokobanDraft.to_json` saved. Raise ConfigError if `saved` is invalid."""
    check_saved(saved, FIELDS, ("title", "author", "comment"))
    check_rows(rows := saved["rows"], LETTERS, SMALLEST_SIDE, LARGEST_SIDE)
    draft = SokobanDraft(tuple(rows), saved["title"], saved["author"], saved["comment"])
    if len(draft._where(PLAYER + PLAYER_HOME)) > 1 or len(draft._where(SECOND + SECOND_HOME)) > 1:
        raise ConfigError("a saved draft can have at most one first player and one second player")
    return replace(draft, numbers=_numbers(saved["numbers"], draft))


def _numbers(given: Any, draft: SokobanDraft) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    if given is None:
        return None
    right = [list(range(1, number + 1)) for number in _counts(draft)]
    try:
        targets, boxes = (tuple(whole("a number", one, 1, 255) for one in part) for part in given)
    except (TypeError, ValueError):
        targets, boxes = (), ()
    if [sorted(targets), sorted(boxes)] != right:
        raise ConfigError(
            f"numbers={given!r:.60}: must be the target numbers 1 to {len(right[0])} "
            f"and the box numbers 1 to {len(right[1])}, each once"
        )
    return targets, boxes


# --- Problems


def faults(
    walls: np.ndarray, targets: np.ndarray, boxes: np.ndarray, players: list[Cell], rules: SokobanRules
) -> list[DraftProblem]:
    found = _missing(targets, boxes, players, rules)
    if found:
        return found
    try:
        level = Level(walls, targets, boxes, tuple(players), source="the draft")
    except LevelError as error:
        return [DraftProblem(error.what, error.cell)]
    if np.array_equal(boxes, targets) or not ((boxes != 0) & (targets != boxes)).any():
        return [DraftProblem("every box is already on its target, so the first step wins the game", serious=False)]
    return _lost(level, rules) + _behind_walls(level)


def _missing(targets: np.ndarray, boxes: np.ndarray, players: list[Cell], rules: SokobanRules) -> list[DraftProblem]:
    """Return the problems with the counts of players, boxes and targets.

    The other checks run only if this function finds no problems.
    """
    found = []
    if not players:
        found.append(DraftProblem("there is no player: paint one"))
    elif len(players) < rules.players:
        found.append(DraftProblem("the 'two' rules require two players: paint the second player"))
    elif len(players) > rules.players:
        found.append(DraftProblem("there are two players: remove one, or choose the 'two' rules", players[-1]))
    number, goals = int(np.count_nonzero(boxes)), int(np.count_nonzero(targets))
    if not number and not goals:
        found.append(DraftProblem("paint a box and a target"))
    elif number != goals:
        missing = f"{count(abs(number - goals), 'target' if number > goals else 'box')} missing"
        found.append(DraftProblem(f"found {count(number, 'box')} and {count(goals, 'target')}: {missing}"))
    return found


def _lost(level: Level, rules: SokobanRules) -> list[DraftProblem]:
    """Return the problems with boxes that cannot be pushed to a target even when alone on the board."""
    if rules.pull:
        return []
    tables = build_tables(level.walls, level.targets)
    table = tables.distance.reshape(level.rows + 2, level.cols + 2, -1)[1:-1, 1:-1]
    stuck = []
    for row, col in np.argwhere(level.boxes != 0).tolist():
        numbers = table[row, col]
        nearest = numbers[int(level.boxes[row, col]) - 1] if level.fixed else numbers.min()
        if nearest >= FAR:
            stuck.append((row, col))
    target = "its target" if level.fixed else "a target"
    return stuck_boxes(stuck, lambda cell: f"the box at {place_name(cell)} cannot be pushed to {target}")


def _behind_walls(level: Level) -> list[DraftProblem]:
    """Return the problems with boxes that no player can ever reach."""
    width = level.cols
    todo = [row * width + col for row, col in level.players]
    seen = set(todo)
    walls = level.walls.reshape(-1)
    for cell in todo:
        for there in (cell - width, cell + width, cell - 1, cell + 1):
            if not walls[there] and there not in seen:
                seen.add(there)
                todo.append(there)
    away = [
        (row, col)
        for row, col in np.argwhere((level.boxes != 0) & (level.boxes != level.targets)).tolist()
        if row * width + col not in seen
    ]
    return [
        DraftProblem(f"the player cannot reach the box at {place_name(cell)}", cell, False)
        for cell in away[:MOST_NAMED]
    ]
