"""A Griffe extension that turns this project's plain docstrings into Markdown for the API reference.

- A line that begins with names of parameters or fields, followed by a colon, becomes an item of a list, with the lines
  that follow it.
- The comment after a field of a class becomes an item too.
- Interactive examples (`>>>`) become blocks of code.
"""

import re
from collections.abc import Iterator
from typing import Any

import griffe

_ITEM = re.compile(r"`?(\w+)`?((?:, `?\w+`?)*): ")
_NEXT_ITEM = re.compile(r"(?<=[.)] )(?=(\w+): )")  # an item that begins in the middle of a line
_COMMENT = re.compile(r"  # (.+)$")


class PlainDocstrings(griffe.Extension):
    """Rewrites every docstring after the package has been loaded."""

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        _rewrite(func, {parameter.name for parameter in func.parameters})

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        if cls.docstring is not None:
            cls.docstring.value += "\n\n" + "\n".join(_commented_fields(cls))
        _rewrite(cls, {parameter.name for parameter in cls.parameters} | set(cls.members))

    def on_module(self, *, mod: griffe.Module, **_: Any) -> None:
        _rewrite(mod, set())


def _rewrite(item: griffe.Object, names: set[str]) -> None:
    if item.docstring is not None:
        lines = [part for line in item.docstring.value.rstrip().split("\n") for part in _items_of(line, names)]
        item.docstring.value = "\n".join(_markdown(lines, names))


def _commented_fields(cls: griffe.Class) -> Iterator[str]:
    """Yield the comments after the fields of a dataclass or a named tuple."""
    if "dataclass" not in cls.labels and "NamedTuple" not in map(str, cls.bases):
        return
    for name, field in cls.members.items():
        comment = field.is_attribute and not name.startswith("_") and _COMMENT.search(field.lines[0])
        if comment:
            yield f"{name}: {comment[1]}"


def _items_of(line: str, names: set[str]) -> Iterator[str]:
    """Split a line that contains several items."""
    start = 0
    for found in _NEXT_ITEM.finditer(line):
        if found[1] in names:
            yield line[start : found.start()].rstrip()
            start = found.start()
    yield line[start:]


def _markdown(lines: list[str], names: set[str]) -> Iterator[str]:
    """Yield the lines of a docstring as Markdown. `names` are the words that begin an item."""
    in_list = in_example = False
    for line in lines:
        found = _ITEM.match(line)
        if not in_example and line.startswith(">>>"):
            in_example = True
            yield "```pycon"
        elif in_example and not line:
            in_example = False
            yield "```"
        elif found and found[1] in names:
            if not in_list:
                yield ""
            in_list = True
            line = f"- **{found[0][:-2].replace('`', '')}**: {line[found.end() :]}"
        elif not line:
            in_list = False
        elif in_list:
            line = f"    {line}"
        yield line
    if in_example:
        yield "```"
