"""Check the links in the documentation (Markdown files and a built site) without network access.

    python docs/links.py README.md docs site --base /shoverworld/

Each argument is a Markdown or HTML file, or a folder of such files. A link is bad if its target is missing, or if the
target has no heading or id for the part after the #. On an HTML page, a picture, style sheet, script or frame from
another host is bad as well, because the site must work offline and must not reveal its readers to other hosts. Links
to other hosts are not followed. `--base` is the path of the site on its host: a link that begins with this path
refers to a file of the site. The exit code is 1 if there is a bad link.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

_LOADED = {"src", "srcset", "poster", "data"}  # attributes whose targets the browser loads
_POINTERS = {"canonical", "alternate", "next", "prev", "license"}  # kinds of <link> that the browser does not load


class Link(NamedTuple):
    """A link on a page, and whether the browser loads its target together with the page."""

    target: str
    loaded: bool


class Page(NamedTuple):
    links: list[Link]
    anchors: set[str]


class _HtmlReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page([], set())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.page.anchors.update(
            given[name] for name in ("id", "name") if name in given and (name == "id" or tag == "a")
        )
        for name in _LOADED & given.keys():
            targets = [part.split()[0] for part in given[name].split(",")] if name == "srcset" else [given[name]]
            self.page.links.extend(Link(target, True) for target in targets)
        if "href" in given:
            kinds = set(given.get("rel", "").split())
            self.page.links.append(Link(given["href"], tag == "link" and not kinds & _POINTERS))


def html_page(text: str) -> Page:
    """Return the links and anchors of an HTML page."""
    reader = _HtmlReader()
    reader.feed(text)
    return reader.page


def markdown_page(text: str) -> Page:
    """Return the links and anchors of a Markdown page, with the anchors that GitHub gives to headings."""
    page, tokens = Page([], set()), MarkdownIt("commonmark").enable("table").parse(text)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            page.anchors.add(_unused(slug(_plain(tokens[number + 1])), page.anchors))
        html = [token] if token.type == "html_block" else []
        for part in token.children or []:
            target = part.attrs.get("href" if part.type == "link_open" else "src")
            if target is not None:
                page.links.append(Link(unquote(str(target)), False))
            html += [part] if part.type == "html_inline" else []
        for part in html:
            found = html_page(part.content)
            page.links.extend(found.links)
            page.anchors.update(found.anchors)
    return page


def slug(heading: str) -> str:
    """Return the anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _plain(inline: Token) -> str:
    return "".join(part.content for part in inline.children or [] if part.type in ("text", "code_inline"))


def _unused(anchor: str, used: set[str]) -> str:
    """Return the anchor, with a number if an earlier heading has the same one."""
    number, free = 0, anchor
    while free in used:
        number += 1
        free = f"{anchor}-{number}"
    return free


@cache
def read_page(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    return markdown_page(text) if path.suffix == ".md" else html_page(text)


def bad_links(path: Path, root: Path, base: str = "/") -> Iterator[str]:
    """Yield a sentence for each bad link on a page. A target that begins with `base` is a file in `root`."""
    for link in dict.fromkeys(read_page(path).links):
        parts = urlsplit(link.target)
        if parts.scheme in ("data", "mailto"):
            continue
        if parts.scheme or parts.netloc:
            if link.loaded and path.suffix == ".html":
                yield f"{link.target}: loaded from another host"
            continue
        file = unquote(parts.path)
        target = root / file.removeprefix(base) if file.startswith(base) else path.parent / file if file else path
        if path.suffix == ".html" and target.is_dir():
            target /= "index.html"
        if not target.exists():
            yield f"{link.target}: no such file"
        elif not has_anchor(target, unquote(parts.fragment)):
            yield f"{link.target}: no such heading or id"


def has_anchor(path: Path, anchor: str) -> bool:
    """Return whether a page has a heading or an id for this anchor. In other files, every anchor is accepted."""
    return not anchor or path.suffix not in (".md", ".html") or anchor in read_page(path.resolve()).anchors


def pages_in(given: Path) -> list[Path]:
    """Return the given file, or all Markdown and HTML pages in a folder."""
    return sorted([*given.rglob("*.md"), *given.rglob("*.html")]) if given.is_dir() else [given]


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the links of Markdown files and of a built site.")
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE_OR_FOLDER")
    parser.add_argument("--base", default="/", help="the path of the site on its host (default: /)")
    given = parser.parse_args()
    page_count = link_count = bad_count = 0
    for root in given.paths:
        pages = pages_in(root) if root.exists() else []
        if not pages:
            parser.error(f"{root}: no page to check")
        for path in pages:
            bad = list(bad_links(path.resolve(), root.resolve(), given.base))
            print("".join(f"{path}: {sentence}\n" for sentence in bad), end="")
            page_count += 1
            link_count += len(read_page(path.resolve()).links)
            bad_count += len(bad)
    print(f"{page_count} pages, {link_count} links, {bad_count} bad")
    return int(bad_count > 0)


if __name__ == "__main__":
    sys.exit(main())
