"""Collect the pages of the documentation site in build/pages, from which Zensical builds the site (`make site`).

The pages are the Markdown files of the repository. Only the links in them change: a link to a file that is not part of
the site becomes a link to the code host. The pages of the API reference are generated from docstrings.

`python docs/stage.py PLAYER` copies the web player from the folder PLAYER (`make player`) into the site, and embeds it at
each comment `<!-- player: QUERY -->` as an iframe that shows player/index.html?QUERY.
"""

import argparse
import posixpath
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "build" / "pages"
PLAYER = "player"  # the folder of the player on the site; no page may have this name
CODE_HOST = "https://github.com/shoverworld/shoverworld/blob/main/"

# The pages from outside docs/. A page in docs/ has the same path on the site.
OTHER_PAGES = {
    "README.md": "overview.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/maps/README.md": "benchmark-maps.md",
    "benchmarks/maps/BEST.md": "best-plans.md",
}

NO_SIDEBAR = "---\nhide: [navigation]\n---\n"  # Zensical's setting for the front page, which has no neighbours

_LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
_PLAYER = re.compile(r"<!-- player: (\S+) -->")


def site_path(source: str) -> str | None:
    """Return the path on the site for a file of the repository, or None if the file is not part of the site."""
    if source in OTHER_PAGES:
        return OTHER_PAGES[source]
    inside = source.removeprefix("docs/")
    return inside if inside != source and (inside.endswith(".md") or inside.startswith("pictures/")) else None


def with_site_links(text: str, source: str) -> str:
    """Return a page with links that work on the site. `source` is the page's path in the repository."""
    page = site_path(source)
    assert page is not None

    def moved(link: re.Match[str]) -> str:
        target, anchor = link[1], link[2] or ""
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if "://" in target or not (ROOT / file).exists():  # the link checker reports missing files
            return link[0]
        inside = site_path(file)
        if inside is None:
            return f"]({CODE_HOST}{file}{anchor})"
        return f"]({posixpath.relpath(inside, posixpath.dirname(page) or '.')}{anchor})"

    return _LINK.sub(moved, text)


def with_player(text: str, page: str) -> str:
    """Return a page with the player in place of each comment that asks for it."""
    player = posixpath.relpath(f"{PLAYER}/index.html", posixpath.dirname(page) or ".")
    return _PLAYER.sub(rf'<iframe class="player" src="{player}?\1" title="Play in the browser"></iframe>', text)


def stage(player: Path) -> None:
    """Write all pages and pictures to build/pages."""
    from api_pages import api_pages  # lazy, because Griffe is installed only in the environment of the site

    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "pictures", PAGES / "pictures")
    shutil.copytree(player, PAGES / PLAYER)
    docs = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    for source in (*docs, *OTHER_PAGES):
        page = site_path(source)
        assert page not in (None, f"{PLAYER}.md"), f"{source} would replace the player on the site"
        text = with_site_links((ROOT / source).read_text(encoding="utf-8"), source)
        text = with_player(text, page)
        _write(page, NO_SIDEBAR + text if page == "index.md" else text)
    for page, text in api_pages().items():
        _write(page, text)


def _write(page: str, text: str) -> None:
    path = PAGES / page
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", type=Path, help="the folder of the web player")
    stage(parser.parse_args().player)
