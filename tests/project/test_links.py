"""The link checker for the docs finds bad links, and there are none in this repository."""

import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT

MARKDOWN = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "benchmarks/maps", "tests/peers")


def check(*arguments: str, folder: Path) -> tuple[int, list[str]]:
    """Return the exit code of the checker and the lines that it prints."""
    run = subprocess.run(
        [sys.executable, ROOT / "docs" / "links.py", *arguments], capture_output=True, text=True, cwd=folder
    )
    assert not run.stderr, run.stderr
    return run.returncode, run.stdout.splitlines()


def write(folder: Path, pages: dict[str, str]) -> None:
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_the_markdown_pages_of_this_repository_have_no_bad_links():
    code, lines = check(*MARKDOWN, folder=ROOT)
    assert code == 0, lines
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"MARKDOWN := {' '.join(MARKDOWN)}\n" in make


def test_good_markdown_links_are_accepted(tmp_path):
    page = """
# One page
[here](#a-heading-with-code-and-punctuation) [twice](#twice-1) [there](sub/other.md#größe) ![picture](sub/a.png)
[external](https://example.org/missing#anchor) [file](sub/) <a href="sub/other.md#own-id">html</a>
`[code](missing.md)`

| table |
|---|
| [cell](sub/other.md) |

```
[block](missing.md)
```
## A heading, with `code` and punctuation!
## Twice
## Twice
"""
    write(tmp_path, {"page.md": page, "sub/other.md": '# Größe\n<a id="own-id"></a>\n', "sub/a.png": ""})
    assert check("page.md", "sub", folder=tmp_path) == (0, ["2 pages, 8 links, 0 bad"])


def test_bad_markdown_links_are_reported(tmp_path):
    page = """# Page
[a](missing.md) ![b](missing.png) [c](#missing) [d](other.md#page) [e](other.md#twice-1)

| table |
|---|
| [f](cell.md) |

<img src="raw.png">

[g]: reference.md
[by reference][g]
"""
    write(tmp_path, {"page.md": page, "other.md": "# Twice\n"})
    assert check("page.md", folder=tmp_path) == (
        1,
        [
            "page.md: missing.md: no such file",
            "page.md: missing.png: no such file",
            "page.md: #missing: no such heading or id",
            "page.md: other.md#page: no such heading or id",
            "page.md: other.md#twice-1: no such heading or id",
            "page.md: cell.md: no such file",
            "page.md: raw.png: no such file",
            "page.md: reference.md: no such file",
            "1 pages, 8 links, 8 bad",
        ],
    )


def test_good_links_on_a_site_are_accepted(tmp_path):
    front = """<link rel="canonical" href="https://example.org/base/"><link rel="stylesheet" href="style.css?v=1">
<a href="sub/">a</a> <a href="sub/#top">b</a> <a href="sub/index.html#old">c</a> <a href="/base/sub/">d</a>
<a href="https://example.org/">e</a> <a href="mailto:a@example.org">f</a> <a href="#">g</a>
<img src="data:image/gif;base64,R0lG" srcset="a%20b.png 1x, a%20b.png 2x"><p id="unused">"""
    sub = '<h1 id="top"></h1><a name="old"></a><a href="..">up</a>'
    write(tmp_path / "site", {"index.html": front, "style.css": "", "a b.png": "", "sub/index.html": sub})
    assert check("site", "--base", "/base/", folder=tmp_path) == (0, ["2 pages, 13 links, 0 bad"])


def test_bad_links_on_a_site_are_reported(tmp_path):
    front = """<a href="missing/">a</a> <a href="sub/#missing">b</a> <a href="/sub/">outside the base</a>
<a href="empty/">a folder without a page</a> <img src="missing.png">
<script src="https://example.org/a.js"></script> <link rel="stylesheet" href="//example.org/font.css">
<link rel="preconnect" href="https://example.org"> <iframe src="http://example.org/"></iframe>
<img srcset="https://example.org/a.png 2x">"""
    write(tmp_path / "site", {"index.html": front, "sub/index.html": "", "empty/file.txt": ""})
    code, lines = check("site", "--base", "/base/", folder=tmp_path)
    assert code == 1
    assert lines == [
        "site/index.html: missing/: no such file",
        "site/index.html: sub/#missing: no such heading or id",
        "site/index.html: /sub/: no such file",
        "site/index.html: empty/: no such file",
        "site/index.html: missing.png: no such file",
        "site/index.html: https://example.org/a.js: loaded from another host",
        "site/index.html: //example.org/font.css: loaded from another host",
        "site/index.html: https://example.org: loaded from another host",
        "site/index.html: http://example.org/: loaded from another host",
        "site/index.html: https://example.org/a.png: loaded from another host",
        "2 pages, 10 links, 10 bad",
    ]


def test_a_folder_without_pages_is_reported_as_an_error(tmp_path):
    run = subprocess.run([sys.executable, ROOT / "docs" / "links.py", tmp_path], capture_output=True, text=True)
    assert run.returncode == 2
    assert "no page to check" in run.stderr
