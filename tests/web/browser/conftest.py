"""A real browser on the player, as a static host serves it.

`player` opens the page in Chromium. When a test ends, the page must not have written an error to the console, and it must
not have sent a request to another host. The tests wait for conditions and never for a time.
"""

import os
import threading
from collections.abc import Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from shutil import which
from typing import Any
from urllib.parse import urlsplit

import pytest

from shoverworld.web.export import player_files

CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml",
    ".json": "application/json", ".wasm": "application/wasm", ".png": "image/png",
}  # fmt: skip
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}


@cache
def files() -> dict[str, bytes]:
    return player_files()


class Handler(BaseHTTPRequestHandler):
    """Serves the files of the player below /player/."""

    def do_GET(self) -> None:
        name = urlsplit(self.path).path.removeprefix("/player/") or "index.html"
        content = files().get(name)
        self.send_response(404 if content is None else 200)
        self.send_header("Content-Type", TYPES.get("." + name.rpartition(".")[2], "application/octet-stream"))
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the player on a local server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/player/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium. Without it, the tests are skipped; in CI, they fail."""
    if not os.environ.get("CI"):
        pytest.importorskip("playwright")
        if CHROMIUM is None:
            pytest.skip("Chromium is not installed")
    from playwright.sync_api import sync_playwright  # lazy, because the tests are skipped without it

    assert CHROMIUM, "Chromium is not installed; install Debian's package `chromium`"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Player:
    """The page in a browser, with the actions of a person and what the person sees."""

    def __init__(self, page: Any, address: str):
        self.page, self.address = page, address

    def open(self, query: str = "") -> "Player":
        """Open the page with a query (`game=sokoban&level=tiny/3`) or a fragment (`#...`), and wait until it is ready."""
        self.page.goto(self.address + (query if query.startswith("#") or not query else f"?{query}"))
        self.page.wait_for_selector("body[data-ready]")
        return self

    def press(self, *keys: str) -> None:
        """Press keys with the names of the browser: "ArrowLeft", "u"."""
        for key in keys:
            self.page.keyboard.press(key)

    def without_animation(self) -> "Player":
        """Turn animation off, so that the effect of every input is visible at once."""
        self.evaluate("app => { app.view.board.finish(); app.view.board.animated = false; }")
        return self

    def evaluate(self, function: str) -> Any:
        """Run a JavaScript function with the page's `App` object as its argument."""
        return self.page.evaluate(f"({function})(globalThis.shoverworld)")

    def middle(self, row: int, col: int) -> tuple[float, float]:
        """Return the middle of a cell in the window."""
        place = self.evaluate(f"app => app.view.board.middleOf([{row}, {col}])")
        return place["x"], place["y"]

    def click(self, row: int, col: int) -> None:
        self.page.mouse.click(*self.middle(row, col))

    def tap(self, row: int, col: int) -> None:
        self.page.touchscreen.tap(*self.middle(row, col))

    @property
    def message(self) -> str:
        return self.page.locator("#message").inner_text()

    @property
    def moves(self) -> tuple[int, int]:
        """The number of moves that are shown, and of all moves."""
        return tuple(self.evaluate("app => [app.table.session.at, app.table.session.entries.length]"))

    @property
    def state_hash(self) -> str:
        return self.evaluate("app => app.table.session.block.stateHash()")

    @property
    def outcome(self) -> str | None:
        return self.evaluate("app => app.table.session.outcome")

    def wait(self, condition: str) -> None:
        """Wait until a JavaScript function of the page's `App` object returns true."""
        self.page.wait_for_function(f"() => ({condition})(globalThis.shoverworld)")


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
