# pyright: basic
# Numba infers the types of the functions that are compiled.
"""What a game contributes to its WebAssembly module: `games/NAME/web.py` contains one `WebModule`.

A function of a module takes the address of a block (blocks.py) and 32-bit integers, and returns a 32-bit integer. All
modules have these functions, besides those that a game adds:

    layout(block)                   complete the header, which already contains the dimensions; return the size of
                                    the block in bytes
    copy(block, other)              copy the game in `block` (its first `kept` bytes) to another block
    seed(block, words)              seed the random numbers with the first `words` words of the array `seed`
    step(block, action...)          play an action; return the outcome, 0 while the game is in progress
    mask(block)                     write the valid actions to the array `mask`; return the number of actions
    is_valid(block, action...)      return whether an action is valid, without changing the game
    state_hash(block)               write the state hash to the array `hash`: 8 bytes
    result(block)                   write the reward for the last step and the figures in the last line of a replay to
                                    the array `result`; return the number of figures
    play_many(block, actions, count, hashes)
                                    play `count` actions, or fewer if the game ends; return how many were played.
                                    `actions` is the address of an int32 array with the numbers of the actions.
                                    After each step, a hash of the arrays of the state is written to `hashes`,
                                    the address of a uint64 array, or to nowhere if `hashes` is 0.

A module also contains the user interface of its game. These functions write to the sheet of the block (sheet.py) and
return the number of rows unless the list says otherwise. `before` is the address of a block with the same dimensions
that contains the state before the last step.

    scene(block)                    write the tiles to the array `tiles` and the sprites to the sheet; return the tile
                                    of the rim, or NO_RIM
    motion(block, before)           the motion from one state to the next
    figures(block)                  the lines of the panel
    ending(block)                   the lines of the end screen
    move(block, before)             what the last step did
    describe(block, action...)      an action as an instruction
    press(block, key)               what a key does: the index of a key in `press_keys`
    click(block, row, col)          what a click on a cell does
    drag(block, row, col, direction)
    hover(block, row, col, toward)  the marks and the text of a preview; `toward` is a direction or -1
    selection(block)                the marks that show what is selected
    played(block)                   update the selection after a step, an undo or an agent's action; returns 0
    specials(block)                 the special moves that are possible now
    overlay(block, number)          the marks of an overlay, except those that show a plan
    hint(block, action...)          the marks that point out an action
    score(block)                    the score of a game that was won
    symbol(block, action...)        an action in the game's notation

What is selected is in the record `input` of the block, which is part of the game: undo restores it too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np

from .blake2 import DIGEST, WORKSPACE, write_digest
from .blocks import KEPT, Block, BlockArray, array_at, bytes_of, pointer_to, shaped
from .jit import inner
from .phrases import PhraseTable
from .rule_reader import RuleReader
from .seeding import POOL, seed_from_words
from .sheet import COLUMNS, Sheet, clear, sheet_rows
from .sheet import NO_RIM as NO_RIM
from .sprites import SpriteTiles

Function = Callable[..., int]  # (block, *integers) -> integer
SEED_WORDS = 8  # maximum number of 32-bit words in a seed
MOST_FIGURES = 7  # maximum number of figures in the last line of a replay

# The arrays that the functions of this module use. Every block needs them.
COMMON = (
    BlockArray("seed", np.uint32, SEED_WORDS),
    BlockArray("hash", np.uint8, DIGEST),
    BlockArray("hash_workspace", np.uint64, WORKSPACE),
    BlockArray("seed_workspace", np.int64, POOL),
    BlockArray("result", np.float64, 1 + MOST_FIGURES),
)


def _sheet_numbers(*dimensions):
    return COLUMNS * sheet_rows(dimensions[0], dimensions[1])


def _cells(*dimensions):
    return dimensions[0] * dimensions[1]


# The arrays that the functions of a user interface write. The first two dimensions of a block are its rows and columns.
SHEET = (
    BlockArray("sheet", np.float64, _sheet_numbers),
    BlockArray("sheet_used", np.int64, 1),
    BlockArray("tiles", np.int16, _cells),
)


def sheet_view(block: Block) -> Any:
    """Return a compiled function that empties the sheet of a block and returns it."""
    numbers, used = block["sheet"], block["sheet_used"]

    @inner
    def empty_sheet(block):
        rows = numbers(block)
        sheet = Sheet(shaped(rows, (len(rows) // COLUMNS, COLUMNS)), used(block))
        clear(sheet)
        return sheet

    return empty_sheet


@dataclass(frozen=True)
class WebPreset:
    """A preset as numbers, to be copied to the arrays of a block."""

    arrays: Mapping[str, Any]  # for each array that the preset fills, an array, or the fields of its only record
    dimensions: Mapping[str, int]  # the usual dimensions of a block
    actions: tuple[int, ...]  # the number of values of each number in an action
    first_action: tuple[int, ...]  # the lowest value of each number in an action


@dataclass(frozen=True)
class WebLevel:
    """A level as numbers: those dimensions of a block that the level determines, and the arrays that it fills."""

    dimensions: Mapping[str, int]
    arrays: Mapping[str, Any]  # an array, or a dict with some fields of an array's only record
    run: Sequence[int] = ()  # the best known run, as numbers for the beginning of the array `run`


@dataclass(frozen=True)
class WebModule:
    """The part of a game that runs in a browser."""

    block: Block
    sprites: SpriteTiles
    state: tuple[str, ...]  # the arrays that steps change; a copy of them is enough for undo
    step: Function
    mask: Function
    is_valid: Function
    result: Function  # writes the reward and the figures to the array `result`; returns the number of figures
    figure_names: tuple[str, ...]  # the names of these figures, as `env.figures()` returns them
    canonical: Function  # writes the bytes that are hashed to the array `canonical`; returns their number
    functions: tuple[Function, ...]  # the other functions
    preset: Callable[[str], WebPreset]  # the preset with this name, or rules as a string (core/rules_text.py)
    level: Callable[[Any, str], WebLevel]  # the numbers of a board (core/ui.py) under these rules
    outcomes: tuple[str | None, ...]
    reasons: tuple[tuple[str, str], ...]  # the code and the sentence of each reason for an invalid action
    reason_field: str  # the field of the record `game` with the index into `reasons`
    tiles: Mapping[str, int]
    bindings: Mapping[str, tuple[str, int]]  # what a key means: a word and a number
    constants: Mapping[str, Any] = field(default_factory=dict)  # numbers that a page needs, by name
    problems: PhraseTable = field(default_factory=PhraseTable)  # the messages about levels and rules
    rules: RuleReader | None = None  # the rules that a page can set
    level_start: tuple[str, ...] = ()  # the fields of the record `start` that a level determines
    phrases: PhraseTable = field(default_factory=PhraseTable)  # the sentences on the sheets
    press_keys: tuple[str, ...] = ()  # the keys that `press` understands
    score_numbers: int = 1  # how many numbers a score has
    players: str = ""  # in a multiplayer game, the dimension that is the number of players
    turn: str = ""  # in a multiplayer game, the field of the record `game` with the player to move
    random: str = ""  # the function that starts a game on a random level, or "" if there is none

    def all_functions(self) -> dict[str, Function]:
        """Return the functions of the module by name."""
        common = (
            self._layout(),
            self._copy(),
            self._seed(),
            self.step,
            self.mask,
            self.is_valid,
            self._state_hash(),
            self.result,
        )
        functions = (*common, self._play_many(), *self.functions)
        return {function.__name__: function for function in functions}

    def _layout(self) -> Function:
        write_header = self.block.header_writer()

        def layout(block):
            return write_header(block)

        return layout

    def _copy(self) -> Function:
        def copy(block, other):
            kept = array_at(block, _WORD, KEPT + 1)[KEPT]
            source, target = array_at(block, _BYTE, kept), array_at(pointer_to(other), _BYTE, kept)
            for k in range(kept):
                target[k] = source[k]
            return kept

        return copy

    def _seed(self) -> Function:
        game, seed_words, workspace = (self.block[name] for name in ("game", "seed", "seed_workspace"))

        def seed(block, words):
            for k in range(words, SEED_WORDS):  # what is left of a longer seed
                seed_words(block)[k] = 0
            seed_from_words(game(block)[0], seed_words(block), words, workspace(block))
            return 0

        return seed

    def _state_hash(self) -> Function:
        canonical = inner(self.canonical)
        data, workspace, result = (self.block[name] for name in ("canonical", "hash_workspace", "hash"))

        def state_hash(block):
            write_digest(data(block), canonical(block), workspace(block), result(block))
            return 0

        return state_hash

    def _play_many(self) -> Function:
        numbers, game, state_key = len(self.action_names), self.block["game"], self.state_key()
        act = _action_player(inner(self.step), numbers)

        def play_many(block, actions, count, hashes):
            played = array_at(pointer_to(actions), _WORD, count * numbers)
            keys = array_at(pointer_to(hashes), _KEY, count)
            for k in range(count):
                if game(block)[0].outcome != 0:
                    return k
                act(block, played, k)
                if hashes != 0:
                    keys[k] = state_key(block)
            return count

        return play_many

    @property
    def action_names(self) -> tuple[str, ...]:
        """The names of the numbers in an action."""
        return argument_names(self.step)

    def state_key(self) -> Any:
        """Return a compiled function that returns a 64-bit hash of all bytes of a block's state."""
        key: Any = inner(_first_key)
        for name in self.state:
            key = _joined_key(key, self.block[name])
        return key


