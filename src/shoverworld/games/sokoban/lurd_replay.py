"""Play LURD letters under the rules of the engine: check a solution, replay a solution, or play letter by letter."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoverworld.core.errors import LevelError
from shoverworld.core.jit import kernel

from . import rules as rulebook
from .config import SokobanRules
from .levels import Level
from .lurd import EXPECTED, LETTERS, STEPS, WORDS, expand_lurd, read_lurd
from .record import level_of, state_of
from .rules import DIRECTIONS
from .state import BOX, PLAYING, WALL

# Each letter stands for an action of the variant with four actions, in which a move pushes a box if possible.
_RULES = SokobanRules(moves="four", max_steps=2**31 - 1).numbers()
_ACTIONS = {letter: DIRECTIONS.index(word) for letter, word in WORDS.items()}


@kernel
def play_letters(state, rules, actions, pushes, strict):
    """Play actions in game 0 until one is illegal. Return the number of legal actions.

    If `strict` is true, action k must push a box if and only if pushes[k] is true. The game continues even after
    the level is solved.
    """
    game, planes = state.game[0], state.planes[0]
    for place in range(len(actions)):
        ahead = game.player + rulebook.ahead(actions[place], state.width)
        if not rulebook.is_valid(state, 0, rules, actions[place]):
            return place
        if strict and (planes[BOX, ahead] != 0) != pushes[place]:
            return place
        rulebook.step(state, 0, rules, actions[place])
        game.outcome = PLAYING
    return len(actions)


@kernel
def is_legal(state, rules, action):
    return rulebook.is_valid(state, 0, rules, action)


class LurdGame:
    """A one-player game on a level, played with LURD letters."""

    def __init__(self, level: Level):
        if len(level.players) != 1:
            raise LevelError.at("LURD solutions are for one player; this level has two", level.source, level.number)
        self.level = level
        self.state = state_of(level)
        self.letters: list[str] = []

    @property
    def player(self) -> tuple[int, int]:
        return divmod(int(self.state.game["player"][0]), self.state.width)

    @property
    def boxes(self) -> dict[tuple[int, int], int]:
        """The cells that contain boxes, each mapped to the number of its box, or to 1 if boxes have no numbers."""
        rows, cols = (table.tolist() for table in self._plane(BOX).nonzero())
        return {cell: int(self._plane(BOX)[cell]) for cell in zip(rows, cols, strict=True)}

    @property
    def moves(self) -> int:
        """The number of moves. Every letter counts as a move, even if it is a push."""
        return len(self.letters)

    @property
    def pushes(self) -> int:
        return int(self.state.game["pushes"][0])

    @property
    def lurd(self) -> str:
        return "".join(self.letters)

    @property
    def solved(self) -> bool:
        """Whether all boxes are on targets; with fixed targets, each box must be on its own target."""
        return bool(self.state.game["on_target"][0] == self.state.game["boxes"][0])

    def obstacle(self, letter: str) -> str:
        """Return a phrase that explains why the player cannot move in this direction, or "" if the move is legal.

        Ignore the letter's case.
        """
        action = _ACTIONS[letter.lower()]
        if is_legal(self.state, _RULES, action):
            return ""
        ahead, beyond = self._ahead(letter, 1), self._ahead(letter, 2)
        if self._plane(WALL)[ahead]:
            return "there is a wall"
        return f"the box is against {'a wall' if self._plane(WALL)[beyond] else 'another box'}"

    def pushing(self, letter: str) -> bool:
        """Return whether there is a box next to the player in this direction."""
        return bool(self._plane(BOX)[self._ahead(letter, 1)])

    def go(self, letter: str) -> str:
        """Walk or push in this direction. Return the letter in the correct case.

        Raise ValueError if the move is illegal.
        """
        if obstacle := self.obstacle(letter):
            raise ValueError(f"cannot go {WORDS[letter.lower()]}: {obstacle}")
        letter = letter.upper() if self.pushing(letter) else letter.lower()
        self.play(letter, strict=True)
        return letter

    def play(self, letters: str, strict: bool) -> int:
        """Play letters until one is illegal. Return the number of legal letters."""
        actions = np.array([_ACTIONS[letter] for letter in letters.lower()], np.int64)
        pushes = np.array([letter.isupper() for letter in letters], np.bool_)
        count = int(play_letters(self.state, _RULES, actions, pushes, strict))
        self.letters += letters[:count]
        return count

    def _plane(self, plane: int) -> Any:
        return self.state.rooms()[0, plane]

    def _ahead(self, letter: str, cells: int) -> tuple[int, int]:
        (row, col), (down, right) = self.player, STEPS[letter.lower()]
        return row + cells * down, col + cells * right

    def __str__(self) -> str:
        """Return the current board in XSB characters."""
        return str(level_of(self.state))


@dataclass(frozen=True)
class Checked:
    """The result of `check`. Moves (including pushes) are counted up to the first illegal letter, if any."""

    moves: int
    pushes: int
    solved: bool  # whether all letters were legal and all boxes ended up on targets
    error: str = ""  # "" if every letter was legal
    place: int | None = None  # position of the illegal letter, counting from 1


def check(level: Level, solution: str, strict: bool = True) -> Checked:
    """Play a solution on a level. A wrong solution does not raise an exception; the result describes the error.

    If `strict` is true, lower-case letters must be walks and upper-case letters must be pushes. Otherwise the case of
    the letters is ignored.
    """
    game = LurdGame(level)
    try:
        letters = expand_lurd(solution, level.source)
    except LevelError as reason:
        return Checked(0, 0, False, reason.what)
    known = next((place for place, letter in enumerate(letters) if letter not in LETTERS), len(letters))
    count = game.play(letters[:known], strict)
    if count == len(letters):
        return Checked(game.moves, game.pushes, game.solved)
    error = f"letter {count + 1} is {letters[count]!r}; {_error(game, letters[count])}"
    return Checked(game.moves, game.pushes, False, error, count + 1)


def _error(game: LurdGame, letter: str) -> str:
    """Return the error message for an illegal letter."""
    if letter not in LETTERS:
        return EXPECTED
    error = game.obstacle(letter)
    if not error:
        what, right = ("a box", letter.upper()) if game.pushing(letter) else ("no box", letter.lower())
        error = f"there is {what} to push, so the letter should be {right!r}"
    row, col = game.player
    return f"{WORDS[letter.lower()]} from row {row}, column {col}: {error}"


def replay(level: Level, solution: str) -> LurdGame:
    """Return the game after playing a solution. Raise LevelError if a letter is illegal."""
    checked = check(level, solution)
    if checked.error:
        raise LevelError.at(f"the solution: {checked.error}", level.source, level.number)
    game = LurdGame(level)
    game.play(read_lurd(solution), strict=True)
    return game
