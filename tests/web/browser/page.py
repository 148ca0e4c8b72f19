"""The player in Chromium: a local server for its files, the browser, and the actions of a person.

The browser tests, `benchmarks/player.py` and `docs/web_screens.py` use it.
"""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from shutil import which
from typing import Any
from urllib.parse import urlsplit

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
COMPRESSION = 6  # the usual level of a web server
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}


@cache
def files() -> dict[str, bytes]:
    """The files of the player by path."""
    return player_files()


@cache
def compressed(name: str) -> bytes:
    return gzip.compress(files()[name], COMPRESSION)


class Handler(BaseHTTPRequestHandler):
    """Serves the files of the player below /player/, compressed as static hosts do it."""

    protocol_version = "HTTP/1.1"  # connections are kept, as by every host

    def do_GET(self) -> None:
        name = urlsplit(self.path).path.removeprefix("/player/") or "index.html"
        ending, known = "." + name.rpartition(".")[2], name in files()
        smaller = known and ending != ".png" and "gzip" in self.headers.get("Accept-Encoding", "")
        content = compressed(name) if smaller else files().get(name, b"")
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", TYPES.get(ending, "application/octet-stream"))
        self.send_header("Content-Length", str(len(content)))
        if smaller:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@contextmanager
def served() -> Iterator[str]:
    """Serve the player on this machine and return its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/player/"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def chromium() -> Iterator[Any]:
    """Start Chromium."""
    from playwright.sync_api import sync_playwright  # lazy, because the tests are skipped without it

    if CHROMIUM is None:
        raise FileNotFoundError("Chromium is not installed; install Debian's package `chromium`")
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
