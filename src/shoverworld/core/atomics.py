# pyright: basic, reportCallIssue=false
# Numba has no type stubs, and pyright does not know that Numba supplies the first argument of these functions.
"""Operations on memory that Numba does not offer: atomic operations for threads, addresses and copies of bytes.

Each operation is a plain Python function. In kernels, Numba replaces the function with the machine code that is
registered for it with `overload`. Uncompiled kernels run in one thread only, so the Python versions need not be atomic.
"""

import ctypes
import platform

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from .jit import INLINED

_HAS_PAUSE = platform.machine().lower() in ("x86_64", "amd64")


def atomic_add(array, index, number):
    """Add a number to an element of an int64 array as one indivisible operation, and return the old value."""
    old = array[index]
    array[index] += number
    return old


@overload(atomic_add, jit_options=INLINED)
def _compile_add(array, index, number):
    return lambda array, index, number: _add(array, index, number)


@intrinsic
def _add(typing, array, index, number):
    def generate(context, builder, signature, arguments):
        return builder.atomic_rmw("add", _pointer(context, builder, signature, arguments), arguments[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), generate


def atomic_load(array, index):
    """Return an element. Everything that the writing thread wrote earlier is also visible."""
    return array[index]


@overload(atomic_load, jit_options=INLINED)
def _compile_load(array, index):
    return lambda array, index: _load(array, index)


@intrinsic
def _load(typing, array, index):
    def generate(context, builder, signature, arguments):
        return builder.load_atomic(_pointer(context, builder, signature, arguments), "seq_cst", 8)

    return types.int64(array, types.int64), generate


def atomic_store(array, index, number):
    """Set an element. Threads that see the new value also see everything that this thread wrote earlier."""
    array[index] = number


@overload(atomic_store, jit_options=INLINED)
def _compile_store(array, index, number):
    return lambda array, index, number: _store(array, index, number)


@intrinsic
def _store(typing, array, index, number):
    def generate(context, builder, signature, arguments):
        builder.store_atomic(arguments[2], _pointer(context, builder, signature, arguments), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


def pause():
    """Tell the processor that this thread is waiting for another one."""


@overload(pause, jit_options=INLINED)
def _compile_pause():
    return lambda: _pause()


@intrinsic
def _pause(typing):
    def generate(context, builder, signature, arguments):
        if _HAS_PAUSE:
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
        return context.get_dummy_value()

    return types.void(), generate


def address_of(array):
    """Return the address of an array."""
    return array.ctypes.data


@overload(address_of, jit_options=INLINED)
def _compile_address(array):
    return lambda array: _address(array)


@intrinsic
def _address(typing, array):
    def generate(context, builder, signature, arguments):
        own = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.ptrtoint(own.data, ir.IntType(64))

    return types.int64(array), generate


def number_at(address, index):
    """Return an element of the int64 array at this address."""
    return ctypes.c_int64.from_address(int(address) + 8 * int(index)).value


@overload(number_at, jit_options=INLINED)
def _compile_number(address, index):
    return lambda address, index: _number(address, index)


@intrinsic
def _number(typing, address, index):
    def generate(context, builder, signature, arguments):
        numbers = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(numbers, [arguments[1]]))

    return types.int64(types.int64, types.int64), generate


def copy_bytes(target: int, source: int, count: int) -> None:
    """Copy bytes from one address to another. The two areas must not overlap."""
    ctypes.memmove(int(target), int(source), int(count))


@overload(copy_bytes, jit_options=INLINED)
def _compile_copy(target, source, count):
    return lambda target, source, count: _copy(target, source, count)


@intrinsic
def _copy(typing, target, source, count):
    def generate(context, builder, signature, arguments):
        to, start = (builder.inttoptr(address, cgutils.voidptr_t) for address in arguments[:2])
        cgutils.raw_memcpy(builder, to, start, arguments[2], 1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


def prefetch(address: int) -> None:
    """Tell the processor that it will soon need the memory at this address, so that it can load it in advance."""


@overload(prefetch, jit_options=INLINED)
def _compile_prefetch(address):
    return lambda address: _prefetch(address)


@intrinsic
def _prefetch(typing, address):
    def generate(context, builder, signature, arguments):
        numbers = [ir.IntType(32)] * 3
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, *numbers])
        function = builder.module.declare_intrinsic("llvm.prefetch", (cgutils.voidptr_t,), kind)
        to_write, keep, data = (ir.Constant(number, value) for number, value in zip(numbers, (1, 3, 1), strict=True))
        builder.call(function, [builder.inttoptr(arguments[0], cgutils.voidptr_t), to_write, keep, data])
        return context.get_dummy_value()

    return types.void(types.int64), generate


def _pointer(context, builder, signature, arguments):
    """Return the address of an array element."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.gep(array.data, [arguments[1]])
