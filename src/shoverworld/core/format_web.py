# pyright: basic
# Numba infers the types of the functions that are compiled.
"""What the readers and writers of all WebAssembly modules share: the arrays of a block and small compiled functions.

A module reads and writes its level formats and its rules. `text` is the address of the bytes of a file, and `out` the
address of memory that is at least 64 bytes longer than the text. A function that fails returns 1 and writes an error to
the sheet (core/problems.py).

    measure(block, text, bytes, number, out)   write the dimensions of level `number`, counted from 0, to `measured`, and the
                                               number of levels to `reading`
    read(block, text, bytes, number, out)      fill `level` and `start` of a block with these dimensions. `out` contains
                                               the title, the description and the rules of the level, each followed by a
                                               line break; `reading` contains their sizes
    parse_rules(block, text, bytes, out)       change the rules of the block: `rule_values`, `rules`, `reward` and
                                               `start`. A text without a preset changes the current rules. `measured`
                                               contains the dimensions that depend on the rules, otherwise 0, and
                                               `action_ranges` the number of values and the lowest value of each number
                                               in an action
    write_rules(block)                         write the rules to `text_out`; return the number of bytes
    write(block, title, bytes)                 write the level with its rules and a title to `text_out`; return the
                                               number of bytes
    recognises(block, text, bytes)             return how likely it is, from 0 to 100, that a text is a level
"""

from typing import Any

import numpy as np

from .blocks import Block, BlockArray, array_at, pointer_to
from .jit import inner, shared
from .letters import NEWLINE, begins, size_at
from .rule_reader import RuleReader
from .text_reader import READING, word_bytes, write_plain
from .text_writer import SPARE, put_byte, put_bytes
from .web import sheet_view

LONGEST_TITLE = 256  # bytes
RULES_ROOM = 2048  # bytes; the longest rules of a game take up less
BYTE = np.dtype(np.uint8)
_TITLE, _RULES, _MARK = word_bytes("// "), word_bytes("// rules: "), word_bytes("\ufeff")


def format_arrays(dimensions: int, numbers: int, rules: RuleReader, length: Any) -> tuple[BlockArray, ...]:
    """Return the arrays for the formats of a game.

    `dimensions` is the number of dimensions of a block, `numbers` the number of numbers in an action, and `length` a
    function that returns the size of the longest level as text, given the dimensions.
    """

    def text_length(*sizes):
        return length(*sizes) + LONGEST_TITLE + RULES_ROOM

    return (
        BlockArray("reading", READING),
        BlockArray("measured", np.int32, dimensions),
        BlockArray("rule_scratch", np.float64, len(rules.names)),
        BlockArray("action_ranges", np.int32, 2 * numbers),
        BlockArray("text_out", np.uint8, text_length),
    )


def rules_array(rules: RuleReader) -> BlockArray:
    """Return the array with the values of all rules."""
    return BlockArray("rule_values", np.float64, len(rules.names))


@inner
def mark_size(text, size):
    """Return the size of the byte order mark at the start of a text that the caller passed: 3 or 0."""
    return 3 if begins(array_at(pointer_to(text), BYTE, size), 0, size, _MARK) else 0


@shared
def fill(values, numbers):
    for k in range(len(values)):
        values[k] = numbers[k]


@shared
def put_title(title, out, place):
    """Write a title as one line of printable letters, at most LONGEST_TITLE bytes. Return the new number of bytes."""
    end = 0
    while end < len(title) and end + size_at(title, end) <= LONGEST_TITLE - SPARE:
        end += size_at(title, end)
    return write_plain(title, 0, end, out, place, place)


@shared
def put_title_line(title, out, place):
    """Write a line `// TITLE` if there is a title. Return the new number of bytes."""
    start = put_bytes(_TITLE, out, place)
    end = put_title(title, out, start)
    return put_byte(NEWLINE, out, end) if end > start else place


def rules_line_writer(rules: RuleReader) -> Any:
    """Return a compiled function that writes a line `// rules: TEXT`."""
    write = rules.write

    @shared
    def put_rules_line(values, out, place):
        return put_byte(NEWLINE, out, write(values, out, put_bytes(_RULES, out, place)))

    return put_rules_line


def rules_functions(block: Block, rules: RuleReader, apply: Any) -> tuple[Any, Any]:
    """Return the functions `parse_rules` and `write_rules` of a module.

    `apply` is a compiled function that turns the values of the rules of a block into the numbers of its records.
    """
    values_of, scratch_of, text_out, sheet_of = (
        block["rule_values"], block["rule_scratch"], block["text_out"], sheet_view(block),
    )  # fmt: skip
    read, write, measured = rules.read, rules.write, block["measured"]

    def parse_rules(block, text, bytes, out):
        source, sheet = array_at(pointer_to(text), BYTE, bytes), sheet_of(block)
        values, scratch = values_of(block), scratch_of(block)
        fill(scratch, values)
        if read(source, 0, len(source), scratch, array_at(pointer_to(out), BYTE, bytes + SPARE), 0, 0, sheet) != 0:
            return 1
        fill(values, scratch)
        for k in range(len(measured(block))):
            measured(block)[k] = 0
        apply(block)
        return 0

    def write_rules(block):
        return write(values_of(block), text_out(block), 0)

    return parse_rules, write_rules
