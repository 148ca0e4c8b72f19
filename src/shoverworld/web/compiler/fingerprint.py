"""A fingerprint of compiled functions: a hash that changes when a module would have to be compiled again.

The fingerprint covers the source code of the functions and of everything that they call, without comments and
docstrings, the values of the constants that they use, and the compiler. It does not depend on the Python version.
"""

import ast
import hashlib
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types

COMPILER = ("module.py", "linker.py")


def fingerprint(functions: Mapping[str, Callable[..., int]]) -> str:
    """Return the fingerprint of a module with these functions, as 16 hexadecimal digits."""
    parts: dict[str, None] = {}  # an ordered set
    for name, function in sorted(functions.items()):
        parts[f"export {name}"] = None
        _collect(function, parts, set())
    for name in COMPILER:
        parts[(Path(__file__).parent / name).read_text("utf-8")] = None
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:16]


def _collect(value: Any, parts: dict[str, None], seen: set[int]) -> None:
    """Add the code of a function and of all functions that it refers to, or the value of a constant."""
    function = _function_of(value)
    if function is None:
        parts[_constant(value)] = None
        return
    if id(function) in seen or not function.__module__.startswith("shoverworld."):
        return
    seen.add(id(function))
    parts.update(dict.fromkeys(_sources(function.__code__)))
    for name, used in _references(function).items():
        if _function_of(used) is None:
            parts[f"{function.__qualname__} {name} = {_constant(used)}"] = None
        else:
            _collect(used, parts, seen)


def _function_of(value: Any) -> FunctionType | None:
    """Return the Python function behind a compiled function or an intrinsic, or None if this is not a function."""
    value = getattr(value, "py_func", None) or getattr(value, "_defn", None) or value
    return value if isinstance(value, FunctionType) else None


def _references(function: FunctionType) -> dict[str, Any]:
    """Return the globals and the variables of enclosing functions that a function uses, by name."""
    found, names = {}, [name for code in _codes(function.__code__) for name in code.co_names]
    for name in names:
        if name in function.__globals__:
            value = function.__globals__[name]
            found[name] = value
            if isinstance(value, ModuleType) and value.__name__.startswith("shoverworld."):
                found |= {
                    f"{name}.{attribute}": getattr(value, attribute) for attribute in names if hasattr(value, attribute)
                }
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        found[name] = cell.cell_contents
    return found


def _codes(code: Any) -> list[Any]:
    """Return the code of a function and of the functions inside it."""
    return [code, *(inside for const in code.co_consts if inspect.iscode(const) for inside in _codes(const))]


def _constant(value: Any) -> str:
    """Return the value of a constant as a string. Objects other than numbers, strings and arrays count by their type."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.tolist()}"
    if isinstance(value, np.dtype):
        return f"{value.descr}"
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, bool | int | float | str | bytes | tuple):
        return repr(value)
    if isinstance(value, types.Type):
        return str(value)
    if isinstance(value, type) and hasattr(value, "_fields"):
        return f"{value.__name__}{value._fields}"
    return type(value).__name__


def _sources(code: CodeType) -> list[str]:
    """Return the source of a function without comments and docstrings, or of all functions that begin on its line."""
    found = []
    for node in _functions_in(code.co_filename):
        if (
            min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
            == code.co_firstlineno
        ):
            found.append(ast.unparse(node))
    return found


@cache
def _functions_in(file: str) -> list[Any]:
    tree = ast.parse(Path(file).read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    for node in functions:
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
    return functions
