"""A fence around imports: a submission can import only the standard library, its own files and the modules it may use.

This is a fence, not a wall: Python code can reach every module that its process has loaded. What was not loaded before
the fence went up cannot be imported any more, so the package's planners stay out of reach.
"""

import builtins
import importlib
import importlib.machinery
import os
import site
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import Any

_INSTALLED = tuple(os.path.join(folder, "") for folder in (*site.getsitepackages(), site.getusersitepackages()))


class ForbiddenImport(ImportError):
    """A submission imports a module that it may not use."""


def _error(name: str, allowed: Collection[str]) -> ForbiddenImport:
    more = f" and {', '.join(sorted(allowed))}" if allowed else ""
    return ForbiddenImport(
        f"the module {name!r} may not be imported here; allowed are the standard library{more}", name=name
    )


class _Gate(MetaPathFinder):
    """Stops modules of this package that are not loaded yet, whoever imports them."""

    def __init__(self, fence: "_Fence"):
        self._fence = fence

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        own = __name__.partition(".")[0]
        if name.partition(".")[0] == own and not self._fence.allows(name):
            raise _error(name, self._fence.allowed)


class _Fence:
    """The check of every import statement."""

    def __init__(self, allowed: Collection[str]):
        self.allowed = frozenset(allowed)
        self._trusted = frozenset(sys.modules)  # modules that were loaded before any submission
        self._import, self._import_module = builtins.__import__, importlib.import_module

    def allows(self, name: str) -> bool:
        parts = name.split(".")
        heads = {".".join(parts[:length]) for length in range(1, len(parts) + 1)}
        return parts[0] in sys.stdlib_module_names or not heads.isdisjoint(self.allowed)

    def check(self, name: str, importer: Mapping[str, Any] | None) -> None:
        """Raise ForbiddenImport if the module that imports comes from a submission and may not import `name`."""
        own = importer.get("__name__", "") if importer else ""
        if own in self._trusted and own != "__main__":
            return
        installed = str(importer.get("__file__", "") if importer else "")
        if self.allows(own) or installed.startswith(_INSTALLED):  # an allowed library imports what it needs
            return
        if not self.allows(name) and self._is_foreign(name):
            raise _error(name, self.allowed)

    def _is_foreign(self, name: str) -> bool:
        """Return whether a module is installed or part of this package, as opposed to a file of the submission."""
        head = name.partition(".")[0]
        if head in self._trusted:
            return True
        try:
            spec = importlib.machinery.PathFinder.find_spec(head)
        except (ImportError, ValueError):
            return True
        places = [] if spec is None else [str(spec.origin), *(spec.submodule_search_locations or ())]
        return any(place.startswith(_INSTALLED) for place in places)

    def statement(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level == 0:
            self.check(name, globals)
            for part in fromlist or ():
                if f"{name}.{part}" in sys.modules and not self.allows(f"{name}.{part}"):
                    self.check(f"{name}.{part}", globals)
        return self._import(name, globals, locals, fromlist, level)

    def function(self, name: str, package: str | None = None) -> ModuleType:
        if not name.startswith("."):
            self.check(name, sys._getframe(1).f_globals)
        return self._import_module(name, package)


def allow_only(modules: Collection[str]) -> None:
    """From now on, code that is not loaded yet can import only the standard library, its own files and `modules`."""
    fence = _Fence(modules)
    builtins.__import__ = fence.statement
    importlib.import_module = fence.function
    sys.meta_path.insert(0, _Gate(fence))
