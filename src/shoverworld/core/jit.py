"""How a rule becomes native code: `@kernel`, compiled on first use and kept on disk, and `@inner`, `@part` and
`@rare` for the functions it is made of, which only kernels can call.

Numba's own disk cache looks only at the file a function stands in, so it would go on running a stale
kernel after a change in a function that it calls. Ours lives in a user folder named by a hash of *all* sources that
can hold one: core/ and the kernel's own room, which by the import contracts uses nothing else of the package (and not
its ui, which is therefore left out). With NUMBA_DISABLE_JIT=1 a kernel is the plain Python function.
"""

import hashlib
import os
import re
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.extending import register_jitable

PACKAGE = Path(__file__).parent.parent
_WITHOUT_KERNELS = re.compile(r"^games/\w+/(ui/|(game|boards|planning)\.py$|agents)|^core/(game|ui)\.py$")


@cache
def cache_folder(room: str = "*") -> Path:
    """Where the compiled kernels of a room ("*": of any) are kept: SHOVERWORLD_CACHE or the user's cache folder, then the
    hash of their sources."""
    sources = hashlib.sha256()
    for path in sorted([*(PACKAGE / "core").rglob("*.py"), *(PACKAGE / "games").glob(f"{room}/**/*.py")]):
        place = path.relative_to(PACKAGE).as_posix()
        if not _WITHOUT_KERNELS.search(place):
            sources.update(place.encode() + b"\0" + path.read_bytes())
    return _cache_home() / sources.hexdigest()[:16]


def _room_of(file: str) -> str:
    """The room a file stands in. A benchmark's kernel stands in none, and may use any."""
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
    """Tells Numba to keep a function's code in `cache_folder()`."""

    def __init__(self, function: Any, file: str):
        self._line = function.__code__.co_firstlineno
        self._folder = cache_folder(_room_of(file))
        self._own = hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]  # a benchmark's kernel lives elsewhere

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

# No reference counting (`_nrt`): several times faster on small arrays, and code that would allocate does not compile.
_OPTIONS: Any = {"nogil": True, "error_model": "numpy", "_nrt": False}


def inner(function: Any) -> Any:
    """Compile a small function that kernels call often: its machine code is inlined into them."""
    return _njit(**_OPTIONS, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def part(function: Any) -> Any:
    """A longer function that is called in one or two places: its text becomes part of its caller, and is compiled there.

    As fast as `inner`, and it halves the time the first compilation takes.
    """
    return _njit(**_OPTIONS, inline="always")(function)


def rare(function: Any) -> Any:
    """Like `inner`, but not inlined: for what seldom happens, so that what happens at every step stays short."""
    return _njit(**_OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def both(function: Any) -> Any:
    """A function that kernels and Python both call: plain Python for the one, compiled in for the other."""
    return register_jitable(_nrt=False, forceinline=True)(function)


def kernel(function: Any) -> Any:
    """Compile a function that Python calls: on its first call, kept on disk, and it lets go of Python's lock."""
    compiled: Any = _njit(**_OPTIONS)(function)
    if hasattr(compiled, "_cache"):  # not with NUMBA_DISABLE_JIT=1
        with suppress(RuntimeError):  # no folder can be written: compile anew in each process
            compiled._cache = _Cache(function)
    return compiled


def resolve(function: Any, *arguments: Any) -> Any:
    """The native entry of a kernel for arguments of these types, which skips Numba's look-up on every call.

    The entry does not check types: call it with the same types only.
    """
    if not hasattr(function, "compile"):
        return function
    return function.compile(tuple(numba.typeof(argument) for argument in arguments))


class _Announcer(event.Listener):
    """Says on a terminal that something is being compiled, so that the first call does not look like a hang."""

    started: float | None = None
    depth = 0

    @staticmethod
    def _ours(happening: Any) -> bool:
        return happening.data["dispatcher"].py_func.__module__.startswith("shoverworld.")

    def on_start(self, event: Any) -> None:
        if not self._ours(event):
            return
        self.started = self.started or time.perf_counter()
        self.depth += 1
        name = event.data["dispatcher"].py_func.__qualname__
        seconds = time.perf_counter() - self.started
        print(
            f"\r\033[Kshoverworld: compiling the rules, once: {seconds:.0f} s, {name} ",
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