def argument_names(function: Function) -> tuple[str, ...]:
    """Return the names of the integers that a function of a module takes after the block."""
    return tuple(signature(function).parameters)[1:]


def _action_player(step: Any, numbers: int) -> Any:
    """Return a compiled function that plays action k of an array of actions with this many numbers each."""
    if numbers == 1:

        @inner
        def play_one(block, actions, k):
            step(block, actions[k])

        return play_one

    @inner
    def play_three(block, actions, k):
        step(block, actions[3 * k], actions[3 * k + 1], actions[3 * k + 2])

    return play_three


# --- FNV-1a


@inner
def joined_key(key, content):
    """Extend a hash: return the hash of all bytes that `key` covers, followed by these bytes."""
    for k in range(len(content)):
        key = (key ^ np.uint64(content[k])) * np.uint64(0x100000001B3)
    return key


FIRST_KEY = np.uint64(0xCBF29CE484222325)


def _first_key(block):
    return FIRST_KEY


def _joined_key(key: Any, view: Any) -> Any:
    @inner
    def joined(block):
        return joined_key(key(block), bytes_of(view(block)))

    return joined


# --- Bytes for the state hash


@inner
def write_bytes(target, place, text):
    """Write bytes after the first `place` bytes of `target`. Return the new number of bytes."""
    for k in range(len(text)):
        target[place + k] = text[k]
    return place + len(text)


@inner
def write_number(target, place, number):
    """Write an integer as `packed` in hashing.py does: 8 bytes, lowest first. Return the new number of bytes."""
    value = np.int64(number)
    for k in range(8):
        target[place + k] = (value >> (8 * k)) & 255
    return place + 8


_WORD, _BYTE, _KEY = np.dtype(np.int32), np.dtype(np.uint8), np.dtype(np.uint64)
