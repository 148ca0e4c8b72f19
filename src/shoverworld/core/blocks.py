# pyright: basic
# Numba has no type stubs, and its decorators return objects that type checkers do not understand.
"""A game as one block of memory, for WebAssembly modules.

A module allocates nothing. Its caller reserves memory and passes the address of a block to every function. A block
starts with a header of 32-bit integers, followed by arrays:

    size | kept | dimensions ... | offset and length of array 0 | offset and length of array 1 | ...

`size` is the size of the whole block in bytes. The first `kept` bytes contain the header and the arrays that make up a
game; a copy of these bytes is a copy of the game. The arrays after them hold levels, results and scratch memory.
Offsets are relative to the block, so a block can be moved. All numbers are little-endian.

A game declares its arrays once (`Block`). `block["board"]` is a compiled function that returns the array
`board` of a block.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

from .jit import inner

_generated: Any = intrinsic  # type checkers do not know that callers omit the parameter `context` of an intrinsic

SIZE, KEPT, DIMENSIONS = 0, 1, 2  # indices of words in the header
WORD = 4  # bytes per word
ALIGNMENT = 8


class BlockArray(NamedTuple):
    """An array in a block: its name, its element type, and its length as a function of the block's dimensions."""

    name: str
    dtype: Any
    length: Callable[..., int] | int = 1


class Block:
    """The layout of a block: the names of its dimensions, the arrays that make up a game, and the other arrays."""

    def __init__(self, dimensions: tuple[str, ...], kept: tuple[BlockArray, ...], other: tuple[BlockArray, ...]):
        self.dimensions = dimensions
        self.arrays = tuple(array._replace(dtype=np.dtype(array.dtype)) for array in kept + other)
        self.kept = self.arrays[: len(kept)]
        self.header_bytes = WORD * (DIMENSIONS + len(dimensions) + 2 * len(self.arrays))
        self._words = {array.name: DIMENSIONS + len(dimensions) + 2 * i for i, array in enumerate(self.arrays)}
        self._views = {array.name: _view(self._words[array.name], array.dtype) for array in self.arrays}

    def __getitem__(self, name: str) -> Any:
        """Return a compiled function that returns an array of a block, given the block's address."""
        return self._views[name]

    def dimension(self, name: str) -> Any:
        """Return a compiled function that returns a dimension of a block, given the block's address."""
        word = DIMENSIONS + self.dimensions.index(name)

        @inner
        def dimension(block):
            return np.int64(array_at(block, _HEADER, word + 1)[word])

        return dimension

    def header_writer(self) -> Any:
        """Return a compiled function that completes the header of a block, and returns the block's size in bytes.

        The caller must have written the dimensions to the header.
        """
        words, dimensions = self.header_bytes // WORD, _dimensions(len(self.dimensions))
        place = _all_of([_placing(self._words[array.name], array, array in self.kept) for array in self.arrays])
        first = words * WORD

        @inner
        def write_header(block):
            head = array_at(block, _HEADER, words)
            head[SIZE] = place(head, dimensions(block), _aligned(first))
            return head[SIZE]

        return write_header


_HEADER = np.dtype(np.int32)


@inner
def _aligned(offset):
    return (offset + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


def _placing(word: int, array: BlockArray, is_kept: bool) -> Any:
    """Return a compiled function that places an array at an offset and returns the offset of the next array."""
    length, itemsize = inner(array.length if callable(array.length) else _constant(array.length)), array.dtype.itemsize

    @inner
    def place(head, dimensions, offset):
        count = length(*dimensions)
        head[word], head[word + 1] = offset, count
        end = _aligned(offset + count * itemsize)
        if is_kept:
            head[KEPT] = end
        return end

    return place


def _all_of(functions: list[Any]) -> Any:
    """Return a compiled function that places all arrays, one after the other. Its calls are not deeply nested."""
    if len(functions) == 1:
        return functions[0]
    first, second = _all_of(functions[: len(functions) // 2]), _all_of(functions[len(functions) // 2 :])

    @inner
    def place(head, dimensions, offset):
        return second(head, dimensions, first(head, dimensions, offset))

    return place


def _constant(number: int) -> Callable[..., int]:
    def constant(*dimensions):
        return number

    return constant


# --- Arrays at an address. Numba's own `carray` needs reference counting, which kernels do without.


def _array(context: Any, builder: Any, kind: Any, data: Any, length: Any) -> Any:
    """Generate code for a one-dimensional array at an address."""
    array = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    pointer = builder.bitcast(data, context.get_data_type(kind.dtype).as_pointer())
    populate_array(array, data=pointer, shape=[length], strides=[size], itemsize=size, meminfo=None)
    return array._getvalue()


def _view(word: int, dtype: np.dtype) -> Any:
    kind = types.Array(from_dtype(dtype), 1, "C")
    int32, int64, byte = ir.IntType(32), ir.IntType(64), ir.IntType(8)

    @_generated
    def view(context, block):
        def generate(context, builder, signature, values):
            header = builder.bitcast(values[0], int32.as_pointer())
            offset, length = (
                builder.zext(builder.load(builder.gep(header, [ir.Constant(int64, word + k)])), int64) for k in (0, 1)
            )
            data = builder.gep(builder.bitcast(values[0], byte.as_pointer()), [offset])
            return _array(context, builder, kind, data, length)

        return kind(types.voidptr), generate

    return view


def _dimensions(count: int) -> Any:
    """Return a compiled function that returns the dimensions of a block as a tuple."""
    int32, int64 = ir.IntType(32), ir.IntType(64)
    kind = types.UniTuple(types.intp, count)

    @_generated
    def dimensions(context, block):
        def generate(context, builder, signature, values):
            header = builder.bitcast(values[0], int32.as_pointer())
            words = [builder.gep(header, [ir.Constant(int64, DIMENSIONS + k)]) for k in range(count)]
            return context.make_tuple(builder, kind, [builder.sext(builder.load(word), int64) for word in words])

        return kind(types.voidptr), generate

    return dimensions


@_generated
def array_at(context, pointer, dtype, length):
    """Return an array of this type and length at an address."""
    kind = types.Array(dtype.dtype, 1, "C")

    def generate(context, builder, signature, values):
        return _array(context, builder, kind, values[0], values[2])

    return kind(types.voidptr, dtype, types.intp), generate


@_generated
def pointer_to(context, address):
    """Return an address that the caller passed as a 32-bit integer."""

    def generate(context, builder, signature, values):
        return builder.inttoptr(builder.zext(values[0], ir.IntType(64)), ir.IntType(8).as_pointer())

    return types.voidptr(types.int32), generate


@_generated
def shaped(context, array, shape):
    """Return a view of an array with another shape and the same number of elements, without a check."""
    kind = types.Array(array.dtype, len(shape), "C")

    def generate(context, builder, signature, values):
        source = make_array(array)(context, builder, values[0])
        lengths = [builder.extract_value(values[1], k) for k in range(len(shape))]
        strides = [source.itemsize]
        for length in reversed(lengths[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        view = make_array(kind)(context, builder)
        populate_array(view, data=source.data, shape=lengths, strides=strides, itemsize=source.itemsize, meminfo=None)
        return view._getvalue()

    return kind(array, types.UniTuple(types.intp, len(shape))), generate


@_generated
def bytes_of(context, array):
    """Return the content of an array as a one-dimensional array of bytes."""
    kind = types.Array(types.uint8, 1, "C")

    def generate(context, builder, signature, values):
        source = make_array(array)(context, builder, values[0])
        length = builder.mul(source.nitems, source.itemsize)
        return _array(context, builder, kind, source.data, length)

    return kind(array), generate
