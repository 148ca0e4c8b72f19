"""The pages of the documentation site: links, navigation and the place for the web player."""

import re
import runpy
import tomllib

import pytest

from tests.paths import ROOT

STAGE = runpy.run_path(str(ROOT / "docs" / "stage.py"))
CONFIG = (ROOT / "zensical.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "link", "expected"),
    [
        ("docs/rules.md", "[maps](maps.md#header)", "[maps](maps.md#header)"),
        ("docs/games/race.md", "![track](../pictures/race-way.png)", "![track](../pictures/race-way.png)"),
        ("docs/index.md", "[commands](../README.md#commands)", "[commands](overview.md#commands)"),
        ("docs/games/race.md", "[changes](../../CHANGELOG.md)", "[changes](../changelog.md)"),
        ("README.md", "[rules](docs/rules.md)", "[rules](rules.md)"),
        (
            "benchmarks/maps/README.md",
            "[best](BEST.md) [maps](../../docs/maps.md)",
            "[best](best-plans.md) [maps](maps.md)",
        ),
        ("README.md", "[licence](LICENSE)", f"[licence]({STAGE['CODE_HOST']}LICENSE)"),
        ("docs/rules.md", "[test](../tests/peers/README.md)", f"[test]({STAGE['CODE_HOST']}tests/peers/README.md)"),
        (
            "docs/rules.md",
            "[self](#presets) [web](https://example.org/a)",
            "[self](#presets) [web](https://example.org/a)",
        ),
        ("docs/rules.md", "call[name](argument)", "call[name](argument)"),
    ],
)
def test_relative_links_are_adapted_to_the_site(source, link, expected):
    assert STAGE["with_site_links"](link, source) == expected


@pytest.mark.parametrize(
    ("page", "path"), [("index.md", "player/index.html"), ("games/race.md", "../player/index.html")]
)
def test_the_web_player_replaces_its_placeholder_comment(page, path):
    """The path is relative to the page, as in every link. Zensical adapts it to the address of the page."""
    text = STAGE["with_player"]("before\n\n<!-- player: game=race&level=05-oval -->\n\nafter\n", page)
    [source] = re.findall(r'<iframe class="player" src="([^"]+)"', text)
    assert source == f"{path}?game=race&level=05-oval"
    assert text.startswith("before\n\n<iframe") and text.endswith("</iframe>\n\nafter\n")


@pytest.mark.parametrize("page", ["index", "games/shover", "games/sokoban", "games/race"])
def test_the_front_page_and_the_page_of_every_game_have_a_place_for_the_web_player(page):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert len(re.findall(STAGE["_PLAYER"], text)) == 1


def test_the_navigation_contains_every_page():
    nav = tomllib.loads(CONFIG)["project"]["nav"]
    named = set(re.findall(r"'([\w/-]+\.md)'", str(nav)))
    docs = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in named if not page.startswith("api/")} == {
        STAGE["site_path"](source) for source in docs | set(STAGE["OTHER_PAGES"])
    }


def test_the_theme_loads_nothing_from_other_hosts():
    project = tomllib.loads(CONFIG)["project"]
    assert project["theme"]["font"] is False
    assert "repo_url" not in project  # the theme would request data about the repository
    assert "default-src 'self'" in (ROOT / "docs/theme/main.html").read_text(encoding="utf-8")
