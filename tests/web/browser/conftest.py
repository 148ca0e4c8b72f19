"""A real browser on the player, as a static host serves it.

`open_player` opens the page in Chromium. When a test ends, the page must not have written an error to the console, and it
must not have sent a request to another host. The tests wait for conditions and never for a time.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.browser.page import CHROMIUM, DESKTOP, PHONE, Player, chromium, files, served

__all__ = ["DESKTOP", "PHONE", "OpenPlayer", "Player", "files"]


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the player on a local server."""
    with served() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium. Without it, the tests are skipped; in CI, they fail."""
    if not os.environ.get("CI"):
        pytest.importorskip("playwright")
        if CHROMIUM is None:
            pytest.skip("Chromium is not installed")
    with chromium() as browser:
        yield browser


OpenPlayer = Callable[..., Player]


@pytest.fixture
def open_player(browser: Any, site: str) -> Iterator[OpenPlayer]:
    """A function that opens the player: `open_player("game=sokoban", **PHONE)`. The options are Playwright's."""
    contexts, problems = [], []

    def watch(page: Any) -> None:
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("console", lambda entry: problems.append(entry.text) if entry.type == "error" else None)
        page.on("request", lambda request: problems.append(request.url) if not is_own(request.url) else None)

    def is_own(url: str) -> bool:
        return url.startswith((site, "data:", "blob:"))

    def open_page(query: str = "", **options: Any) -> Player:
        context = browser.new_context(**{"service_workers": "block", **DESKTOP, **options})
        contexts.append(context)
        page = context.new_page()
        watch(page)
        return Player(page, site).open(query)

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []
