# pyright: basic, reportCallIssue=false
# Numba has no type stubs, and kernels call intrinsics without the argument `context`.
"""Arguments that are converted to native form once instead of on every call.

Numba converts all arguments of a kernel on every call. This takes about 25 ns for each array, including the arrays in
tuples, so a kernel that plays one step of one game would spend more time on its arguments than on the step.
"""

from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.registry import cpu_target
from numba.extending import NativeValue, intrinsic, models, overload, register_model, typeof_impl, unbox

from .jit import compiles, resolve

NO_ACTION = -1  # makes a step kernel report and observe the game without changing it
FIRST_ROW = np.zeros(1, np.int64)


class NativeArguments(int):
    """Arguments of a kernel in native form. As an integer, this object is the address of the converted arguments.

    A kernel that receives this object calls `unpacked` to get the arguments. Arrays are not copied, so the kernel
    reads and writes their current content.

    `convert` is a kernel that calls `store` with its two arguments. Each game has its own `convert`, because Numba
    keeps all versions of a kernel in one file of its cache, which can be read only if all types in it can be imported.
    """

    arguments: tuple[Any, ...]
    kind: Any  # the Numba type of this object, or None if kernels are not compiled
    _memory: np.ndarray
    _convert: Any

    def __new__(cls, convert: Any, *arguments: Any) -> "NativeArguments":
        kind = _type_of(arguments) if compiles() else None
        memory = np.zeros(_size_of(kind.contents) if kind else 0, np.uint8)
        native = super().__new__(cls, memory.ctypes.data)
        native.kind, native._memory = kind, memory
        native._convert = entry(convert, native, arguments)
        native.replace(arguments)
        return native

    def replace(self, arguments: tuple[Any, ...]) -> None:
        """Replace the arguments with others of the same types."""
        self.arguments = arguments
        self._convert(self, arguments)


def unpacked(native):
    """Return the arguments. Kernels call this function."""
    return native.arguments


def store(native, arguments):
    """Write the arguments in native form to memory. Kernels call this function; uncompiled code does not need it."""


_types: dict[Any, Any] = {}
_entries: dict[Any, Any] = {}


def _type_of(arguments: tuple[Any, ...]) -> Any:
    """Return the Numba type for these arguments. The types are cached, because `numba.typeof` is slow for records."""
    key = _key(arguments)
    if key not in _types:
        _types[key] = NativeArgumentsType(numba.typeof(arguments))
    return _types[key]


def entry(kernel: Any, *arguments: Any) -> Any:
    """Return the entry point of a kernel, as `resolve` does. The entry points are cached, which saves 0.2 ms."""
    key = kernel, *map(_key, arguments)
    if key not in _entries:
        _entries[key] = resolve(kernel, *arguments)
    return _entries[key]


def _key(value: Any) -> Any:
    """Return a key that is equal for values of the same Numba type."""
    if isinstance(value, tuple):
        return type(value), *map(_key, value)
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.num
    return value.kind if isinstance(value, NativeArguments) else type(value)


def _size_of(kind: Any) -> int:
    """Return how many bytes a value of a Numba type occupies in native form."""
    context: Any = cpu_target.target_context
    return context.get_abi_sizeof(context.get_value_type(kind))


# --- the Numba type of NativeArguments


class NativeArgumentsType(types.Type):
    def __init__(self, contents: Any):
        self.contents = contents  # the type of the arguments, as a tuple
        super().__init__(f"NativeArguments({contents})")


register_model(NativeArgumentsType)(models.OpaqueModel)


@typeof_impl.register(NativeArguments)
def _type_of_native(native, context):
    return native.kind


@unbox(NativeArgumentsType)
def _address_of(kind, native, c):
    return NativeValue(c.pyapi.long_as_voidptr(native))


@intrinsic
def _load(context, native):
    def generate(context, builder, signature, values):
        kind = context.get_value_type(signature.return_type)
        return builder.load(builder.bitcast(values[0], kind.as_pointer()))

    return native.contents(native), generate


@intrinsic
def _save(context, native, arguments):
    def generate(context, builder, signature, values):
        builder.store(values[1], builder.bitcast(values[0], values[1].type.as_pointer()))
        return context.get_dummy_value()

    return types.none(native, arguments), generate


_WITHOUT_REFERENCE_COUNTING: Any = {"_nrt": False}  # as in core/jit.py


@overload(unpacked, jit_options=_WITHOUT_REFERENCE_COUNTING)
def _unpacked(native):
    if isinstance(native, NativeArgumentsType):
        return lambda native: _load(native)
    return None


@overload(store, jit_options=_WITHOUT_REFERENCE_COUNTING)
def _store(native, arguments):
    if isinstance(native, NativeArgumentsType):
        return lambda native, arguments: _save(native, arguments)
    return None
