"""HTML for reports: escaped text, tables and complete pages. A page requests nothing from other hosts."""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib import resources

from shoverworld._version import __version__
from shoverworld.core.text import visible


class Html(str):
    """Text that is HTML already. All other text is escaped."""


def text(content: object) -> Html:
    """Return any content as HTML, with control characters and invisible characters made visible."""
    return content if isinstance(content, Html) else Html(escape(visible(str(content))))


def element(tag: str, *content: object, **attributes: object) -> Html:
    """Return an element with its content. `class_` stands for the attribute `class`, and a None leaves one out."""
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{text(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Html(f"<{tag}{named}>{''.join(map(text, content))}</{tag}>")


def join(parts: Iterable[object], separator: str = "\n") -> Html:
    return Html(separator.join(map(text, parts)))


def link(content: object, address: str) -> Html:
    return element("a", content, href=address)


def table(
    caption: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    numbers: Iterable[int] = (),
    texts: Iterable[int] = (),
    head: int = 0,
    together: Iterable[int] = (),
) -> Html:
    """Return a table that scrolls within itself on a narrow screen.

    numbers, texts: the columns with numbers and with long texts. head: the column that names the row. together: the
    rows that share a place with the row above.
    """
    kinds = {**dict.fromkeys(numbers, "number"), **dict.fromkeys(texts, "text")}
    joined = set(together)
    top = join((element("th", name, scope="col", class_=kinds.get(i)) for i, name in enumerate(headings)), "")
    lines = [
        element(
            "tr",
            *(
                element("th", cell, scope="row") if i == head else element("td", cell, class_=kinds.get(i))
                for i, cell in enumerate(row)
            ),
            class_="together" if number in joined else None,
        )
        for number, row in enumerate(rows)
    ]
    content = (element("caption", caption), element("thead", element("tr", top)), element("tbody", join(lines)))
    return element("div", element("table", *content), class_="scroll", tabindex=0, role="region", aria_label=caption)


def facts(pairs: Iterable[tuple[str, object]]) -> Html:
    """Return the most important figures of a page, side by side."""
    return element("dl", *(element("div", element("dt", k), element("dd", v)) for k, v in pairs), class_="facts")


def settings(pairs: Iterable[tuple[str, object]]) -> Html:
    return element("dl", *(join((element("dt", k), element("dd", v)), "") for k, v in pairs), class_="settings")


def page(title: str, *content: object, up: Html | None = None) -> str:
    """Return a complete page. `up`: a link to the page above."""
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    # Replays are shown in frames from the same folder. Pages opened from disk have no origin, hence `file:`.
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; frame-src 'self' file:; "
        "base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{text(title)}</title>
<style>{style}</style>
</head>
<body>
{element("nav", up, aria_label="Pages") if up else ""}
<main>
{element("h1", title)}
{join(content)}
</main>
<footer>shoverworld {text(__version__)}</footer>
</body>
</html>
"""


@cache
def _style() -> str:
    return (resources.files("shoverworld.arena.report") / "style.css").read_text("utf-8")
