"""Join ES modules into one script, for a page that is a single file.

The bundler supports only what the player uses and rejects everything else, so that it cannot change the meaning of a
module: `import { a, b } from "./x.js";` at the start of a line, and `export` before a function, a class or a constant.
Each module becomes a function with its own scope that returns its exports. A module follows the modules that it imports.
"""

import re
from collections.abc import Callable

_IMPORT = re.compile(r'^import \{([^{}]*)\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) +([A-Za-z_$][\w$]*))", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_BLOCK_COMMENT = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)
_TYPE_COMMENT = re.compile(r"/\*\* @type (?:(?!\*/).)*\*/ ?")
_LINE_COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_REJECTED = {
    r"^(?:import|export)\b": 'expected `import { name } from "./file.js";`, or `export` before a function, a class or a const',
    r"\bimport\s*\(": "a dynamic import cannot be bundled",
    r"\bimport\.meta\b": "import.meta is not available in a bundle",
    r"</script|<!--": "this text would end the script element",
}


class BundleError(ValueError):
    """A module contains something that the bundler does not support."""


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """Return one script that runs the module `entry`. `read` returns the source of a module."""
    modules: dict[str, str] = {}  # complete modules in order
    _add(entry, read, modules, ())
    return "".join(modules.values())


def _add(name: str, read: Callable[[str], str], modules: dict[str, str], importers: tuple[str, ...]) -> None:
    if name in importers:
        raise BundleError(f"{name}: the modules import one another: {' -> '.join((*importers, name))}")
    if name in modules:
        return
    source = read(name)
    lines: list[str] = []
    for found in _IMPORT.finditer(source):
        names = [part.strip() for part in found[1].split(",") if part.strip()]
        for imported in names:
            if not _NAME.fullmatch(imported):
                raise BundleError(f"{name}: {imported!r} is not a name; imports cannot be renamed")
        _add(found[2], read, modules, (*importers, name))
        _check_exports(name, names, found[2], read(found[2]))
        lines.append(f"const {{ {', '.join(names)} }} = {_variable(found[2])};\n")
    exports = [found[1] for found in _EXPORT.finditer(source)]
    body = _shortened(_EXPORT.sub("", _IMPORT.sub("", source)))
    for pattern, reason in _REJECTED.items():
        if wrong := re.search(pattern, body, re.MULTILINE):
            line = body[body.rfind("\n", 0, wrong.start()) + 1 :].partition("\n")[0]
            raise BundleError(f"{name}: {line.strip()!r}: {reason}")
    inside = "".join(lines) + body
    if importers:
        modules[name] = f"const {_variable(name)} = (() => {{\n{inside}return {{ {', '.join(exports)} }};\n}})();\n"
    else:
        modules[name] = f"{{\n{inside}}}\n"  # the first module may wait for promises


def _check_exports(name: str, wanted: list[str], imported: str, source: str) -> None:
    exported = {found[1] for found in _EXPORT.finditer(source)}
    for one in wanted:
        if one not in exported:
            raise BundleError(f"{name}: {imported} does not export {one}")


def _variable(name: str) -> str:
    return f"module_{name.removesuffix('.js').replace('-', '_')}"


def _shortened(source: str) -> str:
    """Return a source without indentation, types and lines with comments, unless it has strings that span lines."""
    short = _TYPE_COMMENT.sub("", _LINE_COMMENT.sub("", _BLOCK_COMMENT.sub("", source)))
    short = re.sub(r"\n\s+", "\n", short)
    return source if any(line.count("`") % 2 for line in short.split("\n")) else short
