"""Report pages in Chromium, opened from disk: no errors, no requests to other hosts, and replays that play."""

from pathlib import Path
from typing import Any

import pytest

from shoverworld.arena import report
from tests.arena import made_up
from tests.web.browser.conftest import browser  # noqa: F401  a fixture
from tests.web.browser.page import DESKTOP, PHONE


@pytest.mark.parametrize("options", [DESKTOP, {**PHONE, "color_scheme": "dark"}], ids=["desktop", "phone, dark"])
def test_pages_open_without_errors_and_play_replays(browser: Any, tmp_path: Path, options: dict[str, Any]):  # noqa: F811
    report.write(made_up.exam(), made_up.results(["Ada", "<b>Bob</b>"], count=3), tmp_path)
    pages = [path for path in tmp_path.rglob("*.html") if path.name != "replays.html"]
    context, problems = browser.new_context(**options), []
    page = context.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda entry: problems.append(entry.text) if entry.type in ("error", "warning") else None)
    page.on("request", lambda r: None if r.url.startswith(("file:", "data:", "blob:")) else problems.append(r.url))
    for path in pages:
        page.goto(path.as_uri())
        assert page.locator("h1").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    page.goto((tmp_path / "hand-back" / "ada" / "index.html").as_uri())
    page.locator("summary", has_text="Replay").first.click()
    page.frame_locator("iframe").first.locator("body[data-mode=replay]").wait_for()
    context.close()
    assert problems == []
