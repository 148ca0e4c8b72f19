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
kernel_cache.py reads and writes the files in this folder.
"""

import gc
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
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache, _CacheLocator
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import register_jitable

from .callees import CalleeCompiler, for_all_values
from .kernel_cache import READ_ONLY, KernelFiles, cache_home, note_use, prune, report_problem

PACKAGE = Path(__file__).parent.parent
LLVM_ONLY = "SHOVERWORLD_LLVM_ONLY"  # if this variable is set, Python cannot call kernels; see web/compiler/
# Changes to these files do not require recompilation.
_WITHOUT_KERNELS = re.compile(
    r"^games/\w+/(ui/|(game|boards|planning|reports|generator|way_picture|bench|warmup|checking|phrases|problems|web\w*)\.py$|agents)|^core/(game|ui|states|kernel_cache|web|blocks|blake2|seeding|phrases|problems|sheet_reader|sheet_ui|letters|decimals|text_reader|rule_reader|format_web)\.py$"
)


@cache
def cache_folder(game: str = "*") -> Path | None:
    """Return the folder with the compiled kernels for a game ("*" for all games), or None if there is no home folder.

    The name of the folder is a hash of the sources. Its parent is the folder named by the environment variable
    SHOVERWORLD_CACHE or, by default, `shoverworld` in the user's cache folder.
    """
    home = cache_home()
    if home is None:
        return None
    sources = hashlib.sha256()
    for path in sorted([*(PACKAGE / "core").rglob("*.py"), *(PACKAGE / "games").glob(f"{game}/**/*.py")]):
        name = path.relative_to(PACKAGE).as_posix()
        if not _WITHOUT_KERNELS.search(name):
            sources.update(name.encode() + b"\0" + path.read_bytes())
    return home / sources.hexdigest()[:16]


def _game_of(file: str) -> str:
    """Return the game that a file belongs to, or "*" for a file outside games/, where kernels may use any game."""
    with suppress(ValueError):
        return Path(file).resolve().relative_to(PACKAGE.resolve() / "games").parts[0]
    return "*"


class _Locator(_CacheLocator):
    """A cache locator that makes Numba store code in `cache_folder()`."""

    def __init__(self, function: Any, file: str):
        self._line = function.__code__.co_firstlineno
        folder = cache_folder(_game_of(file))
        if folder is None:
            raise FileNotFoundError("there is no home folder")
        self._folder = folder
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
            return cls(py_func, py_file)
        except OSError:
            return None


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _Cache(FunctionCache):
    _impl_class = _CacheImpl

    def __init__(self, function: Any):
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = KernelFiles(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load a compiled kernel.

        Numba's own method first loads everything that its compiler knows about Python and NumPy, which takes about
        0.2 s. Kernels without reference counting (see `_OPTIONS`) can be loaded without this step.
        """
        note_use(Path(self._cache_path))
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        if os.environ.get(READ_ONLY):
            return
        folder = Path(self._cache_path)
        is_new = not os.path.exists(folder)
        try:
            try:
                super().save_overload(sig, data)
            except FileNotFoundError:  # another process has just removed the folder
                super().save_overload(sig, data)
        except OSError as reason:
            report_problem(f"cannot write to {folder.parent} ({reason.strerror or reason})")
            return
        if is_new:
            prune(folder.parent)


class _NoCache(NullCache):
    """The cache that a kernel uses if there is no folder for its files."""

    def save_overload(self, sig: Any, cres: Any) -> None:
        report_problem("there is no home folder" if cache_home() is None else "the source files cannot be read")


# Without reference counting (`_nrt`), code that uses small arrays is several times faster, and code that would allocate
# memory does not compile.
_OPTIONS: Any = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
INLINED: Any = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "forceinline": True,
}  # for numba.extending.overload
_CALLEE: Any = {**_OPTIONS, "no_cpython_wrapper": True, "pipeline_class": CalleeCompiler}


def _compiled(function: Any, options: Any) -> Any:
    dispatcher: Any = numba.njit(**options)(function)
    return for_all_values(dispatcher) if compiles() else dispatcher


def inner(function: Any) -> Any:
    """Compile a function that kernels call. Its machine code is inlined into the callers."""
    return _compiled(function, {**_CALLEE, "forceinline": True})


