# pyright: basic
# Numba has no type stubs, and its decorators return objects that type checkers do not understand.
"""Compilation of the rules to native code with Numba.

Python calls functions decorated with `@kernel`, which are compiled on first use and cached on disk. Kernels call
functions decorated with `@inner`, `@part` and `@rare`, which Python code cannot call. With NUMBA_DISABLE_JIT=1, all
these functions are plain Python functions.

Numba's own disk cache checks only the file that defines a function. It would keep using a stale kernel after a change
to a function that the kernel calls. This package's cache is a folder whose name is a hash of *all* sources that a
kernel can use: core/ and the kernel's own game. The import contracts guarantee that kernels use nothing else from the
package. Modules that contain neither kernels nor functions that kernels call (see `_WITHOUT_KERNELS`) are not hashed.
"""

import hashlib
import os
import re
import sys
import time
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.extending import register_jitable

PACKAGE = Path(__file__).parent.parent
# Changes to these files do not require recompilation.
_WITHOUT_KERNELS = re.compile(
    r"^games/\w+/(ui/|(game|boards|planning|reports|generator|way_picture|bench|warmup)\.py$|agents)|^core/(game|ui)\.py$"
)


@cache
def cache_folder(game: str = "*") -> Path:
    """Return the folder with the compiled kernels of a game ("*" for all games).

    The name of the folder is a hash of the sources. Its parent is the folder named by the environment variable
    SHOVERWORLD_CACHE or, by default, `shoverworld` in the user's cache folder.
    """
    sources = hashlib.sha256()
    for path in sorted([*(PACKAGE / "core").rglob("*.py"), *(PACKAGE / "games").glob(f"{game}/**/*.py")]):
        name = path.relative_to(PACKAGE).as_posix()
        if not _WITHOUT_KERNELS.search(name):
            sources.update(name.encode() + b"\0" + path.read_bytes())
    return _cache_home() / sources.hexdigest()[:16]


def _game_of(file: str) -> str:
    """Return the game that a file belongs to, or "*" for a file outside games/, whose kernels may use any game."""
    with suppress(ValueError):
        return Path(file).resolve().relative_to(PACKAGE.resolve() / "games").parts[0]
    return "*"


def _cache_home() -> Path:
    if home := os.environ.get("SHOVERWORLD_CACHE"):
        return Path(home)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "shoverworld"


class _Locator(_CacheLocator):
    """A cache locator that makes Numba store code in `cache_folder()`."""

    def __init__(self, function: Any, file: str):
        self._line = function.__code__.co_firstlineno
        self._folder = cache_folder(_game_of(file))
        self._own = hashlib.sha256(Path(file).read_bytes()).hexdigest()[
            :16
        ]  # the file may be outside the hashed sources

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return f"{self._folder.name}-{self._own}"

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator | None":
        try:
            locator = cls(py_func, py_file)
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _Cache(FunctionCache):
    _impl_class = _CacheImpl


_njit: Any = numba.njit

# Without reference counting (`_nrt`), code that uses small arrays is several times faster, and code that would allocate
# memory does not compile.
_OPTIONS: Any = {"nogil": True, "error_model": "numpy", "_nrt": False}


def inner(function: Any) -> Any:
    """Compile a small function that kernels call often. Its machine code is inlined into the callers."""
    return _njit(**_OPTIONS, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def part(function: Any) -> Any:
    """Mark a longer function that is called in one or two places. Its source is inlined into the caller.

    The code is as fast as with `inner`, and the first compilation takes half as long.
    """
    return _njit(**_OPTIONS, inline="always")(function)


def rare(function: Any) -> Any:
    """Compile a function that is rarely called. The function is not inlined, which keeps the common path short."""
    return _njit(**_OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def both(function: Any) -> Any:
    """Mark a function that both kernels and Python call. Python runs it as plain Python; in kernels, it is inlined."""
    return register_jitable(_nrt=False, forceinline=True)(function)


def kernel(function: Any) -> Any:
    """Compile a function that Python calls.

    The function is compiled on its first call, is cached on disk, and runs without the global interpreter lock.
    """
    compiled: Any = _njit(**_OPTIONS)(function)
    if hasattr(compiled, "_cache"):  # False with NUMBA_DISABLE_JIT=1
        with suppress(RuntimeError):  # without a writable folder, each process compiles the function again
            compiled._cache = _Cache(function)
    return compiled


def resolve(function: Any, *arguments: Any) -> Any:
    """Return a kernel's native entry point for these argument types. Calling this entry point avoids Numba's dispatch.

    The entry point does not check types, so it must only be called with arguments of the same types.
    """
    if not hasattr(function, "compile"):
        return partial(_call_uncompiled, function)
    return function.compile(tuple(numba.typeof(argument) for argument in arguments))


def _call_uncompiled(function: Any, *arguments: Any) -> Any:
    """Call a kernel that is not compiled and, like compiled code, return Python numbers instead of NumPy scalars."""
    result = function(*arguments)
    return tuple(map(_python_number, result)) if type(result) is tuple else _python_number(result)


def _python_number(value: Any) -> Any:
    return value.item() if isinstance(value, np.number | np.bool_) else value


def as_record(numbers: Any) -> Any:
    """Return a NamedTuple of numbers as a one-row record array, so that a kernel can read `array[0].name`.

    Numba unpacks tuples number by number on every call. For the rules of a game, unpacking takes longer than a step.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return (numbers,)  # Python numbers, not NumPy scalars
    kinds = [(name, np.asarray(value).dtype) for name, value in numbers._asdict().items()]
    return np.array([tuple(numbers)], np.dtype((np.record, np.dtype(kinds, align=True))))


class _Announcer(event.Listener):
    """A listener that reports compilation on the terminal, so that the first call does not look like a hang."""

    started: float | None = None
    depth = 0

    @staticmethod
    def _ours(event: Any) -> bool:
        return event.data["dispatcher"].py_func.__module__.startswith("shoverworld.")

    def on_start(self, event: Any) -> None:
        if not self._ours(event):
            return
        self.started = self.started or time.perf_counter()
        self.depth += 1
        name = event.data["dispatcher"].py_func.__qualname__
        seconds = time.perf_counter() - self.started
        print(
            f"\r\033[Kshoverworld: compiling the rules (first run only), {seconds:.0f} s: {name} ",
            end="",
            file=sys.stderr,
            flush=True,
        )

    def on_end(self, event: Any) -> None:
        if not self._ours(event):
            return
        self.depth -= 1
        if self.depth == 0:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


if sys.stderr is not None and sys.stderr.isatty():
    event.register("numba:compile", _Announcer())
