"""Solutions as letters: l u r d walk left, up, right, down; L U R D push a box that way.

    #######
    #@ $ .#    rRR: a step to the box, then two pushes
    #######

A solution may be written in runs (`4r2(uL)`). `check` plays one against a level and says what came of it. This is the
plain game, for one player, in plain Python: the engine has its own rules, and the tests compare the two.
"""

import re
from dataclasses import dataclass

from shoverworld.core.errors import LevelError

from .levels import Level
from .rle import RLEError, expand, shorten

LETTERS = "udlrUDLR"
STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
LONGEST = 1_000_000
_WORDS = {"u": "up", "d": "down", "l": "left", "r": "right"}
_EXPECTED = "expected one of l u r d L U R D"
_SPACE = re.compile(r"\s+")
_STRANGE = re.compile(f"[^{LETTERS}]")


def read_lurd(text: str, source: str = "solution") -> str:
    """The letters of a solution, without white space and runs."""
    letters = _written_out(text, source)
    if strange := _STRANGE.search(letters):
        raise LevelError.at(f"letter {strange.start() + 1} is {strange[0]!r}; {_EXPECTED}", source)
    return letters


def _written_out(text: str, source: str) -> str:
    try:
        return expand(_SPACE.sub("", text), LONGEST)
    except RLEError as reason:
        raise LevelError.at(f"broken runs: {reason}", source) from None


def write_lurd(letters: str, rle: bool = False) -> str:
    """A solution as text, in runs if wanted; `read_lurd` gives the same letters back."""
    letters = read_lurd(letters)
    return shorten(letters) if rle else letters


class Game:
    """A game of plain Sokoban on a level: what is where now, and the letters played so far."""

    def __init__(self, level: Level):
        if len(level.players) != 1:
            raise LevelError.at(
                "solutions in letters are for one player; this level has two", level.source, level.number
            )
        self.level = level
        self.player = level.players[0]
        self.boxes = {(r, c): int(level.boxes[r, c]) for r, c in zip(*map(_ints, level.boxes.nonzero()), strict=True)}
        self.letters: list[str] = []
        self.pushes = 0
        self._walls: list[list[bool]] = level.walls.tolist()
        self._targets: list[list[int]] = level.targets.tolist()

    @property
    def moves(self) -> int:
        """Every letter is a move, a push too."""
        return len(self.letters)

    @property
    def lurd(self) -> str:
        return "".join(self.letters)

    @property
    def solved(self) -> bool:
        """All boxes on targets; with fixed targets, each on its own."""
        return all(self._targets[row][col] == box for (row, col), box in self.boxes.items())

    def hindrance(self, letter: str) -> str:
        """Why the player cannot go that way; "" when it can. Large or small letters make no difference here."""
        row, col = self.player
        down, right = STEPS[letter.lower()]
        ahead, beyond = (row + down, col + right), (row + 2 * down, col + 2 * right)
        if self._walls[ahead[0]][ahead[1]]:
            return "there is a wall"
        if ahead in self.boxes:
            if self._walls[beyond[0]][beyond[1]]:
                return "the box is against a wall"
            if beyond in self.boxes:
                return "the box is against another box"
        return ""

    def pushing(self, letter: str) -> bool:
        """Whether a box is that way."""
        down, right = STEPS[letter.lower()]
        return (self.player[0] + down, self.player[1] + right) in self.boxes

    def go(self, letter: str) -> str:
        """Walk or push that way. Returns the letter as it should be written; ValueError when it cannot be done."""
        if hindrance := self.hindrance(letter):
            raise ValueError(f"cannot go {_WORDS[letter.lower()]}: {hindrance}")
        row, col = self.player
        down, right = STEPS[letter.lower()]
        ahead, beyond = (row + down, col + right), (row + 2 * down, col + 2 * right)
        box = self.boxes.pop(ahead, None)
        letter = letter.lower() if box is None else letter.upper()
        if box is not None:
            self.boxes[beyond] = box
            self.pushes += 1
        self.player = ahead
        self.letters.append(letter)
        return letter

    def __str__(self) -> str:
        """The board as it stands, in XSB characters."""
        rows = [[" " if not wall else "#" for wall in row] for row in self._walls]
        for r, row in enumerate(self._targets):
            for c, target in enumerate(row):
                if target:
                    rows[r][c] = "."
        for r, c in self.boxes:
            rows[r][c] = "*" if self._targets[r][c] else "$"
        r, c = self.player
        rows[r][c] = "+" if self._targets[r][c] else "@"
        return "\n".join("".join(row) for row in rows)


def _ints(values) -> list[int]:
    return values.tolist()


@dataclass(frozen=True)
class Checked:
    """What came of a solution: the moves (pushes are moves too) up to the end, or to the first illegal letter."""

    moves: int
    pushes: int
    solved: bool  # all letters were legal, and all boxes are on targets at the end
    error: str = ""  # "" when every letter was legal
    place: int | None = None  # the illegal letter, from 1


def check(level: Level, solution: str, strict: bool = True) -> Checked:
    """Play a solution against a level. It never raises for a wrong solution: the result says what is wrong with it.

    `strict`: a small letter must walk and a large one push. Without it only the directions count.
    """
    game = Game(level)
    try:
        letters = _written_out(solution, level.source)
    except LevelError as reason:
        return Checked(0, 0, False, reason.what)
    for place, letter in enumerate(letters, 1):
        if wrong := _wrong(game, letter, strict):
            return Checked(game.moves, game.pushes, False, f"letter {place} is {letter!r}; {wrong}", place)
        game.go(letter)
    return Checked(game.moves, game.pushes, game.solved)


def _wrong(game: Game, letter: str, strict: bool) -> str:
    """What is wrong with this letter now; "" when nothing is."""
    if letter not in LETTERS:
        return _EXPECTED
    wrong = game.hindrance(letter)
    if not wrong and strict and letter.isupper() and not game.pushing(letter):
        wrong = f"there is no box to push, so it should be {letter.lower()!r}"
    if not wrong and strict and letter.islower() and game.pushing(letter):
        wrong = f"there is a box to push, so it should be {letter.upper()!r}"
    row, col = game.player
    return wrong and f"{_WORDS[letter.lower()]} from row {row}, column {col} {wrong}"


def replay(level: Level, solution: str) -> Game:
    """The game after a solution was played; LevelError when it has an illegal letter."""
    checked = check(level, solution)
    if checked.error:
        raise LevelError.at(f"the solution: {checked.error}", level.source, level.number)
    game = Game(level)
    for letter in read_lurd(solution):
        game.go(letter)
    return game
