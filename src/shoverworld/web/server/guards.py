"""The checks that every request passes before the application sees it, and the headers of every response.

- `Host` must name this machine and this port. Otherwise, a foreign page could reach the server through a host name that
  resolves to 127.0.0.1 (DNS rebinding).
- A request that changes something or starts work must come from the page itself: `Origin` is required and must match.
- A body has a size limit and a time limit, which hold while it is read.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .limits import Limits

log = logging.getLogger("shoverworld.web")

API = "/api/"
SAFE_METHODS = ("GET", "HEAD")
POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Refused(Exception):
    """A request that is not passed on to the application."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


class Guard:
    """An ASGI application that passes acceptable requests on to another one.

    `hosts`: the values that the header `Host` may have, such as "127.0.0.1:7468". `is_stream`: whether the response to
    a path may take as long as an event stream.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], limits: Limits, is_stream: Callable[[str], bool]):
        self.app, self.hosts, self.limits, self.is_stream = app, frozenset(hosts), limits, is_stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, _Sender(scope, send))

    async def _serve(self, scope: Scope, receive: Receive, send: "_Sender") -> None:
        limits = self.limits
        seconds = limits.stream_seconds if self.is_stream(scope["path"]) else limits.response_seconds
        try:
            self._check(scope)
            async with asyncio.timeout(seconds):
                await self.app(scope, _limited(receive, limits), send)
        except Refused as reason:
            await send.error(reason.status, str(reason))
        except TimeoutError:
            await send.error(503, f"the response took longer than {seconds:g} s")
        except Exception:
            log.exception("internal error in %s %s", scope["method"], scope["path"].encode("unicode_escape").decode())
            await send.error(500, "internal error; the terminal in which `shover web` runs shows the details")

    def _check(self, scope: Scope) -> None:
        headers = _header_values(scope)
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            raise Refused(403, f"Host: {', '.join(hosts)!r:.80}: this server answers only to {_one_of(self.hosts)}")
        path, method = scope["path"], scope["method"]
        if path != "/" and not _is_plain(path):
            raise Refused(404, "there is no such page")
        if path.startswith(API):
            self._check_origin(headers, hosts[0].lower(), method)
        self._check_body(headers, method)

    def _check_origin(self, headers: dict[str, list[str]], host: str, method: str) -> None:
        own, given = f"http://{host}", headers.get("origin", [])
        if given != [own] and (given or method not in SAFE_METHODS):
            raise Refused(403, f"Origin: {', '.join(given)!r:.80}: only the page at {own} may do this")
        # Browsers send no Origin when a page of another site loads a GET address as a script or a picture.
        if any(site not in ("same-origin", "none") for site in headers.get("sec-fetch-site", [])):
            raise Refused(403, f"only the page at {own} may do this")

    def _check_body(self, headers: dict[str, list[str]], method: str) -> None:
        lengths = headers.get("content-length", ["0"])
        if method in (*SAFE_METHODS, "DELETE") and (lengths != ["0"] or "transfer-encoding" in headers):
            raise Refused(400, f"a {method} request has no body")
        if any(not length.isdecimal() or int(length[:12]) > self.limits.body for length in lengths):
            raise Refused(413, _too_large(self.limits))


class _Sender:
    """Adds the headers to a response, and sends an error if no response has begun."""

    def __init__(self, scope: Scope, send: Send):
        self._scope, self._send = scope, send
        self._started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._started = True
            self._add_headers(message)
        await self._send(message)

    def _add_headers(self, message: MutableMapping[str, Any]) -> None:
        api = self._scope["path"].startswith(API)
        extra = {**HEADERS, "cache-control": "no-store" if api else "no-cache"}
        if message["status"] in (400, 403, 408, 413, 503):
            extra["connection"] = "close"  # the rest of the request is not read
        given = {name.lower() for name, _ in message.get("headers", [])}
        added = [(name.encode(), value.encode()) for name, value in extra.items() if name.encode() not in given]
        message["headers"] = [*message.get("headers", []), *added]

    async def error(self, status: int, text: str) -> None:
        if not self._started:
            await JSONResponse({"error": text}, status)(self._scope, _no_body, self)


async def _no_body() -> Message:
    return {"type": "http.disconnect"}


def _limited(receive: Receive, limits: Limits) -> Receive:
    """Return a function that reads a request, but no more bytes and no longer than allowed."""
    size, complete = 0, False
    deadline: float | None = None

    async def limited() -> Message:
        nonlocal size, complete, deadline
        if complete:  # wait for the client to disconnect
            return await receive()
        deadline = deadline or asyncio.get_running_loop().time() + limits.body_seconds
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, f"the body of the request took longer than {limits.body_seconds:g} s") from None
        size += len(message.get("body", b""))
        if size > limits.body:
            raise HTTPException(413, _too_large(limits))
        complete = not message.get("more_body", False)
        return message

    return limited


def _too_large(limits: Limits) -> str:
    return f"the body of the request is too large; at most {limits.body:,} bytes are allowed"


def _is_plain(path: str) -> bool:
    """Return whether a path names a file in only one way: without empty parts, "..", backslashes and the like."""
    parts = path.split("/")
    return parts[0] == "" and not {"", ".", ".."} & set(parts[1:]) and path.isprintable() and "\\" not in path


def _header_values(scope: Scope) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        values.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1").strip())
    return values


def _one_of(words: Iterable[str]) -> str:
    return " or ".join(sorted(words))
