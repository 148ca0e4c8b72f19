"""The pages of the API reference: one page per public module, with a line for each public name.

mkdocstrings replaces a line `::: NAME` with the signature and the docstring of the object.
"""

from collections import defaultdict
from pathlib import Path

import griffe

SOURCES = Path(__file__).resolve().parents[1] / "src"
MODULES = (
    "shoverworld",
    *(f"shoverworld.{name}" for name in ("shover", "sokoban", "race", "search", "agents", "learn")),
)
SECTIONS = ("Modules", "Classes", "Functions", "Constants", "Errors")
BASE_CLASSES = ("shoverworld.core.env.GridEnv", "shoverworld.core.vector.GridVectorEnv")

_BLOCK = """\
::: {}
    options:
      show_root_heading: true
      show_root_toc_entry: true
      heading_level: 3

"""


def api_pages() -> dict[str, str]:
    """Return the pages of the API reference, by their paths on the site."""
    package = griffe.load("shoverworld", search_paths=[SOURCES], resolve_aliases=True)
    pages = {f"api/{name.rpartition('.')[2]}.md": _page(package, name) for name in MODULES}
    pages["api/base-classes.md"] = (
        "# Base classes of the environments\n\nEvery environment inherits these methods, in every game. The classes are "
        "also the starting point for [your own game](../add-a-game.md).\n\n" + _blocks(BASE_CLASSES)
    )
    return pages


def _page(package: griffe.Object, module: str) -> str:
    """Return the page of a module: its docstring and its public names, sorted into sections."""
    found = package[module.partition(".")[2]] if "." in module else package
    sections: dict[str, list[str]] = defaultdict(list)
    for name in map(str, found.exports or ()):
        section, text = _entry(found[name], module, name)
        sections[section].append(text)
    text = "".join(f"## {title}\n\n{''.join(sections[title])}\n" for title in SECTIONS if title in sections)
    return f"# {module}\n\n::: {module}\n    options:\n      members: []\n\n{text}"


def _entry(member: griffe.Object | griffe.Alias, module: str, name: str) -> tuple[str, str]:
    """Return the section of a public name and the text about it."""
    path = f"{module}.{name}"
    if path in MODULES:
        return "Modules", f"- [{path}]({name}.md)\n"
    try:
        if member.is_module:  # a function and its module have the same name
            member, path = member[name], f"{path}.{name}"
        if isinstance(member, griffe.Alias):
            member = member.final_target
    except griffe.AliasResolutionError:  # Griffe does not know names that are assigned together: A, B = 1, 2
        return "Constants", f"- `{name}`\n"
    if isinstance(member, griffe.Class):
        is_error = "ShoverWorldError" in (base.name for base in (member, *member.mro()))
        return "Errors" if is_error else "Classes", _blocks([path])
    return "Functions" if member.is_function else "Constants", _blocks([path])


def _blocks(paths: tuple[str, ...] | list[str]) -> str:
    return "".join(map(_BLOCK.format, paths))