def part(function: Any) -> Any:
    """Mark a longer function that is called in one or two places. Its source is inlined into the caller.

    On the path that every step takes, the code is a few percent faster than with `inner`, but compiles more slowly.
    """
    return _compiled(function, {**_OPTIONS, "inline": "always"})


def rare(function: Any) -> Any:
    """Compile a function that is rarely called. The function is not inlined, which keeps the common path short."""
    return _compiled(function, {**_CALLEE, "forceinline": False})  # otherwise Numba would use the caller's setting


def both(function: Any) -> Any:
    """Mark a function that both kernels and Python call. Python runs it as plain Python; in kernels, it is inlined."""
    return register_jitable(**_CALLEE, forceinline=True)(function)


def shared(function: Any) -> Any:
    """Mark a function of a user interface. Python runs it as plain Python; WebAssembly modules contain it compiled."""
    return register_jitable(**_CALLEE, forceinline=False)(function)


def kernel(function: Any, nogil: bool = True) -> Any:
    """Compile a function that Python calls.

    The function is compiled on its first call, is cached on disk, and runs without the global interpreter lock.
    """
    if os.environ.get(LLVM_ONLY):
        return rare(function)
    compiled = _compiled(function, {**_OPTIONS, "forceinline": False, "nogil": nogil})
    if compiles():
        try:
            compiled._cache = _Cache(function)
        except RuntimeError:  # Numba raises this error if there is no locator
            compiled._cache = _NoCache()
    return compiled


def short_kernel(function: Any) -> Any:
    """Compile a kernel that keeps the global interpreter lock, because releasing the lock takes as long as its work."""
    return kernel(function, nogil=False)


def compiles() -> bool:
    """Return whether kernels are compiled. With NUMBA_DISABLE_JIT=1, they are plain Python functions."""
    return not numba.config.DISABLE_JIT  # type: ignore[attr-defined]


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


def llvm_code(function: Any, signature: Any) -> tuple[str, str]:
    """Compile a function to LLVM code. Return the code, with everything that it calls, and the function's name in it."""
    dispatcher: Any = numba.njit(signature, **_CALLEE, forceinline=False)(function)
    result = dispatcher.overloads[signature.args]
    with global_compiler_lock:
        result.library.finalize()
    return result.library.get_llvm_str(), result.fndesc.mangled_name


def as_record(numbers: Any) -> Any:
    """Return a NamedTuple of numbers as a one-row record array, so that a kernel can read `array[0].name`.

    Numba unpacks tuples number by number on every call. For the rules of a game, unpacking takes longer than a step.
    """
    return as_records((numbers,))


def as_records(rows: Any) -> Any:
    """Return NamedTuples of numbers of the same type as a record array with one row for each."""
    return np.array([tuple(row) for row in rows], type_of_record(rows[0])) if compiles() else tuple(rows)


def type_of_record(numbers: Any) -> np.dtype:
    """Return the type of the record that `as_record` makes from a NamedTuple of numbers."""
    kinds = [(name, np.asarray(value).dtype) for name, value in numbers._asdict().items()]
    return np.dtype((np.record, np.dtype(kinds, align=True)))


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
            f"\r\033[Kshoverworld: compiling the rules (first use only), {seconds:.0f} s: {name} ",
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


class _CollectorPause(event.Listener):
    """A listener that pauses Python's garbage collector during compilation, which saves about 10% of the time."""

    depth = 0
    was_enabled = True

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self.was_enabled = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0 and self.was_enabled:
            gc.enable()


def compiling() -> bool:
    """Return whether this process is compiling something now."""
    return _collector_pause.depth > 0


class _PlainAnnouncer(_Announcer):
    """A listener that reports compilation once, as a line of plain text. It is used if stderr is a file or a pipe."""

    def on_start(self, event: Any) -> None:
        if self.started is None and self._ours(event):
            self.started = time.perf_counter()
            with suppress(OSError, ValueError):  # stderr is closed
                print("shoverworld: compiling the rules (first use only) ...", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


_collector_pause = _CollectorPause()
event.register("numba:compile", _collector_pause)
if sys.stderr is not None and not os.environ.get("SHOVERWORLD_QUIET"):
    event.register("numba:compile", _Announcer() if sys.stderr.isatty() else _PlainAnnouncer())
